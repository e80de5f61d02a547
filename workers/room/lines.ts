// The changes of a room's history: a new message or log, and the edit or removal of a chat line, each under its own `seq`.
import { beginningOf } from "~/domain/beginnings";
import { mentionsIn } from "~/domain/notices/mentions";
import { HOST_LINE_LENGTH } from "~/domain/room/host-line";
import type { AuthoredMessage } from "~/domain/sessions/chat";
import type { Operation } from "~/wire/room/room";
import type { LineChange, StoredLine } from "./line-store";
import type { RoomMemory } from "./memory";

export class RoomLines {
  readonly #memory: RoomMemory;

  constructor(memory: RoomMemory) {
    this.#memory = memory;
  }

  /** Adds a message or a log under the next `seq`. */
  add(authorId: number, build: (seq: number) => { line: StoredLine; operation: Operation }): void {
    const memory = this.#memory;
    const current = memory.requireCurrent();
    const seq = current.state.seq + 1;
    const { line, operation } = build(seq);
    const copyState =
      line.kind === "message"
        ? { chatSeq: seq, uncopiedSince: current.uncopiedSince ?? line.message.createdAt }
        : {};
    memory.update({ ...current, state: { ...current.state, seq }, ...copyState });
    memory.disk.addLine(line);
    if (line.kind === "message") this.queueMentions(line.message);
    memory.frames.broadcast([operation], [operation], memory.hiding.unlessHidden(authorId, operation));
  }

  /**
   * Queues the line's mentions for the notices of people whom no open socket reaches (N-26). `previousContent` is the text
   * of an edited line before the edit; its mentions are not queued again.
   */
  queueMentions({ seq, userId, username, content, createdAt }: AuthoredMessage, previousContent = ""): void {
    const memory = this.#memory;
    const previousMentions = mentionsIn(previousContent);
    const names = mentionsIn(content).filter((name) => !previousMentions.includes(name));
    if (names.length === 0) return;
    const { participants } = memory.requireCurrent().state;
    const presentIds = participants.flatMap((person) =>
      memory.presence.isPresent(person.userId) ? person.userId : [],
    );
    if (participants.every((person) => person.userId === userId || presentIds.includes(person.userId)))
      return;
    memory.disk.addExtraWrite(() =>
      memory.store.lines.addMention({ seq, userId, username, names, here: presentIds, at: createdAt }),
    );
    memory.addPendingWrite("mentions");
  }

  /** Edits or removes a line that is on disk, under the next `seq`. */
  change(authorId: number, build: (seq: number) => { change: LineChange; operation: Operation }): void {
    const memory = this.#memory;
    const current = memory.requireCurrent();
    const seq = current.state.seq + 1;
    const { change, operation } = build(seq);
    memory.update({ ...current, state: { ...current.state, seq }, chatSeq: seq });
    memory.copy.markChanged(change.line);
    memory.disk.addExtraWrite(() => memory.store.lines.changeLine(change));
    memory.frames.broadcast([operation], [operation], memory.hiding.unlessHidden(authorId, operation));
    this.#updateHostLine(change);
  }

  /** Editing or removing a chat line updates the host line made from it (J-12). */
  #updateHostLine(change: LineChange): void {
    const { state } = this.#memory.requireCurrent();
    if (state.line?.seq !== change.line) return;
    const content = change.type === "edited" ? beginningOf(change.content, HOST_LINE_LENGTH) : "";
    this.#memory.commit({ ...state, line: content === "" ? null : { ...state.line, content } }, ["line"], []);
  }
}
