// Claiming a session whose host is absent (G-29, G-30).
import { runBatch } from "#db/connect.server";
import { recordAct } from "#db/queries/audit";
import * as participants from "#db/queries/participants";
import { stopFreeJoining } from "#db/queries/session-writes";
import { AppError } from "~/domain/errors";
import { allow, requireUser } from "~/domain/permissions";
import { SESSION_SENTENCES } from "~/domain/session-limits";
import { isClaimOpen, statusAt } from "~/domain/session-status";
import type { SessionHead } from "~/domain/session-view";
import type { App } from "~/use-cases/app.server";
import { notifyRoom } from "~/use-cases/notify-room.server";
import { countChange } from "~/use-cases/rate-limits.server";
import { headOf, liveRow, readSession, type SessionRef, seatOfRow } from "./read.server";
import { laid } from "./roster-plan.server";

/** The sockets of the room decide who is present. A repeat by the new host changes nothing. */
export async function claimSession(
  app: App,
  input: SessionRef & { keepsFree?: boolean | undefined },
): Promise<SessionHead> {
  const user = requireUser(app.user);
  await countChange(app, user, "seat");
  const row = await readSession(app, input);
  allow(seatOfRow(row)?.role === 1, "Only an admin of this session may claim it.");
  const view = await app.rooms.of(row.id).view();
  const live = liveRow(row, view);
  if (row.isTemplate || row.closedAt !== null || statusAt(live, app.now) === 2)
    throw new AppError("CONFLICT", SESSION_SENTENCES.ended);
  if (row.seatIsHost) return headOf(app, row, view);
  if (!isClaimOpen(live, app.now)) throw new AppError("CONFLICT", SESSION_SENTENCES.claimedEarly);
  const isOnline = (name: string | null) => name !== null && view.online.includes(name);
  if (isOnline(row.hostName)) throw new AppError("CONFLICT", SESSION_SENTENCES.hostHere);
  if (!isOnline(row.seatName)) throw new AppError("CONFLICT", SESSION_SENTENCES.claimedFromAfar);
  const when = participants.mayClaim({ sessionId: row.id, hostId: row.hostId, adminId: user.id }, app.now);
  await runBatch(app.db, [
    ...(input.keepsFree ? [] : [stopFreeJoining(app.db, row.id, when)]),
    ...participants.handOver(app.db, row.id, user.id, when),
    recordAct(app.db, {
      at: app.now,
      actorId: user.id,
      action: "host-changed",
      target: { kind: "session", id: row.id },
      userId: user.id,
      previous: row.hostName ?? "",
    }),
  ]);
  const after = await readSession(app, { session: row.id });
  if (!after.seatIsHost) throw new AppError("CONFLICT", SESSION_SENTENCES.hostHere);
  notifyRoom(app, row.id);
  return headOf(app, await laid(app, after), view);
}
