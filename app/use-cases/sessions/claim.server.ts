// Claiming a session whose host is absent (G-29, G-30).
import { runBatch } from "#db/connect.server";
import { dropLinks, isAccountKept, mayClaim } from "#db/queries/sessions/hand-over";
import { AppError } from "~/domain/errors";
import { allow, requireUser } from "~/domain/permissions";
import { SEAT_ROLE } from "~/domain/roles";
import { isCallAt } from "~/domain/sessions/call";
import { SESSION_SENTENCES } from "~/domain/sessions/limits";
import * as sessionRefusals from "~/domain/sessions/refusals";
import { isClaimOpen, SESSION_STATUS, statusAt } from "~/domain/sessions/status";
import type { SessionHead } from "~/domain/sessions/view";
import type { App } from "~/use-cases/app.server";
import { wakeEvents } from "~/use-cases/notices/events.server";
import { notifyRoom } from "~/use-cases/notify-room.server";
import { countUse } from "~/use-cases/rate-limits.server";
import { planHandOver } from "./hand-over.server";
import { headOf } from "./head.server";
import { liveRow, readSession, type SessionRef, seatOfRow } from "./read.server";
import { updatePlan } from "./roster-plan.server";

/**
 * Makes an admin the host once claiming is open, if the room has a socket of the admin and none of the host. A repeat
 * by the new host changes nothing.
 */
export async function claimSession(
  app: App,
  input: SessionRef & { keepsFree?: boolean | undefined },
): Promise<SessionHead> {
  const user = requireUser(app.user);
  await countUse(app, "change-seat", user.id);
  const row = await readSession(app, input);
  allow(seatOfRow(row)?.role === SEAT_ROLE.admin, sessionRefusals.adminClaims);
  const view = await app.rooms.of(row.id).view();
  const live = liveRow(row, view);
  if (row.isTemplate || row.closedAt !== null || statusAt(live, app.now) === SESSION_STATUS.ended)
    throw new AppError("CONFLICT", SESSION_SENTENCES.ended);
  if (row.seatIsHost) return headOf(app, row, view);
  if (!isClaimOpen(live, app.now)) throw new AppError("CONFLICT", SESSION_SENTENCES.claimedEarly);
  const isOnline = (name: string | null) => name !== null && view.online.includes(name);
  if (isOnline(row.hostName)) throw new AppError("CONFLICT", SESSION_SENTENCES.hostHere);
  if (!isOnline(row.seatName)) throw new AppError("CONFLICT", SESSION_SENTENCES.claimedFromAfar);
  const claimCondition = mayClaim({ sessionId: row.id, hostId: row.hostId, adminId: user.id }, app.now);
  const { statements, handOverEvent } = planHandOver(app, row, {
    userId: user.id,
    keepsFree: input.keepsFree,
    condition: claimCondition,
  });
  const { hostId: from } = row;
  const base = app.settings.meetingBase;
  const isOfSite = base !== null && isCallAt(base, row.meetingLink);
  // The deletion of the former host's account does not find the session any more.
  const links = (hostId: number) => {
    const keepsCall = isOfSite || isAccountKept(hostId);
    return dropLinks(app.db, { sessionId: row.id, from: hostId, keepsCall, now: app.now }, claimCondition);
  };
  await runBatch(app.db, [...(from === null ? [] : [links(from)]), ...statements]);
  const updatedRow = await readSession(app, { session: row.id });
  if (!updatedRow.seatIsHost) throw new AppError("CONFLICT", SESSION_SENTENCES.hostHere);
  wakeEvents(app, [handOverEvent]);
  notifyRoom(app, row.id);
  return headOf(app, await updatePlan(app, updatedRow), view);
}
