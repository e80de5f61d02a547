// Cleans typed text: a text of one line and a text of several. Pure.

/** Invisible characters: spaces, controls, marks that join or direct letters, and fillers. */
const INVISIBLE = /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u;
const LONE_SURROGATE = /\p{Cs}/gu;

/** Most names and ids, at a glance. */
const FOLDED = /^(?:[!-~]+ )*[!-~]+$/;

/** The text on one line. Folding twice changes nothing more. */
export function foldLine(text: string): string {
  if (FOLDED.test(text)) return text;
  const line = text
    .replace(LONE_SURROGATE, "")
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, " ")
    .replace(/\s{2,}/g, " ")
    .trim();
  return INVISIBLE.test(line) ? "" : line;
}

/** The text with its lines, each ended by a line feed, without characters that mean nothing in a text. */
export function cleanLines(text: string): string {
  const lines = text.replace(/\r\n?/g, "\n").replace(/[^\P{Cc}\t\n]|\p{Cs}/gu, "");
  return INVISIBLE.test(lines) ? "" : lines;
}
