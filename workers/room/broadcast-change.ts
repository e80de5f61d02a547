// The frames that announce a change of a room's state to each kind of viewer.
import { outsiderView, stageView, viewLinkView } from "~/domain/room/outsider-view";
import type { RoomState, RoomTopic } from "~/domain/room/room";
import { operationsOf } from "~/wire/room/operations";
import { CLOSE } from "~/wire/room/room";
import type { Staged } from "./frames";
import type { RoomMemory } from "./memory";

export function broadcastChange(
  memory: RoomMemory,
  topics: readonly RoomTopic[],
  before: RoomState,
  after: RoomState,
): void {
  const { frames, hiding, sockets } = memory;
  const operations = operationsOf(topics, before, after, memory.now());
  const outsideState = outsiderView(after);
  frames.broadcast(
    operations,
    outsideState === after
      ? operations
      : operationsOf(topics, outsiderView(before), outsideState, memory.now()),
    hiding.changeForViewers(topics, before, after),
    stagedOperations(memory, topics, before, after),
  );
  if (topics.includes("mutes") || (topics.includes("participants") && after.mutes.length > 0))
    frames.sendToEach((listener) => ({ type: "mutes", mutes: hiding.mutesFor(listener) }));
  if (topics.includes("call")) announceNewCall(memory);
  if (topics.includes("access")) sockets.closeSpectators(CLOSE.changed, "reconnect");
}

/**
 * The operations for stages and view links. A changed roster also sends the parts, because hidden people's turns are
 * renamed.
 */
function stagedOperations(
  memory: RoomMemory,
  topics: readonly RoomTopic[],
  before: RoomState,
  after: RoomState,
): Staged {
  if (memory.sockets.stageCount === 0) return { open: [], linked: [] };
  const hiddenFrom = memory.hiding.everybody();
  const changedTopics = topics.includes("participants")
    ? [...new Set([...topics, "parts" as const])]
    : topics;
  const operationsIn = (view: (state: RoomState) => RoomState) =>
    operationsOf(changedTopics, view(before), view(after), memory.now());
  return {
    open: operationsIn((state) => stageView(state, hiddenFrom)),
    linked: operationsIn(viewLinkView).filter(({ type }) => type !== "participants"),
  };
}

/** Nobody is in a new call yet. Only people with a seat learn of it (J-04). */
function announceNewCall(memory: RoomMemory): void {
  memory.frames.broadcast([{ type: "call", call: memory.requireCurrent().state.call ?? null }], []);
  memory.presence.emptyCall();
  memory.flush();
}
