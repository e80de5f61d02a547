// The text fields of goals, logs and notes. `undefined` leaves a field unchanged; `null` is an empty text.

import { z } from "zod";
import { manyLines, oneLine } from "~/domain/text-fields";

const NOT_A_TEXT = "Please give a text.";

const tooLong = (most: number) => `Please write at most ${most.toLocaleString("en")} characters.`;

const lines = (most: number) => manyLines(NOT_A_TEXT).max(most, tooLong(most));

/** An optional text; null is an empty one. */
const orEmpty = <S extends z.ZodType<string>>(text: S) =>
  z.union([text, z.null().transform(() => "")], NOT_A_TEXT).optional();

/** An optional text of one line. */
export const oneLineText = (most: number) => orEmpty(oneLine(NOT_A_TEXT).max(most, tooLong(most)));

/** An optional plain text of several lines. */
export const plainText = (most: number) => orEmpty(lines(most).transform((value) => value.trim()));

/** Markdown keeps leading and trailing spaces. */
export const markdown = orEmpty(lines(100_000));
