// When each person came to a room and left it, on its disk (G-24 to G-26).
import { arrive, depart, lose, type Presence, REMOVED } from "~/domain/room/presence";
import type { Instant } from "~/domain/time";
import type { RoomStore } from "./store";

/** The part of the room that attendance uses. */
export type RoomForAttendance = {
  now(): Instant;
  /** False for a closed room, which records no more attendance. */
  isOpen(): boolean;
  /** True while one of the person's sockets is open and pings. */
  isPresent(userId: number): boolean;
};

export class Attendance {
  readonly #store: RoomStore;
  readonly #room: RoomForAttendance;
  /** Arrivals and departures that are not on disk yet. Those of a quarter of a second share a transaction. */
  readonly #unsaved = new Map<number, { presence: Presence; at: Instant }>();
  #isLossChecked = false;

  constructor(store: RoomStore, room: RoomForAttendance) {
    this.#store = store;
    this.#room = room;
  }

  /** The person's first socket was present at this instant. */
  recordArrival(userId: number, at: Instant): void {
    this.#change(userId, (presence) => arrive(presence, at));
  }
  /** The person's last socket closed, or last pinged, at this instant. */
  recordDeparture(userId: number, at: Instant): void {
    this.#change(userId, (presence) => depart(presence, at));
  }
  /** Records that this person gave up the seat of a running session (G-26). */
  recordGivenUpSeat(userId: number): void {
    const now = this.#room.now();
    const presence = { ...depart(this.#presenceOf(userId), now), leftAt: now };
    this.#unsaved.set(userId, { presence, at: now });
    this.save();
  }
  /** Records that the host removed this person, whose visit then does not count. */
  recordRemoval(userId: number): void {
    this.endLostIntervals();
    this.#unsaved.set(userId, { presence: REMOVED, at: this.#room.now() });
    this.save();
  }
  #change(userId: number, change: (presence: Presence) => Presence): void {
    if (!this.#room.isOpen()) return;
    this.endLostIntervals();
    const previous = this.#presenceOf(userId);
    const next = change(previous);
    if (next !== previous) this.#unsaved.set(userId, { presence: next, at: this.#room.now() });
  }
  #presenceOf(userId: number): Presence {
    return this.#unsaved.get(userId)?.presence ?? this.#store.presenceOf(userId);
  }

  get isSaved(): boolean {
    return this.#unsaved.size === 0;
  }
  save(): void {
    if (!this.isSaved) this.#store.transaction(() => this.write());
  }
  /** Saves inside the transaction of the caller. */
  write(): void {
    for (const [userId, { presence, at }] of this.#unsaved) this.#store.setPresence(userId, presence, at);
    this.#unsaved.clear();
  }
  /** Drops the unsaved presence of a deleted session. */
  forget(): void {
    this.#unsaved.clear();
  }

  /** Ends the intervals of people whose sockets a crash has closed (G-25). Runs once per process. */
  endLostIntervals(): void {
    if (this.#isLossChecked) return;
    this.#isLossChecked = true;
    const storedPresence = this.#store.listPresence();
    if (storedPresence.size === 0) return;
    const [now, storedUntil] = [this.#room.now(), this.#store.storedUntil()];
    for (const [userId, presence] of storedPresence) {
      if (this.#room.isPresent(userId)) continue;
      const lost = lose(presence, storedUntil, now);
      if (lost !== presence) this.#store.setPresence(userId, lost, now);
    }
  }

  /** The presence of everybody who has been in the room, saved first. */
  list(): ReadonlyMap<number, Presence> {
    this.endLostIntervals();
    this.save();
    return this.#store.listPresence();
  }
}
