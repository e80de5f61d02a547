// Confirming the email address of an account, and restoring the old one.
import * as accounts from "#db/queries/accounts/accounts";
import * as confirmations from "#db/queries/accounts/confirmations";
import { ALREADY_CONFIRMED, CONFIRM_LINK_HOURS, LINK_EXPIRED, RESTORE_EXPIRED } from "~/domain/confirmation";
import { AppError, invalid } from "~/domain/errors";
import { HOUR, instant } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import { networkOf } from "~/use-cases/network.server";
import { confirmationEmail } from "~/use-cases/notices/emails.server";
import { wakeEvents } from "~/use-cases/notices/events.server";
import { sendEmail } from "~/use-cases/notices/send-email.server";
import { countAttempts } from "~/use-cases/rate-limits.server";
import { logSecurity } from "~/use-cases/security-log.server";
import { hashToken, newToken } from "~/use-cases/tokens.server";
import { accountChangeCause } from "./change-emails.server";
import { endSockets } from "./logins.server";

type Recipient = { email: string; username: string };

/** A new link to this address: the row for the caller's batch, and a function that sends the link afterwards. */
export async function newConfirmation(app: App, { email, username }: Recipient) {
  const token = newToken();
  const { appName, origin } = app.settings;
  return {
    record: {
      tokenHash: await hashToken(token),
      kind: "confirm" as const,
      email,
      createdAt: app.now,
      expiresAt: instant(app.now + CONFIRM_LINK_HOURS * HOUR),
    },
    send: () =>
      sendEmail(
        app,
        confirmationEmail({
          to: email,
          appName,
          username,
          url: `${origin}/account/confirm-email?token=${token}`,
          hours: CONFIRM_LINK_HOURS,
        }),
      ),
  };
}

type LinkInput = { token: string };

/** The account that may get a new link: the signed-in one, or that of an old link to its present address. */
async function readConfirmer(app: App, { token }: LinkInput) {
  const [link] = token === "" ? [] : await confirmations.findConfirmation(app.db, await hashToken(token));
  const confirmer = app.user ?? (link && { ...link, isConfirmed: link.emailConfirmedAt !== null });
  return { link, confirmer: confirmer ?? null };
}

export type ConfirmationPage = {
  /** The address that the link confirms; null for an invalid link. */
  email: string | null;
  /** "" on a page without a link. */
  token: string;
  isConfirmed: boolean;
  canSendAgain: boolean;
};

export async function viewConfirmation(app: App, input: LinkInput): Promise<ConfirmationPage> {
  const { link, confirmer } = await readConfirmer(app, input);
  const isLive = link !== undefined && link.usedAt === null && link.expiresAt > app.now;
  return {
    email: isLive ? link.email : null,
    token: input.token,
    isConfirmed: confirmer?.isConfirmed ?? false,
    canSendAgain: confirmer !== null && !confirmer.isConfirmed,
  };
}

/** INVALID at `token` unless the link is unused, not expired, and for the account's present address. */
export async function confirmAddress(app: App, { token }: LinkInput): Promise<{ userId: number }> {
  await countAttempts(app, { what: "confirm", by: networkOf(app) });
  const [[confirmed]] = await app.db.batch([
    ...confirmations.confirmEmail(app.db, await hashToken(token), app.now),
  ]);
  if (!confirmed) throw invalid("token", LINK_EXPIRED);
  logSecurity(app, { event: "address-confirmed", userId: confirmed.id });
  if (app.user?.id === confirmed.id) app.user = { ...app.user, isConfirmed: true };
  return { userId: confirmed.id };
}

/**
 * UNAUTHENTICATED without an account, CONFLICT when it is confirmed and emails reach it, RATE_LIMITED after 5 an hour
 * (Q-03).
 */
export async function sendConfirmation(app: App, input: LinkInput): Promise<{ email: string }> {
  const { confirmer } = await readConfirmer(app, input);
  if (!confirmer) throw new AppError("UNAUTHENTICATED");
  const [address] = confirmer.isConfirmed ? await accounts.findMailFailing(app.db, confirmer.id) : [];
  if (confirmer.isConfirmed && !address?.failingAt) throw new AppError("CONFLICT", ALREADY_CONFIRMED);
  await countAttempts(app, { what: "confirm-mail", by: confirmer.id });
  const { record, send } = await newConfirmation(app, confirmer);
  await confirmations.insertConfirmation(app.db, { ...record, userId: confirmer.id });
  app.defer(send());
  return { email: confirmer.email };
}

/** The two addresses of a valid link, or null. */
export async function viewRestore(
  app: App,
  { token }: LinkInput,
): Promise<{ token: string; addresses: { email: string; oldEmail: string } | null }> {
  const [restore] =
    token === "" ? [] : await confirmations.findRestore(app.db, await hashToken(token), app.now);
  return { token, addresses: restore ? { email: restore.email, oldEmail: restore.oldEmail } : null };
}

/** Restores the old address, confirmed, and ends every login. INVALID at `token` unless the link is valid. */
export async function restoreAddress(app: App, { token }: LinkInput): Promise<{ email: string }> {
  await countAttempts(app, { what: "confirm", by: networkOf(app) });
  const { db, now } = app;
  const tokenHash = await hashToken(token);
  const cause = accountChangeCause(app, "address");
  const [[restore], , [restored], endedLogins] = await db.batch([
    confirmations.findRestore(db, tokenHash, now),
    confirmations.recordRestoredEmail(db, cause, tokenHash, now),
    ...confirmations.restoreEmail(db, tokenHash, now),
  ]);
  if (!restore || !restored) throw invalid("token", RESTORE_EXPIRED);
  endSockets(app, restored.id, endedLogins);
  logSecurity(app, { event: "address-restored", userId: restored.id });
  if (app.user?.id === restored.id) {
    app.user = null;
    app.cookies.login = null;
  }
  wakeEvents(app, [cause]);
  return { email: restored.email };
}
