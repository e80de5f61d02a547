// Blocks between users: the people they hide from each other, and the rosters and turns that show these as
// "Participant N". Pure.
import type { Contribution, RoomState } from "~/domain/room/room";
import { mapParts, partsInOrder, type Schedule } from "~/domain/schedule/shape";

export const MOST_BLOCKS = 500;
export const NOT_YOURSELF = "You cannot block yourself.";
export const TOO_MANY_BLOCKS = `You can block at most ${MOST_BLOCKS} people.`;

export const blocked = (username: string): string =>
  `You have blocked ${username}. You do not see each other's messages any more.`;
export const unblocked = (username: string): string => `You have unblocked ${username}.`;

/** A person of a user that a block hides. */
export type HiddenPerson = { userId: number; username: string };
/** The users hidden from a viewer, and their names. */
export type Hidden = { ids: ReadonlySet<number>; names: ReadonlySet<string> };
export type BlockPair = { userId: number; blockedId: number };

export const hiddenOf = (persons: readonly HiddenPerson[]): Hidden => ({
  ids: new Set(persons.map(({ userId }) => userId)),
  names: new Set(persons.map(({ username }) => username)),
});

/** Each user of a pair, with the users hidden from them; a block hides both ways. Null: there is no block. */
export function hiddenByUser(
  pairs: readonly BlockPair[],
  nameOf: (userId: number) => string,
): ReadonlyMap<number, Hidden> | null {
  if (pairs.length === 0) return null;
  const ids = new Map<number, Set<number>>();
  for (const { userId, blockedId } of pairs) {
    ids.set(userId, (ids.get(userId) ?? new Set()).add(blockedId));
    ids.set(blockedId, (ids.get(blockedId) ?? new Set()).add(userId));
  }
  return new Map(
    [...ids].map(([viewer, hidden]) => [
      viewer,
      hiddenOf([...hidden].map((userId) => ({ userId, username: nameOf(userId) }))),
    ]),
  );
}

type Seat = { userId: number; username: string };
type Seated = {
  participants: readonly Seat[];
  schedule: Schedule;
  contributions: readonly Pick<Contribution, "userId" | "username">[];
};
export type Aliases = ReadonlyMap<string, string>;

/** The alias of each hidden name; its number is the place in the order of joining. */
export function aliasesIn({ participants, schedule, contributions }: Seated, hidden: Hidden): Aliases {
  const aliases = new Map<string, string>();
  for (const [index, { userId, username }] of participants.entries())
    if (hidden.ids.has(userId)) aliases.set(username, aliasAt(index));
  // A past turn and a contribution keep the name of a person who has left.
  let next = participants.length;
  for (const { turns } of partsInOrder(schedule))
    for (const name of turns)
      if (hidden.names.has(name) && !aliases.has(name)) aliases.set(name, aliasAt(next++));
  for (const { userId, username } of contributions)
    if (username !== null && userId !== null && hidden.ids.has(userId) && !aliases.has(username))
      aliases.set(username, aliasAt(next++));
  return aliases;
}
export const aliasAt = (index: number): string => `Participant ${index + 1}`;

/** The place in the order of joining that an alias names; null for any other name. */
export function placeOfAlias(name: string): number | null {
  const [, place] = /^Participant ([1-9]\d{0,5})$/.exec(name) ?? [];
  return place === undefined ? null : Number(place) - 1;
}

export const turnsSeenBy = (schedule: Schedule, aliases: Aliases): Schedule =>
  mapParts(schedule, (part) =>
    part.turns.some((name) => aliases.has(name))
      ? { ...part, turns: part.turns.map((name) => aliases.get(name) ?? name) }
      : part,
  );

export const contributionsSeenBy = <T extends { username: string | null }>(
  contributions: readonly T[],
  aliases: Aliases,
): readonly T[] =>
  contributions.map((one) => {
    const alias = one.username === null ? undefined : aliases.get(one.username);
    return alias === undefined ? one : { ...one, username: alias };
  });

/** A room as a viewer sees it; the room itself if nobody is hidden. */
export function roomSeenBy(state: RoomState, hidden: Hidden): RoomState {
  const aliases = aliasesIn(state, hidden);
  if (aliases.size === 0) return state;
  return {
    ...state,
    participants: state.participants.map((person) => {
      const alias = aliases.get(person.username);
      return alias === undefined ? person : { ...person, username: alias };
    }),
    schedule: turnsSeenBy(state.schedule, aliases),
    contributions: contributionsSeenBy(state.contributions, aliases),
  };
}
