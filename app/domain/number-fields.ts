// Numbers in JSON, in paths and in queries.
import { z } from "zod";

/** Digits with a dot. `Number` would also read "", " 5 ", "0x10", "1e2", true and [5]. */
const DIGITS = /^-?\d+(?:\.\d+)?$/;

/** Input: a number, or a text of its digits. `rule` checks the number, and has the sentence for anything else. */
export const numberIn = <S extends z.ZodType>(rule: S) =>
  z.preprocess((value) => (typeof value === "string" && DIGITS.test(value) ? Number(value) : value), rule);

/** Input: one of the numbers in `choices`. */
export const choiceIn = <const N extends number>(choices: readonly N[], sentence: string) =>
  numberIn(z.number(sentence).pipe(z.literal([...choices], sentence)));

/** A text that matches `pattern` without trimming, for a number that the API reference describes as text too. */
export const digits = (pattern: RegExp, sentence: string) => z.string().regex(pattern, sentence);
