// Corrects mistyped words: a letter too many, missing, wrong, or two swapped. Pure.
import { replaceSpecialLetters, SUBSTITUTED_LETTERS } from "./folding";

/** Normalised as in the search index: lower case without diacritics. */
const foldWord = (word: string): string => word.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

/** The number of errors allowed in a word of this length. */
const allowedErrors = (length: number): number => (length < 3 ? 0 : length < 8 ? 1 : 2);

/**
 * The fewest errors between `input` and a prefix of `word`, because the user may still be typing, or null beyond
 * `maxErrors`. This is the optimal string alignment distance with a free end.
 */
function errorsTo(input: string, word: string, maxErrors: number): number | null {
  if (input.length - word.length > maxErrors) return null;
  const width = Math.min(word.length, input.length + maxErrors);
  let previousRow: number[] = [];
  let row = Array.from({ length: width + 1 }, (_, index) => index);
  for (let i = 1; i <= input.length; i++) {
    const next = [i];
    for (let j = 1; j <= width; j++) {
      const isSame = input[i - 1] === word[j - 1];
      let errors = Math.min((row[j - 1] ?? 0) + (isSame ? 0 : 1), (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1);
      if (i > 1 && j > 1 && input[i - 1] === word[j - 2] && input[i - 2] === word[j - 1])
        errors = Math.min(errors, (previousRow[j - 2] ?? 0) + 1);
      next.push(errors);
    }
    if (Math.min(...next) > maxErrors) return null;
    previousRow = row;
    row = next;
  }
  const errors = Math.min(...row);
  return errors <= maxErrors ? errors : null;
}

export type KnownWord = { word: string; rows: number };

/**
 * The known words with the fewest errors, most frequent first; none if no word is near, and the word itself if it is
 * known.
 */
export function nearWords(input: string, knownWords: readonly KnownWord[], limit = 4): string[] {
  const folded = foldWord(input);
  if (knownWords.some((candidate) => candidate.word.startsWith(folded))) return [input];
  const word = replaceSpecialLetters(folded);
  const maxErrors = allowedErrors(word.length);
  const matches = knownWords
    .flatMap((candidate) => {
      const errors = errorsTo(word, replaceSpecialLetters(candidate.word), maxErrors);
      return errors === null ? [] : [{ ...candidate, errors }];
    })
    .sort((a, b) => a.errors - b.errors || b.rows - a.rows || a.word.length - b.word.length);
  const fewest = matches[0]?.errors;
  const near =
    matches.length > 0 ? matches.filter(({ errors }) => errors === fewest) : nearBySwap(word, knownWords);
  return [...new Set(near.map((candidate) => candidate.word))].slice(0, limit);
}

/**
 * A word of six or seven letters without a near match may have a swap beside its error, if its first letter and length
 * are right. Other words would match by accident.
 */
function nearBySwap(word: string, knownWords: readonly KnownWord[]): KnownWord[] {
  if (word.length < 6 || word.length > 7) return [];
  const letters = [...word];
  const unswapped = letters
    .slice(2)
    .map((letter, index) =>
      [...letters.slice(0, index + 1), letter, letters[index + 1], ...letters.slice(index + 3)].join(""),
    );
  return knownWords
    .filter((candidate) => {
      const whole = replaceSpecialLetters(candidate.word);
      if (whole[0] !== word[0] || Math.abs(whole.length - word.length) > 1) return false;
      return unswapped.some((spelling) => errorsTo(spelling, whole, 1) !== null);
    })
    .sort((a, b) => b.rows - a.rows);
}

/** Two known words that were joined, such as "halfmarathon"; empty if there are none. */
export function splitJoinedWords(input: string, knownWords: readonly KnownWord[]): string[] {
  const word = foldWord(input);
  const first = knownWords
    .map((candidate) => candidate.word)
    .filter(
      (candidate) =>
        candidate.length >= 3 && word.length - candidate.length >= 3 && word.startsWith(candidate),
    )
    .sort((a, b) => b.length - a.length)[0];
  return first === undefined ? [] : [first, word.slice(first.length)];
}

const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];

/**
 * Prefixes of the words near a typed one: any letter before its first two (the first was left out), its first two, its
 * first letter, or its second (the first is wrong), and substitutes. Narrow prefixes come first, because the comparison
 * is limited.
 */
export function beginningsOf(input: string): string[] {
  const word = replaceSpecialLetters(foldWord(input));
  const letters = [...word];
  const firstTwo = letters.slice(0, 2).join("");
  const withFirstLetter = letters.length < 3 ? [] : LETTERS.map((letter) => letter + firstTwo);
  const substitutes = SUBSTITUTED_LETTERS.filter((letter) => word.startsWith(replaceSpecialLetters(letter)));
  return [...new Set([...withFirstLetter, firstTwo, ...substitutes, ...letters.slice(0, 2)])];
}
