// Guests, the people who sit in a session by its link with a name only (H-17 to H-26): their names and their limits. Pure.
import { beginningOf } from "~/domain/beginnings";
import { isReservedUsername } from "~/domain/slugs";
import { isHandle } from "./aliases";
import { GUEST_MARK } from "./guest-names";
import { lookOf } from "./look-alikes";

/** The most characters of a typed name. */
const GUEST_NAME_LENGTH = 30;
/** The most characters of the name in a username, so that a suffix fits into the 30 characters of V-04. */
const MAX_NAME_PART = 22;

/**
 * The username of a guest: `~` and the name in the characters of V-04 (H-23). With `suffix` where that one is taken, too
 * short, or reads like the handle of a seat.
 */
export function guestUsername(input: string, suffix: string | null = null): string {
  const lettersOnly = input
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^A-Za-z0-9_-]+/g, "-")
    .replace(/-{2,}/g, "-")
    .replace(/^-+|-+$/g, "");
  const name = beginningOf(lettersOnly, MAX_NAME_PART).replace(/-+$/, "");
  const base = `${GUEST_MARK}${name === "" ? "guest" : name}`;
  return suffix === null ? base : `${base}-${suffix}`;
}
export const needsSuffix = (username: string): boolean => username.length < 3 || isHandle(username);

export const GUEST_NAME_SENTENCES = {
  missing: "Please write your name.",
  long: `Please keep your name under ${GUEST_NAME_LENGTH} characters.`,
  letterless: "A name needs a letter or a number.",
  taken: "Somebody here has that name. Please choose another.",
} as const;

/** The sentence that refuses a folded name; null for one that may be used. `others`: the names of the room. */
export function guestNameRefusal(name: string, others: readonly string[]): string | null {
  if (name === "") return GUEST_NAME_SENTENCES.missing;
  if ([...name].length > GUEST_NAME_LENGTH) return GUEST_NAME_SENTENCES.long;
  if (!/[\p{L}\p{N}]/u.test(name)) return GUEST_NAME_SENTENCES.letterless;
  const look = lookOf(name);
  const isReserved = isReservedUsername(name) || look === lookOf("guest") || look === lookOf("host");
  return isReserved || others.some((other) => lookOf(other) === look) ? GUEST_NAME_SENTENCES.taken : null;
}
