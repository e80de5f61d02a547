// The debts of a room to D1: those of a change, and those that a write has paid (L-05).

import type { PendingWrite } from "~/domain/room/record";
import type { RoomState, RoomTopic } from "~/domain/room/room";
import type { LineStore } from "./line-store";
import type { StoredRoom } from "./store";

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

/** The debts of a change that touches `topics`. A new completion is always owed. */
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

/** D1 has `pendingWrite` as it was in `at`; a change since then is still owed. */
export function isWritten(
  pendingWrite: PendingWrite,
  at: StoredRoom,
  current: StoredRoom,
  lines: LineStore,
): boolean {
  switch (pendingWrite) {
    case "run":
    case "parts":
      return current.runSeq === at.runSeq;
    case "texts":
      return current.textsSeq === at.textsSeq;
    case "contributions":
      return current.state.contributions === at.state.contributions;
    case "people":
      return current.people === at.people;
    // Written once. A settlement of chat covers all that was owed.
    case "start":
    case "chat":
      return true;
    // A line may have come meanwhile.
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
