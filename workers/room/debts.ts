// The debts of a room to D1: those of a change, and those that a write has paid (L-05).

import type { Unrecorded } from "~/domain/room/record";
import type { RoomState, RoomTopic } from "~/domain/room/room";
import type { LineStore } from "./line-store";
import type { StoredRoom } from "./store";

const UNRECORDED_OF: Record<RoomTopic, Unrecorded | null> = {
  status: "parts",
  parts: "parts",
  content: "texts",
  summary: "texts",
  "slow-mode": null,
  mutes: null,
  participants: null,
  access: null,
  "needs-host": null,
  facts: null,
};

/** The debts of a change that touches `topics`. A new completion is always owed. */
export function debtsOf(before: RoomState, after: RoomState, topics: readonly RoomTopic[]): Unrecorded[] {
  const debts: Unrecorded[] = [];
  for (const topic of topics) {
    const what = UNRECORDED_OF[topic];
    if (what) debts.push(what === "parts" && areDatesNew(before, after) ? "run" : what);
  }
  if (isCompletionNew(before, after)) debts.push("people");
  if (before.contributions !== after.contributions) debts.push("contributions");
  if (after.startedBy != null && before.startedBy == null) debts.push("start");
  return debts;
}

/** D1 has `what` as it was in `at`; a change since then is still owed. */
export function isPaid(what: Unrecorded, at: StoredRoom, current: StoredRoom, lines: LineStore): boolean {
  switch (what) {
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
      return what satisfies never;
  }
}

const areDatesNew = (before: RoomState, after: RoomState): boolean =>
  before.startedAt !== after.startedAt ||
  before.endedAt !== after.endedAt ||
  before.closedAt !== after.closedAt;

function isCompletionNew(before: RoomState, after: RoomState): boolean {
  if (before.participants === after.participants) return false;
  const known = new Map(before.participants.map((person) => [person.userId, person]));
  return after.participants.some((person) => {
    const was = known.get(person.userId);
    return was !== undefined && was !== person && was.completedAt !== person.completedAt;
  });
}
