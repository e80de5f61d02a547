// The letters of a text as searches compare them. Pure.

/** Letters that do not decompose into a base letter and a mark, and their usual substitutes. */
const SUBSTITUTES: Record<string, string> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
};
export const SUBSTITUTED_LETTERS = Object.keys(SUBSTITUTES);

/** Replaces the letters of `SUBSTITUTES`; `text` is in lower case. */
export const replaceSpecialLetters = (text: string): string =>
  text.replace(/[ßæœøłđðþı]/g, (letter) => SUBSTITUTES[letter] ?? letter);

/** Accents, the vowel marks of Hebrew and Arabic, and Arabic's line between letters; signs of other scripts are letters. */
const MARKS =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed]/g;
const APOSTROPHES = /['’‘‛ʼʹ′`´＇\u00ad]/g;
const HYPHENS = /[-\u2010-\u2015\u2212\uff0d]/g;

/** Lower case without accents, apostrophes and hyphens, on one line: "Don’t stop" → "dont stop". */
export const foldText = (text: string): string =>
  replaceSpecialLetters(text.replace(APOSTROPHES, "").normalize("NFKD").replace(MARKS, "").toLowerCase())
    .replace(HYPHENS, " ")
    .normalize("NFC")
    .replace(/\s+/g, " ")
    .trim();
