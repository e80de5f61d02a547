// The room and the record in D1: the plan and the roster are read from it, the run and the texts are written back to it
// until it has them, and a session that is over is settled once.
import { connect, type Database, runBatch } from "#db/connect.server";
import { findHostText, findRoomSession, listRoomParticipants, mirrorRoom } from "#db/queries/rooms";
import { AppError, asAppError } from "~/domain/errors";
import { roomStatus } from "~/domain/room";
import { roomOfRecord, type SeatRecord, withRecord } from "~/domain/room-record";
import { CLOSE } from "~/wire/room";
import type { Env } from "../env";
import type { Chat } from "./chat";
import type { Keeper } from "./keeper";

export class RoomRecord {
  readonly #keeper: Keeper;
  readonly #chat: Chat;
  readonly #env: Env;
  #work: Promise<unknown> = Promise.resolve();
  #nextRead: Promise<void> | null = null;
  #firstRead: Promise<void> | null = null;
  /** The record was read since the process started. Sockets outlive hibernation, and no restart. */
  #isRead: boolean;

  constructor(keeper: Keeper, chat: Chat, env: Env) {
    this.#keeper = keeper;
    this.#chat = chat;
    this.#env = env;
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
    try {
      await this.#firstRead;
    } catch (error) {
      // D1 does not answer: the room goes on with what it last heard, and asks again next time.
      if (asAppError(error).code !== "SERVER_ERROR") throw error;
      console.error(JSON.stringify({ event: "room-not-read", session: sessionId, error: String(error) }));
    }
  }

  /** Reads anew. Asked many times before it begins, it reads once. */
  read(sessionId: number): Promise<void> {
    this.#nextRead ??= this.#inOrder(async () => {
      this.#nextRead = null;
      await this.#read(sessionId);
    });
    return this.#nextRead;
  }

  /** Writes what the record does not have; answers whether it has everything now. */
  write(): Promise<boolean> {
    return this.#inOrder(async () => {
      try {
        await this.#write();
        return true;
      } catch (error) {
        this.#keeper.failed();
        console.error(JSON.stringify({ event: "room-not-recorded", error: String(error) }));
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
      (roomStatus(kept.state, this.#keeper.now()) === 2 && kept.state.closedAt === null)
    );
  }

  async #read(sessionId: number): Promise<void> {
    const keeper = this.#keeper;
    const db = this.#db();
    // What the room has and the record lacks goes there first.
    if (keeper.kept && this.isToWrite) await this.#write();
    const [[row], [hostText = null], rows] = await db.batch([
      findRoomSession(db, sessionId),
      findHostText(db, sessionId),
      listRoomParticipants(db, sessionId),
    ]);
    if (!row) return this.#forget();
    const session = { ...row, hostText };
    this.#isRead = true;
    const seats = rows.map(
      (row): SeatRecord => ({
        userId: row.userId,
        username: row.username,
        role: row.role === 1 ? 1 : 0,
        isHost: row.isHost,
        joinedAt: row.joinedAt,
        completedAt: row.completedAt,
      }),
    );
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
      await this.#chat.settle(person.userId).catch(() => {});
    }
    if (this.isToWrite) await this.#write();
    keeper.flush();
  }

  async #write(): Promise<void> {
    const keeper = this.#keeper;
    const state = keeper.upToDate();
    const db = this.#db();
    if (keeper.need().unrecorded.size > 0) {
      const at = keeper.need();
      await runBatch(db, mirrorRoom(db, at.state, at.unrecorded, keeper.now()));
      keeper.recorded(at.unrecorded, at);
    }
    if (roomStatus(state, keeper.now()) !== 2 || state.closedAt !== null) return;
    await this.#chat.settleAll();
    // Put back meanwhile: it is not over any more.
    const current = keeper.upToDate();
    if (roomStatus(current, keeper.now()) !== 2 || current.closedAt !== null) return;
    const closedAt = keeper.now();
    const closed = { ...current, closedAt, hasEnded: true, seq: current.seq + 1 };
    await runBatch(db, mirrorRoom(db, closed, new Set(["run"]), closedAt));
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

  #db(): Database {
    return connect(this.#env.DB.withSession("first-primary"));
  }

  /** One after another: what must wait for D1. */
  #inOrder<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#work.then(work, work);
    this.#work = next.catch(() => {});
    return next;
  }
}
