// Keeps a room and D1 consistent, through use cases. It reads the plan and the roster, writes the run and the texts
// back, and settles an ended session once.

import { AppError, asAppError } from "~/domain/errors";
import { type PendingWrite, roomOfRecord, withRecord } from "~/domain/room/record";
import type { MarkedLog, RoomState } from "~/domain/room/room";
import { recapOf } from "~/domain/room/tally";
import type { Recap } from "~/domain/sessions/recap";
import { SESSION_STATUS, statusAt } from "~/domain/sessions/status";
import {
  readMarkedLogs,
  readRoomBlocks,
  readRoomRecord,
  recordAbsentHost,
  recordChatMentions,
  recordRoom,
} from "~/use-cases/room/record.server";
import { dropMarks } from "~/use-cases/sessions/log-marks.server";
import { CLOSE } from "~/wire/room/room";
import type { RoomApp } from "../create-room-app";
import type { Chat } from "./chat";
import { logRoomError } from "./log";
import { correctLogs } from "./marked-logs";
import type { RoomMemory } from "./memory";
import type { StoredRoom } from "./stored-room";

/** Lines with mentions that one batch records. */
const MENTIONS_PER_BATCH = 20;

export class RoomRecord {
  readonly #memory: RoomMemory;
  readonly #chat: Chat;
  readonly #app: () => RoomApp;
  readonly #onHidingChanged: (userIds: readonly number[]) => void;
  /** The last work that calls D1; the next work waits for it. */
  #lastWork: Promise<unknown> = Promise.resolve();
  #nextRead: Promise<void> | null = null;
  #firstRead: Promise<void> | null = null;
  /**
   * Whether D1 was read since the last restart. Sockets survive hibernation but no restart, so a room with sockets has
   * read it.
   */
  #hasReadD1: boolean;

  constructor(
    memory: RoomMemory,
    chat: Chat,
    app: () => RoomApp,
    onHidingChanged: (userIds: readonly number[]) => void,
  ) {
    this.#memory = memory;
    this.#onHidingChanged = onHidingChanged;
    this.#chat = chat;
    this.#app = app;
    this.#hasReadD1 = memory.sockets.count > 0;
  }

  /**
   * Loads the room when it is empty. After a restart it reads D1 once more, because the crash may have prevented a
   * notice about a seat (L-06).
   */
  async load(sessionId: number): Promise<void> {
    const { current } = this.#memory;
    if (current && this.#hasReadD1) return;
    const isClosed = current !== null && current.state.closedAt !== null;
    // A closed room no longer reads its plan.
    this.#firstRead ??= (isClosed ? this.followLogs() : this.read(sessionId)).finally(() => {
      this.#firstRead = null;
    });
    if (!current) return this.#firstRead;
    await this.#firstRead.catch((error: unknown) => this.#continueWithoutD1(error));
  }

  /**
   * Reads D1 again. If D1 does not answer, the room continues with its last copy and retries on the next load.
   */
  readIfPossible(sessionId: number): Promise<void> {
    return this.read(sessionId).catch((error: unknown) => this.#continueWithoutD1(error));
  }

  #continueWithoutD1(error: unknown): void {
    if (asAppError(error).code !== "SERVER_ERROR") throw error;
    this.#hasReadD1 = false;
    logRoomError({ event: "room-not-read", session: this.#memory.current?.state.sessionId, error });
  }

  /** Reads D1 again. Calls that arrive before the read begins share it. */
  read(sessionId: number): Promise<void> {
    this.#nextRead ??= this.#inSequence(async () => {
      this.#nextRead = null;
      try {
        await this.#read(sessionId);
      } catch (error) {
        if (this.#isD1WriteDue) this.#memory.alarm.failed();
        this.#memory.flush();
        throw error;
      }
    });
    return this.#nextRead;
  }

  /** Corrects the logs that have a mark in D1. */
  followLogs(): Promise<void> {
    return this.#inSequence(async () => {
      const { sessionId } = this.#memory.requireCurrent().state;
      await this.#correct(await readMarkedLogs(this.#app(), sessionId));
      if (this.#memory.requireCurrent().state.closedAt !== null) this.#hasReadD1 = true;
    });
  }
  async #correct(marks: readonly MarkedLog[]): Promise<void> {
    if (marks.length === 0) return;
    correctLogs(this.#memory, marks);
    await dropMarks(this.#app(), { sessionId: this.#memory.requireCurrent().state.sessionId, marks });
  }

  /** Writes what D1 and the copy lack; answers whether they have everything now. On failure, the alarm retries. */
  write(): Promise<boolean> {
    return this.#inSequence(async () => {
      try {
        await this.#write();
        if (this.#memory.copy.isDue) await this.#copyChat();
        return true;
      } catch (error) {
        this.#memory.alarm.failed();
        logRoomError({ event: "room-not-recorded", session: this.#memory.current?.state.sessionId, error });
        return false;
      } finally {
        this.#memory.flush();
      }
    });
  }

  /** Copies the chat now, if the copy lacks a line. */
  copyChat(): Promise<void> {
    return this.#inSequence(() => this.#copyChat());
  }

  get isWriteDue(): boolean {
    return this.#isD1WriteDue || this.#memory.copy.isDue;
  }
  get #isD1WriteDue(): boolean {
    const { current } = this.#memory;
    if (!current) return false;
    return (
      current.pendingWrites.size > 0 ||
      (statusAt(current.state, this.#memory.now()) === SESSION_STATUS.ended &&
        current.state.closedAt === null)
    );
  }

  /** Reads only the blocks, for a closed room. If D1 does not answer, the room keeps its last copy. */
  async readHiding(sessionId: number): Promise<void> {
    const input = { sessionId, gone: this.#departedIds() };
    const pairs = await readRoomBlocks(this.#app(), input).catch((error: unknown) => {
      logRoomError({ event: "room-not-read", session: sessionId, error });
      return null;
    });
    if (pairs === null) return;
    const affectedIds = this.#memory.hiding.set(pairs);
    this.#memory.flush();
    this.#onHidingChanged(affectedIds);
  }

  /** People who had a seat and left. */
  listDeparted(): { userId: number; username: string }[] {
    const people = this.#memory.current?.people.values() ?? [];
    return [...people].flatMap(({ isGone, person: { userId, username } }) =>
      isGone ? [{ userId, username }] : [],
    );
  }

  #departedIds(): number[] {
    return this.listDeparted().map(({ userId }) => userId);
  }

  async #read(sessionId: number): Promise<void> {
    const memory = this.#memory;
    // First write what the room has and D1 lacks, or the read would overwrite it.
    if (memory.current) await this.#writeIfDue();
    const record = await readRoomRecord(this.#app(), { sessionId, gone: this.#departedIds() });
    if (!record) return this.#forget(sessionId);
    this.#hasReadD1 = true;
    const { session, seats, hiding, marked } = record;
    if (!memory.current) {
      const copy = session.roomVersion > 0 ? await this.#app().copies.getChat(sessionId) : null;
      const copiedDepartedIds = copy?.gone.map(({ userId }) => userId) ?? [];
      const pairs =
        copiedDepartedIds.length > 0
          ? await readRoomBlocks(this.#app(), { sessionId, gone: copiedDepartedIds })
          : hiding;
      memory.begin(roomOfRecord(sessionId, session, seats, memory.now()), pairs, copy);
      memory.clock.catchUp();
      memory.flush();
      return this.#correct(marked);
    }
    await this.#correct(marked);
    // A plan changed just now must apply before its start is reached.
    if (memory.current.state.runBegunAt !== null) memory.clock.catchUp();
    const { state, pendingWrites } = memory.requireCurrent();
    const departed = state.participants.filter(
      (person) => !seats.some((seat) => seat.userId === person.userId),
    );
    // The blocks are set before the roster is broadcast, because a newcomer may be hidden from somebody. This read
    // leaves out the blocks of people who have just left, but their lines stay hidden.
    const departedIds = new Set(departed.map(({ userId }) => userId));
    const pairsOfDeparted = memory
      .requireCurrent()
      .hiding.filter(({ userId, blockedId }) => departedIds.has(userId) || departedIds.has(blockedId));
    const affectedIds = memory.hiding.set([...hiding, ...pairsOfDeparted]);
    const { state: next, topics } = withRecord(state, session, seats, pendingWrites, memory.now());
    const isRunning = state.runBegunAt !== null;
    if (topics.length > 0) memory.commit(next, topics, isRunning ? topics : []);
    memory.clock.catchUp();
    memory.flush();
    this.#onHidingChanged(affectedIds);
    for (const person of departed) {
      memory.sockets.closeUser(person.userId, CLOSE.notAllowed, "left");
      this.#recordGivenUpSeat(person.userId);
      this.#chat.blocks.release(person.userId);
    }
    // The pending writes are saved before the call to D1, so that they survive a crash.
    memory.flush();
    await this.#writeIfDue();
    memory.flush();
  }

  /** Records that this person gave up the seat. Before the start, that does not count as a missed session (G-26). */
  #recordGivenUpSeat(userId: number): void {
    const memory = this.#memory;
    if (statusAt(memory.requireCurrent().state, memory.now()) === SESSION_STATUS.running)
      memory.attendance.recordGivenUpSeat(userId);
  }

  async #writeIfDue(): Promise<void> {
    if (this.#isD1WriteDue) await this.#write();
  }

  async #write(): Promise<void> {
    const memory = this.#memory;
    const state = memory.clock.catchUp();
    const roomBefore = memory.requireCurrent();
    const { pendingWrites } = roomBefore;
    const writes = writesToRecord(roomBefore);
    if (writes.size > 0) {
      await recordRoom(this.#app(), {
        state: roomBefore.state,
        pending: writes,
        online: memory.presence.online(),
      });
      memory.removePendingWrites(writes, roomBefore);
    }
    if (pendingWrites.has("mentions")) await this.#recordMentions();
    if (pendingWrites.has("chat") && (await this.#chat.blocks.settleLeavers()))
      memory.removePendingWrites(new Set(["chat"]), roomBefore);
    if (statusAt(state, memory.now()) !== SESSION_STATUS.ended || state.closedAt !== null) return;
    await this.#chat.blocks.settleAll();
    // If the session was reset meanwhile, it is no longer over.
    const current = memory.clock.catchUp();
    if (statusAt(current, memory.now()) !== SESSION_STATUS.ended || current.closedAt !== null) return;
    const isCancelled = current.cancelledStart != null;
    const closedAt = (isCancelled ? current.endedAt : null) ?? memory.now();
    const closedState = { ...current, closedAt, hasEnded: true, seq: current.seq + 1 };
    if (isCancelled) await recordAbsentHost(this.#app(), closedState);
    else
      await recordRoom(this.#app(), {
        state: closedState,
        // This write raises the version in D1, so it must contain all changes before it.
        pending: new Set(["run", ...writesToRecord(memory.requireCurrent())]),
        recap: this.#recapOf(closedState),
      });
    // The run is closed in D1 now, so no more blocks can be reserved. This settles a reservation that was under way.
    await this.#chat.blocks.settleAll();
    memory.commit({ ...memory.requireCurrent().state, closedAt, hasEnded: true }, [], []);
    // A view link ends with its session; a series' link then shows the next session (J-10).
    memory.sockets.closeSpectators(CLOSE.changed, "ended", "isLinked");
  }

  /** The recap of the room in this final state; null if the session never ran. It flushes first, because it counts rows. */
  #recapOf(state: RoomState): Recap | null {
    const memory = this.#memory;
    memory.flush();
    const presence = memory.attendance.list();
    return recapOf(state, {
      presence,
      gone: this.#departedIds(),
      lines: memory.store.lines.countMessages(),
    });
  }

  /** Moves the queued mentions to D1. A repeat is harmless, because each line has its own event. */
  async #recordMentions(): Promise<void> {
    const memory = this.#memory;
    memory.flush();
    for (;;) {
      const mentions = memory.store.lines.listMentions(MENTIONS_PER_BATCH);
      const last = mentions.at(-1);
      if (last === undefined) break;
      await recordChatMentions(this.#app(), memory.requireCurrent().state, mentions);
      memory.store.lines.dropMentions(last.seq);
      memory.flush();
    }
    memory.removePendingWrites(new Set(["mentions"]), memory.requireCurrent());
  }

  async #copyChat(): Promise<void> {
    if (!this.#memory.copy.isIncomplete) return;
    const { copy, confirmStored } = this.#memory.copy.take();
    await this.#app().copies.putChat(copy);
    confirmStored();
  }

  /** The session was deleted. */
  async #forget(sessionId: number): Promise<never> {
    const memory = this.#memory;
    if (memory.current) {
      await this.#chat.blocks.settleAll();
      memory.sockets.closeAll(CLOSE.unknown, "no such session");
    }
    await this.#app().copies.deleteChat(sessionId);
    await memory.forget();
    throw new AppError("NOT_FOUND", "There is no such session.");
  }

  /** Runs work that calls D1 in sequence. */
  #inSequence<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#lastWork.then(work, work);
    // The work's own caller receives a failure, so it must not fail the work after it.
    this.#lastWork = next.catch(() => {});
    return next;
  }
}

/** The writes of `recordRoom`. Chat blocks are settled in the ledger, and mentions become events. */
const writesToRecord = ({ pendingWrites }: StoredRoom): Set<PendingWrite> =>
  new Set(
    [...pendingWrites].filter((pendingWrite) => pendingWrite !== "chat" && pendingWrite !== "mentions"),
  );
