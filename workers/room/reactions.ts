// The reactions of a room (J-06): counted in memory for a quarter of a second, sent as one operation, never stored.
import { AppError } from "~/domain/errors";
import type { RoomActor } from "~/domain/room/room";
import { type Reaction, type ReactionCounts, reactionRefusal } from "~/domain/room/signals";
import { SECOND } from "~/domain/time";
import type { RoomMemory } from "./memory";
import { Pace } from "./pace";

const GATHER_MS = 250;
/** Presses of one person that count in a second; further presses are ignored. */
const COUNTED_PER_SECOND = 5;

export class Reactions {
  readonly #memory: RoomMemory;
  readonly #pace = new Pace(COUNTED_PER_SECOND, SECOND);
  #counts: ReactionCounts | null = null;

  constructor(memory: RoomMemory) {
    this.#memory = memory;
  }

  take(actor: RoomActor, reaction: Reaction): void {
    const refusal = reactionRefusal(this.#memory.clock.catchUp(), actor, this.#memory.now());
    if (refusal) throw new AppError(refusal.code, refusal.sentence);
    if (!this.#pace.take(actor.userId, Date.now())) return;
    if (this.#counts === null) setTimeout(() => this.#broadcastCounts(), GATHER_MS);
    this.#counts = { ...this.#counts, [reaction]: (this.#counts?.[reaction] ?? 0) + 1 };
  }

  /** Sends the counts only to people with a seat, because spectators do not see how participants react. */
  #broadcastCounts(): void {
    const counts = this.#counts;
    this.#counts = null;
    if (counts) this.#memory.frames.broadcast([{ type: "reacted", counts }], []);
  }
}
