// A round: people speak in turn, in the order of joining, and presence moves them. Pure; time and presence are
// parameters.
import { type Instant, instant, later, plusMillis, SECOND } from "~/domain/time";
import { asResumed } from "./plan";
import { type AddedTime, asFinished, type Part } from "./shape";
import { elapsedOf, pieceCount, pieceStart, piecesOfTurn, turnAt } from "./timer-pieces";

/** Whether the person of a turn is in the room, and since when it is so, as far as the room knows. */
export type PresenceOf = (name: string) => { isHere: boolean; since: Instant };

/** The rules by which the presence of people moves the turns of a running schedule. */
export type RoundPresence = {
  of: PresenceOf;
  passesAt(part: Part, now: Instant): Instant | null;
  pass(part: Part, now: Instant): Part;
};

/** How long the turn of a person who is away waits. Milliseconds. */
export const PASSED_AFTER = 5 * SECOND;

/** A running or paused part that ends now; its pause does not count as running time. */
export const finishNow = (part: Part, now: Instant): Part =>
  asFinished({ ...asResumed(part, now), endedAt: now });

/**
 * Since when at least two people of the round are in the room; null: fewer are. Otherwise presence moves nobody, as in a
 * room of many with one phone.
 */
function presenceCountsSince(part: Part, presence: PresenceOf): Instant | null {
  let first: Instant | null = null;
  let second: Instant | null = null;
  for (const name of part.turns) {
    const { isHere, since } = presence(name);
    if (!isHere) continue;
    if (first === null || since < first) [first, second] = [since, first];
    else if (second === null || since < second) second = since;
  }
  return second;
}

/** The turns in another order, of which `order` has the present places. Added seconds go with their turn. */
export function withOrder(part: Part, order: readonly number[]): Part {
  const perTurn = piecesOfTurn(part);
  const places = new Map(order.map((turn, place) => [turn, place]));
  const moveEntry = (entry: AddedTime): AddedTime[] => {
    const turn = Math.floor(entry.at / perTurn);
    const place = places.get(turn);
    if (place !== undefined && (place === turn || !entry.isOnward))
      return [{ ...entry, at: place * perTurn + (entry.at % perTurn) }];
    if (!entry.isOnward) return [];
    // The entry moves to the first of the turns for which it counted.
    const first = order.findIndex((other) => other >= turn);
    return [{ ...entry, at: (first < 0 ? order.length : first) * perTurn }];
  };
  const turns = order.flatMap((turn) => part.turns[turn] ?? []);
  return { ...part, turns, added: part.added?.flatMap(moveEntry) };
}

/** Turn `index` begins now, with its whole length; behind the last turn the part ends. */
export function beginTurn(part: Part, index: number, now: Instant): Part {
  if (index >= part.turns.length) return finishNow(part, now);
  const startedAt = part.startedAt ?? now;
  const earlierStarts = Array.from({ length: index }, (_, turn) =>
    pieceStart(part, turn * piecesOfTurn(part)),
  );
  const begun = { ...part, turnStarts: [...earlierStarts, Math.max(0, elapsedOf(part, now))] };
  return { ...begun, endedAt: plusMillis(startedAt, pieceStart(begun, pieceCount(begun))) };
}

const placesFrom = (first: number, end: number): number[] =>
  Array.from({ length: Math.max(0, end - first) }, (_, index) => first + index);

/**
 * The turn ends now and goes to the next person who is in the room. People who are away come once more after the last;
 * if nobody else is left, their second time begins. The unused time is added to nobody.
 */
export function passOn(part: Part, now: Instant, presence?: PresenceOf): Part {
  const turn = turnAt(part, now);
  if (!turn) return part;
  const next = turn.index + 1;
  const placesAhead = placesFrom(next, part.turns.length);
  const presenceCounts = presence !== undefined && presenceCountsSince(part, presence) !== null;
  const nameOf = (place: number): string => part.turns[place] ?? "";
  const firstHere = presenceCounts ? placesAhead.findIndex((place) => presence(nameOf(place)).isHere) : 0;
  const skippedPlaces = firstHere < 0 ? placesAhead : placesAhead.slice(0, firstHere);
  const repeatKeys = new Set(part.again);
  const isFirstTurn = (place: number) => !repeatKeys.has(nameOf(place));
  const returningPlaces = skippedPlaces.filter(isFirstTurn);
  const secondTurnPlaces = skippedPlaces.filter((place) => !isFirstTurn(place));
  const order = [
    ...placesFrom(0, next),
    ...(firstHere < 0 ? secondTurnPlaces : placesAhead.slice(firstHere)),
    ...returningPlaces,
  ];
  return beginTurn(
    {
      ...withOrder(part, order),
      ...(returningPlaces.length > 0 ? { again: [...repeatKeys, ...returningPlaces.map(nameOf)] } : {}),
      ...(firstHere > 0 && secondTurnPlaces.length > 0
        ? { missed: [...(part.missed ?? []), ...secondTurnPlaces.map(nameOf)] }
        : {}),
    },
    next,
    now,
  );
}

/** When the person whose turn it is will be passed, because they are away; null: they are in the room, or the part rests. */
function passesAbsentAt(part: Part, now: Instant, presence: PresenceOf): Instant | null {
  if (part.state !== "running" || part.startedAt === null) return null;
  const turn = turnAt(part, now);
  if (!turn) return null;
  const { isHere, since } = presence(turn.username);
  if (isHere) return null;
  const countsSince = presenceCountsSince(part, presence);
  if (countsSince === null) return null;
  const begun = plusMillis(part.startedAt, pieceStart(part, turn.index * piecesOfTurn(part)));
  const dueAt = plusMillis(later(later(begun, since), countsSince), PASSED_AFTER);
  if (dueAt >= now + turn.remaining) return null;
  // The room may look late, and nobody loses a turn to that.
  return instant(Math.max(dueAt, now));
}

/** The absent person of the current turn comes once more after the last one, and after that no more. */
function passAbsent(part: Part, now: Instant): Part {
  const turn = turnAt(part, now);
  if (!turn) return part;
  const { index, username } = turn;
  const isSecondTurn = part.again?.includes(username) ?? false;
  // Seconds that were added to this turn are over with it.
  const perTurn = piecesOfTurn(part);
  const isOver = ({ at, isOnward }: AddedTime) => !isOnward && Math.floor(at / perTurn) === index;
  const added = part.added?.filter((entry) => !isOver(entry));
  const others = placesFrom(0, part.turns.length).filter((place) => place !== index);
  const moved = withOrder({ ...part, added }, isSecondTurn ? others : [...others, index]);
  const turnMarks = isSecondTurn
    ? { missed: [...(part.missed ?? []), username] }
    : { again: [...(part.again ?? []), username] };
  return beginTurn({ ...moved, ...turnMarks }, index, now);
}

/** The turns ahead, as they come if nobody comes or goes. */
export function comingTurns(part: Part, now: Instant, presence?: PresenceOf): string[] {
  const turn = turnAt(part, now);
  if (!turn) return [];
  const after = passOn(part, now, presence);
  return after.turns.slice(turn.index + 1);
}

/** Passed to a schedule as a value, so that the pages of people who only watch load none of these rules. */
export const presenceBy = (presenceOf: PresenceOf): RoundPresence => ({
  of: presenceOf,
  passesAt: (part, now) => passesAbsentAt(part, now, presenceOf),
  pass: passAbsent,
});
