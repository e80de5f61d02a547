// Turning two-step sign-in on and off, and recovery codes.
import { recordIfChanged, recordWhileTwoStepIsOn } from "#db/queries/accounts/change-emails";
import * as queries from "#db/queries/accounts/two-step";
import {
  ALREADY_ON,
  isChecked,
  NOT_ON,
  RECOVERY_CODE_LETTERS,
  RECOVERY_CODES,
  readCode,
  recoveryCodeOf,
  SET_UP_MINUTES,
  TURN_ON_AGAIN,
  TWO_STEP_UNAVAILABLE,
  WRONG_CODE,
} from "~/domain/accounts/sign-in";
import { AppError, invalid } from "~/domain/errors";
import { requireUser } from "~/domain/permissions";
import { type Instant, MINUTE } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import { wakeEvents } from "~/use-cases/notices/events.server";
import { qrOf } from "~/use-cases/qr.server";
import { countAttempts, giveBackAttempts } from "~/use-cases/rate-limits.server";
import { logSecurity } from "~/use-cases/security-log.server";
import { accountChangeCause } from "./change-emails.server";
import { listedPasskeys, type PasskeyListed, passkeyHost } from "./passkeys.server";
import {
  authenticatorUri,
  hashRecoveryCode,
  matchStep,
  newSecret,
  openSecret,
  sealSecret,
  secondFactorAttempts,
} from "./second-step.server";

/** A secret that waits for its first code: the QR code as the path of an SVG `size` units wide, and the key as text. */
type SetUp = { key: string; uri: string; qr: { size: number; path: string } };

export type SecurityPage = {
  email: string;
  twoStepSince: Instant | null;
  recoveryCodes: number;
  /** False if this server has no DATA_KEY. */
  isAvailable: boolean;
  setUp: SetUp | null;
  passkeys: PasskeyListed[];
  /** False on a bare IP address. */
  hasHostName: boolean;
};

export async function viewSecurity(app: App): Promise<SecurityPage> {
  const user = requireUser(app.user);
  const [[means], [row], passkeys] = await app.db.batch([
    queries.findMeans(app.db, user.id),
    queries.findTwoStep(app.db, user.id),
    queries.listPasskeys(app.db, user.id),
  ]);
  const isWaiting =
    row !== undefined &&
    row.confirmedAt === null &&
    app.now < row.createdAt + SET_UP_MINUTES * MINUTE &&
    // The secret is shown only after a recent check, not to an unattended login.
    isChecked(user, app.now);
  return {
    email: user.email,
    twoStepSince: means?.twoStepSince ?? null,
    recoveryCodes: means?.recoveryCodes ?? 0,
    isAvailable: app.vault !== null,
    setUp: isWaiting && app.vault ? await showSetUp(app, await openSecret(app, user.id, row.secret)) : null,
    passkeys: listedPasskeys(passkeys),
    hasHostName: passkeyHost(app) !== null,
  };
}

async function showSetUp(app: App, key: string): Promise<SetUp> {
  const uri = await authenticatorUri(key, requireUser(app.user).email, app.settings.appName);
  return { key: key.replace(/(.{4})(?=.)/g, "$1 "), uri, qr: await qrOf(uri) };
}

/**
 * Stores a new secret, which the security page shows until a first code confirms it. CONFLICT when on, or without
 * DATA_KEY.
 */
export async function beginTwoStep(app: App): Promise<void> {
  const user = requireUser(app.user);
  if (!app.vault) throw new AppError("CONFLICT", TWO_STEP_UNAVAILABLE);
  await countAttempts(app, { what: "change-two-step", by: user.id });
  const secret = await sealSecret(app, user.id, await newSecret());
  const [begun] = await queries.beginTwoStep(app.db, { userId: user.id, secret, now: app.now });
  if (!begun) throw new AppError("CONFLICT", ALREADY_ON);
}

/**
 * Turns two-step sign-in on with a first code; CONFLICT when it is on or was not begun, INVALID at `code`. The recovery
 * codes are shown only once.
 */
export async function confirmTwoStep(app: App, { code }: { code: string }): Promise<{ codes: string[] }> {
  const user = requireUser(app.user);
  const attempts = await secondFactorAttempts(app, user);
  await countAttempts(app, ...attempts);
  const [row] = await queries.findTwoStep(app.db, user.id);
  if (row?.confirmedAt) throw new AppError("CONFLICT", ALREADY_ON);
  if (!row || app.now >= row.createdAt + SET_UP_MINUTES * MINUTE)
    throw new AppError("CONFLICT", TURN_ON_AGAIN);
  const digits = readCode(code);
  const secret = await openSecret(app, user.id, row.secret);
  const step = digits && "digits" in digits ? await matchStep(secret, digits.digits, app.now) : null;
  if (step === null) {
    logSecurity(app, { event: "second-step-refused", userId: user.id });
    throw invalid("code", WRONG_CODE);
  }
  const { codes, hashes } = await newRecoveryCodes();
  const cause = accountChangeCause(
    app,
    "sign-in",
    "Two-step sign-in was turned on for your account just now.",
  );
  const [, , [confirmed]] = await app.db.batch([
    ...queries.replaceRecoveryCodes(app.db, {
      userId: user.id,
      hashes,
      pendingSecret: row.secret,
      now: app.now,
    }),
    queries.confirmTwoStep(app.db, { userId: user.id, secret: row.secret, step, now: app.now }),
    recordIfChanged(app.db, cause, user.id),
  ]);
  if (!confirmed) throw new AppError("CONFLICT", ALREADY_ON);
  logSecurity(app, { event: "two-step-on", userId: user.id });
  wakeEvents(app, [cause]);
  app.defer(giveBackAttempts(app, ...attempts));
  return { codes };
}

async function newRecoveryCodes(): Promise<{ codes: string[]; hashes: string[] }> {
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    recoveryCodeOf(crypto.getRandomValues(new Uint8Array(RECOVERY_CODE_LETTERS))),
  );
  const hashes = await Promise.all(codes.map((code) => hashRecoveryCode(code.replaceAll("-", ""))));
  return { codes, hashes };
}

/** Ten new codes, shown only once; the old ones stop working. CONFLICT while two-step sign-in is off. */
export async function createRecoveryCodes(app: App): Promise<{ codes: string[] }> {
  const user = requireUser(app.user);
  await countAttempts(app, { what: "change-two-step", by: user.id });
  const { codes, hashes } = await newRecoveryCodes();
  const cause = accountChangeCause(
    app,
    "sign-in",
    "New recovery codes were made for your account, and the old ones do not work any more.",
  );
  const [, , [means]] = await app.db.batch([
    ...queries.replaceRecoveryCodes(app.db, { userId: user.id, hashes, now: app.now }),
    queries.findMeans(app.db, user.id),
    recordWhileTwoStepIsOn(app.db, cause, user.id),
  ]);
  if (!means?.twoStepSince) throw new AppError("CONFLICT", NOT_ON);
  logSecurity(app, { event: "recovery-codes-made", userId: user.id });
  wakeEvents(app, [cause]);
  return { codes };
}

/** Turns two-step sign-in off. Does nothing when it is off already. */
export async function turnTwoStepOff(app: App): Promise<void> {
  const user = requireUser(app.user);
  await countAttempts(app, { what: "change-two-step", by: user.id });
  const cause = accountChangeCause(
    app,
    "sign-in",
    "Two-step sign-in was turned off for your account just now.",
  );
  const [, [turnedOff]] = await app.db.batch([
    recordWhileTwoStepIsOn(app.db, cause, user.id),
    queries.deleteTwoStep(app.db, user.id),
    queries.deleteRecoveryCodes(app.db, user.id),
    queries.deleteUnfinishedLogins(app.db, user.id),
  ]);
  if (!turnedOff?.confirmedAt) return;
  logSecurity(app, { event: "two-step-off", userId: user.id });
  wakeEvents(app, [cause]);
}
