// The outcome of a change of a live room: accepted with the new state and the topics to broadcast, or refused.

import { type ErrorCode, type Newer, TOO_LONG_TO_KEEP } from "~/domain/errors";
import { canRunSession } from "~/domain/permissions";
import { USER_ROLE } from "~/domain/roles";
import { fitRow } from "~/domain/row-size";
import { scheduleSentence } from "~/domain/schedule/sentences";
import { findPart } from "~/domain/schedule/shape";
import { SESSION_STATUS, statusAt } from "~/domain/sessions/status";
import type { Instant } from "~/domain/time";
import { withEnd } from "./advance";
import { type RoomActor, type RoomState, type RoomTopic, seatOf } from "./room";

/** `fields` are INVALID or were changed elsewhere. `newer` is the save that an older edit would replace. */
export type RoomRefusal = {
  ok: false;
  code: ErrorCode;
  sentence: string;
  fields?: readonly string[];
  newer?: Newer;
};
export type RoomOutcome = { ok: true; state: RoomState; topics: RoomTopic[] } | RoomRefusal;

export const ENDED = "This session has ended.";

export const asActor = (actor: RoomActor) => ({
  id: actor.userId,
  username: actor.username,
  roleId: actor.isSuperAdmin ? USER_ROLE.superAdmin : USER_ROLE.ordinary,
});

export const refuse = (code: ErrorCode, sentence: string): RoomRefusal => ({ ok: false, code, sentence });
export const tooLong = (field: string): RoomRefusal => ({
  ...refuse("INVALID", TOO_LONG_TO_KEEP),
  fields: [field],
});
export const accept = (state: RoomState, ...topics: RoomTopic[]): RoomOutcome => ({
  ok: true,
  state,
  topics,
});

/** Updates the end, and adds the status topic if it moved. */
export function acceptWithEnd(
  before: RoomState,
  after: RoomState,
  now: Instant,
  ...topics: RoomTopic[]
): RoomOutcome {
  const state = withEnd(after, now);
  return accept(state, ...topics, ...(state.endedAt === before.endedAt ? [] : (["status"] as const)));
}

/** The room stores all its texts in one row. */
export const fitsRoomRow = ({ content, contentHtml, contributions, summary, prompt }: RoomState): boolean =>
  fitRow(content, contentHtml, JSON.stringify(contributions), summary, prompt);

export const refuseUnlessRunner = (state: RoomState, actor: RoomActor): RoomRefusal | null =>
  canRunSession(asActor(actor), seatOf(state, actor))
    ? null
    : refuse("FORBIDDEN", "Only the host and admins may do that.");

export function refuseUnlessRunning(state: RoomState, partId: string, now: Instant): RoomRefusal | null {
  if (!findPart(state.schedule, partId)) return refuse("NOT_FOUND", scheduleSentence({ code: "no-part" }));
  const status = statusAt(state, now);
  if (status === SESSION_STATUS.running) return null;
  return refuse("CONFLICT", status === SESSION_STATUS.ended ? ENDED : "The session has not started yet.");
}
