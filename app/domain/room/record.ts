// Merges the record in D1 into the room. Until the run begins the record's plan and texts apply, then the room's; the
// record always decides the seats. Pure.

import { withTally } from "~/domain/room/tally";
import { isInForce, laterEnd } from "~/domain/safety/sanctions";
import { updateTurns } from "~/domain/schedule/run";
import type { Schedule } from "~/domain/schedule/shape";
import { partsInOrder } from "~/domain/schedule/shape";
import { withoutMuted } from "~/domain/sessions/aims";
import { callMark } from "~/domain/sessions/call";
import { planForRoster } from "~/domain/sessions/planning";
import { SESSION_STATUS, statusAt } from "~/domain/sessions/status";
import type { Contribution } from "~/domain/sessions/texts";
import { type Instant, plusSeconds, type Seconds } from "~/domain/time";
import { contextOf, endRun, withEnd } from "./advance";
import { asSlowMode } from "./chat";
import {
  areAllDone,
  type RoomMute,
  type RoomParticipant,
  type RoomState,
  type RoomTopic,
  rosterOf,
} from "./room";
import { settleHands } from "./signals";

/**
 * The parts of a room that the record lacks and must not revert. "run" is the parts with the session's own dates, which
 * lists use and which rarely change. "start" is the notices of a start by hand. "chat" is the paid lines that leavers have
 * not used. "mentions" is the notices of mentions in lines.
 */
export type PendingWrite =
  | "run"
  | "parts"
  | "texts"
  | "contributions"
  | "people"
  | "start"
  | "chat"
  | "mentions";
/** A line that mentions people by these names in lower case; `here`: the people who read it in the room (N-26). */
export type ChatMention = {
  seq: number;
  userId: number;
  username: string;
  names: string[];
  here: number[];
  at: Instant;
};

export type SessionRecord = {
  title: string;
  content: string;
  contentHtml: string;
  summary: string;
  prompt: string;
  contributions: readonly Contribution[];
  joinCode: string;
  meetingLink: string;
  isPrivate: boolean;
  slowMode: number;
  /** The mutes of the session and of its hut; a person may have both. */
  mutes: readonly RoomMute[];
  isManuallyStarted: boolean;
  needsHost: boolean;
  startedAt: Instant | null;
  endedAt: Instant | null;
  duration: Seconds;
  schedule: Schedule;
  closedAt: Instant | null;
  roomVersion: number;
};
export type SeatRecord = Omit<RoomParticipant, "isReady">;

const TEXTS = ["title", "content", "contentHtml", "summary", "prompt"] as const;

/** A new room, or one that lost its storage and restores the run from the record. */
export function roomOfRecord(
  sessionId: number,
  record: SessionRecord,
  seats: readonly SeatRecord[],
  now: Instant,
): RoomState {
  const { title, content, contentHtml, summary, prompt, contributions } = record;
  const { isManuallyStarted, startedAt, endedAt, duration, schedule, closedAt } = plannedFor(record, seats);
  const hasBegun = startedAt !== null && startedAt <= now && hasRun(schedule);
  const mutes = mutesOf(record, now);
  return {
    sessionId,
    seq: record.roomVersion,
    title,
    content,
    contentHtml,
    contributions,
    summary,
    prompt,
    hasCode: record.joinCode !== "",
    isPrivate: record.isPrivate,
    slowMode: asSlowMode(record.slowMode),
    call: callMark(record.meetingLink),
    mutes,
    isManuallyStarted,
    needsHost: record.needsHost,
    // A room that lost its storage during the run does not know who came.
    hasHostCome: hasBegun,
    startedAt,
    endedAt: endedAt ?? (startedAt === null ? null : plusSeconds(startedAt, duration)),
    runBegunAt: hasBegun ? startedAt : null,
    hasEnded: closedAt !== null,
    duration,
    closedAt,
    schedule,
    participants: withoutMuted(seats, mutes).map((seat) => ({ ...seat, isReady: false })),
  };
}

const hasRun = (schedule: Schedule): boolean =>
  partsInOrder(schedule).some((part) => part.plannedStartAt !== null);

/** Until the run begins, per-participant parts last as long as the present number of seats requires (T-08, T-15). */
const plannedFor = (record: SessionRecord, seats: readonly SeatRecord[]): SessionRecord =>
  record.closedAt !== null || hasRun(record.schedule)
    ? record
    : { ...record, ...planForRoster(record, seats.length) };

/** The room merged with the current record. The caller has advanced the state to `now`. */
export function withRecord(
  state: RoomState,
  record: SessionRecord,
  seats: readonly SeatRecord[],
  pendingWrites: ReadonlySet<PendingWrite>,
  now: Instant,
): { state: RoomState; topics: RoomTopic[] } {
  const topics: RoomTopic[] = [];
  let next = state;
  const isAwaiting = state.runBegunAt === null && !state.hasEnded;
  const hasCode = record.joinCode !== "";
  const { isPrivate } = record;
  if (hasCode !== state.hasCode || isPrivate !== state.isPrivate) {
    next = { ...next, hasCode, isPrivate };
    topics.push("access");
  }
  if (asSlowMode(record.slowMode) !== state.slowMode) {
    next = { ...next, slowMode: asSlowMode(record.slowMode) };
    topics.push("slow-mode");
  }
  const call = callMark(record.meetingLink);
  if (call !== (state.call ?? null)) {
    next = { ...next, call };
    topics.push("call");
  }
  if (record.needsHost !== state.needsHost) {
    // A session that asks for its host during the run has one already.
    const hasHostCome = state.runBegunAt !== null || (state.hasHostCome ?? false);
    next = { ...next, needsHost: record.needsHost, hasHostCome };
    topics.push("needs-host");
  }
  const mutes = mutesOf(record, now);
  if (JSON.stringify(mutes) !== JSON.stringify(state.mutes)) {
    next = { ...next, mutes };
    topics.push("mutes");
  }
  if (isAwaiting && !pendingWrites.has("texts") && TEXTS.some((key) => record[key] !== state[key])) {
    const { title, content, contentHtml, summary, prompt } = record;
    next = { ...next, title, content, contentHtml, summary, prompt };
    topics.push("content", "summary");
  }
  if (isAwaiting && !pendingWrites.has("run") && !pendingWrites.has("parts")) {
    const planned = plannedFor(record, seats);
    const { isManuallyStarted, duration, startedAt, closedAt } = planned;
    const endedAt = planned.endedAt ?? (startedAt === null ? null : plusSeconds(startedAt, duration));
    const isPlanNew = JSON.stringify(planned.schedule) !== JSON.stringify(state.schedule);
    const areDatesNew =
      startedAt !== state.startedAt ||
      endedAt !== state.endedAt ||
      duration !== state.duration ||
      isManuallyStarted !== state.isManuallyStarted ||
      closedAt !== state.closedAt;
    const schedule = isPlanNew ? planned.schedule : next.schedule;
    const hasEnded = closedAt !== null;
    const dates = { isManuallyStarted, duration, startedAt, endedAt, partsEndAt: null, closedAt, hasEnded };
    if (isPlanNew) topics.push("parts");
    if (areDatesNew) topics.push("status");
    if (isPlanNew || areDatesNew) next = { ...next, ...dates, schedule };
  }
  if (!isAwaiting && !state.hasEnded && !pendingWrites.has("run") && record.closedAt !== null) {
    // Cancelled at the moment it began: the record rejected the run.
    const { startedAt, endedAt, closedAt, schedule } = record;
    next = { ...next, startedAt, endedAt, closedAt, schedule, partsEndAt: null, hasEnded: true };
    topics.push("status", "parts");
  }
  const participants = participantsOfSeats(state, withoutMuted(seats, mutes));
  if (participants !== state.participants) {
    topics.push("participants");
    next = { ...next, participants };
    if (next.runBegunAt !== null && statusAt(next, now) === SESSION_STATUS.running) {
      const updated = withTally(next, withRoster(next, rosterOf(state), now), now);
      if (updated.schedule !== next.schedule) topics.push("parts");
      if (updated.endedAt !== next.endedAt) topics.push("status");
      next = updated;
    }
  }
  const settled = settleHands(next, now);
  if (settled !== next) topics.push("participants");
  return { state: settled, topics: [...new Set(topics)] };
}

/**
 * The current participants. A person who stays keeps ready mark and completion; without a change it returns the same
 * list.
 */
function participantsOfSeats(state: RoomState, seats: readonly SeatRecord[]): RoomParticipant[] {
  const participantById = new Map(state.participants.map((person) => [person.userId, person]));
  let isSame = seats.length === state.participants.length;
  const participants = seats.map((seat, i) => {
    const previous = participantById.get(seat.userId);
    if (!previous || previous.joinedAt !== seat.joinedAt) {
      isSame = false;
      return { ...seat, isReady: false };
    }
    const { username, role, isHost, handle, aim, guestName } = seat;
    const isAsBefore = previous.username === username && previous.role === role && previous.isHost === isHost;
    const isNameAsBefore = (previous.guestName ?? "") === (guestName ?? "");
    if (isAsBefore && isNameAsBefore && previous.handle === handle && (previous.aim ?? "") === (aim ?? "")) {
      if (state.participants[i] !== previous) isSame = false;
      return previous;
    }
    isSame = false;
    return { ...previous, username, role, isHost, handle, aim, guestName };
  });
  return isSame ? state.participants : participants;
}

/** Updates the turns of a running session (T-15); when all who remain are done, the session ends (S-07). */
function withRoster(state: RoomState, previous: readonly string[], now: Instant): RoomState {
  const roster = rosterOf(state);
  if (areAllDone(state.participants)) return endRun(state, now);
  if (roster.length === previous.length && roster.every((name, i) => name === previous[i])) return state;
  return withEnd({ ...state, schedule: updateTurns(state.schedule, contextOf(state, now)) }, now);
}

/** One mute for each person, the one that ends last, without mutes that have ended. */
function mutesOf({ mutes }: SessionRecord, now: Instant): RoomMute[] {
  const muteOf = new Map<number, RoomMute>();
  for (const mute of mutes)
    if (isInForce(mute, now)) muteOf.set(mute.userId, joinMutes(muteOf.get(mute.userId), mute));
  return [...muteOf.values()];
}

function joinMutes(one: RoomMute | undefined, other: RoomMute): RoomMute {
  if (!one) return other;
  const { userId } = one;
  const [ofSession, ofHut] = one.endsWithSession ? [one, other] : [other, one];
  // Only a mute of the whole session ends with something else than a time.
  if (!ofSession.endsWithSession || ofHut.until === null)
    return { userId, until: laterEnd(one.until, other.until) };
  return { ...ofSession, afterwards: ofHut.until };
}
