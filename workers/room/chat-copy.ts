// The copy of a room's chat outside the room: when it is due, and its contents.
import { type ChatCopy, nightAfter } from "~/domain/room/chat-copy";
import type { Instant } from "~/domain/time";
import type { RoomMemory } from "./memory";
import { STALE } from "./stored-room";

export class RoomCopy {
  readonly #memory: RoomMemory;
  /** Counts changes of lines that a copy may hold, to find those made while a copy is written. */
  #changes = 0;

  constructor(memory: RoomMemory) {
    this.#memory = memory;
  }

  get changes(): number {
    return this.#changes;
  }
  /** Records a change of a line that is on disk; null means that any line may have changed. */
  markChanged(line: number | null): void {
    const current = this.#memory.requireCurrent();
    const { copiedSeq } = current;
    if (line === null ? copiedSeq > 0 : line <= copiedSeq)
      this.#memory.update({ ...current, copiedSeq: STALE });
    this.#changes++;
  }

  get isIncomplete(): boolean {
    const { current } = this.#memory;
    return current !== null && current.chatSeq > current.copiedSeq;
  }
  /** True when the session is closed, the copy contains a line that has changed, or it is night. */
  get isDue(): boolean {
    const at = this.dueAt();
    return at !== null && at <= this.#memory.now();
  }
  /** When the chat must be copied; null when the copy is complete. */
  dueAt(): Instant | null {
    const { current } = this.#memory;
    if (current === null || !this.isIncomplete) return null;
    const { state, copiedSeq, uncopiedSince } = current;
    if (state.closedAt !== null || copiedSeq === STALE || uncopiedSince === null) return this.#memory.now();
    return nightAfter(uncopiedSince, state.sessionId);
  }

  /** Takes a copy of the chat; call `confirmStored` once it is stored. */
  take(): { copy: ChatCopy; confirmStored(): void } {
    const memory = this.#memory;
    memory.flush();
    const { state, people, chatSeq } = memory.requireCurrent();
    const { seq, sessionId } = state;
    const departed = [...people.values()].filter(({ isGone }) => isGone).map(({ person }) => person);
    const changes = this.#changes;
    return {
      copy: { sessionId, seq, gone: departed, ...memory.store.exportChat() },
      confirmStored: () => {
        const current = memory.requireCurrent();
        memory.update({
          ...current,
          copiedSeq: this.#changes === changes ? chatSeq : STALE,
          uncopiedSince: current.chatSeq > chatSeq ? memory.now() : null,
        });
        memory.alarm.succeeded();
        memory.flush();
      },
    };
  }
}
