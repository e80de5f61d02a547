// The input schemas of goals, logs and notes: amounts, distances, spans and texts. `undefined` leaves a field
// unchanged; `null` or an empty text clears it.
import { z } from "zod";
import { isDay } from "~/domain/days";
import { numberIn } from "~/domain/number-fields";
import { manyLines, oneLine } from "~/domain/text-fields";
import { OUT_OF_BOUNDS, seconds } from "~/domain/time";
import { decimalIn, milesIn } from "~/wire/values";

const blankIsNull = (value: unknown) => (typeof value === "string" && value.trim() === "" ? null : value);

/** Up to 1e9 with three decimal places; negative only as a correction (V-12). The value is in thousandths. */
export const measure = z.preprocess(blankIsNull, decimalIn.nullish());
const FROM_0 = "Please give a number from 0 up.";
const isFrom0 = (value: number) => value >= 0;
/** A target is not negative. */
export const target = z.preprocess(blankIsNull, decimalIn.refine(isFrom0, FROM_0).nullish());
/** Distances in miles; the values are in millimetres (H-07). */
export const miles = z.preprocess(blankIsNull, milesIn.nullish());
export const targetMiles = z.preprocess(blankIsNull, milesIn.refine(isFrom0, FROM_0).nullish());

export const LONGEST_SPAN = 366 * 86_400;
const WHOLE_SECONDS = "Please give a duration in whole seconds.";
/** Planned spans are whole seconds. */
const wholeSeconds = z
  .number(WHOLE_SECONDS)
  .int(WHOLE_SECONDS)
  .min(0, "A duration cannot be negative.")
  .max(LONGEST_SPAN, "That is too long.")
  .transform(seconds);
export const span = z.preprocess(blankIsNull, numberIn(wholeSeconds).nullish());

const MEASURED = "Please give milliseconds from 0 up.";
/** Milliseconds that a client measured. */
export const measured = z.preprocess(
  (value) => value ?? undefined,
  numberIn(z.number(MEASURED).min(0, MEASURED)).optional(),
);

const NOT_A_TEXT = "Please give a text.";
const tooLong = (most: number) => `Please write at most ${most.toLocaleString("en")} characters.`;
const lines = (most: number) => manyLines(NOT_A_TEXT).max(most, tooLong(most));
/** An optional text; null is an empty one. */
const orEmpty = <S extends z.ZodType<string>>(text: S) =>
  z.union([text, z.null().transform(() => "")], NOT_A_TEXT).optional();
/** An optional text of one line. */
export const words = (most: number) => orEmpty(oneLine(NOT_A_TEXT).max(most, tooLong(most)));
/** An optional plain text of several lines. */
export const prose = (most: number) => orEmpty(lines(most).transform((value) => value.trim()));
/** Markdown keeps leading and trailing spaces. */
export const markdown = orEmpty(lines(100_000));

/** A client-generated id of something inside a goal. */
export const localId = z
  .union([oneLine().min(1).max(64), z.number().transform(String)], "Please give a uuid.")
  .nullish()
  .transform((value) => value ?? crypto.randomUUID());
/** The id of a record: the client's UUID, so that a repeat creates one record, or a new one. */
export const ownId = oneLine()
  .regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i)
  .transform((uuid) => uuid.toLowerCase())
  .optional()
  .catch(undefined);

const A_DAY = "Please give a day, such as 2026-11-21.";
/** The day that an edited log counts for; it may not be cleared. */
export const otherDay = oneLine(A_DAY)
  .refine(isDay, A_DAY)
  .refine((value) => value >= "2000-01-01", OUT_OF_BOUNDS)
  .optional();
export const day = otherDay.nullable().transform((value) => value ?? undefined);
