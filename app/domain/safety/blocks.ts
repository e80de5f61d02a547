// Blocks between users: the people they hide from each other. Pure.

export const MAX_BLOCKS = 500;
export const NOT_YOURSELF = "You cannot block yourself.";
export const TOO_MANY_BLOCKS = `You can block at most ${MAX_BLOCKS} people.`;

export const blockedSentence = (username: string): string =>
  `You have blocked ${username}. You do not see each other's messages any more.`;
export const unblockedSentence = (username: string): string => `You have unblocked ${username}.`;

/** A person whom a block hides. */
export type HiddenPerson = { userId: number; username: string };
/** The users hidden from a viewer, and their names. */
export type HiddenPeople = { ids: ReadonlySet<number>; names: ReadonlySet<string> };
export type BlockPair = { userId: number; blockedId: number };

export const hiddenOf = (persons: readonly HiddenPerson[]): HiddenPeople => ({
  ids: new Set(persons.map(({ userId }) => userId)),
  names: new Set(persons.map(({ username }) => username)),
});

/** Each user of a pair, with the users hidden from them; a block hides both ways. Null: there is no block. */
export function hiddenByUser(
  pairs: readonly BlockPair[],
  nameOf: (userId: number) => string,
): ReadonlyMap<number, HiddenPeople> | null {
  if (pairs.length === 0) return null;
  const ids = new Map<number, Set<number>>();
  for (const { userId, blockedId } of pairs) {
    ids.set(userId, (ids.get(userId) ?? new Set()).add(blockedId));
    ids.set(blockedId, (ids.get(blockedId) ?? new Set()).add(userId));
  }
  return new Map(
    [...ids].map(([viewer, hiddenIds]) => [
      viewer,
      hiddenOf([...hiddenIds].map((userId) => ({ userId, username: nameOf(userId) }))),
    ]),
  );
}

/** All people who are hidden from somebody. */
export const everyoneHidden = (byUser: ReadonlyMap<number, HiddenPeople>): HiddenPeople => ({
  ids: new Set([...byUser.values()].flatMap(({ ids }) => [...ids])),
  names: new Set([...byUser.values()].flatMap(({ names }) => [...names])),
});
