// The room and its record: the plan and the roster are read from it, the run and the texts are written back until it has
// them, and a session that is over is settled once. Use cases run the statements.

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
  /** The record was read since the process started. Sockets outlive hibernation, and no restart. */
  #isRead: boolean;

  constructor(keeper: Keeper, chat: Chat, app: () => RoomApp) {
    this.#keeper = keeper;
    this.#chat = chat;
    this.#app = app;
    this.#isRead = keeper.sockets.hasAny();
  }

  /**
   * Loads the room when it knows nothing. After a restart it reads the record once more: a seat may have been taken or freed
   * in the moment of a crash, and nobody told the room (L-06).
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

  /** Reads again; without an answer of D1 the room goes on with what it last heard, and asks the next time it is loaded. */
  readIfPossible(sessionId: number): Promise<void> {
    return this.read(sessionId).catch((error: unknown) => this.#goOn(error));
  }

  #goOn(error: unknown): void {
    if (asAppError(error).code !== "SERVER_ERROR") throw error;
    this.#isRead = false;
    logRoomError({ event: "room-not-read", session: this.#keeper.kept?.state.sessionId, error });
  }

  /** Reads again. Asked many times before it begins, it reads once. */
  read(sessionId: number): Promise<void> {
    this.#nextRead ??= this.#inOrder(async () => {
      this.#nextRead = null;
      await this.#read(sessionId);
    });
    return this.#nextRead;
  }

  /** Writes what the record does not have; answers whether it has everything now. The alarm tries again. */
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
    // What the room has and the record lacks goes there first.
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
    // A plan that has just changed counts before its start does.
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
    // The debt is saved before D1 is asked, so that the alarm tries again.
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
    // Put back meanwhile: it is not over any more.
    const current = keeper.upToDate();
    if (statusAt(current, keeper.now()) !== 2 || current.closedAt !== null) return;
    const closedAt = keeper.now();
    const closed = { ...current, closedAt, hasEnded: true, seq: current.seq + 1 };
    await recordRoom(this.#app(), { state: closed, what: new Set(["run"]) });
    // From here on no block can be made; one that was just being made is settled too.
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

  /** One after another: what must wait for D1. */
  #inOrder<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#work.then(work, work);
    // The next one in line does not depend on this one; its caller hears of a failure.
    this.#work = next.catch(() => {});
    return next;
  }
}

/** Chat blocks are settled by the ledger; everything else is mirrored into the session's row. */
const apart = (unrecorded: ReadonlySet<Unrecorded>) => ({
  chat: unrecorded.has("chat"),
  mirror: new Set([...unrecorded].filter((what) => what !== "chat")),
});
