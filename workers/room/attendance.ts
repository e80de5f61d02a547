// When each person came to a room and left it, on its disk (G-24 to G-26).
import { arrive, depart, lose, type Presence, REMOVED } from "~/domain/room/presence";
import type { Instant } from "~/domain/time";
import type { RoomStore } from "./store";

/** The room that people come to. */
export type RoomVisited = {
  now(): Instant;
  /** A closed room keeps its attendance, and records nobody. */
  isOpen(): boolean;
  isHere(userId: number): boolean;
};

export class Attendance {
  readonly #store: RoomStore;
  readonly #room: RoomVisited;
  /** Arrivals and departures that are not on disk yet: those of a quarter of a second share a transaction. */
  readonly #moved = new Map<number, { presence: Presence; at: Instant }>();
  #isLossChecked = false;

  constructor(store: RoomStore, room: RoomVisited) {
    this.#store = store;
    this.#room = room;
  }

  /** The first of a person's sockets is here, by a sign of this instant. */
  came(userId: number, at: Instant): void {
    this.#move(userId, (presence) => arrive(presence, at));
  }
  /** The last of a person's sockets has closed, or gave its last sign at this instant. */
  left(userId: number, at: Instant): void {
    this.#move(userId, (presence) => depart(presence, at));
  }
  /** This person gave up the seat. Before the start that does not count as missed (G-26). */
  gaveUpSeat(userId: number): void {
    const now = this.#room.now();
    const presence = { ...depart(this.#presenceOf(userId), now), leftAt: now };
    this.#moved.set(userId, { presence, at: now });
    this.save();
  }
  /** The host removed this person, whose visit does not count. */
  removed(userId: number): void {
    this.findLost();
    this.#moved.set(userId, { presence: REMOVED, at: this.#room.now() });
    this.save();
  }
  #move(userId: number, move: (presence: Presence) => Presence): void {
    if (!this.#room.isOpen()) return;
    this.findLost();
    const before = this.#presenceOf(userId);
    const after = move(before);
    if (after !== before) this.#moved.set(userId, { presence: after, at: this.#room.now() });
  }
  #presenceOf(userId: number): Presence {
    return this.#moved.get(userId)?.presence ?? this.#store.presenceOf(userId);
  }

  get isSaved(): boolean {
    return this.#moved.size === 0;
  }
  save(): void {
    if (!this.isSaved) this.#store.transaction(() => this.write());
  }
  /** Saves inside the transaction of the caller. */
  write(): void {
    for (const [userId, { presence, at }] of this.#moved) this.#store.setPresence(userId, presence, at);
    this.#moved.clear();
  }
  forget(): void {
    this.#moved.clear();
  }

  /** Once per process: ends the intervals of people whose sockets a crash has cut (G-25). */
  findLost(): void {
    if (this.#isLossChecked) return;
    this.#isLossChecked = true;
    const known = this.#store.listPresence();
    if (known.size === 0) return;
    const [now, stored] = [this.#room.now(), this.#store.storedUntil()];
    for (const [userId, presence] of known) {
      if (this.#room.isHere(userId)) continue;
      const lost = lose(presence, stored, now);
      if (lost !== presence) this.#store.setPresence(userId, lost, now);
    }
  }

  list(): ReadonlyMap<number, Presence> {
    this.findLost();
    this.save();
    return this.#store.listPresence();
  }
}
