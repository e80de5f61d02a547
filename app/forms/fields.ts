// The field types that forms share: from text as typed to a value.
import { z } from "zod";
import { millimetresOf } from "~/domain/distances";
import { parseDuration } from "~/domain/duration-parse";
import { NOT_A_NUMBER, readNumber } from "~/domain/numbers";
import { ScheduleInput } from "~/domain/schedule/input";
import { type PlainRow, scheduleFromRows } from "~/domain/schedule/rows";
import { emptySchedule, type Schedule } from "~/domain/schedule/shape";
import { manyLines, oneLine } from "~/domain/text-fields";
import type { Seconds } from "~/domain/time";
import { id, instantIn } from "~/wire/values";
import { reader } from "./reading";

/** "1h 30m" → seconds; empty clears the field (T-17). */
export const typedSpan = oneLine()
  .optional()
  .transform((text, ctx): Seconds | null => {
    const span = parseDuration(text ?? "");
    if (span.seconds !== undefined) return span.seconds;
    if (span.empty) return null;
    ctx.addIssue({ code: "custom", message: span.error ?? "Please give a duration." });
    return z.NEVER;
  });

/** A number as its reader writes it; an empty field is null. `rule` checks the number. */
export const typedNumber = <T>(rule: z.ZodType<T>) =>
  z.preprocess((text, ctx) => {
    if (typeof text !== "string" || text.trim() === "") return null;
    const number = readNumber(text, reader().locale);
    if (number !== null) return number;
    ctx.addIssue({ code: "custom", message: NOT_A_NUMBER });
    return z.NEVER;
  }, rule);

/** A distance in its reader's unit, in millimetres (H-07). `rule` checks the number. */
export const typedDistance = (rule: z.ZodType<number | null | undefined>) =>
  typedNumber(rule).transform((thousandths) =>
    thousandths == null ? thousandths : millimetresOf(thousandths, reader().unit),
  );

/** The version from which the edit began. */
export const since = instantIn.optional().catch(undefined);

/** An unticked checkbox sends nothing. */
export const checkbox = oneLine()
  .optional()
  .transform((value) => value !== undefined && value !== "");

export const optionalText = oneLine().optional().default("");
export const optionalLines = manyLines().optional().default("");

/** An empty field is no id. */
export const optionalId = z.preprocess((value) => (value === "" ? undefined : value), id.optional());

/** The timers as rows, from a form without JavaScript. */
export const timerRows = z
  .array(
    z.object({
      // A new row has no id.
      id: oneLine().optional(),
      title: optionalText,
      duration: optionalText,
      isAutoStart: checkbox,
    }),
  )
  .optional()
  .default([]);

export type Complain = (path: readonly PropertyKey[], sentence: string) => void;

/** The timers of a form: JSON from the part editor, and rows where the form came without JavaScript. */
export function readTimers(json: string, rows: readonly PlainRow[], complain: Complain): Schedule {
  let value: unknown = emptySchedule();
  try {
    if (json !== "") value = JSON.parse(json);
  } catch {
    complain(["schedule"], "The timers could not be read. Please reload the page and try again.");
  }
  const parsedPlan = ScheduleInput.safeParse(value);
  if (!parsedPlan.success) {
    complain(["schedule"], parsedPlan.error.issues[0]?.message ?? "Please check the timers.");
    return emptySchedule();
  }
  if (rows.length === 0) return parsedPlan.data;
  const { schedule, problems } = scheduleFromRows(parsedPlan.data, rows, () => crypto.randomUUID());
  for (const { row, sentence } of problems) complain(["rows", row, "duration"], sentence);
  return schedule;
}

/** The form of a button, which has no fields beside its intent. */
export const NoFields = z.object({});
