// Changes of a room's state by its people, which the rules decide (app/domain/room/change.ts).
import { AppError, errorAt } from "~/domain/errors";
import { applyChange } from "~/domain/room/change";
import type { RoomOutcome } from "~/domain/room/outcome";
import type { StateChange } from "~/domain/room/room";
import { superAdminAct } from "~/domain/room/super-admin-acts";
import { recordRoomAct } from "~/use-cases/room/record.server";
import type { RoomApp } from "../create-room-app";
import type { RoomMemory } from "./memory";

/** The marks that people set often. */
type Mark = Extract<StateChange, { type: "set-ready" | "set-hand" }>;
type Decided = Extract<RoomOutcome, { ok: true }>;

const FLIPPED_TOO_OFTEN = "Please wait a moment before you change your check again.";

export class RoomActs {
  readonly #memory: RoomMemory;
  readonly #app: () => RoomApp;
  /** The last of the acts that the audit records; the next one follows it. */
  #acting: Promise<unknown> = Promise.resolve();

  constructor(memory: RoomMemory, app: () => RoomApp) {
    this.#memory = memory;
    this.#app = app;
  }

  /**
   * The audit row of a super admin's act comes before the change. Such acts wait for each other, so that a repeat
   * finds the change made.
   */
  async act(change: Exclude<StateChange, Mark>): Promise<void> {
    const decided = this.#decide(change);
    if (
      decided.topics.length === 0 ||
      !superAdminAct(this.#memory.requireCurrent().state, change, this.#memory.now())
    )
      return this.#commit(decided);
    const acting = this.#acting.then(() => this.#actAudited(change));
    this.#acting = acting.catch(() => undefined);
    return acting;
  }
  async #actAudited(change: StateChange): Promise<void> {
    const { topics } = this.#decide(change);
    const { state } = this.#memory.requireCurrent();
    const act = superAdminAct(state, change, this.#memory.now());
    if (act && topics.length > 0 && "by" in change)
      await recordRoomAct(this.#app(), { state, act, by: change.by });
    this.#commit(this.#decide(change));
  }

  /** A ready mark or a hand. */
  mark(change: Mark): void {
    const decided = this.#decide(change);
    // A change without an effect does not count.
    if (decided.topics.length > 0 && !this.#memory.sockets.mayFlip(change.by.userId))
      throw new AppError("RATE_LIMITED", FLIPPED_TOO_OFTEN);
    this.#commit(decided);
  }

  #decide(change: StateChange): Decided {
    const state = this.#memory.upToDate();
    const outcome = applyChange(state, change, this.#memory.now(), this.#memory.presenceIn(state));
    if (outcome.ok) return outcome;
    const { code, sentence, fields = [], newer } = outcome;
    throw errorAt(code, sentence, fields, newer);
  }
  #commit({ state, topics }: Decided): void {
    if (topics.length > 0) this.#memory.commit(state, topics, topics);
  }
}
