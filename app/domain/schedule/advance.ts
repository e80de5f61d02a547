// Scheduled changes: parts that start and end on time. Nothing ticks: `advanceSchedule` catches up to `now`,
// `nextTransitionAt` returns the next alarm, `effectiveSchedule` shows the present (T-11, L-09).

import { type Instant, instant, later, plusSeconds, SECOND } from "~/domain/time";
import { hasTurns, kindOf, MAX_TURNS, PART_KINDS, partSpan } from "./part-kinds";
import { layParts, mayOverlap, placeDates, startsByItself } from "./plan";
import type { RoundPresence } from "./round";
import { asFinished, hasBegun, type Part, partsInOrder, type Schedule, withPart } from "./shape";
import { turnsLeft } from "./size";

/**
 * `roster`: the keys of the remaining participants, in order of joining (T-15). Only the room knows the presence; without
 * it nobody's turn is passed.
 */
export type RunContext = {
  now: Instant;
  roster: readonly string[];
  presence?: RoundPresence | undefined;
};

/** A scheduled change, at exactly `at`. */
export type ScheduleEvent =
  | { type: "part-started"; partId: string; at: Instant }
  | { type: "part-finished"; partId: string; at: Instant }
  /** The person whose turn it was is away. */
  | { type: "turn-passed"; partId: string; at: Instant };

/** A part that started at `at`: its dates become actual, and its turns are assigned (T-08, T-15). */
export function beginPart(part: Part, at: Instant, roster: readonly string[]): Part {
  const begun: Part = {
    ...part,
    state: "running",
    startedAt: at,
    begunAt: at,
    endedAt: null,
    pausedAt: null,
    isHeld: undefined,
    isUndated: undefined,
    plannedStartAt: part.plannedStartAt ?? at,
    turns: PART_KINDS[kindOf(part)].turns(roster),
  };
  return { ...begun, endedAt: plusSeconds(at, partSpan(begun, roster.length)) };
}

type Due = { at: Instant; order: number; part: Part; does: "start" | "end" | "pass" };
const EVENT_TYPES = { start: "part-started", end: "part-finished", pass: "turn-passed" } as const;

/** Every scheduled change of the present schedule. */
function dueParts(schedule: Schedule, { now, roster, presence }: RunContext): Due[] {
  const rosterSize = roster.length;
  const placed = layParts(schedule, { rosterSize });
  const pausedParts = [...placed.entries()].filter(([, { part }]) => part.state === "paused");
  const freeTurns = turnsLeft(schedule);
  return placed.flatMap(({ part, group, isHeldUp }, order): Due[] => {
    if (part.startedAt === null || part.endedAt === null) return [];
    if (part.state === "running") {
      const end: Due = { at: part.endedAt, order, part, does: "end" };
      const passed = (hasTurns(part) && presence?.passesAt(part, now)) || null;
      return passed === null ? [end] : [end, { at: passed, order, part, does: "pass" }];
    }
    if (part.state !== "waiting" || isHeldUp || !startsByItself(part, group)) return [];
    // A paused part still occupies its time, so only a part that may overlap it starts.
    const isBlocked = pausedParts.some(([index, other]) =>
      index < order ? !mayOverlap(part, group) : !mayOverlap(other.part, other.group),
    );
    // Simultaneous turns may exceed the limit; then the part starts after the running ones have ended.
    const areTooMany = hasTurns(part) && freeTurns < MAX_TURNS && rosterSize > freeTurns;
    return isBlocked || areTooMany ? [] : [{ at: part.startedAt, order, part, does: "start" }];
  });
}

/** The earliest change; at the same instant ends come before starts, then parts in order. */
const firstOf = (dueTimes: Due[]): Due | undefined =>
  dueTimes.reduce<Due | undefined>((first, candidate) => {
    if (!first || candidate.at < first.at) return candidate;
    return candidate.at === first.at && candidate.does === "end" && first.does !== "end" ? candidate : first;
  }, undefined);

/** Waiting parts that were added after the start get their planned start, against which delays are measured. */
const recordPlannedStarts = (schedule: Schedule): Schedule => ({
  groups: schedule.groups.map((group) => ({
    ...group,
    parts: group.parts.map((part) =>
      part.plannedStartAt === null && part.startedAt !== null && !hasBegun(part)
        ? { ...part, plannedStartAt: part.startedAt }
        : part,
    ),
  })),
});

/** Recomputes the dates of waiting parts from those that have begun. */
const placeFollowing = (schedule: Schedule, ctx: RunContext): Schedule =>
  placeDates(recordPlannedStarts(schedule), { rosterSize: ctx.roster.length });

/**
 * Catches up to `now`, in order, at the exact instants (L-09): a running part ends (S-09), an auto-start part starts
 * (T-11). Idempotent; for sessions that have started. Nothing starts before `since`: pass the instant of a change just
 * made, so that it has no effect in the past.
 */
export function advanceSchedule(
  schedule: Schedule,
  ctx: RunContext,
  since: Instant | null = null,
): { schedule: Schedule; events: ScheduleEvent[] } {
  const events: ScheduleEvent[] = [];
  let current = placeFollowing(schedule, ctx);
  let reached = since;
  for (;;) {
    const next = firstOf(dueParts(current, ctx));
    if (!next || next.at > ctx.now) return { schedule: current, events };
    const { part } = next;
    const at = reached === null ? next.at : later(next.at, reached);
    reached = at;
    const changed =
      next.does === "start"
        ? beginPart(part, at, ctx.roster)
        : next.does === "end"
          ? asFinished(part)
          : (ctx.presence?.pass(part, at) ?? part);
    current = placeFollowing(withPart(current, part.id, changed), ctx);
    events.push({ type: EVENT_TYPES[next.does], partId: part.id, at });
  }
}

/**
 * The instant of the next alarm: the next start, end or change of turn; null when all remaining parts wait for a
 * person. In an advanced schedule it is after `now`.
 */
export function nextTransitionAt(schedule: Schedule, ctx: RunContext): Instant | null {
  const dueInstants = dueParts(schedule, ctx).map(({ at }) => at);
  const innerInstants = partsInOrder(schedule).flatMap((part) =>
    part.state === "running" ? (PART_KINDS[kindOf(part)].nextChangeAt(part, ctx.now) ?? []) : [],
  );
  const instants = [...dueInstants, ...innerInstants];
  return instants.length > 0 ? instant(Math.min(...instants)) : null;
}

/**
 * The schedule at present, for display (T-11): a part that waits for the host starts at `now` at the earliest, a paused
 * part resumes now, and later parts follow. Computed on reading; never store it.
 */
export const effectiveSchedule = (schedule: Schedule, now: Instant, rosterSize: number): Schedule =>
  placeDates(schedule, { rosterSize, now });

/** Whole seconds by which the session is behind its plan (positive) or ahead of it (negative). */
export function planOffsetSeconds(schedule: Schedule, now: Instant, rosterSize = 1): number {
  const parts = partsInOrder(effectiveSchedule(schedule, now, rosterSize));
  const planned = parts.filter((part) => part.plannedStartAt !== null && part.startedAt !== null);
  const lastBegun = planned.findLastIndex(hasBegun);
  const measured = planned.find((part, i) => i > lastBegun && !hasBegun(part)) ?? planned[lastBegun];
  if (!measured) return 0;
  return Math.round(((measured.startedAt ?? 0) - (measured.plannedStartAt ?? 0)) / SECOND);
}
