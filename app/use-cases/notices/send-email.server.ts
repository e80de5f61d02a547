// Sends the emails that leave outside the outbox: those with a secret link, and the farewell to a deleted account (N-34).

import { type Addressee, mayReceive } from "~/domain/confirmation";
import { logLine } from "~/domain/log-line";
import type { App } from "~/use-cases/app.server";
import { type Email, MailFailure } from "~/use-cases/ports.server";
import { takeOfDay } from "./mail-quota.server";

/** Waits before the second and the third try. */
const WAITS_MS = [500, 4000];

/**
 * Without `to` the address counts as unconfirmed, which suits security emails. Sending is tried three times, and
 * the last failure is logged (N-34): a secret link is never stored, so nothing could send it later.
 */
export async function sendEmail(
  app: App,
  message: Email,
  to: Addressee = { isConfirmed: false },
): Promise<void> {
  if (!mayReceive(message.kind, to)) return;
  // The email counts towards the day's limit, but does not wait for the next day (N-36).
  await takeOfDay(app, "security").catch(() => null);
  for (const wait of [...WAITS_MS, null]) {
    try {
      await app.mail.send(message);
      return;
    } catch (error) {
      if (wait !== null && isWorthATry(error)) await new Promise((resolve) => setTimeout(resolve, wait));
      else {
        const { kind } = message;
        console.error(logLine({ event: "mail-failed", kind, error: String(error).slice(0, 200) }));
        return;
      }
    }
  }
}

const isWorthATry = (error: unknown): boolean => !(error instanceof MailFailure) || error.reason === "failed";
