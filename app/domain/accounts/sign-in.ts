// The rules of a sign-in beyond the password: second step, recovery codes, passkeys, and the renewed check of a
// signed-in user.
import { AppError } from "~/domain/errors";
import { type Instant, MINUTE, SECOND } from "~/domain/time";

export const TWO_STEP_UNAVAILABLE = "Two-step sign-in is not available on this server.";
export const WRONG_CODE = "This code is not right.";
export const SIGN_IN_EXPIRED = "This sign-in took too long. Please enter your password again.";
export const ALREADY_ON = "Two-step sign-in is on already.";
export const NOT_ON = "Two-step sign-in is off.";
export const TURN_ON_AGAIN = "Turning it on took too long. Please begin again.";
export const PASSKEY_REFUSED = "This passkey did not work. Please try again.";
export const PASSKEY_KNOWN = "This passkey is added already.";
export const PASSKEYS_NEED_A_NAME = "Passkeys need a host name.";
export const TOO_MANY_PASSKEYS = "You have 10 passkeys. Please remove one first.";

// ---- the renewed check

const CHECK_MINUTES = 15;

/** The login, as far as the check needs it. */
export type CheckedLogin = { checkedAt: Instant | null };
/** The login and its account, for acts that need the check only for some inputs. */
export type CheckedAccount = CheckedLogin & { email: string };
/** Declared at the call or the form's intent, never read from the path: `true`, or a function of the input. */
export type NeedsCheck<Input> = boolean | ((asker: CheckedAccount, input: Input) => boolean);

/** Signing in counts as a check, and so does a later password, code or passkey. */
export const isChecked = ({ checkedAt }: CheckedLogin, now: Instant): boolean =>
  checkedAt !== null && now < checkedAt + CHECK_MINUTES * MINUTE;

/** REAUTH_REQUIRED if the action needs a check and the last one is too old. The action itself refuses visitors. */
export function requireCheck<Input>(
  asker: CheckedAccount | null,
  act: { needsCheck: NeedsCheck<Input> | undefined; input: Input; now: Instant },
): void {
  if (!asker || isChecked(asker, act.now)) return;
  const { needsCheck = false } = act;
  if (typeof needsCheck === "function" ? needsCheck(asker, act.input) : needsCheck)
    throw new AppError("REAUTH_REQUIRED");
}

/** True if a profile has another email address. Other changes of a profile need no check. */
export const isOtherAddress = (asker: CheckedAccount, { email }: { email?: string | undefined }): boolean =>
  email !== undefined && email.toLowerCase() !== asker.email.toLowerCase();

// ---- the second step

export const TWO_STEP_MINUTES = 5;
export const TWO_STEP_TRIES = 5;
export const RECOVERY_CODES = 10;
/** How long an unconfirmed secret is shown. */
export const SET_UP_MINUTES = 15;

/** The length of an authenticator's step. */
export const STEP_DURATION = 30 * SECOND;
export const timeStepOf = (now: Instant): number => Math.floor(now / STEP_DURATION);

export type SecondStep = "code" | "recovery_code" | "passkey";

/** Crockford's Base32 in lower case: without i, l and o, which look like digits, and without u. */
const LETTERS = "0123456789abcdefghjkmnpqrstvwxyz";
const LOOK_ALIKES: Record<string, string> = { o: "0", i: "1", l: "1" };

/** 80 bits as `xxxx-xxxx-xxxx-xxxx`; each byte gives five bits. */
export const recoveryCodeOf = (bytes: Uint8Array): string =>
  [...bytes]
    .map((byte) => LETTERS[byte % LETTERS.length])
    .join("")
    .replace(/(.{4})(?=.)/g, "$1-");
export const RECOVERY_CODE_LETTERS = 16;

/** Parses a typed code: six digits of an authenticator, or a bare recovery code, ready to be hashed. Otherwise null. */
export function readCode(input: string): { digits: string } | { recovery: string } | null {
  const bare = input.toLowerCase().replace(/[\s-]/g, "");
  if (/^\d{6}$/.test(bare)) return { digits: bare };
  const recovery = bare.replace(/[oil]/g, (letter) => LOOK_ALIKES[letter] ?? letter);
  return /^[0-9a-hjkmnp-tv-z]{16}$/.test(recovery) ? { recovery } : null;
}

// ---- passkeys

export const MAX_PASSKEYS = 10;
export const MAX_PASSKEY_NAME_CHARS = 60;

/** A host that passkeys can belong to: a name, not an IP address. */
export const isHostName = (hostname: string): boolean =>
  !/^\d+(\.\d+){3}$/.test(hostname) && !hostname.includes(":");
