// Guests, the people who sit in a session by its link with a name only (H-17 to H-26): their names and their limits. Pure.
import { beginningOf } from "~/domain/beginnings";
import { asWritten } from "~/domain/folding";
import { isReservedUsername } from "~/domain/slugs";
import { isHandle } from "./aliases";
import { GUEST_MARK } from "./guest-names";

/** Of a name as typed, in characters. */
const GUEST_NAME_LENGTH = 30;
/** Of the part of a username that comes from the name, so that a suffix fits into the 30 characters of V-04. */
const LENGTH_OF_NAME = 22;

/**
 * The username of a guest: `~` and the name in the characters of V-04 (H-23). With `suffix` where that one is taken, too
 * short, or reads like the handle of a seat.
 */
export function guestUsername(typed: string, suffix: string | null = null): string {
  const plain = typed
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^A-Za-z0-9_-]+/g, "-")
    .replace(/-{2,}/g, "-")
    .replace(/^-+|-+$/g, "");
  const name = beginningOf(plain, LENGTH_OF_NAME).replace(/-+$/, "");
  const base = `${GUEST_MARK}${name === "" ? "guest" : name}`;
  return suffix === null ? base : `${base}-${suffix}`;
}
export const needsSuffix = (username: string): boolean => username.length < 3 || isHandle(username);

/** Letters of other scripts, and signs, that look like a Latin one. */
const LOOKS_LIKE: Record<string, string> = {
  а: "a",
  ɑ: "a",
  α: "a",
  в: "b",
  β: "b",
  ь: "b",
  с: "c",
  ϲ: "c",
  ԁ: "d",
  е: "e",
  ҽ: "e",
  ε: "e",
  ғ: "f",
  ɡ: "g",
  һ: "h",
  н: "h",
  η: "n",
  і: "l",
  ι: "l",
  ӏ: "l",
  ı: "l",
  i: "l",
  ј: "l",
  j: "l",
  "1": "l",
  "|": "l",
  "!": "l",
  к: "k",
  κ: "k",
  м: "m",
  п: "n",
  ո: "n",
  ν: "v",
  о: "o",
  ο: "o",
  օ: "o",
  σ: "o",
  "0": "o",
  р: "p",
  ρ: "p",
  ԛ: "q",
  г: "r",
  ѕ: "s",
  "5": "s",
  $: "s",
  т: "t",
  τ: "t",
  υ: "u",
  ս: "u",
  ѵ: "v",
  ԝ: "w",
  ω: "w",
  х: "x",
  χ: "x",
  у: "y",
  γ: "y",
  ү: "y",
  "@": "a",
};

/** The look of a name, without case, marks, spaces and differences between letters that look alike; equal looks are too alike. */
export function lookOf(name: string): string {
  const letters = [
    ...asWritten(name.normalize("NFKC").toLowerCase()).normalize("NFKD").replace(/\p{M}/gu, ""),
  ]
    .map((letter) => LOOKS_LIKE[letter] ?? letter)
    .join("")
    .replace(/rn/g, "m")
    .replace(/vv/g, "w");
  const plain = letters.replace(/[^\p{L}\p{N}]/gu, "");
  return plain === "" ? letters.trim() : plain;
}

export const GUEST_NAME_SENTENCES = {
  missing: "Please write your name.",
  long: `Please keep your name under ${GUEST_NAME_LENGTH} characters.`,
  letterless: "A name needs a letter or a number.",
  taken: "Somebody here has that name. Please choose another.",
} as const;

/** The sentence that refuses a folded name; null for one that may be used. `others`: the names of the room. */
export function refusesGuestName(name: string, others: readonly string[]): string | null {
  if (name === "") return GUEST_NAME_SENTENCES.missing;
  if ([...name].length > GUEST_NAME_LENGTH) return GUEST_NAME_SENTENCES.long;
  if (!/[\p{L}\p{N}]/u.test(name)) return GUEST_NAME_SENTENCES.letterless;
  const look = lookOf(name);
  const isReserved = isReservedUsername(name) || look === lookOf("guest") || look === lookOf("host");
  return isReserved || others.some((other) => lookOf(other) === look) ? GUEST_NAME_SENTENCES.taken : null;
}
