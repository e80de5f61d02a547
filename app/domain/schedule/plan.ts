// Computes the dates of a schedule by walking its parts in order (T-02 to T-11). During a session, parts that have
// begun stay fixed and waiting parts follow them.

import { SESSION_SECONDS } from "~/domain/schedule/length";
import {
  earlier,
  type Instant,
  instant,
  later,
  plusMillis,
  plusSeconds,
  SECOND,
  type Seconds,
  seconds,
} from "~/domain/time";
import { partSpan } from "./part-kinds";
import {
  AFTER_PREVIOUS,
  hasBegun,
  isUnrolled,
  mapParts,
  type Part,
  type PartGroup,
  type PartPlace,
  partPlaces,
  type Schedule,
} from "./shape";

/**
 * The input of the computation. `rosterSize` is the number of participants; per-participant parts have a turn for each.
 */
export type Plan = { sessionStart: Instant | null; rosterSize: number };

type Stretch = { start: Instant; end: Instant };

/** A part with its dates; `isWaitingForHost` if a person must start it, `isHeldUp` if it waits for that or for a pause. */
export type LaidPart = { part: Part; group: PartGroup; isWaitingForHost: boolean; isHeldUp: boolean };

export type Laying = {
  /** undefined: the session is running, and its first part keeps its own plan. */
  sessionStart?: Instant | null;
  rosterSize: number;
  /** If given: the dates as if every part that waits for a person started now. */
  now?: Instant;
};

/** "Before previous ends" requests an overlap in that part (T-09); a linked group refuses it (T-07). */
export const mayOverlap = (part: Part, group: PartGroup): boolean =>
  !group.isLinked && part.relativeStart?.startOf === "before-previous-ends";

export const startsByItself = (part: Part, group: PartGroup): boolean => group.isAutoStart && !part.isHeld;

const stretchOf = (part: Part): Stretch | null =>
  part.startedAt === null || part.endedAt === null ? null : { start: part.startedAt, end: part.endedAt };

/** A paused part as if it resumed now: it moves by the paused time (T-12). */
export const asResumed = (part: Part, now: Instant): Part => {
  if (part.state !== "paused" || part.pausedAt === null) return part;
  const span = Math.max(0, now - part.pausedAt);
  return {
    ...part,
    startedAt: part.startedAt === null ? null : plusMillis(part.startedAt, span),
    endedAt: part.endedAt === null ? null : plusMillis(part.endedAt, span),
    pausedAt: plusMillis(part.pausedAt, span),
  };
};

/** The start by a waiting part's own rule (T-02, T-04, T-05). `previous`: undefined for a running session's first. */
function ruledStart(
  part: Part,
  followsInGroup: boolean,
  previous: Stretch | null | undefined,
): Instant | null {
  const rule = followsInGroup ? AFTER_PREVIOUS : part.relativeStart;
  if (rule === null || previous === undefined) return part.plannedStartAt ?? part.startedAt;
  if (previous === null) return null;
  if (rule.startOf === "after-previous-starts") return plusSeconds(previous.start, rule.timeFrom);
  return plusSeconds(previous.end, rule.startOf === "before-previous-ends" ? -rule.timeFrom : rule.timeFrom);
}

/** For each place, the latest end of later parts that have begun and must not be overlapped. */
function laterEnds(places: PartPlace[]): (Instant | null)[] {
  const ends: (Instant | null)[] = [];
  let latest: Instant | null = null;
  for (const { part, group } of [...places].reverse()) {
    ends.unshift(latest);
    if (hasBegun(part) && !mayOverlap(part, group) && part.endedAt !== null)
      latest = latest === null ? part.endedAt : later(latest, part.endedAt);
  }
  return ends;
}

/** How far a group's unexpanded repeats move the parts after it. In milliseconds. */
function repeatsSpan(group: PartGroup, parts: readonly Part[]): number {
  const start = parts[0]?.startedAt ?? null;
  const end = parts.at(-1)?.endedAt ?? null;
  if (isUnrolled(group) || start === null || end === null) return 0;
  return Math.max(0, end - start) * (group.sets - 1);
}

/** All parts with their dates. Every date in the product comes from this function. */
export function layParts(schedule: Schedule, laying: Laying): LaidPart[] {
  const { now } = laying;
  const places = partPlaces(schedule).map((place) =>
    now === undefined ? place : { ...place, part: asResumed(place.part, now) },
  );
  const endsAfter = laterEnds(places);
  const placed: LaidPart[] = [];
  let previous: Stretch | null | undefined =
    typeof laying.sessionStart === "number"
      ? { start: laying.sessionStart, end: laying.sessionStart }
      : laying.sessionStart;
  let isPreviousHeldUp = false;
  let earlierEnd: Instant | null = null;

  for (const [order, place] of places.entries()) {
    const { group, index } = place;
    let { part } = place;
    const followsInGroup = group.isLinked && index > 0;
    const isWaitingForHost = !hasBegun(part) && !startsByItself(part, group);
    const follows = followsInGroup || part.relativeStart !== null;
    const isHeldUp: boolean = hasBegun(part)
      ? part.state === "paused"
      : isWaitingForHost || (follows && isPreviousHeldUp);

    if (!hasBegun(part)) {
      let start = part.isUndated ? null : ruledStart(part, followsInGroup, previous);
      // A part that overruns is not cut off: the next part waits unless it may overlap (T-09).
      if (start !== null && part.plannedStartAt !== null) {
        const earlierEnds = mayOverlap(part, group) ? [] : [earlierEnd, follows ? previous?.end : null];
        for (const end of [...earlierEnds, endsAfter[order]]) if (end) start = later(start, end);
        if (now !== undefined && isWaitingForHost) start = later(start, now);
      }
      const end = start === null ? null : plusSeconds(start, partSpan(part, laying.rosterSize));
      part = { ...part, startedAt: start, endedAt: end };
    }

    placed.push({ part, group, isWaitingForHost, isHeldUp });
    previous = stretchOf(part);
    isPreviousHeldUp = isHeldUp;
    // A part that waits for the host does not hold back parts with their own dates.
    const isMovingNow = now !== undefined && isHeldUp && !hasBegun(part);
    const end = isMovingNow ? place.part.endedAt : part.endedAt;
    if (end !== null) earlierEnd = earlierEnd === null ? end : later(earlierEnd, end);

    if (index === group.parts.length - 1) {
      const groupParts = placed.slice(-group.parts.length).map((laidPart) => laidPart.part);
      const span = repeatsSpan(group, groupParts);
      if (previous)
        previous = { start: plusMillis(previous.start, span), end: plusMillis(previous.end, span) };
    }
  }
  return placed;
}

/** The schedule with all dates. Dates without a reference are empty; absolute ones stay. */
export function placeDates(schedule: Schedule, laying: Laying): Schedule {
  const placed = new Map(layParts(schedule, laying).map(({ part }) => [part.id, part]));
  return mapParts(schedule, (part) => placed.get(part.id) ?? part);
}

const withoutDates = (part: Part): Part =>
  hasBegun(part)
    ? part
    : {
        ...part,
        relativeStart: part.relativeStart ?? (part.startedAt === null ? null : AFTER_PREVIOUS),
        startedAt: null,
        endedAt: null,
      };

/**
 * Computes all planned dates (T-02, T-04, T-05, T-08) from the session's start. Without a start (manual start) there
 * are none (T-10), and dated parts follow the previous part.
 */
export function layOut(schedule: Schedule, sessionStart: Instant | null, rosterSize: number): Schedule {
  const base = sessionStart === null ? mapParts(schedule, withoutDates) : schedule;
  return placeDates(base, { sessionStart, rosterSize });
}

/** A manual start links all groups (T-10, R-38). */
export const linkAllGroups = (schedule: Schedule): Schedule => ({
  groups: schedule.groups.map((group) => (group.type === "event" ? { ...group, isLinked: true } : group)),
});

/** All parts in sequence by their distances, without absolute dates: the basis of a manual start. */
export const lineUp = (schedule: Schedule): Schedule =>
  mapParts(schedule, ({ isUndated: _, ...part }) => ({
    ...part,
    relativeStart: part.relativeStart ?? AFTER_PREVIOUS,
    startedAt: null,
    endedAt: null,
  }));

/** The end of the last part, repeats included; null without dates. */
export function scheduleEnd(schedule: Schedule): Instant | null {
  const ends = schedule.groups
    .filter((group) => group.type === "event")
    .flatMap((group) =>
      group.parts.flatMap((part) =>
        part.endedAt === null ? [] : [plusMillis(part.endedAt, repeatsSpan(group, group.parts))],
      ),
    );
  return ends.reduce<Instant | null>((last, end) => (last === null ? end : later(last, end)), null);
}

/** From the first start to the last end; without dates, the length after a manual start. In seconds. */
export function scheduleLength(schedule: Schedule, rosterSize: number): Seconds {
  const starts = partPlaces(schedule).flatMap(({ part }) => part.startedAt ?? []);
  const first = starts.length > 0 ? instant(Math.min(...starts)) : instant(0);
  const dated =
    starts.length > 0 ? schedule : placeDates(lineUp(schedule), { sessionStart: first, rosterSize });
  return seconds(Math.round(((scheduleEnd(dated) ?? first) - first) / SECOND));
}

/**
 * the session's end follows its last part when that moves later, never moves earlier, and never exceeds 30 days.
 * Pass the `effectiveSchedule` to count waiting parts too.
 */
export function sessionEnd(
  schedule: Schedule,
  currentEnd: Instant | null,
  sessionStart: Instant,
): Instant | null {
  const last = scheduleEnd(schedule);
  if (last === null) return currentEnd;
  const limit = plusSeconds(sessionStart, SESSION_SECONDS.max);
  const wantedEnd = earlier(last, limit);
  return currentEnd === null ? wantedEnd : later(currentEnd, wantedEnd);
}
