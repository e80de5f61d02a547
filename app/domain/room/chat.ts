// The chat rules of a live room: permissions, line limits and the arithmetic of chat blocks (R-16, B-13). Pure.

import { ANY_LOCALE } from "~/domain/days";
import { type ErrorCode, invalid } from "~/domain/errors";
import { writingRefusalOf } from "~/domain/may-write";
import { canRunSession } from "~/domain/permissions";
import { USER_ROLE } from "~/domain/roles";
import { isInForce } from "~/domain/safety/sanctions";
import { SLOW_MODES, type SlowMode } from "~/domain/sessions/chat";
import { SESSION_STATUS, statusAt } from "~/domain/sessions/status";
import { type Instant, MINUTE, SECOND } from "~/domain/time";
import { focusAt, restsSentence } from "./focus";
import {
  NOT_JOINED,
  type RoomActor,
  type RoomMute,
  type RoomParticipant,
  type RoomState,
  seatOf,
} from "./room";

export const CHAT_CLOSED = "Chat is active when the session is in progress.";

/** Maximum characters of a line. */
export const CHAT_LENGTH = 2000;
const NONCE_LENGTH = 100;

export type LineRefusal = { code: ErrorCode; sentence: string };
export const NOT_RUNNER: LineRefusal = {
  code: "FORBIDDEN",
  sentence: "Only the host and admins may do that.",
};

const canRun = (state: RoomState, actor: RoomActor): boolean =>
  canRunSession(
    {
      id: actor.userId,
      username: actor.username,
      roleId: actor.isSuperAdmin ? USER_ROLE.superAdmin : USER_ROLE.ordinary,
    },
    seatOf(state, actor),
  );

/** True for the host and admins with a seat. A super admin without one removes lines of the chat instead. */
export const canRunAsOrdinary = (state: RoomState, actor: RoomActor): boolean =>
  canRun(state, { ...actor, isSuperAdmin: false });

export type ChatPermission =
  | { ok: true; seat: RoomParticipant }
  | { ok: false; code: ErrorCode; sentence: string };

/** Participants may chat while the session is in progress. */
export function chatPermission(state: RoomState, actor: RoomActor, now: Instant): ChatPermission {
  const seat = seatOf(state, actor);
  if (!seat) return { ok: false, code: "FORBIDDEN", sentence: NOT_JOINED };
  if (statusAt(state, now) !== SESSION_STATUS.running)
    return { ok: false, code: "CONFLICT", sentence: CHAT_CLOSED };
  const refused = writingRefusal(state, actor, now);
  return refused ? { ok: false, ...refused } : { ok: true, seat };
}

/** Null if this person may write. A mute comes before a focus part, because it often lasts longer. */
export function writingRefusal(state: RoomState, actor: RoomActor, now: Instant): LineRefusal | null {
  const muteText = muteSentence(state, actor, now);
  if (muteText) return { code: "FORBIDDEN", sentence: muteText };
  const restText = restSentence(state, actor, now);
  return restText ? { code: "CONFLICT", sentence: restText } : null;
}

/** The sentence while a focus part keeps this person from writing; null for host, admins and super admins. */
function restSentence(state: RoomState, actor: RoomActor, now: Instant): string | null {
  if (statusAt(state, now) !== SESSION_STATUS.running || canRun(state, actor)) return null;
  const focus = focusAt(state, now);
  return focus && restsSentence(focus);
}

/** The mutes in force that a person may see: all for host and admins, their own for everybody else. */
export const mutesSeenBy = (state: RoomState, actor: RoomActor, now: Instant): readonly RoomMute[] => {
  const maySeeAll = canRun(state, actor);
  return mutesInForce(state, now).filter((mute) => maySeeAll || mute.userId === actor.userId);
};

type Muting = Pick<RoomState, "mutes" | "startedAt" | "endedAt" | "closedAt">;
/** A mute of the whole session ends with it. The room keeps it, for the line that stays hidden. */
export const mutesInForce = (state: Muting, now: Instant): readonly RoomMute[] => {
  const hasEnded = state.closedAt !== null || statusAt(state, now) === SESSION_STATUS.ended;
  return state.mutes
    .map((mute) =>
      hasEnded && mute.endsWithSession ? { userId: mute.userId, until: mute.afterwards ?? now } : mute,
    )
    .filter((mute) => isInForce(mute, now));
};

/** The sentence that replaces a muted person's chat input; null for everybody else. */
export function muteSentence(state: Muting, actor: RoomActor, now: Instant): string | null {
  const sanctions = mutesInForce(state, now)
    .filter(({ userId }) => userId === actor.userId)
    .map(({ until }) => ({ scope: "session" as const, kind: "mute" as const, until, reason: "" }));
  // `belongs` is true here: banned people and those who left have no seat, which the caller has checked.
  const place = { kind: "session" as const, belongs: true, sanctions };
  return (
    writingRefusalOf({ timeZone: actor.timeZone ?? "UTC", locale: actor.locale ?? ANY_LOCALE }, place, now)
      ?.sentence ?? null
  );
}

/** The line as stored. INVALID at `content` or `nonce`. */
export function readLine(text: string, nonce: string): string {
  const content = text.trim();
  if (content === "") throw invalid("content", "Please write a message.");
  if (content.length > CHAT_LENGTH)
    throw invalid("content", `Please keep a message under ${CHAT_LENGTH} characters.`);
  if (nonce === "" || nonce.length > NONCE_LENGTH) throw invalid("nonce", "Please send a nonce.");
  return content;
}

// ---- editing and removing lines

export const LINE_EDIT_MINUTES = 5;
const LINE_EDIT_OVER = `A message can be edited for ${LINE_EDIT_MINUTES} minutes.`;
export const LINE_REMOVED = "This message was removed.";

/** The facts about a line that these rules need. */
export type PostedLine = { userId: number; createdAt: Instant; isRemoved: boolean };

export const isLineEditable = (line: { createdAt: Instant }, now: Instant): boolean =>
  now < line.createdAt + LINE_EDIT_MINUTES * MINUTE;

/** Null if allowed: the author while seated, for 5 minutes, even after the session has ended. */
export function editRefusal(
  state: RoomState,
  actor: RoomActor,
  line: PostedLine,
  now: Instant,
): LineRefusal | null {
  if (!seatOf(state, actor)) return { code: "FORBIDDEN", sentence: NOT_JOINED };
  if (line.userId !== actor.userId)
    return { code: "FORBIDDEN", sentence: "Only its author may edit a message." };
  if (line.isRemoved) return { code: "CONFLICT", sentence: LINE_REMOVED };
  const refused = writingRefusal(state, actor, now);
  if (refused) return refused;
  return isLineEditable(line, now) ? null : { code: "CONFLICT", sentence: LINE_EDIT_OVER };
}

/** Null if allowed: the author, the host, admins and super admins. */
export const removalRefusal = (state: RoomState, actor: RoomActor, line: PostedLine): LineRefusal | null =>
  line.userId === actor.userId || canRun(state, actor)
    ? null
    : { code: "FORBIDDEN", sentence: "Only its author, the host and admins may remove a message." };

// ---- slow mode

export const asSlowMode = (seconds: number | undefined): SlowMode =>
  SLOW_MODES.find((mode) => mode === seconds) ?? 0;

/** Whole seconds until this person may write again, or 0. Host and admins are exempt. */
export function slowModeWait(
  state: RoomState,
  actor: RoomActor,
  lastSentAt: Instant | null,
  now: Instant,
): number {
  if (state.slowMode === 0 || lastSentAt === null || canRun(state, actor)) return 0;
  return Math.max(0, Math.ceil((lastSentAt + state.slowMode * SECOND - now) / SECOND));
}
export const slowModeSentence = (wait: number): string =>
  `Slow mode is on. You can write again in ${wait} seconds.`;

// ---- blocks

/** A block of lines that a person paid for. `n` is its index: it counts the person's blocks from 0. */
export type ChatBlock = { userId: number; n: number; size: number };
/** The block of a session that paid for a line: `userId:n`. */
export type BlockKey = `${number}:${number}`;
export const blockKey = ({ userId, n }: Pick<ChatBlock, "userId" | "n">): BlockKey => `${userId}:${n}`;

export const hasLineLeft = (block: ChatBlock & { used: number }): boolean => block.used < block.size;
/** Paid lines that are unused. */
export const linesLeft = (size: number, usedLines: number): number => Math.max(0, size - usedLines);
