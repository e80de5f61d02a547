// Parses a schedule from a request or the database: checks, limits, defaults. The only schedule file with zod.
import { z } from "zod";
import { parseInstant } from "~/domain/date-text";
import { oneLine } from "~/domain/text-fields";
import { type Instant, instant, mayBeNamed, OUT_OF_BOUNDS, seconds } from "~/domain/time";
import {
  AFTER_PREVIOUS,
  intervalsDuration,
  isUnrolled,
  NEW_PART_SECONDS,
  PART_FLAGS,
  type Part,
  type PartFlag,
  SCHEDULE_LIMITS,
  START_OF,
  TIME_FROM,
} from "./shape";

const id = oneLine().min(1).max(64);
const title = oneLine().max(SCHEDULE_LIMITS.title).default("");
const duration = z.number().int().min(0).max(SCHEDULE_LIMITS.duration).transform(seconds);
const flag = z.boolean().default(false);
const sets = z.number().int().min(1).max(SCHEDULE_LIMITS.sets).default(1);
const date = z
  .union([z.number(), oneLine()])
  .transform((value, ctx): Instant => {
    const at = parseInstant(value);
    if (at !== null && mayBeNamed(at)) return at;
    const message = at === null ? "Please give a date and time, such as 2026-11-21 09:30:00." : OUT_OF_BOUNDS;
    ctx.addIssue({ code: "custom", message });
    return z.NEVER;
  })
  .nullable()
  .default(null);

const AddedInput = z.object({
  at: z.number().int().min(0),
  seconds: z.number(),
  isOnward: z.literal(true).optional(),
});
const IntervalInput = z.object({ id, title, duration });

/** A part: defaults are filled in, and an interval timer's duration is computed (T-14). Durations in seconds. */
export const PartInput = z
  .object({
    id,
    title,
    duration: duration.default(NEW_PART_SECONDS),
    intervals: z.array(IntervalInput).max(SCHEDULE_LIMITS.intervals).default([]),
    sets,
    ...(Object.fromEntries(PART_FLAGS.map((name) => [name, flag])) as Record<PartFlag, typeof flag>),
    relativeStart: z.object({ startOf: z.enum(START_OF), timeFrom: z.literal([...TIME_FROM]) }).nullish(),
    isUndated: z.boolean().optional(),
    startedAt: date,
    endedAt: date,
    pausedAt: date,
    state: z.enum(["waiting", "running", "paused", "finished"]).default("waiting"),
    isHeld: z.boolean().optional(),
    plannedStartAt: date,
    turns: z.array(oneLine()).default([]),
    begunAt: z.number().transform(instant).optional(),
    plannedDuration: duration.optional(),
    added: z.array(AddedInput).max(SCHEDULE_LIMITS.added).optional(),
  })
  .transform(({ relativeStart, ...partFields }, ctx): Part => {
    const isInterval = partFields.intervals.length > 0;
    const duration = isInterval
      ? intervalsDuration(partFields.intervals, partFields.sets)
      : partFields.duration;
    if (duration > SCHEDULE_LIMITS.duration)
      ctx.addIssue({ code: "custom", path: ["duration"], message: "A timer lasts at most 30 days." });
    const fallback = partFields.startedAt === null ? AFTER_PREVIOUS : null;
    return { ...partFields, duration, relativeStart: relativeStart === undefined ? fallback : relativeStart };
  });

export const PartGroupInput = z.object({
  id,
  type: z.enum(["event", "task"]).default("event"),
  isLinked: z.boolean().default(true),
  isHidden: z.boolean().default(false),
  isAutoStart: z.boolean().default(true),
  sets,
  isUnrolled: z.boolean().optional(),
  parts: z.array(PartInput).max(SCHEDULE_LIMITS.parts).default([]),
});

/** A whole schedule from a request or the database: `unknown` → Schedule, with defaults. */
export const ScheduleInput = z
  .object({ groups: z.array(PartGroupInput).max(SCHEDULE_LIMITS.groups).default([]) })
  .superRefine((schedule, ctx) => {
    const partCounts = schedule.groups.map(
      (group) => group.parts.length * (isUnrolled(group) ? 1 : group.sets),
    );
    if (partCounts.reduce((sum, size) => sum + size, 0) > SCHEDULE_LIMITS.parts)
      ctx.addIssue({ code: "custom", path: ["groups"], message: "That is too many timers for one session." });
    const ids = schedule.groups.flatMap((group) => [group.id, ...group.parts.map((part) => part.id)]);
    if (new Set(ids).size < ids.length)
      ctx.addIssue({ code: "custom", path: ["groups"], message: "Each timer needs an id of its own." });
  });
