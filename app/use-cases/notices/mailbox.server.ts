// The mailbox of a local run (P-45), with its push box (N-38). A deployed run has no such page.
import * as accounts from "#db/queries/accounts/accounts";
import { listPushBox } from "#db/queries/notices/push";
import { AppError } from "~/domain/errors";
import type { Instant } from "~/domain/time";
import type { App } from "~/use-cases/app.server";

export type MailSeen = {
  id: number;
  recipient: string;
  subject: string;
  html: string;
  text: string;
  headers: Record<string, string>;
  attachments: { filename: string; type: string; content: string }[];
  sentAt: Instant;
};
export type PushSeen = { id: number; title: string; body: string; url: string; sentAt: Instant };

/** Newest first, fifty at most of each. NOT_FOUND on a deployed run. */
export async function viewMailbox(app: App): Promise<{ mails: MailSeen[]; pushes: PushSeen[] }> {
  if (!app.settings.isLocalRun) throw new AppError("NOT_FOUND");
  const [mails, pushes] = await app.db.batch([accounts.listMailbox(app.db), listPushBox(app.db)]);
  return {
    mails,
    pushes: pushes.map(({ id, payload, sentAt }) => ({
      id,
      sentAt,
      ...(JSON.parse(payload) as Pick<PushSeen, "title" | "body" | "url">),
    })),
  };
}
