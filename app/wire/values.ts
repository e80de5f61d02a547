// The wire format of single values.

import { z } from "zod";
import { parseInstant } from "~/domain/date-text";
import { isDay } from "~/domain/days";
import { millimetresOf } from "~/domain/distances";
import { digits, numberIn } from "~/domain/number-fields";
import { oneLine } from "~/domain/text-fields";
import { type Instant, isoOf, mayBeNamed, OUT_OF_BOUNDS } from "~/domain/time";

/** Input: 0/1 or true/false. */
export const flag = z
  .union([z.boolean(), z.literal(0), z.literal(1), z.enum(["0", "1", "true", "false"])])
  .transform((value) => value === true || value === 1 || value === "1" || value === "true");
/** Output: 0/1. */
export const flagOut = (value: boolean): 0 | 1 => (value ? 1 : 0);

/** Output: ISO 8601 in UTC with milliseconds. */
export const instantOut = isoOf;

/** Input: ISO 8601, `Y-m-d H:i:S` (read as UTC) or epoch milliseconds, from 2000 to 2099. */
export const instantIn = z.union([oneLine(), z.number()]).transform((value, ctx): Instant => {
  const at = parseInstant(value);
  if (at !== null && mayBeNamed(at)) return at;
  const isUnreadable = at === null && typeof value === "string";
  const message = isUnreadable ? "Please give a date and time, such as 2026-11-21 09:30:00." : OUT_OF_BOUNDS;
  ctx.addIssue({ code: "custom", message });
  return z.NEVER;
});

const A_NUMBER = "Please give a number.";
const number = z
  .union([z.number(), digits(/^-?\d*\.?\d+$/, A_NUMBER)], A_NUMBER)
  .transform(Number)
  .refine(
    (value) => Number.isFinite(value) && Math.abs(value) <= 1e9,
    "Please give a number up to 1,000,000,000.",
  );
/** Input: a decimal, rounded to thousandths (V-12). */
export const decimalIn = number.transform((value) => Math.round(value * 1000));
export const decimalOut = (thousandths: number | null): number | null =>
  thousandths === null ? null : thousandths / 1000;

/** Input: miles of any number of places, converted to millimetres (H-07). */
export const milesIn = number.transform((miles) => millimetresOf(miles * 1000, "mi"));

const NOT_AN_ID = "Please give an id.";
/** An id in a path or body. */
export const id = numberIn(z.number(NOT_AN_ID).int(NOT_AN_ID).positive(NOT_AN_ID));
/** The id of a record: the client's UUID, so that a repeat creates one record, or a new one. */
export const ownId = oneLine()
  .regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i)
  .transform((uuid) => uuid.toLowerCase())
  .optional()
  .catch(undefined);
/** A page number: below 1 or not a number is 1 (C-05). */
export const page = numberIn(z.number().int().min(1).max(1_000_000).catch(1));
const LIMIT = "Please give a limit from 1 to 100.";
/** The most rows of an answer. */
export const limit = numberIn(z.number(LIMIT).int(LIMIT).min(1, LIMIT).max(100, LIMIT));
/** The search words of a list. */
export const search = oneLine().max(100).optional().catch(undefined);
/** The last day of a list. */
export const until = oneLine().refine(isDay).optional().catch(undefined);
/** The requested page of a list; `after` is the cursor of the previous page. */
export const paging = { page: page.default(1), after: oneLine().max(60).optional().catch(undefined) };
/** The requested page of a forum; `earlier` is the `earlier_replies` of a thread. */
export const forumPaging = { ...paging, earlier: id.optional().catch(undefined) };
