// The chat of a live room: who may speak, what a line may be, and the arithmetic of the blocks that pay for lines (R-16,
// B-13). Pure.

import { type ErrorCode, invalid } from "./errors";
import type { RoomActor, RoomParticipant, RoomState } from "./room";
import { statusAt } from "./session-status";
import type { Instant } from "./time";

export const CHAT_CLOSED = "Chat is active when the session is in progress.";
export const NOT_JOINED = "Please join the challenge to use that feature.";

/** Characters of a line. */
export const CHAT_LENGTH = 2000;
const NONCE_LENGTH = 100;

export const seatOf = (state: Pick<RoomState, "participants">, actor: RoomActor): RoomParticipant | null =>
  state.participants.find((person) => person.userId === actor.userId) ?? null;

export type ChatPermission =
  | { ok: true; seat: RoomParticipant }
  | { ok: false; code: ErrorCode; sentence: string };

/** Participants, while the session is in progress. */
export function mayChat(state: RoomState, by: RoomActor, now: Instant): ChatPermission {
  const seat = seatOf(state, by);
  if (!seat) return { ok: false, code: "FORBIDDEN", sentence: NOT_JOINED };
  if (statusAt(state, now) !== 1) return { ok: false, code: "CONFLICT", sentence: CHAT_CLOSED };
  return { ok: true, seat };
}

/** The line as it is kept. INVALID at `content` or `nonce`. */
export function readLine(text: string, nonce: string): string {
  const content = text.trim();
  if (content === "") throw invalid("content", "Please write a message.");
  if (content.length > CHAT_LENGTH)
    throw invalid("content", `Please keep a message under ${CHAT_LENGTH} characters.`);
  if (nonce === "" || nonce.length > NONCE_LENGTH) throw invalid("nonce", "Please send a nonce.");
  return content;
}

// ---- blocks

/** A block of lines that a person has paid for. `n` counts their blocks from 0. */
export type ChatBlock = { userId: number; n: number; size: number };
/** Which block of a session paid for a line: `userId:n`. */
export type BlockKey = `${number}:${number}`;
export const blockKey = ({ userId, n }: Pick<ChatBlock, "userId" | "n">): BlockKey => `${userId}:${n}`;

export const hasLineLeft = (block: ChatBlock & { used: number }): boolean => block.used < block.size;
/** Lines that were paid for and not said. */
export const linesLeft = (size: number, used: number): number => Math.max(0, size - used);
