// Deletes the accounts whose grace period is over. Shared content stays without the name; everything else is
// deleted (docs/decisions/0010).
import { runBatch } from "#db/connect.server";
import * as accountDeletion from "#db/queries/accounts/deletion";
import { listWaitsOf } from "#db/queries/sessions/waiters";
import { isDeletedEmail } from "~/domain/accounts/deleted";
import { isAppError } from "~/domain/errors";
import { endSockets } from "~/use-cases/accounts/logins.server";
import { actingUser } from "~/use-cases/acting-user.server";
import type { App } from "~/use-cases/app.server";
import { eachAlone } from "~/use-cases/each-alone.server";
import { accountDeletedEmail } from "~/use-cases/notices/emails.server";
import { sendEmail } from "~/use-cases/notices/send-email.server";
import { endSubscriptionsOf } from "~/use-cases/payments/subscriptions.server";
import { logSecurity } from "~/use-cases/security-log.server";
import { changeParticipant, leaveSession } from "~/use-cases/sessions/people.server";
import { endSession } from "~/use-cases/sessions/run.server";
import { left } from "~/use-cases/sessions/waiting.server";

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
