// The words of titles and searches. Scripts that write without spaces become overlapping pairs of letters, by the same
// function when a title is written and when it is searched. Pure. Commands run it without a bundler, so it imports by
// file name.
import { beginningOf } from "./beginnings.ts";
import { foldText } from "./folding.ts";

/** Runs of letters in such scripts, and in Korean, whose words carry their particles. */
const RUNS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+/gu;
const MAX_WORDS = 8;
const LONGEST_WORD = 40;
/** The most words and pairs of a search. */
const MAX_TOKENS = 24;

/** The letters without the marks above and below them, at which the full-text index splits words. */
const withoutMarks = (letters: string): string => letters.replace(/\p{M}/gu, "");

/** `読書会` → `読書`, `書会`, `会`: the last letter alone is found as well. */
export const pairsOf = (text: string): string[] =>
  (text.normalize("NFKC").match(RUNS) ?? []).flatMap((letterRun) => {
    const letters = [...withoutMarks(letterRun)];
    return letters.map((letter, index) => letter + (letters[index + 1] ?? ""));
  });

/**
 * The words of a search, at most eight, with pairs at most 24; each matches the beginning of a word. `h/name` also finds
 * a hut.
 */
export const searchWordsOf = (q: string): string[] =>
  q
    .normalize("NFKC")
    .replace(/^\s*h\//i, "")
    .replace(RUNS, (letters) => ` ${withoutMarks(letters)} `)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .slice(0, MAX_WORDS)
    .map((word) => beginningOf(word, LONGEST_WORD))
    .flatMap((word) => (isCorrectable(word) ? [word] : pairsOf(word)))
    .slice(0, MAX_TOKENS);

/** The most letters of a row in the index of users' things, so that they fit beside its texts. */
const LONGEST_INDEXED = 200_000;

/** Folded words; runs without spaces between words as pairs. */
const foldedWords = (text: string): string[] =>
  foldText(text)
    .replace(RUNS, (letters) => ` ${withoutMarks(letters)} `)
    // The characters of a token of the index; signs that enclose others are none.
    .split(/[^\p{L}\p{N}\p{Mn}\p{Mc}]+/u)
    .filter((word) => word !== "")
    .map((word) => beginningOf(word, LONGEST_WORD))
    .flatMap((word) => (isCorrectable(word) ? [word] : pairsOf(word)));

/** The words of a thing's texts as the index of users' things has them, each once. */
export const indexedWords = (...texts: readonly string[]): string =>
  beginningOf([...new Set(foldedWords(texts.join(" ")))].join(" "), LONGEST_INDEXED);

/** The words of a search among a user's things; each matches the beginning of an indexed one. */
export const ownWordsOf = (q: string): string[] => foldedWords(q).slice(0, MAX_TOKENS);

/** The words of a title beside those that the full-text index makes of it: pairs, and folded words of other letters. */
export const titleWordsOf = (title: string): string[] => {
  const plainWordSet = new Set(plainWords(title));
  return [...new Set([...pairsOf(title), ...listWords(title).filter((word) => !plainWordSet.has(word))])];
};

/** Folded words as the index of lists splits them: at the marks that folding leaves, such as vowels of Hindi. */
const listWords = (text: string): string[] =>
  foldedWords(text).flatMap((word) => word.split(/\p{M}+/u).filter((part) => part !== ""));

/** The words of a text as the full-text index splits and folds them. */
const plainWords = (text: string): string[] =>
  text
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");

/**
 * The words of a search in lists. A word that folds to other letters has two spellings, its folded words and those
 * typed, because the index folds only titles.
 */
export const spellingsOf = (q: string): string[][] =>
  q
    .normalize("NFKC")
    .replace(/^\s*h\//i, "")
    .split(/\s+/)
    .flatMap((part) => {
      const typedWords = searchWordsOf(part);
      const folded = listWords(part).slice(0, MAX_TOKENS).join(" ");
      const isFolded = folded === "" || plainWords(typedWords.join(" ")).join(" ") === folded;
      return isFolded ? typedWords.map((word) => [word]) : [[folded, typedWords.join(" ")]];
    })
    .slice(0, MAX_TOKENS);

/** Pairs have no similar words: another letter is another word. */
export const isCorrectable = (word: string): boolean => pairsOf(word).length === 0;
