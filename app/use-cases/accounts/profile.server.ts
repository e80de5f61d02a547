// The profile of an account.
import * as accounts from "#db/queries/accounts/accounts";
import * as confirmations from "#db/queries/accounts/confirmations";
import * as logins from "#db/queries/accounts/logins";
import type { Account } from "~/domain/accounts/accounts";
import { PASSWORD_FOR_NEW_EMAIL } from "~/domain/accounts/rules";
import { RESTORE_LINK_DAYS } from "~/domain/confirmation";
import type { DistanceUnit } from "~/domain/distances";
import { AppError, invalid } from "~/domain/errors";
import { requireUser } from "~/domain/permissions";
import type { App, CurrentUser } from "~/use-cases/app.server";
import { emailChangedEmail } from "~/use-cases/notices/emails.server";
import { sendEmail } from "~/use-cases/notices/send-email.server";
import { countAttempts } from "~/use-cases/rate-limits.server";
import { logSecurity } from "~/use-cases/security-log.server";
import { accountOf } from "./complete-login.server";
import { newConfirmation } from "./confirmations.server";
import { requirePassword } from "./current-password.server";
import { asCurrentUser } from "./logins.server";
import { newRestore } from "./restore-link.server";

/**
 * Missing fields stay unchanged. The username never changes here (U-12, R-18). A new email requires the current
 * password (INVALID at that field). It starts unconfirmed, and the old address gets a link that undoes the change.
 */
export async function updateProfile(
  app: App,
  input: {
    email?: string | undefined;
    firstName?: string | undefined;
    lastName?: string | undefined;
    currentPassword?: string | undefined;
  },
): Promise<Account> {
  const user = requireUser(app.user);
  await countAttempts(app, { what: "change-profile", by: user.id });
  const isNewEmail = input.email !== undefined && input.email.toLowerCase() !== user.email.toLowerCase();
  const emailChange = isNewEmail
    ? await prepareEmailChange(app, user, { ...input, email: input.email ?? "" })
    : null;
  const { db, now } = app;
  const changes = {
    email: input.email,
    ...(emailChange ? { emailConfirmedAt: null, mailFailures: 0, mailFailingAt: null } : {}),
    firstName: input.firstName,
    lastName: input.lastName,
  };
  const [, [row], [subscription], myGoals] = await db.batch([
    accounts.updateProfile(db, user.id, changes, now),
    logins.findCurrentUser(db, user.loginHash, now),
    accounts.findOpenSubscription(db, user.id, now),
    accounts.listOpenGoals(db, user.id),
    ...(emailChange?.statements ?? []),
  ]);
  if (!row) throw new AppError("UNAUTHENTICATED");
  app.user = asCurrentUser(row, user.loginHash);
  if (emailChange) {
    logSecurity(app, { event: "address-changed", userId: user.id });
    app.defer(emailChange.send());
  }
  return accountOf(app.user, { subscription: subscription ?? null, myGoals });
}

/**
 * Prepares the confirmation of the new address and the undo link for the old one. `send` runs after the batch. INVALID
 * without the current password.
 */
async function prepareEmailChange(
  app: App,
  user: CurrentUser,
  { email, currentPassword }: { email: string; currentPassword?: string | undefined },
) {
  if (!currentPassword) throw invalid("currentPassword", PASSWORD_FOR_NEW_EMAIL);
  const { username } = await requirePassword(app, user, currentPassword);
  await countAttempts(app, { what: "confirm-mail", by: user.id });
  const confirmation = await newConfirmation(app, { email, username });
  const restore = await newRestore(app, user.email);
  const noticeToOldEmail = emailChangedEmail({
    to: user.email,
    appName: app.settings.appName,
    username,
    newEmail: email,
    url: restore.url,
    days: RESTORE_LINK_DAYS,
  });
  return {
    statements: [
      // Links to the old address become invalid.
      accounts.endResets(app.db, user.id, app.now),
      ...[confirmation.record, restore.record].map((record) =>
        confirmations.insertConfirmation(app.db, { ...record, userId: user.id }),
      ),
    ],
    send: () => Promise.all([confirmation.send(), sendEmail(app, noticeToOldEmail)]),
  };
}

/** Stores the unit of distances; null lets the browser's locale decide (H-07). */
export async function chooseDistanceUnit(app: App, { unit }: { unit: DistanceUnit | null }): Promise<void> {
  const user = requireUser(app.user);
  await countAttempts(app, { what: "change-profile", by: user.id });
  await accounts.updateDistanceUnit(app.db, user.id, unit);
  app.user = { ...user, distanceUnit: unit };
}

/** Stores the browser's time zone; writes only if it changed. */
export async function rememberTimeZone(app: App, timeZone: string): Promise<void> {
  if (!app.user || app.user.timeZone === timeZone) return;
  await accounts.updateTimeZone(app.db, app.user.id, timeZone);
}
