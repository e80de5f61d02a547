// The line that the host shows on all screens (J-12): a line of the chat, shown until its part ends. Pure.
import { invalid } from "~/domain/errors";
import { findPart, hasBegun, partsInOrder, type Schedule } from "~/domain/schedule/shape";
import type { HostLine } from "~/domain/sessions/chat";
import type { Instant } from "~/domain/time";
import { canRunAsOrdinary, chatPermission, type LineRefusal, NOT_RUNNER, readLine } from "./chat";
import type { RoomActor, RoomParticipant, RoomState } from "./room";

export const HOST_LINE_LENGTH = 200;

/** The line as stored. INVALID at `content` or `nonce`. */
export function readHostLine(text: string, nonce: string): string {
  const content = readLine(text, nonce);
  if (content.length > HOST_LINE_LENGTH)
    throw invalid("content", `Please keep the line under ${HOST_LINE_LENGTH} characters.`);
  return content;
}

/** Allows the host and admins with a seat who may write in the chat. */
export function hostLinePermission(
  state: RoomState,
  actor: RoomActor,
  now: Instant,
): { ok: true; seat: RoomParticipant } | ({ ok: false } & LineRefusal) {
  const permission = chatPermission(state, actor, now);
  return permission.ok && !canRunAsOrdinary(state, actor) ? { ok: false, ...NOT_RUNNER } : permission;
}
/** Null if this person may clear the line. */
export const clearingRefusal = (state: RoomState, actor: RoomActor): LineRefusal | null =>
  canRunAsOrdinary(state, actor) ? null : NOT_RUNNER;

/** The part with which a line ends that is shown now: the first that runs, otherwise the next. */
export const partOfLine = (schedule: Schedule): string | null => {
  const parts = partsInOrder(schedule).filter(({ state }) => state !== "finished");
  return (parts.find(hasBegun) ?? parts[0])?.id ?? null;
};

/** The line while it is shown; null once its part has ended. `schedule` is advanced to the present. */
export function shownLine<L extends Pick<HostLine, "partId">>(
  line: L | null | undefined,
  schedule: Schedule,
): L | null {
  if (!line) return null;
  if (line.partId === null) return line;
  const part = findPart(schedule, line.partId);
  return part && part.state !== "finished" ? line : null;
}
