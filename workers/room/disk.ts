// The writes of a room that are not on disk yet. `save` writes them atomically, and sets the alarm where it may have changed.
import type { StoredLine } from "./line-store";
import type { RoomMemory } from "./memory";
import { hasChangedRow, type StoredRoom } from "./stored-room";

export class RoomDisk {
  readonly #memory: RoomMemory;
  readonly #ctx: DurableObjectState;
  /** The state on disk. */
  #saved: StoredRoom | null;
  #lines: StoredLine[] = [];
  #extraWrites: (() => void)[] = [];

  constructor(memory: RoomMemory, ctx: DurableObjectState, saved: StoredRoom | null) {
    this.#memory = memory;
    this.#ctx = ctx;
    this.#saved = saved;
  }

  /** Adds a line to the next `save`. */
  addLine(line: StoredLine): void {
    this.#lines.push(line);
  }
  /** Runs `write` in the transaction of the next `save`, before the new lines. */
  addExtraWrite(write: () => void): void {
    this.#extraWrites.push(write);
  }

  save(): void {
    const { current, store, attendance, alarm } = this.#memory;
    if (!current) return;
    const saved = this.#saved;
    const hasChanges = hasChangedRow(saved, current);
    const [line] = this.#lines;
    const isSingleLine =
      !hasChanges && this.#lines.length === 1 && this.#extraWrites.length === 0 && attendance.isSaved;
    try {
      // A single row is atomic without a transaction, which costs as much as the row.
      if (line && isSingleLine) store.lines.addLine(line);
      else if (hasChanges || this.#lines.length + this.#extraWrites.length > 0)
        store.transaction(() => {
          if (hasChanges) store.write(saved, current);
          for (const extraWrite of this.#extraWrites) extraWrite();
          for (const newLine of this.#lines) store.lines.addLine(newLine);
          attendance.write();
        });
    } catch (error) {
      // Memory and disk differ: restart from the disk. Nothing unsaved was acknowledged.
      this.#ctx.abort(`not saved: ${String(error)}`);
      throw error;
    }
    const hasCopyDueChanged = saved?.uncopiedSince !== current.uncopiedSince;
    this.#saved = current;
    this.#lines = [];
    this.#extraWrites = [];
    if (hasChanges || hasCopyDueChanged || alarm.isKnown) alarm.set();
  }

  /** Drops the unsaved writes of a deleted session. */
  forget(): void {
    this.#saved = null;
    this.#lines = [];
    this.#extraWrites = [];
  }
}
