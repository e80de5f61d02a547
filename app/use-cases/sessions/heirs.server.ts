// A session whose host may no longer host it: it passes to an heir, or ends.
import { runBatch } from "#db/connect.server";
import { seatSuccessor, updateSeatCount } from "#db/queries/huts/exits";
import { dropLinks, findHeir, findKeeper } from "#db/queries/sessions/hand-over";
import { findSeat, isHostedBy } from "#db/queries/sessions/participants";
import { deletedName } from "~/domain/accounts/deleted";
import { AppError } from "~/domain/errors";
import { isCallAt } from "~/domain/sessions/call";
import * as sessionRefusals from "~/domain/sessions/refusals";
import { SESSION_STATUS, statusAt } from "~/domain/sessions/status";
import type { App } from "~/use-cases/app.server";
import { wakeEvents } from "~/use-cases/notices/events.server";
import { notifyRoom } from "~/use-cases/notify-room.server";
import { freeSeatStatements } from "./freed-seats.server";
import { planHandOver } from "./hand-over.server";
import { liveRow, readSessionForEnding, viewRoom } from "./read.server";
import { updatePlan } from "./roster-plan.server";
import { cancelUpcoming } from "./run.server";

const MAX_ATTEMPTS = 4;

/**
 * Ends a person's hosting: an heir with a seat takes over. Without one, a session that has not begun is cancelled with
 * refunds; a running one ends with its current part, at the latest an hour later. `toKeeper`: a running session goes to
 * the people who keep its hut first, who get the seat of the leaving host. The host's donation link does not pass
 * on, and with `isDeleted` neither does a call of the host's own. A template stays as it is. Idempotent.
 */
export async function passHosting(
  app: App,
  session: number,
  userId: number,
  { toKeeper = false, isDeleted = false } = {},
): Promise<void> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const row = await readSessionForEnding(app, session);
    if (row.hostId !== userId || row.closedAt !== null || row.isTemplate) return;
    const status = statusAt(liveRow(row, await viewRoom(app, row.id)), app.now);
    if (status === SESSION_STATUS.ended) return;
    const isRunning = status === SESSION_STATUS.running;
    const departure = { sessionId: row.id, userId, now: app.now };
    const [keeper] = toKeeper && isRunning ? await findKeeper(app.db, departure) : [];
    const [heir] = keeper ? [keeper] : await findHeir(app.db, departure);
    if (!heir) {
      if (!isRunning) return cancelUpcoming(app, row.id);
      await app.rooms.of(row.id).change({ type: "end-soon" });
      return;
    }
    // No row keeps the name of a deleted account.
    const handedOver = isDeleted ? { ...row, hostName: deletedName(userId) } : row;
    const { statements, handOverEvent } = planHandOver(app, handedOver, {
      userId: heir.userId,
      condition: isHostedBy(row.id, userId),
    });
    const [seat] = keeper ? await findSeat(app.db, row.id, userId) : [];
    // The keeper gets the seat of the leaving host, so this also works in a full session.
    const freedSeat = seat && freeSeatStatements(app, seat, { isRefunded: false, startedAt: row.startedAt });
    const base = app.settings.meetingBase;
    const keepsCall = !isDeleted || (base !== null && isCallAt(base, row.meetingLink));
    await runBatch(app.db, [
      dropLinks(app.db, { sessionId: row.id, from: userId, keepsCall, now: app.now }),
      ...(freedSeat
        ? [
            seatSuccessor(app.db, {
              ...departure,
              from: userId,
              to: heir.userId,
              seat: `host:${app.newId()}`,
            }),
          ]
        : []),
      ...statements,
      ...(freedSeat?.statements ?? []),
      updateSeatCount(app.db, row.id),
    ]);
    const updatedRow = await readSessionForEnding(app, session);
    if (updatedRow.hostId === userId) continue;
    wakeEvents(app, freedSeat ? [handOverEvent, freedSeat.departure] : [handOverEvent]);
    await updatePlan(app, updatedRow);
    notifyRoom(app, row.id);
    return;
  }
  throw new AppError("CONFLICT", sessionRefusals.changedElsewhere);
}
