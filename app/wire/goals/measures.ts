// The measures in the input of goals and logs: amounts, distances and spans. `undefined` leaves a field unchanged;
// `null` or an empty text clears it.
import { z } from "zod";
import { numberIn } from "~/domain/number-fields";
import { seconds } from "~/domain/time";
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
export const measuredMs = z.preprocess(
  (value) => value ?? undefined,
  numberIn(z.number(MEASURED).min(0, MEASURED)).optional(),
);
