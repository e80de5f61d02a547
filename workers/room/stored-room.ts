// The state of a room together with the versions of its rows, and the next such value after a change.

import { type ChatCopy, newestIn } from "~/domain/room/chat-copy";
import type { PendingWrite } from "~/domain/room/record";
import type { RoomParticipant, RoomState, RoomTopic } from "~/domain/room/room";
import type { BlockPair } from "~/domain/safety/blocks";
import type { Instant } from "~/domain/time";
import { pendingWritesOf } from "./pending-writes";

/** A participant's row. `seq`: the last change. `isGone` keeps the row of a leaver, for clients that missed it. */
export type StoredPerson = { person: RoomParticipant; seq: number; isGone: boolean };

/** The room as it is stored, and the parts of it that D1 lacks. */
export type StoredRoom = {
  state: RoomState;
  /** `seq` of the last change of the run and of the texts. */
  runSeq: number;
  textsSeq: number;
  people: ReadonlyMap<number, StoredPerson>;
  /** Pairs of people hidden from each other, and `seq` of the last change; -1: there was never a pair. */
  hiding: readonly BlockPair[];
  hidingSeq: number;
  /** The writes that D1 lacks: each is a row until D1 has answered. */
  pendingWrites: ReadonlySet<PendingWrite>;
  /** The newest chat line, edit or removal; 0: there is none. */
  chatSeq: number;
  /** The `chatSeq` of the copy outside the room; 0: there is no copy, STALE: a line in it has changed. */
  copiedSeq: number;
  /** When the first line was written that the copy lacks; null: it has all lines. */
  uncopiedSince: Instant | null;
};
export const STALE = -1;

/** The topics of the texts and of the people; the row of the run holds all others. */
const TOPICS_OF_OTHER_ROWS: ReadonlySet<RoomTopic> = new Set(["content", "summary", "participants"]);

/** The first value of a room without storage. A room that has lost its storage takes its chat from `copy`. */
export function firstStoredRoom(
  first: RoomState,
  hiding: readonly BlockPair[],
  copy: ChatCopy | null,
): StoredRoom {
  const seq = Math.max(first.seq, copy?.seq ?? 0);
  const state = { ...first, seq };
  const seated = stampPeople(new Map(), state.participants, seq);
  const departed = (copy?.gone ?? []).filter(({ userId }) => !seated.has(userId));
  const chatSeq = copy ? newestIn(copy) : 0;
  return {
    state,
    runSeq: seq,
    textsSeq: seq,
    people: new Map([
      ...seated,
      ...departed.map((person) => [person.userId, { person, seq, isGone: true }] as const),
    ]),
    hiding,
    hidingSeq: hiding.length > 0 ? seq : -1,
    pendingWrites: new Set(),
    chatSeq,
    copiedSeq: chatSeq,
    uncopiedSince: null,
  };
}

/**
 * The value after a change of `topics`, under the next `seq`. D1 now lacks the topics of `toRecord`, and a new
 * completion in any case.
 */
export function changedStoredRoom(
  previous: StoredRoom,
  changed: RoomState,
  topics: readonly RoomTopic[],
  toRecord: readonly RoomTopic[],
): StoredRoom {
  const seq = previous.state.seq + 1;
  const state = { ...changed, seq };
  const pendingWrites = new Set([
    ...previous.pendingWrites,
    ...pendingWritesOf(previous.state, state, toRecord),
  ]);
  const isTextNew = topics.includes("content") || topics.includes("summary");
  const arePeopleNew = previous.state.participants !== state.participants;
  // One commit may hold topics of several rows.
  const isRunNew = topics.some((topic) => !TOPICS_OF_OTHER_ROWS.has(topic)) || !(isTextNew || arePeopleNew);
  return {
    ...previous,
    state,
    runSeq: isRunNew ? seq : previous.runSeq,
    textsSeq: isTextNew ? seq : previous.textsSeq,
    people: arePeopleNew ? stampPeople(previous.people, state.participants, seq) : previous.people,
    // The object changes only with its members, so that `hasChangedRow` can compare by identity.
    pendingWrites: pendingWrites.size > previous.pendingWrites.size ? pendingWrites : previous.pendingWrites,
  };
}

/**
 * The people's rows after a change of the roster. A changed row gets the new `seq`; a leaver's row stays,
 * marked as gone.
 */
function stampPeople(
  before: ReadonlyMap<number, StoredPerson>,
  participants: readonly RoomParticipant[],
  seq: number,
): ReadonlyMap<number, StoredPerson> {
  const after = new Map(before);
  const seated = new Set<number>();
  for (const person of participants) {
    seated.add(person.userId);
    const personBefore = before.get(person.userId);
    if (personBefore?.person !== person || personBefore.isGone)
      after.set(person.userId, { person, seq, isGone: false });
  }
  for (const [userId, storedPerson] of before)
    if (!storedPerson.isGone && !seated.has(userId))
      after.set(userId, { ...storedPerson, seq, isGone: true });
  return after;
}

/** Whether a row on disk differs between `before` and `after`. */
export const hasChangedRow = (before: StoredRoom | null, after: StoredRoom): boolean =>
  before === null ||
  before.runSeq !== after.runSeq ||
  before.textsSeq !== after.textsSeq ||
  before.people !== after.people ||
  before.hidingSeq !== after.hidingSeq ||
  before.copiedSeq !== after.copiedSeq ||
  before.pendingWrites !== after.pendingWrites;
