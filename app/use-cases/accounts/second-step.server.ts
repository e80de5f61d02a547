// The second step of a sign-in: a code of the authenticator, or a recovery code. Each works once.

import { Secret, TOTP } from "otpauth";
import * as accounts from "#db/queries/accounts/accounts";
import { recordRecoveryCode } from "#db/queries/accounts/change-emails";
import * as queries from "#db/queries/accounts/two-step";
import {
  readCode,
  type SecondStep,
  SIGN_IN_EXPIRED,
  STEP_DURATION,
  TWO_STEP_MINUTES,
  TWO_STEP_TRIES,
  TWO_STEP_UNAVAILABLE,
  timeStepOf,
  WRONG_CODE,
} from "~/domain/accounts/sign-in";
import { AppError, invalid } from "~/domain/errors";
import { type Instant, instant, MINUTE } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import { runEachRow } from "~/use-cases/each-row.server";
import { networkOf } from "~/use-cases/network.server";
import { wakeEvents } from "~/use-cases/notices/events.server";
import { type Attempt, clearAttempts, countAttempts, giveBackAttempts } from "~/use-cases/rate-limits.server";
import { logSecurity } from "~/use-cases/security-log.server";
import { hashToken, newToken } from "~/use-cases/tokens.server";
import { accountChangeCause } from "./change-emails.server";
import { completeLogin, type SignedIn } from "./complete-login.server";
import { findKnownDevice } from "./devices.server";

export type PendingSecondStep = { token: string; methods: SecondStep[] };

/** The answer of `POST /login` instead of a login: a token for five minutes and five attempts. */
export async function askForSecondStep(
  app: App,
  account: { id: number },
  changes: { passwordHash?: string },
): Promise<PendingSecondStep> {
  const token = newToken();
  const [[means]] = await app.db.batch([
    queries.findMeans(app.db, account.id),
    queries.insertChallenge(app.db, {
      tokenHash: await hashToken(token),
      kind: "two-step",
      userId: account.id,
      expiresAt: instant(app.now + TWO_STEP_MINUTES * MINUTE),
    }),
    ...(changes.passwordHash
      ? [accounts.updatePassword(app.db, account.id, changes.passwordHash, app.now)]
      : []),
  ]);
  const methods: SecondStep[] = ["code"];
  if (means && means.recoveryCodes > 0) methods.push("recovery_code");
  if (means && means.passkeys > 0) methods.push("passkey");
  return { token, methods };
}

/** UNAUTHENTICATED for an expired token or one without attempts left, INVALID at `code` for a wrong code. */
export async function loginTwoStep(app: App, input: { token: string; code: string }): Promise<SignedIn> {
  const tokenHash = await hashToken(input.token);
  const [challenge] = await queries.tryChallenge(app.db, tokenHash, app.now, TWO_STEP_TRIES);
  const [account] = challenge?.userId
    ? await accounts.findAuthenticatedAccount(app.db, challenge.userId)
    : [];
  if (!account) throw new AppError("UNAUTHENTICATED", SIGN_IN_EXPIRED);
  await requireCode(app, account, input.code);
  const [takenChallenge] = await queries.takeChallenge(app.db, tokenHash, "two-step", app.now);
  if (!takenChallenge) throw new AppError("UNAUTHENTICATED", SIGN_IN_EXPIRED);
  return completeLogin(app, account);
}

type Owner = { id: number; email: string };

/** INVALID at `code` unless it is right; RATE_LIMITED before it is checked. A right code works once. */
export async function requireCode(app: App, owner: Owner, code: string): Promise<void> {
  const attempts = await secondFactorAttempts(app, owner);
  await countAttempts(app, ...attempts);
  if (!(await acceptCode(app, owner, code))) {
    logSecurity(app, { event: "second-step-refused", userId: owner.id });
    throw invalid("code", WRONG_CODE);
  }
  const [ownAttempt, ...widerAttempts] = attempts;
  app.defer(Promise.all([clearAttempts(app, ownAttempt), giveBackAttempts(app, ...widerAttempts)]));
}

/** The counters of a code, the narrowest first. As for passwords, a browser that has signed in before has its own. */
export async function secondFactorAttempts(app: App, { id, email }: Owner): Promise<[Attempt, ...Attempt[]]> {
  const device = await findKnownDevice(app, email);
  if (device) return [{ what: "second-step-device", by: device }];
  return [
    { what: "second-step", by: `${id}:${networkOf(app)}` },
    { what: "second-step-account", by: id },
  ];
}

async function acceptCode(app: App, owner: Owner, typedCode: string): Promise<boolean> {
  const code = readCode(typedCode);
  if (!code) return false;
  if ("recovery" in code) return acceptRecoveryCode(app, owner, code.recovery);
  const [row] = await queries.findTwoStep(app.db, owner.id);
  if (!row?.confirmedAt) return false;
  const step = await matchStep(await openSecret(app, owner.id, row.secret), code.digits, app.now);
  if (step === null) return false;
  // Among simultaneous requests with the same code only one moves the step.
  const [takenStep] = await queries.takeStep(app.db, owner.id, step);
  return takenStep !== undefined;
}

export const hashRecoveryCode = (bare: string): Promise<string> => hashToken(bare);

async function acceptRecoveryCode(app: App, owner: Owner, code: string): Promise<boolean> {
  const cause = accountChangeCause(app, "sign-in");
  const [[takenCode]] = await app.db.batch([
    queries.takeRecoveryCode(app.db, owner.id, await hashRecoveryCode(code)),
    recordRecoveryCode(app.db, cause, owner.id),
  ]);
  if (!takenCode) return false;
  logSecurity(app, { event: "recovery-code-used", userId: owner.id });
  wakeEvents(app, [cause]);
  return true;
}

// ---- the authenticator's codes (RFC 6238: SHA-1, 6 digits, 30 seconds)

/** The address that an authenticator reads as a QR code. */
export async function authenticatorUri(secret: string, label: string, issuer: string): Promise<string> {
  return new TOTP({
    secret,
    label,
    issuer,
    algorithm: "SHA1",
    digits: 6,
    period: STEP_DURATION / 1000,
  }).toString();
}

export async function newSecret(): Promise<string> {
  return new Secret({ size: 20 }).base32;
}

/** The step of a code, at most one before or after the present one; null for any other code. */
export async function matchStep(secret: string, digits: string, now: Instant): Promise<number | null> {
  const totp = new TOTP({ secret, algorithm: "SHA1", digits: 6, period: STEP_DURATION / 1000 });
  const delta = totp.validate({ token: digits, timestamp: now, window: 1 });
  return delta === null ? null : timeStepOf(now) + delta;
}

const sealContextOf = (userId: number): string => `two-step:${userId}`;

/** CONFLICT on a server without DATA_KEY, or if the secret was sealed under another key. */
export async function openSecret(app: App, userId: number, sealed: string): Promise<string> {
  const secret = (await app.vault?.open(sealed, sealContextOf(userId))) ?? null;
  if (secret === null) throw new AppError("CONFLICT", TWO_STEP_UNAVAILABLE);
  return secret;
}

export async function sealSecret(app: App, userId: number, secret: string): Promise<string> {
  if (!app.vault) throw new AppError("CONFLICT", TWO_STEP_UNAVAILABLE);
  return app.vault.seal(secret, sealContextOf(userId));
}

type SealedCounts = { sealed: number; unreadable: number; failed: number };

/** Seals secrets of an older DATA_KEY under the present one, in the daily job, so that the older key can be removed. */
export async function resealSecrets(app: App, limit = 200): Promise<SealedCounts> {
  const { vault } = app;
  if (!vault) return { sealed: 0, unreadable: 0, failed: 0 };
  const rows = await queries.listSecretsOfOtherKeys(app.db, await vault.mark, limit);
  const { done, failed } = await runEachRow(app, rows, {
    job: "seal-again",
    nameOf: ({ userId }) => userId,
    async runRow({ userId, secret: oldSeal }) {
      const secret = await vault.open(oldSeal, sealContextOf(userId));
      if (secret === null) return false;
      await queries.replaceSecret(app.db, userId, oldSeal, await sealSecret(app, userId, secret));
      return true;
    },
  });
  const sealed = done.filter(({ result }) => result).length;
  return { sealed, unreadable: done.length - sealed, failed: failed.length };
}
