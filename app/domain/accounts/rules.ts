// The rules of the account forms (V-01 to V-08). accounts.ts turns them into the server's schemas.

import type { Rule } from "~/domain/field-rules";
import { isReservedSegment, isReservedUsername, slugify } from "~/domain/slugs";
import { asciiAddress } from "./addresses";
import { isRun } from "./password-runs";
import { MAX_PASSKEY_NAME_CHARS, WRONG_CODE } from "./sign-in";

const REQUIRED = "Value is required";
const NOT_AN_EMAIL = "Value is not a valid email address";
export const WRONG_CREDENTIALS = "These credentials do not match our records.";
export const REGISTERED = "Thanks for registering!";
export const RESET_SENT = "We have sent a password reset link to your email.";
export const RESET_DONE = "Your password was reset successfully!";
export const RESET_FAILED = "Sorry, there was an error";
export const PROFILE_SAVED = "Successfully updated profile.";

export const TOO_EASY = "This password is too easy to guess. Please choose another.";
export const NOT_CURRENT_PASSWORD = "This is not your current password.";
export const PASSWORD_FOR_NEW_EMAIL = "Please give your current password to change your email address.";

export const RESET_LINK_MINUTES = 60;
export const MAX_PERSONS = 10;

export const required: Rule = (value) => (value.trim() === "" ? REQUIRED : null);

// One @, a host with a dot, no characters that mail forbids. Only an email proves that the address exists.
const EMAIL =
  /^(?!\.)(?!.*\.\.)[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}(?<!\.)@([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+([a-z]{2,63}|xn--[a-z0-9-]{0,58}[a-z0-9])$/i;
const emailRule: Rule = (value, fields) => {
  const address = asciiAddress(value.trim());
  return required(value, fields) ?? (address.length <= 254 && EMAIL.test(address) ? null : NOT_AN_EMAIL);
};

/** A reserved username counts as taken (V-03, V-04, X-09). */
export const USERNAME_TAKEN = "This username is taken. Please choose another.";
export const usernameRule: Rule = (value, fields) => {
  const name = value.trim();
  if (name === "") return required(value, fields);
  if (!/^[A-Za-z0-9_-]+$/.test(name))
    return "Your username can only contain letters, numbers, underscores, and dashes.";
  if (name.length < 3 || name.length > 30) return "Your username needs 3 to 30 characters.";
  return isReservedSegment(name) || isReservedUsername(name) ? USERNAME_TAKEN : null;
};

/** A name that the rule accepts, made from one that it refuses for its characters: "Nora Lind" → "nora-lind". */
export function suggestedUsername(input: string): string | null {
  const name = input.trim();
  if (name === "" || /^[A-Za-z0-9_-]+$/.test(name) || !/[a-z0-9]/i.test(name.normalize("NFKD"))) return null;
  const suggested = slugify(name).slice(0, 30).replace(/-$/, "");
  return usernameRule(suggested, {}) === null ? suggested : null;
}

/**
 * A new password (V-06). Counts characters, not bytes. The server also refuses common passwords and those that contain the
 * user's name.
 */
const newPasswordRule: Rule = (value) => {
  const { length } = [...value];
  if (length === 0) return REQUIRED;
  if (length < 8) return "Your password needs at least 8 characters.";
  if (length > 256) return "Your password can have at most 256 characters.";
  return isRun(value.toLowerCase()) ? TOO_EASY : null;
};

/** An existing password: any text, spaces included. */
const typedPasswordRule: Rule = (value) =>
  value === "" ? REQUIRED : value.length > 1024 ? "This is too long." : null;

/** The repeated password (V-05). */
const confirmationRule: Rule = (value, fields) =>
  typedPasswordRule(value, fields) ?? (value === fields.password ? null : "Your password does not match.");

/** A first or last name, which may be empty (V-07). */
const nameRule: Rule = (value) =>
  [...value.trim()].length > 60 ? "Please keep this to 60 characters." : null;

const newPassword = { password: newPasswordRule, passwordConfirmation: confirmationRule };

export const loginRules = { email: required, password: typedPasswordRule };
/** The fields of a registration. */
export const accountRules = {
  username: usernameRule,
  email: emailRule,
  ...newPassword,
  firstName: nameRule,
  lastName: nameRule,
};
/** The rules of the form of a registration, which also has the checkbox of the terms (V-08). */
export const registerRules = {
  ...accountRules,
  terms: ((value) => (value === "" ? "Value is required." : null)) satisfies Rule,
};
export const forgotRules = { email: emailRule };
export const resetRules = {
  email: emailRule,
  ...newPassword,
  token: ((value) =>
    value === ""
      ? "This reset link is incomplete. Please open the link in the email again."
      : null) satisfies Rule,
};
export const passwordRules = { currentPassword: typedPasswordRule, ...newPassword };
export const deletionRules = { currentPassword: typedPasswordRule };
export const profileRules = {
  email: emailRule,
  firstName: nameRule,
  lastName: nameRule,
  /** Required only when the address changes, which the server knows. */
  currentPassword: ((value) => (value.length > 1024 ? "This is too long." : null)) satisfies Rule,
};
/** A code of an authenticator, or a recovery code: only the server checks its format. */
const codeRule: Rule = (value, fields) => required(value, fields) ?? (value.length > 100 ? WRONG_CODE : null);
export const codeRules = { code: codeRule };
export const twoStepRules = { code: codeRule, token: typedPasswordRule };
export const passkeyRules = {
  name: ((value, fields) =>
    required(value, fields) ??
    ([...value.trim()].length > MAX_PASSKEY_NAME_CHARS
      ? `Please keep this to ${MAX_PASSKEY_NAME_CHARS} characters.`
      : null)) satisfies Rule,
};
export const personRules = { username: usernameRule };
