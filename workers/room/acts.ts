// Applies people's changes to a room's state. The rules are in app/domain/room/change.ts.
import { AppError, errorAt } from "~/domain/errors";
import { applyChange } from "~/domain/room/change";
import type { RoomOutcome } from "~/domain/room/outcome";
import type { StateChange } from "~/domain/room/room";
import { superAdminAct } from "~/domain/room/super-admin-acts";
import { recordRoomAct } from "~/use-cases/room/record.server";
import type { RoomApp } from "../create-room-app";
import type { RoomMemory } from "./memory";

/** A ready mark or a raised hand. People flip them often, and no audit records them. */
type MarkChange = Extract<StateChange, { type: "set-ready" | "set-hand" }>;
type AcceptedChange = Extract<RoomOutcome, { ok: true }>;

const FLIPPED_TOO_OFTEN = "Please wait a moment before you change your check again.";

export class RoomActs {
  readonly #memory: RoomMemory;
  readonly #app: () => RoomApp;
  /** The last act that the audit records; the next such act waits for it. */
  #lastAuditedAct: Promise<unknown> = Promise.resolve();

  constructor(memory: RoomMemory, app: () => RoomApp) {
    this.#memory = memory;
    this.#app = app;
  }

  /**
   * Applies the change. The audit row of a super admin's act is written first. Such acts run in sequence, so that
   * a repeated act sees the change and has no effect.
   */
  async act(change: Exclude<StateChange, MarkChange>): Promise<void> {
    const accepted = this.#decide(change);
    if (
      accepted.topics.length === 0 ||
      !superAdminAct(this.#memory.requireCurrent().state, change, this.#memory.now())
    )
      return this.#commit(accepted);
    const auditedAct = this.#lastAuditedAct.then(() => this.#actAudited(change));
    this.#lastAuditedAct = auditedAct.catch(() => undefined);
    return auditedAct;
  }
  async #actAudited(change: StateChange): Promise<void> {
    const { topics } = this.#decide(change);
    const { state } = this.#memory.requireCurrent();
    const act = superAdminAct(state, change, this.#memory.now());
    if (act && topics.length > 0 && "by" in change)
      await recordRoomAct(this.#app(), { state, act, by: change.by });
    this.#commit(this.#decide(change));
  }

  /** Sets a ready mark or a hand. RATE_LIMITED when the person changes them too often. */
  mark(change: MarkChange): void {
    const accepted = this.#decide(change);
    // A change without an effect does not count.
    if (accepted.topics.length > 0 && !this.#memory.sockets.takeFlip(change.by.userId))
      throw new AppError("RATE_LIMITED", FLIPPED_TOO_OFTEN);
    this.#commit(accepted);
  }

  #decide(change: StateChange): AcceptedChange {
    const state = this.#memory.clock.catchUp();
    const outcome = applyChange(state, change, this.#memory.now(), this.#memory.clock.presenceIn(state));
    if (outcome.ok) return outcome;
    const { code, sentence, fields = [], newer } = outcome;
    throw errorAt(code, sentence, fields, newer);
  }
  #commit({ state, topics }: AcceptedChange): void {
    if (topics.length > 0) this.#memory.commit(state, topics, topics);
  }
}
