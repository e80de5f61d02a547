// A result of the search palette, and the order of results (Y-01).
import type { SessionStatus } from "~/domain/sessions/status";
import { foldText } from "./folding";
import type { Instant } from "./time";

export type ResultKind = "session" | "activity" | "hut" | "person" | "book" | "goal" | "note" | "log";

export type PaletteResult = {
  kind: ResultKind;
  title: string;
  path: string;
  /** The hut of a session or activity. */
  place: string | null;
  /** The status of a session; null for other kinds. */
  status: SessionStatus | null;
  startedAt: Instant | null;
};

/** The fewest letters by which people are searched. */
const MIN_PERSON_LETTERS = 2;

/** The beginning of a username in the query, without its `@`; null if the query cannot be one. */
export function usernamePrefixOf(q: string): string | null {
  const name = q.trim().replace(/^@/, "").toLowerCase();
  return name.length >= MIN_PERSON_LETTERS && /^[\p{L}\p{N}_-]+$/u.test(name) ? name : null;
}

/** The exact title first, then titles that begin with the text, then those with a word that begins with its first word. */
export function byMatch(q: string): (a: PaletteResult, b: PaletteResult) => number {
  const text = foldText(q.trim().replace(/^@/, ""));
  const [word = ""] = text.split(" ");
  const rank = ({ title }: PaletteResult) => {
    const folded = foldText(title);
    if (folded === text) return 0;
    if (folded.startsWith(text)) return 1;
    return ` ${folded}`.includes(` ${word}`) ? 2 : 3;
  };
  return (a, b) => rank(a) - rank(b);
}
