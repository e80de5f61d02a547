// The host's actions on a running schedule: start, pause, resume, finish, reset, adjust. Each first catches up to
// `now`, then makes one change, then updates later parts (T-10 to T-15).

import { type Instant, plusMillis, plusSeconds, SECOND, seconds } from "~/domain/time";
import { advanceSchedule, beginPart, type RunContext } from "./advance";
import { copyPart } from "./edit";
import { hasTurns, kindOf, PART_KINDS } from "./part-kinds";
import { asResumed, lineUp, linkAllGroups, mayOverlap, placeDates } from "./plan";
import { beginTurn, finishNow, passOn, withOrder } from "./round";
import type { ScheduleCode } from "./sentences";
import { foldSets, unrollSets } from "./sets";
import {
  type AddedTime,
  accept,
  type Edit,
  findPlace,
  hasBegun,
  mapParts,
  NO_RUN,
  type Part,
  type PartPlace,
  partPlaces,
  partsInOrder,
  refuse,
  SCHEDULE_LIMITS,
  type Schedule,
  withPart,
} from "./shape";
import { turnsLeft } from "./size";
import { pieceAt, pieceCount, pieceStart, piecesOfTurn, turnAt, turnSpan } from "./timer-pieces";
import { timerAt } from "./timers";

/**
 * Starts the session at `sessionStart` (S-05, T-10): it expands repeats, computes the dates, stores them as the plan
 * and starts due auto-start parts. With a manual start or without a planned one, all parts run in sequence; otherwise
 * absolute dates move with the difference to the planned start.
 */
export function startSchedule(
  schedule: Schedule,
  sessionStart: Instant,
  ctx: RunContext,
  start: { isManuallyStarted?: boolean; plannedStart?: Instant | null } = {},
): Schedule {
  const { isManuallyStarted = false, plannedStart = sessionStart } = start;
  const rosterSize = ctx.roster.length;
  const reset = mapParts(foldSets(schedule), (part) =>
    hasBegun(part) || part.plannedStartAt !== null
      ? { ...copyPart(part, part.id), intervals: part.intervals }
      : part,
  );
  const base =
    isManuallyStarted || plannedStart === null
      ? lineUp(isManuallyStarted ? linkAllGroups(reset) : reset)
      : mapParts(reset, (part) => ({
          ...part,
          startedAt: part.startedAt === null ? null : plusMillis(part.startedAt, sessionStart - plannedStart),
        }));
  const dated = placeDates(unrollSets(placeDates(base, { sessionStart, rosterSize })), {
    sessionStart,
    rosterSize,
  });
  const planned = mapParts(dated, (part) => ({ ...part, plannedStartAt: part.startedAt }));
  return advanceSchedule(planned, ctx, sessionStart).schedule;
}

/** An action of the host on one part: catches up, finds the part, changes the schedule, updates later parts. */
function actOnPart(
  schedule: Schedule,
  partId: string,
  ctx: RunContext,
  change: (place: PartPlace, caughtUp: Schedule) => Edit,
): Edit {
  const caughtUp = advanceSchedule(schedule, ctx).schedule;
  const place = findPlace(caughtUp, partId);
  if (!place) return refuse("no-part");
  const changed = change(place, caughtUp);
  return changed.ok ? accept(advanceSchedule(changed.schedule, ctx, ctx.now).schedule) : changed;
}

const isUnderWay = (part: Part): boolean => part.state === "running" || part.state === "paused";

/** The part as skipped: it ends at its start, so that linked parts still follow each other without a gap. */
const skipPart = (part: Part, now: Instant): Part => ({
  ...part,
  state: "finished",
  startedAt: now,
  endedAt: now,
  isHeld: undefined,
});

/** Starts a part now and ends those it may not overlap; earlier waiting parts of a linked group are skipped. */
function beginNow(schedule: Schedule, place: PartPlace, ctx: RunContext): Schedule {
  const others = new Map(
    partPlaces(schedule).flatMap((other): [string, Part][] => {
      if (other.number === place.number) return [];
      const second = other.number > place.number ? other : place;
      if (isUnderWay(other.part))
        return mayOverlap(second.part, second.group) ? [] : [[other.part.id, finishNow(other.part, ctx.now)]];
      const isPassedOver =
        !hasBegun(other.part) &&
        place.group.isLinked &&
        other.groupIndex === place.groupIndex &&
        other.index < place.index;
      return isPassedOver ? [[other.part.id, skipPart(other.part, ctx.now)]] : [];
    }),
  );
  return mapParts(schedule, (part) =>
    part.id === place.part.id ? beginPart(part, ctx.now, ctx.roster) : (others.get(part.id) ?? part),
  );
}

const resumedPart = (part: Part, now: Instant): Part => ({
  ...asResumed(part, now),
  state: "running",
  pausedAt: null,
});

/**
 * Starts a waiting part now, early or late (T-13): linked neighbours move, and parts it may not overlap end. A paused
 * part resumes.
 */
export const startPart = (schedule: Schedule, partId: string, ctx: RunContext): Edit =>
  actOnPart(schedule, partId, ctx, (place, caughtUp) => {
    const { part } = place;
    if (part.state === "running") return refuse("already-running");
    if (part.state === "finished") return refuse("reset-first");
    if (part.state === "paused") return accept(withPart(caughtUp, partId, resumedPart(part, ctx.now)));
    const begun = beginNow(caughtUp, place, ctx);
    return turnsLeft(begun) < 0 ? refuse("too-many-turns") : accept(begun);
  });

/** Pauses a running part (T-12); later parts wait. */
export const pausePart = (schedule: Schedule, partId: string, ctx: RunContext): Edit =>
  actOnPart(schedule, partId, ctx, ({ part }, caughtUp) =>
    part.state === "running"
      ? accept(withPart(caughtUp, partId, { state: "paused", pausedAt: ctx.now }))
      : refuse("not-running"),
  );

/** Resumes a part: its start, and all later linked parts, move by the paused time (T-12). */
export const resumePart = (schedule: Schedule, partId: string, ctx: RunContext): Edit =>
  actOnPart(schedule, partId, ctx, ({ part }, caughtUp) =>
    part.state === "paused"
      ? accept(withPart(caughtUp, partId, resumedPart(part, ctx.now)))
      : refuse("not-paused"),
  );

/** Ends a running or paused part now; linked parts move up. */
export const finishPart = (schedule: Schedule, partId: string, ctx: RunContext): Edit =>
  actOnPart(schedule, partId, ctx, ({ part }, caughtUp) =>
    isUnderWay(part) ? accept(withPart(caughtUp, partId, finishNow(part, ctx.now))) : refuse("not-running"),
  );

/** Resets a part to waiting. Later parts of its linked group that have begun are reset too, because they follow it. */
function toWaiting(schedule: Schedule, place: PartPlace, isHeld: boolean): Schedule {
  const resetIds = new Set(
    place.group.parts
      .filter(
        (part, index) =>
          index === place.index || (place.group.isLinked && index > place.index && hasBegun(part)),
      )
      .map((part) => part.id),
  );
  return mapParts(schedule, (part) =>
    resetIds.has(part.id)
      ? {
          ...part,
          state: "waiting",
          startedAt: part.plannedStartAt,
          begunAt: undefined,
          endedAt: null,
          pausedAt: null,
          ...NO_RUN,
          isHeld: (isHeld && part.id === place.part.id) || undefined,
        }
      : part,
  );
}

/** Resets a part; it waits for the host, even in an auto-start group. */
export const resetPart = (schedule: Schedule, partId: string, ctx: RunContext): Edit =>
  actOnPart(schedule, partId, ctx, (place, caughtUp) => accept(toWaiting(caughtUp, place, true)));

/**
 * Adds `span` seconds to a part, or removes them if negative; later parts move. With intervals or turns the
 * current one changes, with `isOnward` each later one too, and the planned durations stay.
 */
export const adjustPart = (
  schedule: Schedule,
  partId: string,
  span: number,
  ctx: RunContext,
  isOnward = false,
): Edit =>
  actOnPart(schedule, partId, ctx, ({ part }, caughtUp) => {
    if (!Number.isInteger(span)) return refuse("not-whole-seconds");
    if (part.state === "finished") return refuse("part-over");
    const adjusted =
      hasBegun(part) && PART_KINDS[kindOf(part)].hasPieces
        ? adjustPiece(part, span, isOnward, ctx.now)
        : adjustWhole(part, span, ctx.now);
    return typeof adjusted === "string" ? refuse(adjusted) : accept(withPart(caughtUp, partId, adjusted));
  });

function adjustWhole(part: Part, span: number, now: Instant): Partial<Part> | ScheduleCode {
  if (part.intervals.length > 0) return "interval-duration";
  const duration = seconds(part.duration + span);
  if (duration > SCHEDULE_LIMITS.duration) return "part-too-long";
  const change = { duration, plannedDuration: part.plannedDuration ?? part.duration };
  if (!hasBegun(part)) return duration < 1 ? "no-duration" : change;
  if (part.endedAt === null) return "not-running";
  if (-span * SECOND >= timerAt(part, now).remaining) return "less-left";
  return { ...change, endedAt: plusSeconds(part.endedAt, span) };
}

/** Taking away more than is left ends the current interval or turn now. */
function adjustPiece(
  part: Part,
  span: number,
  isOnward: boolean,
  now: Instant,
): Partial<Part> | ScheduleCode {
  const { startedAt, added = [] } = part;
  const { elapsed } = timerAt(part, now);
  const piece = pieceAt(part, elapsed);
  if (startedAt === null || !piece) return "not-running";
  const timeLeft = piece.start + piece.span - elapsed;
  const entries: AddedTime[] = [
    { at: piece.index, seconds: Math.max(span, -timeLeft / SECOND) },
    ...(isOnward ? [{ at: piece.index + 1, seconds: span, isOnward } as const] : []),
  ];
  const changed = { ...part, added: entries.reduce(withAdded, added) };
  const onwardSeconds = changed.added.reduce((sum, entry) => sum + (entry.isOnward ? entry.seconds : 0), 0);
  const planned =
    part.intervals.length > 0 ? part.intervals.map(({ duration }) => duration) : [part.duration];
  if (Math.min(...planned) + onwardSeconds < 1) return "less-later";
  const turn = Math.floor(piece.index / piecesOfTurn(part));
  if (turnSpan(changed, turn) > SCHEDULE_LIMITS.duration * SECOND) return "part-too-long";
  if (changed.added.length > SCHEDULE_LIMITS.added) return "changed-too-often";
  const whole = pieceStart(changed, pieceCount(part));
  // A running part ends by itself when its time is over, but a paused one would stay paused.
  if (elapsed >= whole && part.state === "paused") return finishNow(changed, now);
  return { added: changed.added, endedAt: plusMillis(startedAt, whole) };
}

function withAdded(entries: AddedTime[], entry: AddedTime): AddedTime[] {
  const existing = entries.find(({ at, isOnward }) => at === entry.at && isOnward === entry.isOnward);
  const others = entries.filter((other) => other !== existing);
  const sum = entry.seconds + (existing?.seconds ?? 0);
  return sum === 0 ? others : [...others, { ...entry, seconds: sum }];
}

/**
 * Updates the turns after someone joined or left (T-15). In a running part a leaver loses future turns, the current
 * turn passes on at once, and a joiner is appended. Waiting per-participant parts change their length, and linked parts
 * move.
 */
export function updateTurns(schedule: Schedule, ctx: RunContext): Schedule {
  // Only turns depend on the roster.
  if (!partsInOrder(schedule).some(hasTurns)) return schedule;
  const caughtUp = advanceSchedule(schedule, ctx).schedule;
  let freeTurns = turnsLeft(caughtUp);
  const changed = mapParts(caughtUp, (part) => {
    if (!hasTurns(part) || !isUnderWay(part)) return part;
    const updatedPart = withRoster(part, ctx, Math.max(0, freeTurns));
    freeTurns += part.turns.length - updatedPart.turns.length;
    return updatedPart;
  });
  return advanceSchedule(changed, ctx, ctx.now).schedule;
}

/** The part with the turns of the present roster. At most `maxJoiners` joiners are appended. */
function withRoster(part: Part, { now, roster }: RunContext, maxJoiners: number): Part {
  const current = turnAt(part, now)?.index ?? part.turns.length;
  const rosterKeys = new Set(roster);
  const again = part.again?.filter((key) => rosterKeys.has(key));
  const missed = part.missed?.filter((key) => rosterKeys.has(key));
  const knownKeys = new Set([...part.turns, ...(missed ?? [])]);
  const stayingTurns = part.turns.flatMap((key, index) =>
    index < current || rosterKeys.has(key) ? index : [],
  );
  const isPassedOn = part.turns[current] !== undefined && !rosterKeys.has(part.turns[current]);
  const newKeys = roster.filter((key) => !knownKeys.has(key)).slice(0, maxJoiners);
  const staying = withOrder(part, stayingTurns);
  const changed: Part = { ...staying, turns: [...staying.turns, ...newKeys], again, missed };
  if (changed.turns.length <= current) return finishNow(part, now);
  // The next person gets a full turn.
  if (isPassedOn) return beginTurn(changed, current, now);
  const startedAt = part.startedAt ?? now;
  return { ...changed, endedAt: plusMillis(startedAt, pieceStart(changed, pieceCount(changed))) };
}

// ---- the round

/** A change of the turns of a running or paused part. */
const changeTurns = (
  schedule: Schedule,
  partId: string,
  ctx: RunContext,
  change: (part: Part) => Part | ScheduleCode,
): Edit =>
  actOnPart(schedule, partId, ctx, ({ part }, caughtUp) => {
    if (!hasTurns(part)) return refuse("no-round");
    if (!isUnderWay(part) || !turnAt(part, ctx.now)) return refuse("not-running");
    const changed = change(part);
    return typeof changed === "string" ? refuse(changed) : accept(withPart(caughtUp, partId, changed));
  });

/** The next person's turn begins; after the last one the part ends. `speaker`: nothing changes if that turn is over. */
export const nextTurn = (schedule: Schedule, partId: string, ctx: RunContext, speaker?: string): Edit =>
  changeTurns(schedule, partId, ctx, (part) =>
    speaker !== undefined && turnAt(part, ctx.now)?.username !== speaker
      ? part
      : passOn(part, ctx.now, ctx.presence?.of),
  );

/** The speaker passes the turn on. */
export const passTurn = (schedule: Schedule, partId: string, ctx: RunContext, speaker: string): Edit =>
  changeTurns(schedule, partId, ctx, (part) =>
    turnAt(part, ctx.now)?.username === speaker ? passOn(part, ctx.now, ctx.presence?.of) : "not-speaker",
  );

/** The round ends now for everybody. */
export const endRound = (schedule: Schedule, partId: string, ctx: RunContext): Edit =>
  changeTurns(schedule, partId, ctx, (part) => finishNow(part, ctx.now));

/** Restores earlier states of parts, with turns for the people who are on the roster now. */
export function putPartsBack(schedule: Schedule, parts: readonly Part[], ctx: RunContext): Schedule {
  const earlierParts = new Map(parts.map((part) => [part.id, part]));
  return updateTurns(
    mapParts(schedule, (part) => earlierParts.get(part.id) ?? part),
    ctx,
  );
}
