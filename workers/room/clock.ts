// The changes of a room that follow from the time or from its people's presence: parts that end, and rounds that move on.
import { SEAT_ROLE } from "~/domain/roles";
import { advanceRoom, hasRound, nextDueAt, withHost } from "~/domain/room/advance";
import type { RoomState } from "~/domain/room/room";
import { presenceBy, type RoundPresence } from "~/domain/schedule/round";
import type { Instant } from "~/domain/time";
import type { RoomMemory } from "./memory";

export class RoomClock {
  readonly #memory: RoomMemory;
  #dueAt: Instant | null = null;

  constructor(memory: RoomMemory) {
    this.#memory = memory;
  }

  /** When the room next changes by itself. */
  get dueAt(): Instant | null {
    return this.#dueAt;
  }
  /** Computes `dueAt` from the current state. */
  setDueAt(): void {
    const state = this.#memory.current?.state;
    this.#dueAt = state ? nextDueAt(state, this.#memory.now(), this.presenceIn(state)) : null;
  }

  /** Commits the changes that have come due, and returns the state at this instant. */
  catchUp(): RoomState {
    const memory = this.#memory;
    this.recordHostAttendance();
    const { state } = memory.requireCurrent();
    const now = memory.now();
    if (this.#dueAt === null || now < this.#dueAt) return state;
    const { state: next, topics } = advanceRoom(state, now, this.presenceIn(state));
    if (topics.length > 0) memory.commit(next, topics, topics);
    else this.setDueAt();
    return memory.requireCurrent().state;
  }

  /** The presence of people, by username. Only rounds need it. */
  presenceIn(state: RoomState): RoundPresence | undefined {
    if (!hasRound(state)) return undefined;
    const ids = new Map(state.participants.map(({ username, userId }) => [username, userId]));
    return presenceBy((name) => this.#memory.presence.presenceOf(ids.get(name) ?? 0));
  }
  /** Sets the alarm again, because the next change of a round depends on the presence. */
  onPresenceChanged(): void {
    const { current, alarm } = this.#memory;
    if (!current || !hasRound(current.state)) return;
    this.setDueAt();
    alarm.set();
  }

  /**
   * Refreshes the presence and records that a host or admin has attended (G-31). Call it when a socket joins and before
   * it closes.
   */
  recordHostAttendance(): void {
    const memory = this.#memory;
    memory.presence.refresh();
    if (!memory.current?.state.needsHost) return;
    const { state } = memory.current;
    const next = withHost(state, this.#runnersPresentSince(state.startedAt), memory.now());
    if (next !== state) memory.commit(next, [], []);
  }

  /** The names of hosts and admins who are present, or pinged since this instant. */
  #runnersPresentSince(since: Instant | null): ReadonlySet<string> {
    const { participants } = this.#memory.requireCurrent().state;
    return new Set(
      participants
        .filter(
          ({ role, userId }) =>
            role === SEAT_ROLE.admin &&
            since !== null &&
            this.#memory.presence.wasPresentSince(userId, since),
        )
        .map(({ username }) => username),
    );
  }
}
