// Test fixtures: schedules from short descriptions, and back. Minutes count from one fixed session start.

import { type Instant, instant, MINUTE, seconds } from "~/domain/time";
import type { RunContext } from "./advance";
import { startSchedule } from "./run";
import { scheduleSentence } from "./sentences";
import {
  type Edit,
  newPart,
  newPartGroup,
  type Part,
  type PartGroup,
  partsInOrder,
  type Schedule,
} from "./shape";

export const START = instant(Date.UTC(2026, 10, 21, 9, 30));
/** `n` minutes after the start. */
export const minute = (n: number): Instant => instant(START + n * MINUTE);
export const context = (n: number, roster: readonly string[] = ["ann"]): RunContext => ({
  now: minute(n),
  roster,
});

/** A part of `minutes`, right after the previous one unless `overrides` says otherwise. */
export const part = (id: string, minutes: number, overrides: Partial<Omit<Part, "id">> = {}): Part =>
  newPart(id, { duration: seconds(minutes * 60), ...overrides });

/** A schedule of groups g1, g2 …; each a list of parts, or a whole group. */
export const schedule = (...groups: (Part[] | Partial<PartGroup>)[]): Schedule => ({
  groups: groups.map((group, i) =>
    newPartGroup(`g${i + 1}`, Array.isArray(group) ? { parts: group } : group),
  ),
});

export const loose = { isLinked: false };
export const byHand = { isAutoStart: false };

/** The schedule of an accepted edit. */
export function accepted(edit: Edit): Schedule {
  if (!edit.ok) throw new Error(`refused: ${edit.code}`);
  return edit.schedule;
}
/** The sentence of a refused edit. */
export const refusalSentence = (edit: Edit): string => (edit.ok ? "accepted" : scheduleSentence(edit));

const minutesOf = (at: Instant | null): string => (at === null ? "?" : String((at - START) / MINUTE));
/** "a 0-5, b 5-10": the dates of the parts in minutes; "?" without a date. */
export const datesText = (value: Schedule): string =>
  partsInOrder(value)
    .map(({ id, startedAt, endedAt }) =>
      startedAt === null && endedAt === null
        ? `${id} ?`
        : `${id} ${minutesOf(startedAt)}-${minutesOf(endedAt)}`,
    )
    .join(", ");

const SIGNS = { waiting: "", running: ">", paused: "=", finished: "." } as const;
/** The dates of the parts with states: "a. 0-5, b> 5-10, c= 10-15, d 15-20" (ended, running, paused, waiting). */
export const statesText = (value: Schedule): string =>
  partsInOrder(value)
    .map((entry) =>
      datesText({
        groups: [newPartGroup("g", { parts: [{ ...entry, id: entry.id + SIGNS[entry.state] }] })],
      }),
    )
    .join(", ");

/** Starts at minute `n`, regardless of the previous part. */
export const absolute = (n: number) => ({ startedAt: minute(n), relativeStart: null });
export const three = () => [part("a", 5), part("b", 5), part("c", 5)];
/** The session started at 0; this is its schedule at `n`. */
export const startedSchedule = (value: Schedule, n = 0, roster?: string[]) =>
  startSchedule(value, START, context(n, roster));
