// The broadcasts of a room. In a calm room each operation leaves at once, in a burst those of 16 ms as one frame, and
// durable changes are saved before.
import type { HiddenPeople } from "~/domain/safety/blocks";
import type { Operation } from "~/wire/room/room";
import { type Listener, type Sockets, sendTo } from "./sockets";

type OperationType = Operation["type"];
/** The operations that spectators receive. An operation missing here is only for participants. */
const FOR_EVERYBODY: ReadonlySet<OperationType> = new Set<OperationType>([
  "participants",
  "online",
  "status",
  "started_at",
  "parts",
  "content",
  "summary",
  "line",
]);
/** The operations that spectators of a session with a join code receive. */
const WITH_A_CODE: ReadonlySet<OperationType> = new Set<OperationType>([
  "status",
  "started_at",
  "parts",
  "content",
]);

const WINDOW_MS = 16;
/** Frames that need not wait for their window; each window gives one back. */
const PROMPT_FRAMES = 4;
/** How long the platform is busy with a frame for one socket. Milliseconds. */
const BUSY_MS = 0.02;

/** The room that speaks in these frames. */
export type RoomBehind = {
  /** Makes durable what the queued frames announce. */
  save(): void;
  /** A join code hides the session from people without a seat. */
  hasCode(): boolean;
  /** The people hidden from each user with a block; null in a room without blocks. */
  hidden(): ReadonlyMap<number, HiddenPeople> | null;
};

/** The operations for a viewer with hidden people, instead of the common ones. */
export type SeenBy = (hiddenPeople: HiddenPeople) => readonly Operation[];

/** The operations for open stages, and for those behind a view link. */
export type Staged = { open: readonly Operation[]; linked: readonly Operation[] };

export class Frames {
  readonly #sockets: Sockets;
  readonly #room: RoomBehind;
  /** Serialised operations: one queue each for participants, spectators, stages and view links. */
  #queue: string[] = [];
  #outsideQueue: string[] = [];
  #stageQueue: string[] = [];
  #linkedQueue: string[] = [];
  /** The queues of users with hidden people; null in a room without blocks. */
  #queuesApart: Map<number, string[]> | null = null;
  /** When all prompt frames are free again; each frame sent moves it by a window. */
  #promptUntil = 0;
  #sentAt = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(sockets: Sockets, room: RoomBehind) {
    this.#sockets = sockets;
    this.#room = room;
  }

  /**
   * Sends `operations` to participants, `outsideOperations` to spectators and `staged` to stages, in this order. Operations in several
   * lists are serialised once. A participant from whom somebody is hidden gets what `seenBy` leaves.
   */
  broadcast(
    operations: readonly Operation[],
    outsideOperations: readonly Operation[] = operations,
    seenBy?: SeenBy,
    staged: Staged | null = null,
  ): void {
    const serialised = new Map<Operation, string>();
    const wordsOf = (op: Operation): string => {
      const json = serialised.get(op) ?? JSON.stringify(op);
      serialised.set(op, json);
      return json;
    };
    if (this.#sockets.joinedCount > 0) this.#queue.push(...operations.map(wordsOf));
    const hiddenFrom = this.#room.hidden();
    if (hiddenFrom !== null) this.#queueApart(hiddenFrom, seenBy ?? (() => operations), wordsOf);
    if (this.#sockets.spectatorCount > 0) {
      const heard = this.#room.hasCode() ? WITH_A_CODE : FOR_EVERYBODY;
      this.#outsideQueue.push(...outsideOperations.filter(({ type }) => heard.has(type)).map(wordsOf));
    }
    if (staged && this.#sockets.stageCount > 0) {
      this.#stageQueue.push(...staged.open.map(wordsOf));
      this.#linkedQueue.push(...staged.linked.map(wordsOf));
    }
    this.#schedule();
  }

  #queueApart(
    hiddenFrom: ReadonlyMap<number, HiddenPeople>,
    seenBy: SeenBy,
    wordsOf: (op: Operation) => string,
  ): void {
    this.#queuesApart ??= new Map();
    const connectedIds = new Set([...this.#sockets.all()].map(([, { userId }]) => userId));
    for (const [userId, hiddenPeople] of hiddenFrom) {
      if (!connectedIds.has(userId)) continue;
      const queue = this.#queuesApart.get(userId) ?? [];
      queue.push(...seenBy(hiddenPeople).map(wordsOf));
      this.#queuesApart.set(userId, queue);
    }
  }

  #schedule(): void {
    if (this.#timer !== null) return;
    const now = Date.now();
    const freeAt = this.#promptUntil - (PROMPT_FRAMES - 1) * WINDOW_MS;
    // A frame sent while the last is on its way would only delay lines that could share it.
    const idle = this.#sentAt + Math.min(this.#sockets.count * BUSY_MS, WINDOW_MS);
    const wait = Math.max(freeAt, idle) - now;
    // After a clock set back, no frame waits for longer than a window.
    if (wait <= 0 || wait > WINDOW_MS) this.flush();
    else
      this.#timer = setTimeout(() => {
        this.#timer = null;
        this.flush();
      }, wait);
  }

  /** Saves and sends the queue now. */
  flush(): void {
    this.#room.save();
    if (
      this.#queue.length + this.#outsideQueue.length + this.#stageQueue.length + this.#linkedQueue.length ===
      0
    )
      return;
    const now = Date.now();
    this.#sentAt = now;
    const most = now + (PROMPT_FRAMES - 1) * WINDOW_MS;
    this.#promptUntil = Math.min(Math.max(now, this.#promptUntil), most) + WINDOW_MS;
    const frameOf = (items: string[]) => (items.length === 0 ? null : `[${items.join(",")}]`);
    const insideFrame = frameOf(this.#queue);
    const outsideFrame = frameOf(this.#outsideQueue);
    const stage = frameOf(this.#stageQueue);
    this.#queue = [];
    this.#outsideQueue = [];
    this.#stageQueue = [];
    const linked = frameOf(this.#linkedQueue);
    this.#linkedQueue = [];
    const apart =
      this.#queuesApart && new Map([...this.#queuesApart].map(([id, items]) => [id, frameOf(items)]));
    this.#queuesApart = null;
    const frameFor = (listener: Listener): string | null | undefined => {
      if (listener.isStage) return listener.isLinked ? linked : stage;
      if (listener.isSpectator) return outsideFrame;
      if (!listener.hasJoined) return null;
      return apart?.has(listener.userId) ? apart.get(listener.userId) : insideFrame;
    };
    for (const [socket, listener] of this.#sockets.all()) {
      const frame = frameFor(listener);
      if (frame) sendTo(socket, frame);
    }
  }

  /** Sends each joined socket its own operation. */
  tellEach(makeOperation: (listener: Listener) => Operation): void {
    this.flush();
    for (const [socket, listener] of this.#sockets.all())
      if (listener.hasJoined) this.#sockets.send(socket, makeOperation(listener));
  }
}
