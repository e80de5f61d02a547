// The ids and days in the input of goals, logs and notes.

import { z } from "zod";
import { isDay } from "~/domain/days";
import { oneLine } from "~/domain/text-fields";
import { OUT_OF_BOUNDS } from "~/domain/time";

/** A client-generated id of something inside a goal. */
export const localId = z
  .union([oneLine().min(1).max(64), z.number().transform(String)], "Please give a uuid.")
  .nullish()
  .transform((value) => value ?? crypto.randomUUID());

const A_DAY = "Please give a day, such as 2026-11-21.";

/** The day that an edited log counts for; it may not be cleared. */
export const editedDay = oneLine(A_DAY)
  .refine(isDay, A_DAY)
  .refine((value) => value >= "2000-01-01", OUT_OF_BOUNDS)
  .optional();

/** The day that a new log counts for; by default today. */
export const day = editedDay.nullable().transform((value) => value ?? undefined);
