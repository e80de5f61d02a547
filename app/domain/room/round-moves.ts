// The host's control of running parts, and the steps of a round in a live room. Pure.

import type { RunContext } from "~/domain/schedule/advance";
import type { RoundPresence } from "~/domain/schedule/round";
import { endRound, nextTurn, passTurn, putPartsBack } from "~/domain/schedule/run";
import { scheduleSentence } from "~/domain/schedule/sentences";
import { type Edit, type Part, partsInOrder, type Schedule } from "~/domain/schedule/shape";
import { type Instant, plusMillis } from "~/domain/time";
import { contextOf } from "./advance";
import {
  accept,
  acceptWithEnd,
  type RoomOutcome,
  refuse,
  refuseUnlessRunner,
  refuseUnlessRunning,
} from "./outcome";
import { NOT_JOINED, ROUND_UNDO, type RoomActor, type RoomState, type StateChange, seatOf } from "./room";

/** A host's or admin's action on the running schedule. */
export function controlPart(
  state: RoomState,
  { by: actor, partId }: { by: RoomActor; partId: string },
  now: Instant,
  apply: (ctx: RunContext) => Edit,
): RoomOutcome {
  const refused = refuseUnlessRunner(state, actor) ?? refuseUnlessRunning(state, partId, now);
  if (refused) return refused;
  const edit = apply(contextOf(state, now));
  if (!edit.ok) return refuse("CONFLICT", scheduleSentence(edit));
  return acceptWithEnd(state, { ...state, schedule: edit.schedule }, now, "parts");
}

/** The speaker passes the turn. Host and admins go to the next turn, end the round, and undo either step. */
export function moveRound(
  state: RoomState,
  change: Extract<StateChange, { type: "move-round" }>,
  now: Instant,
  presence: RoundPresence | undefined,
): RoomOutcome {
  const { move, partId, speaker } = change;
  switch (move) {
    case "pass":
      return passOwnTurn(state, change, contextOf(state, now, presence));
    case "undo":
      return undoRound(state, change, now);
    case "next":
    case "end-round": {
      const outcome = controlPart(state, change, now, () => {
        const ctx = contextOf(state, now, presence);
        return move === "next"
          ? nextTurn(state.schedule, partId, ctx, speaker)
          : endRound(state.schedule, partId, ctx);
      });
      if (!outcome.ok) return outcome;
      const parts = changedParts(state.schedule, outcome.state.schedule);
      // A repeat or a late press: the turn is over already.
      if (!parts.some(({ id }) => id === partId)) return accept(state);
      const { endedAt, partsEndAt, tally } = state;
      const undo = { partId, until: plusMillis(now, ROUND_UNDO), parts, endedAt, partsEndAt, tally };
      return { ...outcome, state: { ...outcome.state, undo } };
    }
    default:
      return move satisfies never;
  }
}

/** The parts that differ, as they were before. */
function changedParts(before: Schedule, after: Schedule): Part[] {
  const partsAfter = new Map(partsInOrder(after).map((part) => [part.id, part]));
  return partsInOrder(before).filter(
    (part) => JSON.stringify(partsAfter.get(part.id)) !== JSON.stringify(part),
  );
}

export function passOwnTurn(
  state: RoomState,
  { by: actor, partId }: { by: RoomActor; partId: string },
  ctx: RunContext,
): RoomOutcome {
  const seat = seatOf(state, actor);
  if (!seat) return refuse("FORBIDDEN", NOT_JOINED);
  const refused = refuseUnlessRunning(state, partId, ctx.now);
  if (refused) return refused;
  const edit = passTurn(state.schedule, partId, ctx, seat.username);
  if (!edit.ok) return refuse(edit.code === "not-speaker" ? "FORBIDDEN" : "CONFLICT", scheduleSentence(edit));
  return acceptWithEnd(state, { ...state, schedule: edit.schedule }, ctx.now, "parts");
}

/** Restores the instants from before the step. The roster keeps later joins and leaves. */
function undoRound(
  state: RoomState,
  { by: actor, partId }: { by: RoomActor; partId: string },
  now: Instant,
): RoomOutcome {
  const { undo } = state;
  const refused = refuseUnlessRunner(state, actor) ?? refuseUnlessRunning(state, partId, now);
  if (refused) return refused;
  if (undo == null || undo.partId !== partId || now > undo.until)
    return refuse("CONFLICT", "This cannot be taken back any more.");
  const { endedAt, partsEndAt, tally = {}, parts } = undo;
  const schedule = putPartsBack(state.schedule, parts, contextOf(state, now));
  return acceptWithEnd(
    state,
    { ...state, schedule, endedAt, partsEndAt: partsEndAt ?? null, tally, undo: null },
    now,
    "parts",
  );
}
