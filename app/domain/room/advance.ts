// Scheduled changes of a room: its start, parts and end. Pure: `advanceRoom` catches up to `now` in order and is
// idempotent, and `nextDueAt` returns the next alarm (L-09, S-05, R-04).

import { SEAT_ROLE } from "~/domain/roles";
import { planOf, withTally } from "~/domain/room/tally";
import {
  advanceSchedule,
  effectiveSchedule,
  nextTransitionAt,
  type RunContext,
} from "~/domain/schedule/advance";
import { SESSION_SECONDS } from "~/domain/schedule/length";
import { sessionEnd } from "~/domain/schedule/plan";
import type { RoundPresence } from "~/domain/schedule/round";
import { startSchedule } from "~/domain/schedule/run";
import { asFinished, mapParts, partsInOrder } from "~/domain/schedule/shape";
import { SESSION_STATUS, statusAt } from "~/domain/sessions/status";
import { earlier, HOUR, type Instant, instant, later, MINUTE, plusMillis, plusSeconds } from "~/domain/time";
import { type RoomState, type RoomTopic, rosterOf } from "./room";
import { settleHands } from "./signals";

/** The bounds of the wait for the next check while a waiting timer holds the session open. Milliseconds. */
const CHECK_DELAY = { least: 5 * MINUTE, most: 2 * HOUR } as const;

/** How long after the start a session that needs a host waits for one (G-31). Milliseconds. */
const HOST_WAIT = 15 * MINUTE;

/** The instant at which the room cancels a run for want of a host, at the latest its end; otherwise null. */
function absenceDueAt({ needsHost, hasHostCome, startedAt, endedAt }: RoomState): Instant | null {
  if (!needsHost || hasHostCome || startedAt === null) return null;
  const dueAt = plusMillis(startedAt, HOST_WAIT);
  return endedAt === null ? dueAt : earlier(dueAt, endedAt);
}

/** The session as one that was cancelled before its start: without a length, and with its planned start (F-12). */
const cancelRun = (state: RoomState, at: Instant): RoomState => ({
  ...endRun(state, at),
  startedAt: at,
  cancelledStart: state.startedAt,
});

/** Marks that a host or admin has been in the room since the start; otherwise the same room. */
export function withHost(state: RoomState, online: ReadonlySet<string>, now: Instant): RoomState {
  const { needsHost, hasHostCome, hasEnded, startedAt, participants } = state;
  if (!needsHost || hasHostCome || hasEnded || startedAt === null || now < startedAt) return state;
  const isHostOnline = participants.some(
    ({ role, username }) => role === SEAT_ROLE.admin && online.has(username),
  );
  return isHostOnline ? { ...state, hasHostCome: true } : state;
}

/** `presence`: only the room itself knows it, and only a round needs it. */
export const contextOf = (state: RoomState, now: Instant, presence?: RoundPresence): RunContext => ({
  now,
  roster: rosterOf(state),
  presence,
});

/** A round waits for nobody who is away, so that its next change depends on the presence. */
export const hasRound = ({ schedule }: RoomState): boolean =>
  partsInOrder(schedule).some((part) => part.state === "running" && part.turns.length > 0);

/** The end follows the last part when that moves later, never moves earlier, and never exceeds 30 days. */
export function withEnd(state: RoomState, now: Instant): RoomState {
  if (state.startedAt === null) return state;
  const planned = state.partsEndAt ?? state.endedAt ?? plusSeconds(state.startedAt, state.duration);
  const extended = sessionEnd(
    effectiveSchedule(state.schedule, now, rosterOf(state).length),
    planned,
    state.startedAt,
  );
  const end = state.endsBy == null || extended === null ? extended : earlier(extended, state.endsBy);
  return { ...state, endedAt: end, partsEndAt: end };
}

/** S-05: the run begins at `startedAt`, and the ready marks of the waiting phase are cleared (L-07). */
export function beginRun(state: RoomState, startedAt: Instant): RoomState {
  const schedule = startSchedule(
    state.schedule,
    startedAt,
    { now: startedAt, roster: rosterOf(state) },
    { isManuallyStarted: state.isManuallyStarted, plannedStart: state.startedAt },
  );
  const end = plusSeconds(startedAt, state.duration);
  const begun: RoomState = {
    ...state,
    startedAt,
    endedAt: end,
    partsEndAt: end,
    runBegunAt: startedAt,
    schedule,
    participants: state.participants.map((person) =>
      person.isReady ? { ...person, isReady: false } : person,
    ),
  };
  const runState = withEnd(begun, startedAt);
  return { ...runState, plan: planOf(runState, state.isManuallyStarted ? null : state.startedAt), tally: {} };
}

/** Running parts stop at `at`; a session that never started just ends. */
export function endRun(state: RoomState, at: Instant): RoomState {
  const startedAt = state.startedAt === null || state.startedAt > at ? at : state.startedAt;
  return { ...stopParts(state, at), startedAt, endedAt: at, partsEndAt: at, hasEnded: true };
}

function stopParts(state: RoomState, at: Instant): RoomState {
  const isUnderWay = (part: { state: string }) => part.state === "running" || part.state === "paused";
  if (!state.schedule.groups.some((group) => group.parts.some(isUnderWay))) return state;
  const schedule = mapParts(state.schedule, (part) =>
    isUnderWay(part) ? asFinished({ ...part, endedAt: part.pausedAt ?? at }) : part,
  );
  return { ...state, schedule };
}

/** Catches up to `now`. Each change takes effect at its own instant; nothing changes after the end. */
export function advanceRoom(
  state: RoomState,
  now: Instant,
  presence?: RoundPresence,
): { state: RoomState; topics: RoomTopic[] } {
  const advanced = advanceRun(state, now, presence);
  const settled = settleHands(advanced.state, now);
  return settled.participants === state.participants
    ? advanced
    : { state: settled, topics: [...new Set([...advanced.topics, "participants" as const])] };
}

function advanceRun(
  state: RoomState,
  now: Instant,
  presence: RoundPresence | undefined,
): { state: RoomState; topics: RoomTopic[] } {
  if (state.startedAt === null || state.startedAt > now || state.hasEnded || state.closedAt !== null)
    return { state, topics: [] };
  const topics = new Set<RoomTopic>();
  let current = state;
  if (current.runBegunAt === null) {
    current = beginRun(current, state.startedAt);
    topics.add("status").add("participants").add("parts");
  }
  const limit = plusSeconds(state.startedAt, SESSION_SECONDS.max);
  // Each due instant is a step of its own, so that a late alarm gives the same state as alarms on time.
  for (
    let dueAt = nextStep(current, now, presence);
    dueAt !== null && dueAt <= now;
    dueAt = nextStep(current, now, presence)
  ) {
    // A millisecond earlier, the part that ends now still has its turns.
    current = settleHands(current, plusMillis(dueAt, -1));
    if (dueAt === absenceDueAt(current))
      return { state: cancelRun(current, dueAt), topics: [...topics.add("status").add("parts")] };
    const { schedule, events } = advanceSchedule(current.schedule, contextOf(current, dueAt, presence));
    const hasReachedEnd = current.endedAt === dueAt;
    if (events.length > 0) topics.add("parts");
    else if (!hasReachedEnd) break;
    const next = withEnd({ ...current, schedule }, dueAt);
    const end = next.endedAt ?? dueAt;
    if (end <= dueAt) {
      const stoppedState = withTally(next, stopParts(next, dueAt), dueAt);
      if (stoppedState !== next) topics.add("parts");
      topics.add("status");
      return { state: { ...stoppedState, hasEnded: true }, topics: [...topics] };
    }
    if (!hasReachedEnd) {
      current = next;
      continue;
    }
    // A timer waits for a person, so the session stays open until a later check.
    const delay = Math.min(Math.max((dueAt - state.startedAt) / 4, CHECK_DELAY.least), CHECK_DELAY.most);
    const endedAt = earlier(limit, later(end, plusMillis(dueAt, Math.round(delay))));
    current = { ...current, schedule, endedAt };
  }
  if (current.endedAt !== state.endedAt) topics.add("status");
  return { state: current, topics: [...topics] };
}

/** The next due change: a part, a turn, or the end. */
function nextStep(state: RoomState, now: Instant, presence?: RoundPresence): Instant | null {
  const transition = nextTransitionAt(state.schedule, contextOf(state, now, presence));
  const instants = [transition, state.endedAt, absenceDueAt(state)].filter((at) => at !== null);
  return instants.length === 0 ? null : instant(Math.min(...instants));
}

/**
 * The instant of the next alarm; null if nothing is scheduled. After the end it is due until the session is settled.
 */
export function nextDueAt(state: RoomState, now: Instant, presence?: RoundPresence): Instant | null {
  if (state.closedAt !== null || state.startedAt === null) return null;
  if (state.hasEnded) return now;
  if (state.runBegunAt === null || statusAt(state, now) === SESSION_STATUS.waiting) return state.startedAt;
  return nextStep(state, now, presence);
}
