// The words of titles and searches. Scripts that write without spaces become overlapping pairs of letters, by the same
// function when a title is written and when it is searched. Pure.

/** A letter of such a script; also Korean, whose words carry their particles. */
const PAIRED = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]`;
const RUNS = new RegExp(`${PAIRED}+`, "gu");
const WORDS = new RegExp(`${PAIRED}+|(?:(?!${PAIRED})[\\p{L}\\p{N}])+`, "gu");
const isPaired = new RegExp(`^${PAIRED}`, "u");

const MOST_WORDS = 8;
const LONGEST_WORD = 40;
const MOST_TOKENS = 24;

/**
 * `読書会` → `読書`, `書会`, `会`: the last letter alone is found as well. Marks above and below a letter are left out,
 * because the full-text index splits words at them.
 */
export const pairsOf = (text: string): string[] =>
  (text.normalize("NFKC").match(RUNS) ?? []).flatMap((run) => {
    const letters = [...run.replace(/\p{M}/gu, "")];
    return letters.map((letter, at) => letter + (letters[at + 1] ?? ""));
  });

/**
 * The words of a search, at most eight, with pairs at most 24; each matches the beginning of a word. `h/name` also finds
 * a hut.
 */
export const searchWordsOf = (q: string): string[] =>
  (
    q
      .normalize("NFKC")
      .replace(/^\s*h\//i, "")
      .match(WORDS) ?? []
  )
    .slice(0, MOST_WORDS)
    .map((word) => word.slice(0, LONGEST_WORD))
    .flatMap((word) => (isPaired.test(word) ? pairsOf(word) : [word]))
    .slice(0, MOST_TOKENS);

/** A pair has no similar words: one letter of it is a word already. */
export const isCorrectable = (word: string): boolean => !isPaired.test(word);
