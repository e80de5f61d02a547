// Numbers in JSON, in paths and in queries.
import { z } from "zod";

/** Digits with a dot. `Number` would also read "", " 5 ", "0x10", "1e2", true and [5]. */
const DIGITS = /^-?\d+(?:\.\d+)?$/;

/** Input: a number, or a text of its digits. `rule` checks the number, and has the sentence for anything else. */
export const numberIn = <S extends z.ZodType>(rule: S) =>
  z.preprocess((value) => (typeof value === "string" && DIGITS.test(value) ? Number(value) : value), rule);

/** Input: one number of a few. */
export const choiceIn = <const N extends number>(choices: readonly N[], sentence: string) =>
  numberIn(z.number(sentence).pipe(z.literal([...choices], sentence)));

/** A text of digits, in which spaces count; of a number whose text the reference describes. */
export const digits = (pattern: RegExp, sentence: string) => z.string().regex(pattern, sentence);
