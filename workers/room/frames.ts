// Broadcasts the operations of a room, after durable changes are saved. In a calm room each operation is sent at once;
// in a burst, those of 16 ms share a frame.
import type { HiddenPeople } from "~/domain/safety/blocks";
import type { Operation } from "~/wire/room/room";
import { type Listener, type Sockets, sendTo } from "./sockets";

type OperationType = Operation["type"];
/** The operations that spectators receive. An operation that is not listed is only for participants. */
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
const FOR_EVERYBODY_WITH_CODE: ReadonlySet<OperationType> = new Set<OperationType>([
  "status",
  "started_at",
  "parts",
  "content",
]);

/** The time during which the operations of a burst share a frame. */
const WINDOW_MS = 16;
/** Frames that may be sent without waiting; each window allows one more. */
const PROMPT_FRAMES = 4;
/** How long the platform needs to send a frame to one socket. */
const SEND_MS_PER_SOCKET = 0.02;

/** The part of the room that the frames use. */
export type RoomForFrames = {
  /** Makes durable what the queued frames announce. */
  save(): void;
  /** A join code hides the session from people without a seat. */
  hasCode(): boolean;
  /** The people hidden from each user with a block; null in a room without blocks. */
  hidden(): ReadonlyMap<number, HiddenPeople> | null;
};

/** The operations for a viewer from whom these people are hidden, in place of those that everybody else gets. */
export type OperationsForViewer = (hiddenPeople: HiddenPeople) => readonly Operation[];

/** The operations for open stages, and for those behind a view link. */
export type Staged = { open: readonly Operation[]; linked: readonly Operation[] };

export class Frames {
  readonly #sockets: Sockets;
  readonly #room: RoomForFrames;
  /** Serialised operations: one queue each for participants, spectators, stages and view links. */
  #queue: string[] = [];
  #outsideQueue: string[] = [];
  #stageQueue: string[] = [];
  #linkedQueue: string[] = [];
  /** The queues of users with hidden people; null in a room without blocks. */
  #queuesByUser: Map<number, string[]> | null = null;
  /** When all prompt frames are available again; each sent frame delays it by a window. */
  #promptUntil = 0;
  #sentAt = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(sockets: Sockets, room: RoomForFrames) {
    this.#sockets = sockets;
    this.#room = room;
  }

  /**
   * Queues `operations` for participants, `outsideOperations` for spectators and `staged` for stages. An operation in
   * several lists is serialised once. A participant from whom somebody is hidden gets those of
   * `operationsForViewer`.
   */
  broadcast(
    operations: readonly Operation[],
    outsideOperations: readonly Operation[] = operations,
    operationsForViewer?: OperationsForViewer,
    staged: Staged | null = null,
  ): void {
    const serialised = new Map<Operation, string>();
    const jsonOf = (op: Operation): string => {
      const json = serialised.get(op) ?? JSON.stringify(op);
      serialised.set(op, json);
      return json;
    };
    if (this.#sockets.joinedCount > 0) this.#queue.push(...operations.map(jsonOf));
    const hiddenFrom = this.#room.hidden();
    if (hiddenFrom !== null)
      this.#queueForHiding(hiddenFrom, operationsForViewer ?? (() => operations), jsonOf);
    if (this.#sockets.spectatorCount > 0) {
      const visibleTypes = this.#room.hasCode() ? FOR_EVERYBODY_WITH_CODE : FOR_EVERYBODY;
      this.#outsideQueue.push(...outsideOperations.filter(({ type }) => visibleTypes.has(type)).map(jsonOf));
    }
    if (staged && this.#sockets.stageCount > 0) {
      this.#stageQueue.push(...staged.open.map(jsonOf));
      this.#linkedQueue.push(...staged.linked.map(jsonOf));
    }
    this.#schedule();
  }

  #queueForHiding(
    hiddenFrom: ReadonlyMap<number, HiddenPeople>,
    operationsForViewer: OperationsForViewer,
    jsonOf: (op: Operation) => string,
  ): void {
    this.#queuesByUser ??= new Map();
    const connectedIds = new Set([...this.#sockets.all()].map(([, { userId }]) => userId));
    for (const [userId, hiddenPeople] of hiddenFrom) {
      if (!connectedIds.has(userId)) continue;
      const queue = this.#queuesByUser.get(userId) ?? [];
      queue.push(...operationsForViewer(hiddenPeople).map(jsonOf));
      this.#queuesByUser.set(userId, queue);
    }
  }

  #schedule(): void {
    if (this.#timer !== null) return;
    const now = Date.now();
    const promptAt = this.#promptUntil - (PROMPT_FRAMES - 1) * WINDOW_MS;
    // While the last frame is still being sent, another would not arrive sooner; waiting lets lines share it.
    const idleAt = this.#sentAt + Math.min(this.#sockets.count * SEND_MS_PER_SOCKET, WINDOW_MS);
    const wait = Math.max(promptAt, idleAt) - now;
    // If the clock was set back, a frame still waits no longer than a window.
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
    const latestPrompt = now + (PROMPT_FRAMES - 1) * WINDOW_MS;
    this.#promptUntil = Math.min(Math.max(now, this.#promptUntil), latestPrompt) + WINDOW_MS;
    const frameOf = (items: string[]) => (items.length === 0 ? null : `[${items.join(",")}]`);
    const insideFrame = frameOf(this.#queue);
    const outsideFrame = frameOf(this.#outsideQueue);
    const stageFrame = frameOf(this.#stageQueue);
    const linkedFrame = frameOf(this.#linkedQueue);
    this.#queue = [];
    this.#outsideQueue = [];
    this.#stageQueue = [];
    this.#linkedQueue = [];
    const framesByUser =
      this.#queuesByUser && new Map([...this.#queuesByUser].map(([id, items]) => [id, frameOf(items)]));
    this.#queuesByUser = null;
    const frameFor = (listener: Listener): string | null | undefined => {
      if (listener.isStage) return listener.isLinked ? linkedFrame : stageFrame;
      if (listener.isSpectator) return outsideFrame;
      if (!listener.hasJoined) return null;
      return framesByUser?.has(listener.userId) ? framesByUser.get(listener.userId) : insideFrame;
    };
    for (const [socket, listener] of this.#sockets.all()) {
      const frame = frameFor(listener);
      if (frame) sendTo(socket, frame);
    }
  }

  /** Sends each joined socket its own operation. */
  sendToEach(makeOperation: (listener: Listener) => Operation): void {
    this.flush();
    for (const [socket, listener] of this.#sockets.all())
      if (listener.hasJoined) this.#sockets.send(socket, makeOperation(listener));
  }
}
