// The last step of every sign-in: by password alone, with its second step, or by passkey.
import * as accounts from "#db/queries/accounts/accounts";
import * as logins from "#db/queries/accounts/logins";
import type { Account } from "~/domain/accounts/accounts";
import { isDemoEmail } from "~/domain/accounts/demo";
import * as accountRefusals from "~/domain/accounts/refusals";
import { AppError } from "~/domain/errors";
import { isGuest } from "~/domain/guest-rights";
import type { App, CurrentUser } from "~/use-cases/app.server";
import { giveUpGuestSeat, rememberGuest } from "~/use-cases/guest-logins.server";
import { logSecurity } from "~/use-cases/security-log.server";
import { notifyHostedRooms } from "./deletion.server";
import { rememberDevice } from "./devices.server";
import { asCurrentUser, deleteBrowserLogin, endSockets, newLogin } from "./logins.server";

type AccountExtras = Pick<Account, "subscription" | "myGoals">;
export const accountOf = (user: CurrentUser, { subscription, myGoals }: AccountExtras): Account => ({
  id: user.id,
  personId: user.personId,
  username: user.username,
  email: user.email,
  firstName: user.firstName,
  lastName: user.lastName,
  roleId: user.roleId,
  tokens: user.tokens,
  owed: user.owedTokens,
  isNew: user.isNew,
  newMessages: user.newMessages,
  subscription,
  myGoals,
});

/** Signs in the user of a login that a batch has inserted: on the App, and in the cookie. */
export function signIn(
  app: App,
  row: Parameters<typeof asCurrentUser>[0] | undefined,
  login: Awaited<ReturnType<typeof newLogin>>,
): CurrentUser {
  if (!row) throw new Error("A login was written and not found.");
  app.user = asCurrentUser(row, login.record.tokenHash);
  app.cookies.login = login.cookie;
  return app.user;
}

/** An account whose owner has been authenticated. */
export type AuthenticatedAccount = { id: number; email: string; deletionDueAt: number | null };
export type SignedIn = Account & {
  /** A pending deletion was cancelled. */
  isKept: boolean;
};

/**
 * FORBIDDEN for an account of the demo data, away from the machine that runs Bothy: its password is public, and behind a
 * proxy everybody could use it.
 */
export function refuseDemoAway(app: App, email: string): void {
  if (isDemoEmail(email) && !app.settings.isLocalRun)
    throw new AppError("FORBIDDEN", accountRefusals.demoIsLocal);
}

/** Gives this browser a new login, in place of its old one. */
export async function completeLogin(
  app: App,
  account: AuthenticatedAccount,
  changes: { passwordHash?: string } = {},
): Promise<SignedIn> {
  refuseDemoAway(app, account.email);
  const previousUser = app.user;
  const leftSession = isGuest(previousUser) ? await giveUpGuestSeat(app, previousUser) : null;
  if (isGuest(previousUser)) await rememberGuest(app, previousUser);
  const login = await newLogin(app);
  const device = await rememberDevice(app, account.email, login.record.tokenHash);
  const zone = app.timeZone !== "UTC" ? { timeZone: app.timeZone } : {};
  const [endedLogins, , , [row], [subscription], myGoals] = await app.db.batch([
    deleteBrowserLogin(app.db, previousUser),
    logins.insertLogin(app.db, { ...login.record, userId: account.id }),
    accounts.updateAtLogin(app.db, account.id, { ...changes, ...zone, locale: app.locale }),
    logins.findCurrentUser(app.db, login.record.tokenHash, app.now),
    accounts.findOpenSubscription(app.db, account.id, app.now),
    accounts.listOpenGoals(app.db, account.id),
    ...device.statements,
  ]);
  app.cookies.device = device.cookie;
  logSecurity(app, { event: "logged-in", userId: account.id });
  if (previousUser) endSockets(app, previousUser.id, endedLogins, leftSession);
  if (account.deletionDueAt !== null) await notifyHostedRooms(app, account.id);
  const answer = accountOf(signIn(app, row, login), { subscription: subscription ?? null, myGoals });
  return { ...answer, isKept: account.deletionDueAt !== null };
}
