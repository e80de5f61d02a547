// Accounts: what a login, a registration, a profile and a password must look like (V-01 to V-08), and the shapes of an
// account. Pure; browser and server both use it, so that a form says the same sentence before and after it is sent.
import { z } from "zod";
import { isCommonPassword } from "./common-passwords";
import type { PlanName } from "./products";
import { isReserved } from "./slugs";
import type { Instant } from "./time";

/** The signed-in user with what `GET /get-user` tells of them (E-01). Tokens in hundredths. */
export type Account = {
  id: number;
  personId: number;
  username: string;
  email: string;
  firstName: string;
  lastName: string;
  roleId: number;
  tokens: number;
  isNew: boolean;
  newMessages: string[];
  subscription: AccountSubscription | null;
  myGoals: { id: number; uuid: string; title: string }[];
};
export type AccountSubscription = {
  id: number;
  product: PlanName;
  startDate: Instant;
  endDate: Instant | null;
  stripeSubStatus: string;
};
/** A public face of a user. */
export type Person = { id: number; username: string };

export const REQUIRED = "Value is required";
export const NOT_AN_EMAIL = "Value is not a valid email address";
export const PASSWORD_MISMATCH = "Your password does not match.";
export const WRONG_CREDENTIALS = "These credentials do not match our records.";
export const REGISTERED = "Thanks for registering!";
export const RESET_SENT = "We have sent a password reset link to your email.";
export const RESET_DONE = "Your password was reset successfully!";
export const RESET_FAILED = "Sorry, there was an error";
export const PROFILE_SAVED = "Successfully updated profile.";

export const RESET_LINK_MINUTES = 60;
export const MAX_PERSONS = 10;

/** What must be there, without the spaces around it. */
export const requiredText = (sentence = REQUIRED) =>
  z.string({ error: sentence }).trim().min(1, { error: sentence, abort: true });

/** Required, as typed: a password may begin and end with spaces. */
export const typedPassword = z
  .string({ error: REQUIRED })
  .min(1, { error: REQUIRED, abort: true })
  .max(1024, "This is too long.");

export const emailAddress = requiredText()
  .max(254, { error: NOT_AN_EMAIL, abort: true })
  .regex(z.regexes.email, NOT_AN_EMAIL);

/** A name in the address bar: account or further person (V-03, V-04, X-09). */
export const username = requiredText()
  .regex(/^[A-Za-z0-9_-]+$/, {
    error: "Your username can only contain letters, numbers, underscores, and dashes.",
    abort: true,
  })
  .min(3, { error: "Your username needs 3 to 30 characters.", abort: true })
  .max(30, { error: "Your username needs 3 to 30 characters.", abort: true })
  .refine((name) => !isReserved(name), "This username is taken. Please choose another.");

const lengthOf = (text: string) => [...text].length;

/** V-06. Counted in characters, not bytes. */
export const newPassword = z
  .string({ error: REQUIRED })
  .min(1, { error: REQUIRED, abort: true })
  .refine((text) => lengthOf(text) >= 8, { error: "Your password needs at least 8 characters.", abort: true })
  .refine((text) => lengthOf(text) <= 256, {
    error: "Your password can have at most 256 characters.",
    abort: true,
  })
  .refine((text) => !isCommonPassword(text), "This password is too easy to guess. Please choose another.");

/** V-07. */
export const personalName = z.string().trim().max(60, "Please keep this to 60 characters.");

/** The repeated password, compared even while other fields are still wrong, so that all is said at once (V-05). */
const sameTwice = (password: string, confirmation: string) => ({
  path: [confirmation],
  error: PASSWORD_MISMATCH,
  when: ({ value }: { value: unknown }) => {
    const typed = value as Record<string, unknown>;
    return typeof typed[password] === "string" && typeof typed[confirmation] === "string";
  },
});

const twoPasswords = { password: newPassword, passwordConfirmation: typedPassword };
type TwoPasswords = { password: string; passwordConfirmation: string };
const areSame = (typed: TwoPasswords) => typed.password === typed.passwordConfirmation;
const confirmed = sameTwice("password", "passwordConfirmation");

const optionalName = personalName.optional().transform((name) => name ?? "");
/** Where a form leads on success; anything but a path of ours is ignored. */
const next = z.string().optional().transform(safePath);

export const LoginInput = z.object({ email: requiredText(), password: typedPassword });
export const LoginForm = LoginInput.extend({ next });

export const RegisterForm = z
  .object({
    email: emailAddress,
    username,
    firstName: optionalName,
    lastName: optionalName,
    ...twoPasswords,
    terms: z.boolean({ error: "Value is required." }).refine((isChecked) => isChecked, "Value is required."),
    next,
  })
  .refine(areSame, confirmed);

export const ForgotInput = z.object({ email: emailAddress });

export const ResetForm = z
  .object({
    email: emailAddress,
    ...twoPasswords,
    token: z.string({ error: "This reset link is not whole. Please open the link of the mail again." }),
  })
  .refine(areSame, confirmed);

export const PasswordForm = z
  .object({ currentPassword: typedPassword, ...twoPasswords })
  .refine(areSame, confirmed);

/** An emptied name field is a name taken away. */
export const ProfileForm = z.object({ email: emailAddress, firstName: optionalName, lastName: optionalName });

export const PersonInput = z.object({ username });
export const PersonChoice = z.object({ person: z.string() });
export const LoginChoice = z.object({ login: z.string() });

/** `password` and `password_confirmation` of a JSON body: the same rule in the wire's names. */
export const confirmedOnWire = sameTwice("password", "password_confirmation");

/**
 * A path of our own to lead on to, else `/`. Refuses other origins in every disguise (`//x`, `/\x`, `https:`), and the
 * sign-in pages themselves, which would lead in a circle.
 */
export function safePath(path: string | null | undefined): string {
  if (!path?.startsWith("/") || path.length > 2000) return "/";
  // A browser drops tabs and newlines and reads \ as /, so `/\t/x` and `/\x` are other hosts.
  if ([...path].some((letter) => letter <= " " || letter === "\\" || letter === "\u007f")) return "/";
  let url: URL;
  try {
    url = new URL(path, "https://here.invalid");
  } catch {
    return "/";
  }
  if (url.origin !== "https://here.invalid" || /^\/(auth|login|register)(\/|$)/.test(url.pathname))
    return "/";
  url.searchParams.delete("auth");
  const safe = `${url.pathname}${url.search}${url.hash}`;
  return safe.startsWith("//") ? "/" : safe;
}
