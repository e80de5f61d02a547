// Deleting the own account: requested with the password, done after the grace period by delete-accounts.server.ts,
// cancelled by signing in.

import { deleteKeysOf } from "#db/queries/accounts/api-keys";
import { recordAccountChange } from "#db/queries/accounts/changes";
import * as accountDeletion from "#db/queries/accounts/deletion";
import * as logins from "#db/queries/accounts/logins";
import { listHostedUpcoming } from "#db/queries/safety/sanctions";
import { dueAt } from "~/domain/accounts/deletion";
import { isAppError } from "~/domain/errors";
import { requireUser } from "~/domain/permissions";
import type { Instant } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import { wakeEvents } from "~/use-cases/notices/events.server";
import { notifyRoom } from "~/use-cases/notify-room.server";
import { cancelSubscription } from "~/use-cases/payments/subscriptions.server";
import { logSecurity } from "~/use-cases/security-log.server";
import { accountChange } from "./changes.server";
import { requirePassword } from "./current-password.server";
import { endSockets } from "./logins.server";

/** Ends every login and stops renewal at once; the rest happens after the grace period. */
export async function askForDeletion(app: App, input: { currentPassword: string }): Promise<{ at: Instant }> {
  const user = requireUser(app.user);
  await requirePassword(app, user, input.currentPassword);
  await stopRenewal(app);
  const at = dueAt(app.now);
  const cause = accountChange(app, "deletion", dayText(at));
  const [, ended] = await app.db.batch([
    accountDeletion.setDeletion(app.db, user.id, at),
    logins.deleteAllLogins(app.db, user.id),
    deleteKeysOf(app.db, user.id),
    recordAccountChange(app.db, cause, user.id),
  ]);
  await notifyHostedRooms(app, user.id);
  endSockets(app, user.id, ended);
  logSecurity(app, { event: "deletion-asked", userId: user.id });
  app.user = null;
  app.cookies.login = null;
  wakeEvents(app, [cause]);
  return { at };
}

/** The sessions of a host who wants to leave need another, until the account is kept. */
export async function notifyHostedRooms(app: App, userId: number): Promise<void> {
  const hosted = await listHostedUpcoming(app.db, userId, app.now, MOST_HOSTED);
  for (const { sessionId } of hosted) notifyRoom(app, sessionId);
}
/** Rooms beyond these read their record when they open. */
const MOST_HOSTED = 200;

/** The same text for every locale, for an email and a toast. */
export const dayText = (at: Instant): string =>
  new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeZone: "UTC" }).format(at);

async function stopRenewal(app: App): Promise<void> {
  try {
    await cancelSubscription(app, {});
  } catch (error) {
    // There is no subscription, or it has ended.
    if (!(isAppError(error) && (error.code === "NOT_FOUND" || error.code === "CONFLICT"))) throw error;
  }
}
