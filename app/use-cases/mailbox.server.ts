// The mailbox of a local run (P-45). A deployed run has no such page.
import * as accounts from "#db/queries/accounts";
import { AppError } from "~/domain/errors";
import type { Instant } from "~/domain/time";
import type { App } from "./app.server";

export type MailSeen = {
  id: number;
  recipient: string;
  subject: string;
  html: string;
  text: string;
  sentAt: Instant;
};

/** Newest first, fifty at most. NOT_FOUND on a deployed run. */
export async function viewMailbox(app: App): Promise<{ mails: MailSeen[] }> {
  if (!app.settings.isLocalRun) throw new AppError("NOT_FOUND");
  return { mails: await accounts.listMailbox(app.db) };
}
