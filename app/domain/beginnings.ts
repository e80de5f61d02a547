// Shortens texts between grapheme clusters. Pure.

const clusters = new Intl.Segmenter("en", { granularity: "grapheme" });
/** No cluster that people read is longer; a longer one is cut between code points. */
const LONGEST_CLUSTER = 64;

/** The longest beginning of at most `most` UTF-16 units that ends with a whole character. */
export function beginningOf(text: string, most: number): string {
  if (text.length <= most) return text;
  const start = clusters.segment(text.slice(0, most + LONGEST_CLUSTER)).containing(most)?.index ?? most;
  if (start > 0 && most - start < LONGEST_CLUSTER) return text.slice(0, start);
  return text.slice(0, most).replace(/[\ud800-\udbff]$/, "");
}

/** The text, or its beginning with an ellipsis, at most `most` UTF-16 units long. */
export const shorten = (text: string, most: number): string =>
  text.length > most ? `${beginningOf(text, most - 1).trimEnd()}…` : text;
