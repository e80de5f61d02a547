// The leaves of a large room: which leaf takes a socket, their sockets as the room sees them, and what happens when a
// leaf or the room has died (decision 66).

import { MINUTE, SECOND } from "~/domain/time";
import type { ObjectsEnv } from "../env";
import { type LeafPlace, leafName, openLeaf, type Region, sessionOf, type ToLeaf } from "./leaf-wire";
import { logRoomError } from "./log";
import { answerOf, Outbox } from "./outbox";
import type { SessionLeaf } from "./session-leaf";
import type { Listener, RoomSocket } from "./sockets";

/** Milliseconds for an upgrade to reach its leaf; its place is free again afterwards. */
const ON_THE_WAY = 30 * SECOND;
/** Backoff of a leaf that must be reset and does not answer. Milliseconds. */
const RETRY = { first: SECOND, longest: MINUTE } as const;

/** A socket that a leaf carries; the room uses it as its own. */
export class RemoteSocket {
  readonly id: string;
  readonly #link: Link;
  constructor(id: string, link: Link) {
    this.id = id;
    this.#link = link;
  }
  send(frame: string): void {
    this.#link.outbox.push({ type: "send", socketId: this.id, frame });
  }
  close(code: number, reason: string): void {
    if (this.#link.sockets.delete(this.id))
      this.#link.outbox.push({ type: "close", socketId: this.id, code, reason });
  }
  /** The leaf has the attachment already, except that the socket has joined. */
  serializeAttachment({ hasJoined, username }: Listener): void {
    if (hasJoined) this.#link.outbox.push({ type: "joined", socketId: this.id, username });
  }
}

/** A leaf as the room knows it. */
export type Link = {
  readonly name: string;
  readonly outbox: Outbox<ToLeaf>;
  readonly sockets: Map<string, RemoteSocket>;
  /** Sockets on their way to the leaf, and since when. */
  readonly expected: Map<string, number>;
  /** null: not known yet. */
  epoch: string | null;
  /** The leaf must close the sockets of this epoch; null: of any. */
  doubted: { epoch: string | null } | null;
};

/** The room that the leaves belong to. */
export type RoomOfLeaves = {
  env: ObjectsEnv;
  /** The stored names of the leaves. */
  names(): readonly string[];
  setNames(names: readonly string[]): void;
  /** A socket of a leaf was open when the room fell asleep. */
  takeOver(socket: RoomSocket, listener: Listener): void;
  drop(socket: RoomSocket): void;
};

export class Leaves {
  readonly #room: RoomOfLeaves;
  readonly #links = new Map<string, Link>();

  constructor(room: RoomOfLeaves) {
    this.#room = room;
    for (const name of room.names()) this.#add(name);
  }

  get hasAny(): boolean {
    return this.#links.size > 0;
  }

  #add(name: string): Link {
    const link: Link = {
      name,
      outbox: new Outbox<ToLeaf>(
        (items) => this.#deliver(link, items),
        weightOf,
        () => this.tidy(link),
      ),
      sockets: new Map(),
      expected: new Map(),
      epoch: null,
      doubted: null,
    };
    this.#links.set(name, link);
    return link;
  }

  /** The place of a further socket; null: the room itself carries it. `carried` sockets are at the room already. */
  place(sessionId: number, region: Region, carried: number): LeafPlace | null {
    const { ROOM_SOCKETS, LEAF_SOCKETS } = this.#room.env;
    if (carried < Number(ROOM_SOCKETS)) return null;
    const now = Date.now();
    for (let n = 1; ; n++) {
      const leaf = leafName(sessionId, region, n);
      const known = this.#links.get(leaf);
      const link = known ?? this.#add(leaf);
      if (!known) this.#store();
      for (const [id, since] of link.expected) if (now - since > ON_THE_WAY) link.expected.delete(id);
      if (link.doubted || link.sockets.size + link.expected.size >= Number(LEAF_SOCKETS)) continue;
      const socketId = crypto.randomUUID();
      link.expected.set(socketId, now);
      return { leaf, socketId };
    }
  }

  #store(): void {
    this.#room.setNames([...this.#links.keys()]);
  }

  /** A leaf without sockets is forgotten. */
  tidy(link: Link): void {
    const { sockets, expected, outbox, doubted } = link;
    if (sockets.size + expected.size > 0 || !outbox.isEmpty || doubted) return;
    if (this.#links.get(link.name) !== link) return;
    this.#links.delete(link.name);
    this.#store();
  }

  /** The leaf that relays; null: it must close its sockets, because the room does not know them. */
  admit(name: string, epoch: string): Link | null {
    const link = this.#links.get(name);
    if (!link) return null;
    if (link.doubted) {
      if (link.doubted.epoch === null || link.doubted.epoch === epoch) {
        link.doubted.epoch = epoch;
        return null;
      }
      // It has closed the sockets of the doubted epoch by itself.
      link.doubted = null;
    }
    if (link.epoch !== epoch) this.#begin(link, epoch);
    return link;
  }
  /** The opening of a socket that the room has taken over changes nothing. */
  open(link: Link, socketId: string): RemoteSocket {
    const socket = link.sockets.get(socketId) ?? new RemoteSocket(socketId, link);
    link.expected.delete(socketId);
    link.sockets.set(socketId, socket);
    return socket;
  }

  /** Sends a frame to all sockets of the leaves that have joined, except those of some users. */
  sendAll(frame: string, except: readonly number[]): void {
    for (const { sockets, outbox } of this.#links.values())
      if (sockets.size > 0) outbox.push({ type: "frame", frame, except });
  }

  /** The sockets of the epoch before are gone. */
  #begin(link: Link, epoch: string | null): void {
    link.outbox.clear();
    link.epoch = epoch;
    const lost = [...link.sockets.values()];
    link.sockets.clear();
    for (const socket of lost) this.#room.drop(socket);
  }

  async #deliver(link: Link, items: ToLeaf[]): Promise<void> {
    const { epoch } = link;
    if (epoch === null) return;
    const answer = await this.#ask(link, (leaf) => leaf.deliver(epoch, items));
    if (link.epoch !== epoch) return;
    if (answer === null) void this.#distrust(link);
    else if (answer !== epoch) this.#begin(link, answer);
  }

  /** Nobody knows what the leaf's clients have received, so they shall come back with `since`. */
  async #distrust(link: Link): Promise<void> {
    link.doubted = { epoch: link.epoch };
    this.#begin(link, null);
    await this.#reset(link, RETRY.first);
  }
  async #reset(link: Link, wait: number): Promise<void> {
    if (!link.doubted) return;
    const { doubted } = link;
    const epoch = await this.#ask(link, (leaf) => leaf.reset(doubted.epoch));
    if (link.doubted !== doubted) return;
    if (epoch === null) {
      setTimeout(() => this.#reset(link, Math.min(2 * wait, RETRY.longest)), wait);
      return;
    }
    link.doubted = null;
    link.epoch = epoch;
    this.tidy(link);
  }
  #ask<T>(link: Link, call: (leaf: DurableObjectStub<SessionLeaf>) => Promise<T>): Promise<T | null> {
    const session = sessionOf(link.name);
    return answerOf(call(openLeaf(this.#room.env, link.name)), (error) =>
      logRoomError({ event: "leaf-not-reached", session, error }),
    );
  }

  /**
   * Called once, before anything else. A room that has slept had nothing to deliver, so it takes the sockets over. A
   * room that has died may have; its leaves close all sockets.
   */
  async wake(hasSlept: boolean): Promise<void> {
    await Promise.all([...this.#links.values()].map((link) => this.#wakeLink(link, hasSlept)));
  }
  async #wakeLink(link: Link, hasSlept: boolean): Promise<void> {
    const hello = hasSlept ? await this.#ask(link, (leaf) => leaf.hello()) : null;
    if (hello === null) {
      void this.#distrust(link);
      return;
    }
    link.epoch = hello.epoch;
    for (const { socketId, listener } of hello.listeners)
      this.#room.takeOver(this.open(link, socketId), listener);
    this.tidy(link);
  }
}

const weightOf = (item: ToLeaf): number => ("frame" in item ? item.frame.length : 100);
