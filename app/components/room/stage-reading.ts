// The stage of a session at an instant: the running part and its remaining time, or the awaited event. Pure.

import { type NamedPerson, nameAmong } from "~/domain/room/guest-names";
import { kindOf } from "~/domain/schedule/part-kinds";
import { layParts } from "~/domain/schedule/plan";
import { actualStart, hasBegun, type Part, partPlaces, type Schedule } from "~/domain/schedule/shape";
import { pieceAt, turnAt, turnSpan } from "~/domain/schedule/timer-pieces";
import { type TimerReading, timerAt } from "~/domain/schedule/timers";
import { SESSION_STATUS, type SessionTimes, statusAt } from "~/domain/sessions/status";
import { type Instant, instant, SECOND } from "~/domain/time";
import { intervalTicks } from "../schedule/interval-ticks";
import type { RibbonPart } from "../schedule/ribbon";

export type Stage =
  | { kind: "before"; startsAt: Instant | null; first: Part | null }
  /** Running or paused; `beside` runs at the same time. */
  | { kind: "part"; part: Part; beside: Part[] }
  | { kind: "host-awaited"; part: Part }
  | { kind: "gap"; part: Part; at: Instant }
  /** In progress without a timer. */
  | { kind: "open" }
  | { kind: "after" };

/** `schedule` must be advanced to `now`. */
export function stageAt(times: SessionTimes, schedule: Schedule, now: Instant): Stage {
  const parts = partPlaces(schedule).map(({ part }) => part);
  const status = statusAt(times, now);
  if (status === SESSION_STATUS.waiting)
    return { kind: "before", startsAt: times.startedAt, first: parts[0] ?? null };
  if (status === SESSION_STATUS.ended) return { kind: "after" };
  const underWay = parts.filter((part) => part.state === "running" || part.state === "paused");
  const part = underWay.reduce<Part | undefined>(
    (latest, candidate) =>
      latest && (latest.startedAt ?? 0) > (candidate.startedAt ?? 0) ? latest : candidate,
    undefined,
  );
  if (part) return { kind: "part", part, beside: underWay.filter((other) => other !== part) };
  const next = nextOf(schedule, now);
  if (!next) return { kind: "open" };
  return next.at === null
    ? { kind: "host-awaited", part: next.part }
    : { kind: "gap", part: next.part, at: next.at };
}

/** The next part after all that have begun; `at` is null if a person decides. */
export function nextOf(schedule: Schedule, now: Instant): { part: Part; at: Instant | null } | null {
  const placedParts = layParts(schedule, { rosterSize: 1, now });
  const lastBegun = placedParts.findLastIndex(({ part }) => hasBegun(part));
  const next =
    placedParts.find(({ part }, index) => index > lastBegun && !hasBegun(part)) ??
    placedParts.find(({ part }) => !hasBegun(part));
  if (!next) return null;
  return { part: next.part, at: next.isHeldUp ? null : next.part.startedAt };
}

export type FaceReading = {
  /** The text above the numerals. */
  label: string;
  /** The text below the numerals. */
  detail: string;
  /** Milliseconds that the numerals show. */
  remaining: number;
  /** Milliseconds of the arc. */
  span: number;
  isMyTurn: boolean;
  /** Milliseconds of the whole part, if the numerals show a piece of it. */
  wholeRemaining: number | null;
  /** The next person of a round. */
  next: string | null;
};

/**
 * A running or paused part, for `me`: the turn, the interval, or the whole. `online`: the people in the room (R-83); `people`:
 * the roster, which knows the names of guests (H-23).
 */
export function readFace(
  part: Part,
  now: Instant,
  me: string | null,
  online: readonly string[] = [],
  people: readonly NamedPerson[] = [],
): FaceReading {
  const timer = timerAt(part, now);
  const kind = kindOf(part);
  switch (kind) {
    case "plain":
      return wholeFace(part, timer);
    case "intervals":
      return intervalFace(part, timer) ?? wholeFace(part, timer);
    case "turns":
      return (
        turnFace(part, timer, now, { me, online, people }) ??
        intervalFace(part, timer) ??
        wholeFace(part, timer)
      );
    default:
      return kind satisfies never;
  }
}

const intervalName = ({ interval, intervalIndex }: TimerReading): string =>
  interval ? interval.title || `Interval ${(intervalIndex ?? 0) + 1}` : "";

/** Decides like `passOn` of schedule/round, whose code the pages of spectators do not load. */
function nextSpeaker({ turns, again }: Part, index: number, online: readonly string[]): string | undefined {
  const ahead = turns.slice(index + 1);
  const isHere = (name: string) => online.includes(name);
  if (turns.filter(isHere).length < 2) return ahead[0];
  return ahead.find(isHere) ?? ahead.find((name) => again?.includes(name)) ?? ahead[0];
}

/** The face of the current turn; null after the last one. */
function turnFace(
  part: Part,
  timer: TimerReading,
  now: Instant,
  { me, online, people }: { me: string | null; online: readonly string[]; people: readonly NamedPerson[] },
): FaceReading | null {
  const turn = turnAt(part, now);
  if (!turn) return null;
  const isMyTurn = turn.username === me;
  const nextName = nextSpeaker(part, turn.index, online);
  const next = nextName ? (nextName === me ? "you" : nameAmong(people, nextName)) : null;
  const name = intervalName(timer);
  return {
    label: isMyTurn ? "Your turn" : `${nameAmong(people, turn.username)}’s turn`,
    detail: `${name ? `${name} · ` : ""}Turn ${turn.index + 1} of ${part.turns.length}${next ? ` · next: ${next}` : ""}`,
    remaining: turn.remaining,
    span: turnSpan(part, turn.index),
    isMyTurn,
    wholeRemaining: timer.remaining,
    next,
  };
}

/** The face of the current interval; null before and after the part runs, and for a part without intervals. */
function intervalFace(part: Part, timer: TimerReading): FaceReading | null {
  const { interval, intervalIndex, intervalRemaining } = timer;
  const piece = pieceAt(part, timer.elapsed);
  if (!interval || !piece || intervalRemaining === null || timer.isAtRest) return null;
  const index = intervalIndex ?? 0;
  const sets =
    part.sets > 1 ? `Set ${timer.set} of ${part.sets}` : `${index + 1} of ${part.intervals.length}`;
  const nextInterval = part.intervals[index + 1] ?? (timer.set < part.sets ? part.intervals[0] : undefined);
  const name = intervalName(timer);
  return {
    label: part.state === "paused" ? `${name}, paused` : name,
    detail: `${sets}${nextInterval?.title ? ` · next: ${nextInterval.title}` : ""}`,
    remaining: intervalRemaining,
    span: piece.span,
    isMyTurn: false,
    wholeRemaining: timer.remaining,
    next: null,
  };
}

function wholeFace(part: Part, timer: TimerReading): FaceReading {
  const span =
    part.startedAt !== null && part.endedAt !== null ? part.endedAt - part.startedAt : part.duration * SECOND;
  return {
    label: part.state === "paused" ? "Paused" : "Left",
    detail: "",
    remaining: timer.remaining,
    span,
    isMyTurn: false,
    wholeRemaining: null,
    next: null,
  };
}

/** The ribbon of a session at `now`, with the waiting parts laid out as if they started now. */
export function ribbonAt(schedule: Schedule, now: Instant, rosterSize: number): RibbonPart[] {
  const placedParts = layParts(schedule, { rosterSize, now });
  const pieces: RibbonPart[] = [];
  let lastEnd: Instant | null = null;
  for (const { part } of placedParts) {
    const { startedAt, endedAt } = part;
    const span = startedAt !== null && endedAt !== null ? endedAt - startedAt : part.duration * SECOND;
    // A skipped part has no length, so the ribbon leaves it out.
    if (span <= 0) continue;
    const begunAt = actualStart(part);
    const gap: number = lastEnd === null || begunAt === null ? 0 : begunAt - lastEnd;
    if (gap >= SECOND)
      pieces.push({
        id: `gap-${part.id}`,
        title: "No timer running",
        span: gap,
        state: "waiting",
        isGap: true,
      });
    pieces.push({
      id: part.id,
      title: part.title || "Timer",
      span,
      state: part.state,
      ticks: intervalTicks(part),
      doneAt: (at) => timerAt(part, at).fraction,
    });
    if (endedAt !== null) lastEnd = lastEnd === null ? endedAt : instant(Math.max(lastEnd, endedAt));
  }
  return pieces;
}

/** "2 min behind plan"; null within half a minute. */
export function planOffsetText(offsetSeconds: number): string | null {
  const minutes = Math.round(Math.abs(offsetSeconds) / 60);
  if (Math.abs(offsetSeconds) < 30 || minutes === 0) return null;
  return `${minutes} min ${offsetSeconds > 0 ? "behind plan" : "ahead of plan"}`;
}

/** Waiting parts of hidden groups hide their titles until they start, except from people who run the session. */
export const maskHiddenParts = (schedule: Schedule, maySee: boolean): Schedule =>
  maySee
    ? schedule
    : {
        groups: schedule.groups.map((group) =>
          group.isHidden
            ? {
                ...group,
                parts: group.parts.map((part) =>
                  hasBegun(part) ? part : { ...part, title: "Not revealed yet" },
                ),
              }
            : group,
        ),
      };
