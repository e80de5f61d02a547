// Cleans typed text: a text of one line and a text of several. Pure.

/** Invisible characters: spaces, controls, marks that join or direct letters, and fillers. */
const INVISIBLE = /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u;
/** Lone surrogates, and controls that reorder the text around them. Marks of direction (U+200E, U+200F) stay. */
const REFUSED = /[\p{Cs}\u202a-\u202e\u2066-\u2069]/gu;
/** No script writes more than eight marks on a character; a hundred cover the lines above. */
const MARKS = /(\p{M}{8})\p{M}+/gu;

/** A sentence with isolated words in the header of a mail, where a line break would begin another header. */
export const headerLine = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, " ").trim();

/** Matches most names and ids, which then skip the slower replacements. */
const ALREADY_FOLDED = /^(?:[!-~]+ )*[!-~]+$/;

/** The text on one line. Folding twice changes nothing more. */
export function foldLine(text: string): string {
  if (ALREADY_FOLDED.test(text)) return text;
  const line = text
    .replace(REFUSED, "")
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, " ")
    .replace(/\s{2,}/g, " ")
    .replace(MARKS, "$1")
    .trim();
  return INVISIBLE.test(line) ? "" : line;
}

/** The text with its lines, each ended by a line feed, without characters that mean nothing in a text. */
export function cleanLines(text: string): string {
  const lines = text
    .replace(/\r\n?/g, "\n")
    .replace(/[^\P{Cc}\t\n]/gu, "")
    .replace(REFUSED, "")
    .replace(MARKS, "$1");
  return INVISIBLE.test(lines) ? "" : lines;
}
