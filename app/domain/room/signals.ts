// Hands and reactions of a running room (J-05 to J-07). Pure.
import type { Part, Schedule } from "~/domain/schedule/shape";
import { elapsedOf, pieceStart, piecesOfTurn, turnAt } from "~/domain/schedule/timer-pieces";
import { SESSION_STATUS, statusAt } from "~/domain/sessions/status";
import { activeParts } from "~/domain/sessions/turns";
import type { Instant } from "~/domain/time";
import { canRunAsOrdinary, type LineRefusal, muteSentence, NOT_RUNNER } from "./chat";
import { focusAt } from "./focus";
import { type Hand, NOT_JOINED, type RoomActor, type RoomParticipant, type RoomState, seatOf } from "./room";

export const REACTIONS = ["👏", "❤️", "😂", "🎉", "👍"] as const;
export type Reaction = (typeof REACTIONS)[number];
/** How often each reaction was pressed. */
export type ReactionCounts = Partial<Record<Reaction, number>>;

const HANDS_CLOSED: LineRefusal = {
  code: "CONFLICT",
  sentence: "Hands go up while the session is in progress.",
};
const REACTIONS_CLOSED = "Reactions are for a session in progress.";

/** Null if this person's hand may go up or down. Lowering is always allowed. */
export function handRefusal(
  state: RoomState,
  actor: RoomActor,
  isUp: boolean,
  now: Instant,
): LineRefusal | null {
  const seat = seatOf(state, actor);
  if (!seat) return { code: "FORBIDDEN", sentence: NOT_JOINED };
  if (!isUp) return null;
  if (statusAt(state, now) !== SESSION_STATUS.running) return HANDS_CLOSED;
  const muted = muteSentence(state, actor, now);
  if (muted) return { code: "FORBIDDEN", sentence: muted };
  return isOnTurn(state.schedule, seat.username, now)
    ? { code: "CONFLICT", sentence: "It is your turn: you have the word." }
    : null;
}

/** Null for the host and admins, who lower hands and switch reactions. */
export const moderationRefusal = (state: RoomState, actor: RoomActor): LineRefusal | null =>
  canRunAsOrdinary(state, actor) ? null : NOT_RUNNER;

/** Null if this person may react now: reactions rest in focus parts as chat does (R-41). */
export function reactionRefusal(state: RoomState, actor: RoomActor, now: Instant): LineRefusal | null {
  if (!seatOf(state, actor)) return { code: "FORBIDDEN", sentence: NOT_JOINED };
  if (statusAt(state, now) !== SESSION_STATUS.running)
    return { code: "CONFLICT", sentence: REACTIONS_CLOSED };
  const muted = muteSentence(state, actor, now);
  if (muted) return { code: "FORBIDDEN", sentence: muted };
  if (state.areReactionsOff) return { code: "CONFLICT", sentence: "The host has switched reactions off." };
  const focus = canRunAsOrdinary(state, actor) ? null : focusAt(state, now);
  return focus && { code: "CONFLICT", sentence: `Reactions rest while ${focus.title} runs.` };
}

/** The room with this person's hand up or down; the same room if it is so already. */
export function withHand(state: RoomState, actor: RoomActor, isUp: boolean, now: Instant): RoomState {
  const seat = seatOf(state, actor);
  if (!seat || (seat.hand != null) === isUp) return state;
  const { schedule } = state;
  const hand = isUp ? { place: state.seq + 1, turns: turnsBegun(schedule, seat.username, now) } : undefined;
  return withHands(state, (person) => (person === seat ? hand : person.hand));
}

/** The room without the hand of this name or handle, or without hands. */
export const withoutHand = (state: RoomState, name: string | null): RoomState =>
  withHands(state, (person) =>
    name === null || person.username === name || person.handle === name ? undefined : person.hand,
  );

/**
 * The room without the hands that are over: of muted people, of people whose turn has begun since, and all of a room that
 * does not run. The caller has advanced the state to `now`.
 */
export function settleHands(state: RoomState, now: Instant): RoomState {
  if (state.participants.every(({ hand }) => hand == null)) return state;
  const isRunning = statusAt(state, now) === SESSION_STATUS.running;
  return withHands(state, ({ userId, username, hand }) => {
    if (!hand || !isRunning || muteSentence(state, { userId, username, isSuperAdmin: false }, now)) return;
    const turns = turnsBegun(state.schedule, username, now);
    if (turns > hand.turns || isOnTurn(state.schedule, username, now)) return;
    // A part that is over, or begins again, has no turns behind it.
    return turns < hand.turns ? { ...hand, turns } : hand;
  });
}

function withHands(state: RoomState, handOf: (person: RoomParticipant) => Hand | undefined): RoomState {
  let isSame = true;
  const participants = state.participants.map((person) => {
    const hand = handOf(person);
    if (hand === person.hand) return person;
    isSame = false;
    const { hand: _, ...personFields } = person;
    return hand ? { ...personFields, hand } : personFields;
  });
  return isSame ? state : { ...state, participants };
}

const isOnTurn = (schedule: Schedule, username: string, now: Instant): boolean =>
  activeParts(schedule).some((part) => turnAt(part, now)?.username === username);

/** The number of a person's turns that have begun. By it a late alarm notices even a turn that is already over. */
const turnsBegun = (schedule: Schedule, username: string, now: Instant): number =>
  activeParts(schedule).reduce((sum, part) => sum + turnsBegunIn(part, username, now), 0);

function turnsBegunIn(part: Part, username: string, now: Instant): number {
  const elapsed = elapsedOf(part, now);
  const perTurn = piecesOfTurn(part);
  return part.turns.filter((name, index) => name === username && pieceStart(part, index * perTurn) <= elapsed)
    .length;
}

type Raised = { hand?: number | null | undefined };
/** The raised hands, in the order that all screens show. */
export const handsIn = <T extends Raised>(participants: readonly T[]): T[] =>
  participants.filter(({ hand }) => hand != null).sort((a, b) => (a.hand ?? 0) - (b.hand ?? 0));

const PLACES = [
  "first",
  "second",
  "third",
  "fourth",
  "fifth",
  "sixth",
  "seventh",
  "eighth",
  "ninth",
  "tenth",
];
/** `index` counts from 0 (J-07). */
export const handWords = (index: number): string =>
  `Hand up, ${PLACES[index] ?? `number ${index + 1}`} in line`;
