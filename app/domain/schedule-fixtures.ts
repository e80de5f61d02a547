// For tests: schedules from a few words, and back into words. Minutes count from one fixed session start.
import type { RunContext } from "./schedule-advance";
import { startSchedule } from "./schedule-run";
import {
  type Edit,
  newPart,
  newPartGroup,
  type Part,
  type PartGroup,
  partsInOrder,
  type Schedule,
} from "./schedule-shape";
import { type Instant, instant, MINUTE, seconds } from "./time";

export const START = instant(Date.UTC(2026, 10, 21, 9, 30));
/** `n` minutes after the start. */
export const minute = (n: number): Instant => instant(START + n * MINUTE);
export const context = (n: number, roster: readonly string[] = ["ann"]): RunContext => ({
  now: minute(n),
  roster,
});

/** A part of `minutes`, right after the one before unless `over` says otherwise. */
export const part = (id: string, minutes: number, over: Partial<Omit<Part, "id">> = {}): Part =>
  newPart(id, { duration: seconds(minutes * 60), ...over });

/** A schedule of groups g1, g2 …; each a list of parts, or a whole group. */
export const schedule = (...groups: (Part[] | Partial<PartGroup>)[]): Schedule => ({
  groups: groups.map((group, i) =>
    newPartGroup(`g${i + 1}`, Array.isArray(group) ? { parts: group } : group),
  ),
});

export const loose = { isLinked: false };
export const byHand = { isAutoStart: false };

/** The schedule of an edit that must go well. */
export function accepted(edit: Edit): Schedule {
  if (!edit.ok) throw new Error(`refused: ${edit.sentence}`);
  return edit.schedule;
}
/** The sentence of an edit that must be refused. */
export const refused = (edit: Edit): string => (edit.ok ? "accepted" : edit.sentence);

const minutesOf = (at: Instant | null): string => (at === null ? "?" : String((at - START) / MINUTE));
/** "a 0-5, b 5-10": where the parts fall, in minutes; "?" without a date. */
export const dates = (value: Schedule): string =>
  partsInOrder(value)
    .map(({ id, startedAt, endedAt }) =>
      startedAt === null && endedAt === null
        ? `${id} ?`
        : `${id} ${minutesOf(startedAt)}-${minutesOf(endedAt)}`,
    )
    .join(", ");

const SIGNS = { waiting: "", running: ">", paused: "=", finished: "." } as const;
/** The same with what runs: "a. 0-5, b> 5-10, c= 10-15, d 15-20" (ended, running, paused, waiting). */
export const course = (value: Schedule): string =>
  partsInOrder(value)
    .map((one) =>
      dates({ groups: [newPartGroup("g", { parts: [{ ...one, id: one.id + SIGNS[one.state] }] })] }),
    )
    .join(", ");

/** Starts at minute `n`, whatever stands before. */
export const absolute = (n: number) => ({ startedAt: minute(n), relativeStart: null });
export const three = () => [part("a", 5), part("b", 5), part("c", 5)];
/** The session began at 0; this is how it stands at `n`. */
export const begun = (given: Schedule, n = 0, roster?: string[]) =>
  startSchedule(given, START, context(n, roster));
