// Deleting the own account: requested with the password, done by the daily job after the grace period, cancelled by
// signing in. Shared content stays without the name; everything else is deleted (docs/decisions/0010).

import { runBatch } from "#db/connect.server";
import { deleteKeysOf } from "#db/queries/accounts/api-keys";
import { recordAccountChange } from "#db/queries/accounts/changes";
import * as accountDeletion from "#db/queries/accounts/deletion";
import * as logins from "#db/queries/accounts/logins";
import { listHostedUpcoming } from "#db/queries/safety/sanctions";
import { listWaitsOf } from "#db/queries/sessions/waiters";
import { isDeletedEmail } from "~/domain/accounts/deleted";
import { dueAt } from "~/domain/accounts/deletion";
import { isAppError } from "~/domain/errors";
import { requireUser } from "~/domain/permissions";
import type { Instant } from "~/domain/time";
import { actingUser } from "~/use-cases/acting-user.server";
import type { App } from "~/use-cases/app.server";
import { eachAlone } from "~/use-cases/each-alone.server";
import { accountDeletedEmail } from "~/use-cases/notices/emails.server";
import { wakeEvents } from "~/use-cases/notices/events.server";
import { sendEmail } from "~/use-cases/notices/send-email.server";
import { notifyRoom } from "~/use-cases/notify-room.server";
import { cancelSubscription, endSubscriptionsOf } from "~/use-cases/payments/subscriptions.server";
import { logSecurity } from "~/use-cases/security-log.server";
import { changeParticipant, leaveSession } from "../sessions/people.server";
import { endSession } from "../sessions/run.server";
import { left } from "../sessions/waiting.server";
import { accountChange } from "./changes.server";
import { requirePassword } from "./current-password.server";
import { endSockets } from "./logins.server";

/** Ends every login and stops renewal at once; the rest happens after the grace period. */
export async function askForDeletion(app: App, input: { currentPassword: string }): Promise<{ at: Instant }> {
  const user = requireUser(app.user);
  await requirePassword(app, user, input.currentPassword);
  await stopRenewal(app);
  const at = dueAt(app.now);
  const told = accountChange(app, "deletion", dayText(at));
  const [, ended] = await app.db.batch([
    accountDeletion.setDeletion(app.db, user.id, at),
    logins.deleteAllLogins(app.db, user.id),
    deleteKeysOf(app.db, user.id),
    recordAccountChange(app.db, told, user.id),
  ]);
  await notifyHostedRooms(app, user.id);
  endSockets(app, user.id, ended);
  logSecurity(app, { event: "deletion-asked", userId: user.id });
  app.user = null;
  app.cookies.login = null;
  wakeEvents(app, [told]);
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

/** The daily job. Accounts are independent: a failed one is retried the next day. */
export async function deleteDueAccounts(app: App, limit = 20): Promise<{ deleted: number; failed: number }> {
  const due = await accountDeletion.listDueAccounts(app.db, app.now, limit);
  const { done, failed } = await eachAlone(app, due, {
    job: "delete-accounts",
    nameOf: ({ id }) => id,
    run: (account) => deleteAccount(app, account),
  });
  return { deleted: done.filter(({ did }) => did).length, failed: failed.length };
}

type Due = Awaited<ReturnType<typeof accountDeletion.listDueAccounts>>[number];

/** False if the owner signed in meanwhile. Every step may be repeated. */
async function deleteAccount(app: App, account: Due): Promise<boolean> {
  const [, [claimed], ended] = await app.db.batch([
    ...accountDeletion.claimAccount(app.db, account, app.now),
  ]);
  if (!claimed) return false;
  endSockets(app, account.id, ended);
  await endSubscriptionsOf(app, account.id);
  await leaveOpenSessions({ ...app, user: actingUser(account) }, account.id);
  const keys = await accountDeletion.listUploadKeys(app.db, account.id);
  if (keys.length > 0) await app.uploads.delete(keys.map(({ key }) => key));
  await app.copies.noteDeletion(account);
  await runBatch(app.db, accountDeletion.eraseAccount(app.db, account.id, app.now));
  logSecurity(app, { event: "account-deleted", userId: account.id });
  if (!isDeletedEmail(account.email)) {
    const message = accountDeletedEmail({
      to: account.email,
      appName: app.settings.appName,
      username: account.username,
    });
    await sendEmail(app, message);
  }
  return true;
}

/** A hosted session passes to another participant. Without one it ends, and its payments are refunded. */
async function leaveOpenSessions(app: App, userId: number): Promise<void> {
  for (const { sessionId, title } of await listWaitsOf(app.db, userId))
    await runBatch(app.db, left(app, { id: sessionId, title }, userId));
  for (const { sessionId, isHost } of await accountDeletion.listOpenSeats(app.db, userId)) {
    try {
      if (isHost) {
        const [heir] = await accountDeletion.findHeir(app.db, sessionId, userId);
        if (!heir) {
          await endSession(app, { session: sessionId });
          continue;
        }
        await changeParticipant(app, { session: sessionId, username: heir.username, isHost: true });
      }
      await leaveSession(app, { session: sessionId });
    } catch (error) {
      // The session has ended; the seat stays there without a name.
      if (!(isAppError(error) && (error.code === "CONFLICT" || error.code === "NOT_FOUND"))) throw error;
    }
  }
}
