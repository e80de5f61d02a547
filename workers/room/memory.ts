// The state of a room in memory, and the objects that share it. A change is made in memory; `flush` then saves it, sets
// the alarm and releases the frames, so every broadcast change is durable.

import { AppError } from "~/domain/errors";
import type { ChatCopy } from "~/domain/room/chat-copy";
import type { PendingWrite } from "~/domain/room/record";
import type { RoomActor, RoomParticipant, RoomState, RoomTopic } from "~/domain/room/room";
import type { BlockPair } from "~/domain/safety/blocks";
import { type Instant, instant } from "~/domain/time";
import { limitsApply } from "../adapters/attempts";
import type { ObjectsEnv } from "../env";
import { RoomAlarm } from "./alarm";
import { Attendance } from "./attendance";
import { broadcastChange } from "./broadcast-change";
import { RoomCopy } from "./chat-copy";
import { RoomClock } from "./clock";
import { RoomDisk } from "./disk";
import { Frames } from "./frames";
import { RoomHiding } from "./hiding";
import { RoomLines } from "./lines";
import { isWritten } from "./pending-writes";
import { pings } from "./pings";
import { RoomPresence } from "./presence";
import { Sockets } from "./sockets";
import { RoomStore } from "./store";
import { changedStoredRoom, firstStoredRoom, type StoredRoom } from "./stored-room";

export class RoomMemory {
  readonly store: RoomStore;
  readonly disk: RoomDisk;
  readonly sockets: Sockets;
  readonly frames: Frames;
  readonly attendance: Attendance;
  readonly presence: RoomPresence;
  readonly hiding = new RoomHiding(this);
  readonly copy = new RoomCopy(this);
  readonly clock = new RoomClock(this);
  readonly lines = new RoomLines(this);
  readonly alarm: RoomAlarm;
  #current: StoredRoom | null;

  constructor(ctx: DurableObjectState, env: ObjectsEnv) {
    this.store = new RoomStore(ctx.storage);
    this.#current = this.store.read();
    this.disk = new RoomDisk(this, ctx, this.#current);
    this.sockets = new Sockets(
      ctx,
      {
        joined: (_, listener) => this.presence.recordJoin(listener),
        left: (socket, listener) => this.presence.recordLeaving(socket, listener),
      },
      limitsApply(env),
    );
    this.frames = new Frames(this.sockets, {
      save: () => this.disk.save(),
      hasCode: () => this.#current?.state.hasCode ?? true,
      hidden: () => this.hiding.byUser(),
    });
    this.attendance = new Attendance(this.store, {
      now: () => this.now(),
      isOpen: () => this.#current?.state.closedAt === null,
      isPresent: (userId) => this.presence.isPresent(userId),
    });
    this.presence = new RoomPresence(this.sockets, this.frames, this.attendance, {
      now: () => this.now(),
      lastPing: (socket) => pings.lastOf(ctx, socket),
      aliases: (hiddenPeople) => this.hiding.aliases(hiddenPeople),
      onFirstSocket: () => this.alarm.set(),
      onPresenceChanged: () => this.clock.onPresenceChanged(),
    });
    // A room without storage has no alarm to delete, either.
    this.alarm = new RoomAlarm(this, ctx.storage, this.#current === null ? null : undefined);
    this.clock.setDueAt();
  }

  now(): Instant {
    return instant(Date.now());
  }

  get current(): StoredRoom | null {
    return this.#current;
  }
  requireCurrent(): StoredRoom {
    if (!this.#current) throw new AppError("NOT_FOUND", "There is no such session.");
    return this.#current;
  }

  /** The person's seat; null without one. The domain's `seatOf`, but by a look-up instead of a search of the roster. */
  seatOf({ userId }: RoomActor): RoomParticipant | null {
    const storedPerson = this.requireCurrent().people.get(userId);
    return storedPerson && !storedPerson.isGone ? storedPerson.person : null;
  }

  /** The first state of a room without storage. A room that has lost its storage restores the chat from the nightly copy. */
  begin(first: RoomState, hiding: readonly BlockPair[], copy: ChatCopy | null): void {
    this.#current = firstStoredRoom(first, hiding, copy);
    if (copy) this.disk.addExtraWrite(() => this.store.importChat(copy));
    this.clock.setDueAt();
  }

  /** Replaces the value in memory and broadcasts nothing. */
  update(next: StoredRoom): void {
    this.#current = next;
  }

  /**
   * Replaces the state, broadcasts `topics`, and marks those of `toRecord` as not yet in D1. A new completion is
   * always marked.
   */
  commit(changed: RoomState, topics: readonly RoomTopic[], toRecord: readonly RoomTopic[]): void {
    const previous = this.requireCurrent();
    const next = changedStoredRoom(previous, changed, topics, toRecord);
    this.#current = next;
    this.clock.setDueAt();
    broadcastChange(this, topics, previous.state, next.state);
  }

  /** Marks something as not yet in D1, in addition to what `commit` marks. */
  addPendingWrite(pendingWrite: PendingWrite): void {
    const current = this.requireCurrent();
    if (!current.pendingWrites.has(pendingWrite))
      this.#current = { ...current, pendingWrites: new Set([...current.pendingWrites, pendingWrite]) };
  }

  /** D1 now has these parts as they were in `writtenRoom`. Anything that has changed since remains to be written. */
  removePendingWrites(writtenParts: ReadonlySet<PendingWrite>, writtenRoom: StoredRoom): void {
    const current = this.requireCurrent();
    const pendingWrites = new Set(
      [...current.pendingWrites].filter(
        (write) => !(writtenParts.has(write) && isWritten(write, writtenRoom, current, this.store.lines)),
      ),
    );
    if (pendingWrites.size < current.pendingWrites.size) this.#current = { ...current, pendingWrites };
    this.alarm.succeeded();
  }

  /** Saves and sends now. */
  flush(): void {
    this.frames.flush();
  }

  /** The session was deleted: erases everything of the room. */
  async forget(): Promise<void> {
    this.#current = null;
    this.attendance.forget();
    this.disk.forget();
    this.clock.setDueAt();
    await this.alarm.forget();
    await this.store.forget();
  }
}
