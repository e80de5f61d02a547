// The rules of a sign-in beyond the password: the second step, recovery codes, passkeys, and the check that somebody who
// is signed in is still the same person.
import { AppError } from "./errors";
import { type Instant, MINUTE, SECOND } from "./time";

export const TWO_STEP_UNAVAILABLE = "Two-step sign-in is not available on this server.";
export const WRONG_CODE = "This code is not right.";
export const SIGN_IN_EXPIRED = "This sign-in took too long. Please enter your password again.";
export const ALREADY_ON = "Two-step sign-in is on already.";
export const NOT_ON = "Two-step sign-in is off.";
export const TURN_ON_AGAIN = "Turning it on took too long. Please begin again.";
export const PASSKEY_REFUSED = "This passkey did not work. Please try again.";
export const PASSKEYS_NEED_A_NAME = "Passkeys need a host name.";
export const TOO_MANY_PASSKEYS = "You have 10 passkeys. Please remove one first.";

// ---- the check

const CHECK_MINUTES = 15;
/** Forms and calls under these paths act for the whole installation, so each of them needs the check. */
const ADMIN = /^\/(api\/)?admin(\/|$)/;

/** The login as the check sees it. */
export type Checked = { checkedAt: Instant | null };
/** The account's state, for acts that need the check only for some inputs. */
export type Asker = Checked & { email: string };
/** `true`, or whether this input needs it; without a declaration only acts under /admin do. */
export type NeedsCheck<Input> = boolean | ((asker: Asker, input: Input) => boolean);

/** Signing in counts, and so does a password, a code or a passkey since then. */
export const isChecked = ({ checkedAt }: Checked, now: Instant): boolean =>
  checkedAt !== null && now < checkedAt + CHECK_MINUTES * MINUTE;

/** REAUTH_REQUIRED when the act needs a check and the last one is too old. Visitors are refused by the act itself. */
export function requireCheck<Input>(
  asker: Asker | null,
  act: { path: string; needsCheck: NeedsCheck<Input> | undefined; input: Input; now: Instant },
): void {
  if (!asker || isChecked(asker, act.now)) return;
  const { needsCheck = false } = act;
  const isNeeded =
    ADMIN.test(act.path) || (typeof needsCheck === "function" ? needsCheck(asker, act.input) : needsCheck);
  if (isNeeded) throw new AppError("REAUTH_REQUIRED");
}

/** A profile with another address; the rest of a profile is changed without a check. */
export const isOtherAddress = (asker: Asker, { email }: { email?: string | undefined }): boolean =>
  email !== undefined && email.toLowerCase() !== asker.email.toLowerCase();

// ---- the second step

export const TWO_STEP_MINUTES = 5;
export const TWO_STEP_TRIES = 5;
export const RECOVERY_CODES = 10;
/** A secret that no code has confirmed is shown for so long. */
export const SET_UP_MINUTES = 15;

/** The length of an authenticator's step. */
export const STEP = 30 * SECOND;
export const stepOf = (now: Instant): number => Math.floor(now / STEP);

export type SecondStep = "code" | "recovery_code" | "passkey";

/** Base 32 without the letters that look like digits. */
const LETTERS = "0123456789abcdefghjkmnpqrstvwxyz";
const LOOK_ALIKES: Record<string, string> = { o: "0", i: "1", l: "1" };

/** 80 bits as `xxxx-xxxx-xxxx-xxxx`; each byte gives five bits. */
export const recoveryCodeOf = (bytes: Uint8Array): string =>
  [...bytes]
    .map((byte) => LETTERS[byte % LETTERS.length])
    .join("")
    .replace(/(.{4})(?=.)/g, "$1-");
export const RECOVERY_CODE_LETTERS = 16;

/** A typed code: six digits of an authenticator, a recovery code as it is hashed, or null. */
export function readCode(typed: string): { digits: string } | { recovery: string } | null {
  const bare = typed.toLowerCase().replace(/[\s-]/g, "");
  if (/^\d{6}$/.test(bare)) return { digits: bare };
  const recovery = bare.replace(/[oil]/g, (letter) => LOOK_ALIKES[letter] ?? letter);
  return /^[0-9a-hjkmnp-tv-z]{16}$/.test(recovery) ? { recovery } : null;
}

// ---- passkeys

export const MAX_PASSKEYS = 10;
export const LONGEST_PASSKEY_NAME = 60;

/** A host that a passkey can belong to: a name, and no address of numbers. */
export const isHostName = (hostname: string): boolean =>
  !/^\d+(\.\d+){3}$/.test(hostname) && !hostname.includes(":");
