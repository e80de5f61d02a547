// What happens by itself: parts that begin and end at their time. Nothing ticks: `advanceSchedule` catches up to `now`,
// `nextTransitionAt` says when to look again, `effectiveSchedule` shows the present (T-11, L-09).
import { layParts, mayOverlap, placeDates, startsByItself } from "./schedule-plan";
import {
  asFinished,
  hasBegun,
  kindOf,
  type Part,
  partSpan,
  placesInOrder,
  type Schedule,
  withPart,
} from "./schedule-shape";
import { MOST_TURNS, turnsLeft } from "./schedule-size";
import { type Instant, instant, later, plusMillis, plusSeconds, SECOND } from "./time";
import { turnAt } from "./timers";

/** `roster`: the keys of who still takes part, in order of joining (T-15). */
export type RunContext = { now: Instant; roster: readonly string[] };

/** Something that happened by itself at exactly `at`. */
export type ScheduleEvent =
  | { type: "part-started"; partId: string; at: Instant }
  | { type: "part-finished"; partId: string; at: Instant };

/** A part begun at `at`: its dates become actual, its turns are dealt (T-08, T-15). */
export function beginPart(part: Part, at: Instant, roster: readonly string[]): Part {
  const begun: Part = {
    ...part,
    state: "running",
    startedAt: at,
    pausedAt: null,
    isHeld: undefined,
    isUndated: undefined,
    plannedStartAt: part.plannedStartAt ?? at,
    turns: turnsOf(part, roster),
  };
  return { ...begun, endedAt: plusSeconds(at, partSpan(begun, roster.length)) };
}

function turnsOf(part: Part, roster: readonly string[]): string[] {
  const kind = kindOf(part);
  switch (kind) {
    case "plain":
    case "intervals":
      return [];
    case "turns":
      return roster.slice(0, MOST_TURNS);
    default:
      return kind satisfies never;
  }
}

type Due = { at: Instant; order: number; part: Part; isEnd: boolean };

/** Everything that is set to happen by itself, as the schedule stands. */
function dueParts(schedule: Schedule, rosterSize: number): Due[] {
  const laid = layParts(schedule, { rosterSize });
  const paused = [...laid.entries()].filter(([, { part }]) => part.state === "paused");
  const left = turnsLeft(schedule);
  return laid.flatMap(({ part, group, isHeldUp }, order): Due[] => {
    if (part.startedAt === null || part.endedAt === null) return [];
    if (part.state === "running") return [{ at: part.endedAt, order, part, isEnd: true }];
    if (part.state !== "waiting" || isHeldUp || !startsByItself(part, group)) return [];
    // A paused part still holds its place: only who may overlap it begins.
    const isBlocked = paused.some(([at, other]) =>
      at < order ? !mayOverlap(part, group) : !mayOverlap(other.part, other.group),
    );
    // Turns beside turns may be too many to keep: then they begin when those that run are over.
    const areTooMany = kindOf(part) === "turns" && left < MOST_TURNS && rosterSize > left;
    return isBlocked || areTooMany ? [] : [{ at: part.startedAt, order, part, isEnd: false }];
  });
}

/** The earliest; at the same instant ends come before starts, then the parts' order counts. */
const firstOf = (due: Due[]): Due | undefined =>
  due.reduce<Due | undefined>((first, one) => {
    if (!first || one.at < first.at) return one;
    return one.at === first.at && one.isEnd && !first.isEnd ? one : first;
  }, undefined);

/** Waiting parts that came in after the start get the plan they are measured against. */
const notePlan = (schedule: Schedule): Schedule => ({
  groups: schedule.groups.map((group) => ({
    ...group,
    parts: group.parts.map((part) =>
      part.plannedStartAt === null && part.startedAt !== null && !hasBegun(part)
        ? { ...part, plannedStartAt: part.startedAt }
        : part,
    ),
  })),
});

/** The dates of what waits, laid anew from what has begun. */
const follow = (schedule: Schedule, ctx: RunContext): Schedule =>
  placeDates(notePlan(schedule), { rosterSize: ctx.roster.length });

/**
 * Catches up to `now`, in order, at the exact instants (L-09): a running part ends at its end (S-09), an
 * auto-start part begins when its time comes (T-11). Twice changes nothing; for sessions that have started.
 * Nothing begins before `since`: give the instant of a change just made, so that it has no effect in the past.
 */
export function advanceSchedule(
  schedule: Schedule,
  ctx: RunContext,
  since: Instant | null = null,
): { schedule: Schedule; events: ScheduleEvent[] } {
  const events: ScheduleEvent[] = [];
  let current = follow(schedule, ctx);
  let reached = since;
  for (;;) {
    const next = firstOf(dueParts(current, ctx.roster.length));
    if (!next || next.at > ctx.now) return { schedule: current, events };
    const { part } = next;
    const at = reached === null ? next.at : later(next.at, reached);
    reached = at;
    const changed = next.isEnd ? asFinished(part) : beginPart(part, at, ctx.roster);
    current = follow(withPart(current, part.id, changed), ctx);
    events.push({ type: next.isEnd ? "part-finished" : "part-started", partId: part.id, at });
  }
}

/** The next change of turn inside a part that runs. Screens count intervals themselves. */
function nextBoundaryAt(part: Part, now: Instant): Instant | null {
  if (part.state !== "running") return null;
  const kind = kindOf(part);
  switch (kind) {
    case "plain":
    case "intervals":
      return null;
    case "turns": {
      const turn = turnAt(part, now);
      return turn && plusMillis(now, turn.remaining);
    }
    default:
      return kind satisfies never;
  }
}

/**
 * What the one alarm is set to: the next start, end or change of turn; null when all that is left waits for a person.
 * Of an advanced schedule it lies after `now`.
 */
export function nextTransitionAt(schedule: Schedule, ctx: RunContext): Instant | null {
  const due = dueParts(schedule, ctx.roster.length).map(({ at }) => at);
  const turns = placesInOrder(schedule).flatMap(({ part }) => nextBoundaryAt(part, ctx.now) ?? []);
  const all = [...due, ...turns];
  return all.length > 0 ? instant(Math.min(...all)) : null;
}

/**
 * The schedule as it is now, for display (T-11): what waits for the host stands at `now` at the earliest, a paused part
 * runs on from now, and what follows them moves along. Costs nothing between changes; never store it.
 */
export const effectiveSchedule = (schedule: Schedule, now: Instant, rosterSize: number): Schedule =>
  placeDates(schedule, { rosterSize, now });

/** How far the session is behind its plan (positive) or ahead of it (negative), in whole seconds. */
export function planOffsetSeconds(schedule: Schedule, now: Instant, rosterSize = 1): number {
  const parts = placesInOrder(effectiveSchedule(schedule, now, rosterSize)).map(({ part }) => part);
  const planned = parts.filter((part) => part.plannedStartAt !== null && part.startedAt !== null);
  const lastBegun = planned.findLastIndex(hasBegun);
  const measured = planned.find((part, i) => i > lastBegun && !hasBegun(part)) ?? planned[lastBegun];
  if (!measured) return 0;
  return Math.round(((measured.startedAt ?? 0) - (measured.plannedStartAt ?? 0)) / SECOND);
}
