// Forgotten, reset and changed passwords (C-12, C-13, X-10). Every change ends all other logins of the user.

import * as accounts from "#db/queries/accounts/accounts";
import { deleteKeysOf } from "#db/queries/accounts/api-keys";
import { recordAccountChange } from "#db/queries/accounts/change-emails";
import * as devices from "#db/queries/accounts/devices";
import * as logins from "#db/queries/accounts/logins";
import * as twoStep from "#db/queries/accounts/two-step";
import { deleteFeed } from "#db/queries/sessions/calendar";
import * as accountRefusals from "~/domain/accounts/refusals";
import { RESET_LINK_MINUTES } from "~/domain/accounts/rules";
import { AppError, invalid, isAppError } from "~/domain/errors";
import { logLine } from "~/domain/log-line";
import { requireUser } from "~/domain/permissions";
import { instant, MINUTE } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import { networkOf } from "~/use-cases/network.server";
import { passwordResetEmail } from "~/use-cases/notices/emails.server";
import { wakeEvents } from "~/use-cases/notices/events.server";
import { sendEmail } from "~/use-cases/notices/send-email.server";
import { countAttempts } from "~/use-cases/rate-limits.server";
import { logSecurity } from "~/use-cases/security-log.server";
import { hashToken, newToken } from "~/use-cases/tokens.server";
import { accountChangeCause } from "./change-emails.server";
import { requirePassword } from "./current-password.server";
import { findKnownDevice, rememberDevice } from "./devices.server";
import { asCurrentUser, endSockets, newLogin } from "./logins.server";
import type { PasskeyListed } from "./passkeys.server";
import { passwords } from "./password-hashes.server";
import { refuseWeakPassword } from "./weak-passwords.server";

/**
 * The answer and the work before it are the same for known and unknown addresses; everything that differs happens after
 * the answer.
 */
export async function requestPasswordReset(app: App, { email }: { email: string }): Promise<void> {
  const address = email.toLowerCase();
  const network = networkOf(app);
  const device = await findKnownDevice(app, address);
  if (device) await countAttempts(app, { what: "reset-mail-device", by: device });
  else
    await countAttempts(
      app,
      { what: "reset-mail", by: `${address}:${network}` },
      { what: "reset-mail-network", by: network },
    );
  if (device || (await isResetEmailDue(app, address))) app.defer(sendResetLink(app, email));
}

/** False during a flood of requests. The email of the last five minutes still has a working link. */
async function isResetEmailDue(app: App, address: string): Promise<boolean> {
  try {
    await countAttempts(app, { what: "reset-mail-account", by: address });
    return true;
  } catch (error) {
    if (isAppError(error) && error.code === "RATE_LIMITED") return false;
    throw error;
  }
}

async function sendResetLink(app: App, email: string): Promise<void> {
  try {
    const token = newToken();
    const { db, now } = app;
    const expiresAt = instant(now + RESET_LINK_MINUTES * MINUTE);
    const [, [recipient]] = await db.batch([
      accounts.insertReset(db, { email, tokenHash: await hashToken(token), now, expiresAt }),
      accounts.findRecipient(db, email),
    ]);
    logSecurity(app, { event: "reset-asked", userId: recipient?.id ?? null });
    if (!recipient) return;
    const { appName, origin } = app.settings;
    await sendEmail(
      app,
      passwordResetEmail({
        to: recipient.email,
        appName,
        username: recipient.username,
        url: `${origin}/reset-password?token=${token}`,
        minutes: RESET_LINK_MINUTES,
      }),
    );
  } catch (error) {
    console.error(logLine({ event: "reset-mail-failed", error: String(error) }));
  }
}

/** The passkeys of the account of a live link. Its holder may remove them when they replace the password. */
export async function viewReset(
  app: App,
  { token }: { token: string },
): Promise<{ token: string; passkeys: PasskeyListed[] }> {
  const passkeys =
    token === "" ? [] : await accounts.listPasskeysOfReset(app.db, await hashToken(token), app.now);
  return { token, passkeys };
}

/** INVALID at `token` unless the link is unused, not expired, and belongs to the email. */
export async function resetPassword(
  app: App,
  input: { email: string; password: string; token: string; passkeys?: readonly string[] },
): Promise<void> {
  await countAttempts(app, { what: "reset", by: networkOf(app) });
  const tokenHash = await hashToken(input.token);
  // An invalid link must not reveal the username.
  const [owner] = await accounts.findResetOwner(app.db, { email: input.email, tokenHash, now: app.now });
  await refuseWeakPassword(app, input.password, { username: owner?.username ?? "", email: input.email });
  const passwordHash = await passwords.hash(input.password);
  const cause = accountChangeCause(app, "password");
  const resetUse = { email: input.email, tokenHash, now: app.now };
  const [, [changed], endedLogins] = await app.db.batch([
    accounts.recordReset(app.db, cause, resetUse),
    ...accounts.applyReset(app.db, {
      ...resetUse,
      passwordHash,
      passkeys: input.passkeys ?? [],
      keptLogin: app.user?.loginHash ?? "",
    }),
  ]);
  if (!changed) {
    logSecurity(app, { event: "reset-link-refused", userId: null });
    throw invalid("token", accountRefusals.usedResetLink);
  }
  logSecurity(app, { event: "password-changed", userId: changed.id, by: "reset-link" });
  endSockets(app, changed.id, endedLogins);
  // The owner of the mailbox uses this browser. It becomes a known device, so rate limits that strangers trigger do not
  // apply to it.
  const device = await rememberDevice(app, input.email, "");
  await app.db.batch([...device.statements]);
  app.cookies.device = device.cookie;
  app.cookies.actToResume = null;
  wakeEvents(app, [cause]);
}

/** Ends all other logins and renews this browser's login, because its cookie may have been copied. */
export async function changePassword(
  app: App,
  input: { currentPassword: string; password: string },
): Promise<void> {
  const user = requireUser(app.user);
  const { db, now } = app;
  const { username } = await requirePassword(app, user, input.currentPassword);
  await refuseWeakPassword(app, input.password, { username, email: user.email });
  const passwordHash = await passwords.hash(input.password);
  const login = await newLogin(app);
  const device = await rememberDevice(app, user.email, login.record.tokenHash);
  const cause = accountChangeCause(app, "password");
  const [, endedLogins, , , [currentUser]] = await db.batch([
    accounts.updatePassword(db, user.id, passwordHash, now),
    logins.deleteAllLogins(db, user.id),
    accounts.endResets(db, user.id, now),
    logins.insertLogin(db, { ...login.record, userId: user.id }),
    logins.findCurrentUser(db, login.record.tokenHash, now),
    devices.deleteAllDevices(db, user.id),
    twoStep.deleteUnfinishedLogins(db, user.id),
    deleteFeed(db, user.id),
    deleteKeysOf(db, user.id),
    recordAccountChange(db, cause, user.id),
    ...device.statements,
  ]);
  if (!currentUser) throw new AppError("UNAUTHENTICATED");
  endSockets(app, user.id, endedLogins);
  app.user = asCurrentUser(currentUser, login.record.tokenHash);
  app.cookies.login = login.cookie;
  app.cookies.device = device.cookie;
  logSecurity(app, { event: "password-changed", userId: user.id, by: "current-password" });
  wakeEvents(app, [cause]);
}
