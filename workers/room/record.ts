// The room's side of D1: reads the plan and the roster, writes the run and the texts back until D1 has them,
// and settles an ended session once. Use cases run the statements.

import { AppError, asAppError } from "~/domain/errors";
import { roomOfRecord, type Unrecorded, withRecord } from "~/domain/room-record";
import { statusAt } from "~/domain/session-status";
import { readRoomRecord, recordRoom } from "~/use-cases/sessions/room-record.server";
import { CLOSE } from "~/wire/room";
import type { RoomApp } from "../create-app";
import type { Chat } from "./chat";
import type { Keeper } from "./keeper";
import { logRoomError } from "./log";

export class RoomRecord {
  readonly #keeper: Keeper;
  readonly #chat: Chat;
  readonly #app: () => RoomApp;
  #work: Promise<unknown> = Promise.resolve();
  #nextRead: Promise<void> | null = null;
  #firstRead: Promise<void> | null = null;
  /** Whether D1 was read since the process started. Sockets survive hibernation, but no restart. */
  #isRead: boolean;

  constructor(keeper: Keeper, chat: Chat, app: () => RoomApp) {
    this.#keeper = keeper;
    this.#chat = chat;
    this.#app = app;
    this.#isRead = keeper.sockets.hasAny();
  }

  /**
   * Loads the room when it is empty. After a restart it reads D1 once more: a seat may have been taken or freed
   * during a crash without a notice to the room (L-06).
   */
  async load(sessionId: number): Promise<void> {
    const { kept } = this.#keeper;
    if (kept && (this.#isRead || kept.state.closedAt !== null)) return;
    this.#firstRead ??= this.read(sessionId).finally(() => {
      this.#firstRead = null;
    });
    if (!kept) return this.#firstRead;
    await this.#firstRead.catch((error: unknown) => this.#goOn(error));
  }

  /**
   * Reads D1 again. If D1 does not answer, the room continues with its last copy and retries on the next load.
   */
  readIfPossible(sessionId: number): Promise<void> {
    return this.read(sessionId).catch((error: unknown) => this.#goOn(error));
  }

  #goOn(error: unknown): void {
    if (asAppError(error).code !== "SERVER_ERROR") throw error;
    this.#isRead = false;
    logRoomError({ event: "room-not-read", session: this.#keeper.kept?.state.sessionId, error });
  }

  /** Reads D1 again. Calls that arrive before the read begins share it. */
  read(sessionId: number): Promise<void> {
    this.#nextRead ??= this.#inOrder(async () => {
      this.#nextRead = null;
      await this.#read(sessionId);
    });
    return this.#nextRead;
  }

  /** Writes what D1 lacks; answers whether D1 has everything now. On failure, the alarm retries. */
  write(): Promise<boolean> {
    return this.#inOrder(async () => {
      try {
        await this.#write();
        return true;
      } catch (error) {
        this.#keeper.failed();
        logRoomError({ event: "room-not-recorded", session: this.#keeper.kept?.state.sessionId, error });
        return false;
      } finally {
        this.#keeper.flush();
      }
    });
  }

  get isToWrite(): boolean {
    const { kept } = this.#keeper;
    if (!kept) return false;
    return (
      kept.unrecorded.size > 0 ||
      (statusAt(kept.state, this.#keeper.now()) === 2 && kept.state.closedAt === null)
    );
  }

  async #read(sessionId: number): Promise<void> {
    const keeper = this.#keeper;
    // First write what the room has and D1 lacks, or the read would overwrite it.
    if (keeper.kept && this.isToWrite) await this.#write();
    const record = await readRoomRecord(this.#app(), sessionId);
    if (!record) return this.#forget();
    this.#isRead = true;
    const { session, seats } = record;
    if (!keeper.kept) {
      keeper.begin(roomOfRecord(sessionId, session, seats, keeper.now()));
      keeper.upToDate();
      keeper.flush();
      return;
    }
    // A plan changed just now must apply before its start is reached.
    if (keeper.kept.state.runBegunAt !== null) keeper.upToDate();
    const { state, unrecorded } = keeper.need();
    const gone = state.participants.filter((one) => !seats.some((seat) => seat.userId === one.userId));
    const { state: next, topics } = withRecord(state, session, seats, unrecorded, keeper.now());
    const isRunning = state.runBegunAt !== null;
    if (topics.length > 0) keeper.commit(next, topics, isRunning ? topics : []);
    keeper.upToDate();
    keeper.flush();
    for (const person of gone) {
      keeper.sockets.closeUser(person.userId, CLOSE.notAllowed, "left");
      this.#chat.release(person.userId);
    }
    // The debt is saved before the call to D1, so that the alarm retries after a crash.
    keeper.flush();
    if (this.isToWrite) await this.#write();
    keeper.flush();
  }

  async #write(): Promise<void> {
    const keeper = this.#keeper;
    const state = keeper.upToDate();
    const at = keeper.need();
    const { chat, mirror } = apart(at.unrecorded);
    if (mirror.size > 0) {
      await recordRoom(this.#app(), { state: at.state, what: mirror });
      keeper.recorded(mirror, at);
    }
    if (chat && (await this.#chat.settleLeavers())) keeper.recorded(new Set(["chat"]), at);
    if (statusAt(state, keeper.now()) !== 2 || state.closedAt !== null) return;
    await this.#chat.settleAll();
    // If the session was reset meanwhile, it is no longer over.
    const current = keeper.upToDate();
    if (statusAt(current, keeper.now()) !== 2 || current.closedAt !== null) return;
    const closedAt = keeper.now();
    const closed = { ...current, closedAt, hasEnded: true, seq: current.seq + 1 };
    await recordRoom(this.#app(), { state: closed, what: new Set(["run"]) });
    // From here on no block can be reserved; a reservation under way is settled too.
    await this.#chat.settleAll();
    keeper.commit({ ...keeper.need().state, closedAt, hasEnded: true }, [], []);
  }

  /** The session was deleted. */
  async #forget(): Promise<never> {
    const keeper = this.#keeper;
    if (keeper.kept) {
      await this.#chat.settleAll();
      keeper.sockets.closeAll(CLOSE.unknown, "no such session");
    }
    await keeper.forget();
    throw new AppError("NOT_FOUND", "There is no such session.");
  }

  /** Runs work that calls D1 in sequence. */
  #inOrder<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#work.then(work, work);
    // The next work does not depend on this work; its caller receives the failure.
    this.#work = next.catch(() => {});
    return next;
  }
}

/** The ledger settles chat blocks; everything else is mirrored into the session's row. */
const apart = (unrecorded: ReadonlySet<Unrecorded>) => ({
  chat: unrecorded.has("chat"),
  mirror: new Set([...unrecorded].filter((what) => what !== "chat")),
});
