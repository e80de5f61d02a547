// Rosters, turns and contributions that show people hidden by a block as "Participant N". Pure.
import type { HiddenPeople } from "~/domain/safety/blocks";
import { mapParts, partsInOrder, type Schedule } from "~/domain/schedule/shape";
import type { Contribution } from "~/domain/sessions/texts";
import type { RoomState } from "./room";

type Seat = { userId: number; username: string };
type PeopleOfRoom = {
  participants: readonly Seat[];
  schedule: Schedule;
  contributions: readonly Pick<Contribution, "userId" | "username">[];
};
export type Aliases = ReadonlyMap<string, string>;

/** The alias of each hidden name; its number is the place in the order of joining. */
export function aliasesIn(
  { participants, schedule, contributions }: PeopleOfRoom,
  hiddenPeople: HiddenPeople,
): Aliases {
  const aliases = new Map<string, string>();
  for (const [index, { userId, username }] of participants.entries())
    if (hiddenPeople.ids.has(userId)) aliases.set(username, aliasAt(index));
  // A past turn and a contribution keep the name of a person who has left.
  let nextIndex = participants.length;
  for (const { turns, missed = [] } of partsInOrder(schedule))
    for (const name of [...turns, ...missed])
      if (hiddenPeople.names.has(name) && !aliases.has(name)) aliases.set(name, aliasAt(nextIndex++));
  for (const { userId, username } of contributions)
    if (username !== null && userId !== null && hiddenPeople.ids.has(userId) && !aliases.has(username))
      aliases.set(username, aliasAt(nextIndex++));
  return aliases;
}
export const aliasAt = (index: number): string => `Participant ${index + 1}`;

export const isAlias = (name: string): boolean => /^Participant [1-9]\d{0,5}$/.test(name);

/**
 * True for the handle of a seat or of a place in a rota, by which acts name a person: an alias is a position, which moves
 * when somebody leaves. A guest's username begins with `~` as well, and never has this form (H-23).
 */
export const isHandle = (name: string): boolean => /^~[\da-f]{16}$/.test(name);
type PersonName = { username: string; handle?: string | null };
/** The name by which an act means this person. */
export const nameForActs = ({ username, handle }: PersonName): string => handle ?? username;
/** False for an alias without a handle: no act can name this person. */
export const canBeNamed = (person: PersonName): boolean => person.handle != null || !isAlias(person.username);

export function turnsSeenBy(schedule: Schedule, aliases: Aliases): Schedule {
  const aliasNames = (names: readonly string[]) => names.map((name) => aliases.get(name) ?? name);
  return mapParts(schedule, (part) =>
    [...part.turns, ...(part.missed ?? [])].some((name) => aliases.has(name))
      ? {
          ...part,
          turns: aliasNames(part.turns),
          ...(part.again ? { again: aliasNames(part.again) } : {}),
          ...(part.missed ? { missed: aliasNames(part.missed) } : {}),
        }
      : part,
  );
}

export const contributionsSeenBy = <
  T extends { username: string | null; guestName?: string | null | undefined },
>(
  contributions: readonly T[],
  aliases: Aliases,
): readonly T[] =>
  contributions.map((contribution) => {
    const alias = contribution.username === null ? undefined : aliases.get(contribution.username);
    return alias === undefined ? contribution : { ...contribution, username: alias, guestName: undefined };
  });

/** A room as a viewer sees it; the room itself if nobody is hidden. */
export function roomSeenBy(state: RoomState, hiddenPeople: HiddenPeople): RoomState {
  const aliases = aliasesIn(state, hiddenPeople);
  // The author of the line may have left.
  const hidesLine = state.line != null && hiddenPeople.ids.has(state.line.userId);
  if (aliases.size === 0 && !hidesLine) return state;
  return {
    ...state,
    // A block hides the line of its author, as it hides lines of the chat.
    line: hidesLine ? null : state.line,
    participants: state.participants.map((person) => {
      const alias = aliases.get(person.username);
      return alias === undefined ? person : { ...person, username: alias, aim: "", guestName: undefined };
    }),
    schedule: turnsSeenBy(state.schedule, aliases),
    contributions: contributionsSeenBy(state.contributions, aliases),
  };
}
