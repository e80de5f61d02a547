// Deletes the accounts whose grace period is over. Shared content stays without the name; everything else is
// deleted (docs/decisions/0010).
import { runBatch } from "#db/connect.server";
import { listPersons } from "#db/queries/accounts/accounts";
import * as accountDeletion from "#db/queries/accounts/deletion";
import { endingsOf } from "#db/queries/endings";
import { deletedName, isDeletedEmail } from "~/domain/accounts/deleted";
import { keepNamesStatements } from "~/use-cases/accounts/kept-names.server";
import { endSockets } from "~/use-cases/accounts/logins.server";
import { actingUser } from "~/use-cases/acting-user.server";
import type { App } from "~/use-cases/app.server";
import { runEachRow } from "~/use-cases/each-row.server";
import { takeSteps } from "~/use-cases/ending-steps.server";
import { accountDeletedEmail } from "~/use-cases/notices/emails.server";
import { sendEmail } from "~/use-cases/notices/send-email.server";
import { logSecurity } from "~/use-cases/security-log.server";

/** The daily job. Accounts are independent: a failed one is retried the next day. */
export async function deleteDueAccounts(app: App, limit = 20): Promise<{ deleted: number; failed: number }> {
  const dueAccounts = await accountDeletion.listDueAccounts(app.db, app.now, limit);
  const { done, failed } = await runEachRow(app, dueAccounts, {
    job: "delete-accounts",
    nameOf: ({ id }) => id,
    runRow: (account) => deleteAccount(app, account),
  });
  return { deleted: done.filter(({ result }) => result).length, failed: failed.length };
}

type DueAccount = Awaited<ReturnType<typeof accountDeletion.listDueAccounts>>[number];

/** False if the owner signed in meanwhile. Every step is idempotent. */
async function deleteAccount(app: App, account: DueAccount): Promise<boolean> {
  const [, [claimed], endedLogins] = await app.db.batch([
    ...accountDeletion.claimAccount(app.db, account, app.now),
  ]);
  if (!claimed) return false;
  endSockets(app, account.id, endedLogins);
  await takeSteps({ ...app, user: actingUser(account) }, "users", "deleted", { userId: account.id });
  const keys = await accountDeletion.listUploadKeys(app.db, account.id);
  if (keys.length > 0) await app.uploads.delete(keys.map(({ key }) => key));
  await app.copies.noteDeletion(account);
  const persons = await listPersons(app.db, account.id);
  const names = persons.map(({ username }) => username).filter((name) => name !== deletedName(account.id));
  await runBatch(app.db, [
    ...(await keepNamesStatements(app, names)),
    ...endingsOf(app.db, "users", "deleted", { userId: account.id, now: app.now }),
  ]);
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
