// The writes that D1 lacks of a room: those that a change causes, and those that a write has completed (L-05).

import type { PendingWrite } from "~/domain/room/record";
import type { RoomState, RoomTopic } from "~/domain/room/room";
import type { LineStore } from "./line-store";
import type { StoredRoom } from "./stored-room";

/** The write that a change of each topic needs; null: D1 does not store the topic, or has it already. */
const PENDING_WRITE_OF: Record<RoomTopic, PendingWrite | null> = {
  status: "parts",
  parts: "parts",
  content: "texts",
  summary: "texts",
  "slow-mode": null,
  line: null,
  reactions: null,
  call: null,
  mutes: null,
  participants: null,
  access: null,
  "needs-host": null,
  facts: null,
};

/** The writes that a change of `topics` causes. A new completion, contribution or start always causes one. */
export function pendingWritesOf(
  before: RoomState,
  after: RoomState,
  topics: readonly RoomTopic[],
): PendingWrite[] {
  const writes: PendingWrite[] = [];
  for (const topic of topics) {
    const pendingWrite = PENDING_WRITE_OF[topic];
    if (pendingWrite)
      writes.push(pendingWrite === "parts" && areDatesNew(before, after) ? "run" : pendingWrite);
  }
  if (isCompletionNew(before, after)) writes.push("people");
  if (before.contributions !== after.contributions) writes.push("contributions");
  if (after.startedBy != null && before.startedBy == null) writes.push("start");
  return writes;
}

/** D1 has `pendingWrite` as it was in `written`; false when it has changed since. */
export function isWritten(
  pendingWrite: PendingWrite,
  written: StoredRoom,
  current: StoredRoom,
  lines: LineStore,
): boolean {
  switch (pendingWrite) {
    case "run":
    case "parts":
      return current.runSeq === written.runSeq;
    case "texts":
      return current.textsSeq === written.textsSeq;
    case "contributions":
      return current.state.contributions === written.state.contributions;
    case "people":
      return current.people === written.people;
    // A start is written once, and a settlement of the chat covers everything that was due.
    case "start":
    case "chat":
      return true;
    // A line with a mention may have been added meanwhile.
    case "mentions":
      return lines.listMentions(1).length === 0;
    default:
      return pendingWrite satisfies never;
  }
}

const areDatesNew = (before: RoomState, after: RoomState): boolean =>
  before.startedAt !== after.startedAt ||
  before.endedAt !== after.endedAt ||
  before.closedAt !== after.closedAt;

function isCompletionNew(before: RoomState, after: RoomState): boolean {
  if (before.participants === after.participants) return false;
  const peopleBefore = new Map(before.participants.map((person) => [person.userId, person]));
  return after.participants.some((person) => {
    const personBefore = peopleBefore.get(person.userId);
    return (
      personBefore !== undefined && personBefore !== person && personBefore.completedAt !== person.completedAt
    );
  });
}
