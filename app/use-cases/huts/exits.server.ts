// The end of a stay in a hut, by a ban or by leaving a private hut: seats, places on waiting lists, standing
// seats, turns, hosted sessions and series, sockets and notices.
import { runBatch, type Statement } from "#db/connect.server";
import * as exits from "#db/queries/huts/exits";
import * as huts from "#db/queries/huts/huts";
import { countUnread } from "#db/queries/notices/notices";
import * as participants from "#db/queries/sessions/participants";
import type { SessionRow } from "#db/queries/sessions/sessions";
import * as sessions from "#db/queries/sessions/sessions";
import { AppError } from "~/domain/errors";
import { requireUser } from "~/domain/permissions";
import { SESSION_STATUS, statusAt } from "~/domain/sessions/status";
import type { App } from "~/use-cases/app.server";
import { wakeEvents } from "~/use-cases/notices/events.server";
import { closeSpectators, notifyRoom } from "~/use-cases/notify-room.server";
import { handedOver } from "../sessions/hand-over.server";
import { freed, freePlaces } from "../sessions/places.server";
import { liveRow, viewRoom } from "../sessions/read.server";
import { cancelUpcoming } from "../sessions/run.server";
import { left } from "../sessions/waiting.server";

type Hut = { id: number; ownerId: number; isPrivate: boolean };

const MAX_ATTEMPTS = 4;
/** Rooms that hear at once of a person who may not listen any more. */
const ROOMS_WATCHED = 200;
const BUSY = "This hut's sessions are changing right now. Please try again.";

/**
 * The statements that end what a person holds in the hut's series, and what they host in a public hut; where `when`
 * holds. They follow the statement of the ban or the leave in its batch.
 */
export const endHoldings = (
  app: App,
  hut: Hut,
  userId: number,
  when = huts.isNotOwner(hut.id, userId),
): Statement[] => {
  const stay = { hutId: hut.id, userId };
  return [
    ...exits.endStanding(app.db, stay, when),
    exits.releaseSeries(app.db, stay, { isPrivate: hut.isPrivate, now: app.now }, when),
    ...(hut.isPrivate ? [] : [exits.releaseSessions(app.db, stay, when)]),
    exits.deleteUnseenNotices(app.db, userId),
    countUnread(app.db, userId),
  ];
};

/** A banned person loses every place in the hut's sessions. May be repeated: a crash leaves the rest to the next ban. */
export async function freePlacesInHut(app: App, hut: Hut, userId: number): Promise<void> {
  for (const { id } of await exits.listHeld(app.db, { hutId: hut.id }, userId)) {
    const row = await readHeld(app, id);
    if (!row) continue;
    if (row.hostId !== userId) await freePlaces(app, row, userId);
    else if (!(await cancelAhead(app, row))) await handToOwner(app, hut, row, userId);
  }
  for (const { id } of await exits.listEnded(app.db, { hutId: hut.id, userId }, ROOMS_WATCHED))
    notifyRoom(app, id);
  await closeWatchers(app, hut);
}

/**
 * Leaving a private hut, where seats in running sessions stay until their end. The membership ends last, once nothing is
 * held ahead, so that a leave that breaks off may be repeated.
 */
export async function leavePrivateHut(app: App, hut: Hut, userId: number): Promise<{ userCount: number }> {
  const stay = { hutId: hut.id, userId };
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    for (const held of await exits.listHeld(app.db, { hutId: hut.id }, userId)) {
      const row = await readHeld(app, held.id);
      if (!row) continue;
      if (row.hostId === userId) await cancelAhead(app, row);
      else if (statusAt(row, app.now) === SESSION_STATUS.waiting) await freePlaces(app, row, userId);
      else if (row.waiting.position !== null) await runBatch(app.db, left(app, row, userId));
    }
    const results = await runBatch(app.db, [
      huts.deleteMember(app.db, hut.id, userId, exits.holdsNothingAhead(stay, app.now)),
      ...endHoldings(app, hut, userId, huts.isNoMember(hut.id, userId)),
      huts.countMembers(app.db, hut.id),
      huts.findMembership(app.db, hut.id, userId),
    ]);
    const [[counted], members] = results.slice(-2) as [{ userCount: number }[], unknown[]];
    if (members.length > 0) continue;
    await closeWatchers(app, hut);
    return { userCount: counted?.userCount ?? 0 };
  }
  throw new AppError("CONFLICT", BUSY);
}

const readHeld = async (app: App, id: number): Promise<SessionRow | undefined> =>
  (await sessions.findSession(app.db, id, requireUser(app.user).id))[0];

/** A hosted session that has not begun is cancelled with refunds (B-14). False for one that runs. */
async function cancelAhead(app: App, row: SessionRow): Promise<boolean> {
  if (statusAt(liveRow(row, await viewRoom(app, row.id)), app.now) !== SESSION_STATUS.waiting) return false;
  await cancelUpcoming(app, row.id);
  return true;
}

/** The hut's owner hosts the running session from now on; free joining ends with the hand-over. */
async function handToOwner(app: App, hut: Hut, row: SessionRow, userId: number): Promise<void> {
  const [seat] = await participants.findSeat(app.db, row.id, userId);
  if (!seat || statusAt(row, app.now) === SESSION_STATUS.ended) return;
  const { statements, given } = handedOver(app, row, {
    userId: hut.ownerId,
    when: participants.isHeldBy(row.id, userId),
  });
  const going = freed(app, seat, { isRefunded: false, startedAt: row.startedAt });
  await runBatch(app.db, [
    exits.seatSuccessor(app.db, {
      sessionId: row.id,
      from: userId,
      to: hut.ownerId,
      seat: `host:${app.newId()}`,
      now: app.now,
    }),
    ...statements,
    ...going.statements,
    exits.countSeats(app.db, row.id),
  ]);
  wakeEvents(app, [given, going.departure]);
  notifyRoom(app, row.id);
}

/** Spectators of a private hut's sessions have no name in the room, so all of them ask again. */
async function closeWatchers(app: App, hut: Hut): Promise<void> {
  if (!hut.isPrivate) return;
  for (const { id } of await huts.listOpenSessionsIn(app.db, hut.id, ROOMS_WATCHED)) closeSpectators(app, id);
}
