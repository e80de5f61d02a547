// The people of a room who are hidden from each other, and the operations that each viewer gets instead.

import { type Aliases, aliasesIn, roomSeenBy } from "~/domain/room/aliases";
import { mutesSeenBy } from "~/domain/room/chat";
import type { RoomActor, RoomState, RoomTopic } from "~/domain/room/room";
import { type BlockPair, everyoneHidden, type HiddenPeople, hiddenByUser } from "~/domain/safety/blocks";
import { mutesOut, operationsOf } from "~/wire/room/operations";
import type { MuteWire, Operation } from "~/wire/room/room";
import type { OperationsForViewer } from "./frames";
import type { RoomMemory } from "./memory";
import type { StoredRoom } from "./stored-room";

export class RoomHiding {
  readonly #memory: RoomMemory;
  /** The people hidden from each user, computed from the room `of`; `byUser` is null in a room without blocks. */
  #cached: { of: StoredRoom; byUser: ReadonlyMap<number, HiddenPeople> | null } | null = null;

  constructor(memory: RoomMemory) {
    this.#memory = memory;
  }

  /** The people hidden from each user with a block; null: there is no block. */
  byUser(): ReadonlyMap<number, HiddenPeople> | null {
    const { current } = this.#memory;
    if (current === null || current.hiding.length === 0) return null;
    const cached = this.#cached;
    if (cached?.of.hiding === current.hiding && cached.of.people === current.people) return cached.byUser;
    const nameOf = (userId: number) => current.people.get(userId)?.person.username;
    const byUser = hiddenByUser(current.hiding, (userId) => nameOf(userId) ?? "");
    this.#cached = { of: current, byUser };
    return byUser;
  }
  /** The people hidden from this user; null: nobody. */
  hiddenFrom(userId: number): HiddenPeople | null {
    return this.byUser()?.get(userId) ?? null;
  }
  /** Everybody hidden from somebody, because any of them may read a stage (J-10). Null: nobody. */
  everybody(): HiddenPeople | null {
    const byUser = this.byUser();
    return byUser && everyoneHidden(byUser);
  }
  aliases(hiddenPeople: HiddenPeople): Aliases {
    return aliasesIn(this.#memory.requireCurrent().state, hiddenPeople);
  }

  /** Stores D1's pairs. Returns the users whose view of others has changed, because they need a new welcome. */
  set(pairs: readonly BlockPair[]): number[] {
    const current = this.#memory.requireCurrent();
    const keyOf = ({ userId, blockedId }: BlockPair) => `${userId} ${blockedId}`;
    const [oldPairs, newPairs] = [new Set(current.hiding.map(keyOf)), new Set(pairs.map(keyOf))];
    const changedPairs = [...current.hiding, ...pairs].filter(
      (pair) => oldPairs.has(keyOf(pair)) !== newPairs.has(keyOf(pair)),
    );
    if (changedPairs.length === 0) return [];
    const seq = current.state.seq + 1;
    this.#memory.update({ ...current, state: { ...current.state, seq }, hiding: pairs, hidingSeq: seq });
    return [...new Set(changedPairs.flatMap(({ userId, blockedId }) => [userId, blockedId]))];
  }

  /** An author's operation as each viewer sees it; undefined in a room without blocks. */
  unlessHidden(authorId: number, operation: Operation): OperationsForViewer | undefined {
    if (this.byUser() === null) return undefined;
    return (hiddenPeople) => (hiddenPeople.ids.has(authorId) ? [] : [operation]);
  }

  /** A change of the room as each viewer sees it; undefined in a room without blocks. */
  changeForViewers(
    topics: readonly RoomTopic[],
    before: RoomState,
    after: RoomState,
  ): OperationsForViewer | undefined {
    if (this.byUser() === null) return undefined;
    const now = this.#memory.now();
    const isRosterNew = topics.includes("participants");
    // The alias of a hidden person contains the position in the roster, so a changed roster renames turns too.
    const changedTopics = isRosterNew ? [...new Set([...topics, "parts" as const])] : topics;
    return (hiddenPeople) => {
      const operations = operationsOf(
        changedTopics,
        roomSeenBy(before, hiddenPeople),
        roomSeenBy(after, hiddenPeople),
        now,
      );
      if (!isRosterNew) return operations;
      const [oldAliases, newAliases] = [aliasesIn(before, hiddenPeople), aliasesIn(after, hiddenPeople)];
      const online = this.#memory.presence.online().flatMap((name) => newAliases.get(name) ?? []);
      return [...operations, { type: "online", online, offline: [...oldAliases.values()] }];
    };
  }

  /** The mutes that this person may see, under the names that this person sees. */
  mutesFor(listener: RoomActor): MuteWire[] {
    const { state } = this.#memory.requireCurrent();
    if (state.mutes.length === 0) return [];
    const hiddenPeople = this.hiddenFrom(listener.userId);
    const { participants } = hiddenPeople ? roomSeenBy(state, hiddenPeople) : state;
    return mutesOut(participants, mutesSeenBy(state, listener, this.#memory.now()));
  }
}
