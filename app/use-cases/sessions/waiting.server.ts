// The waiting list of a full session: waiting, leaving the list, and offers that expire (G-18 to G-23). The statements
// for a freed seat run in the batch that frees it.
import { runBatch, type Statement } from "#db/connect.server";
import { newEventId } from "#db/queries/notices/events";
import type { SessionRow } from "#db/queries/sessions/sessions";
import * as sessions from "#db/queries/sessions/sessions";
import * as waiters from "#db/queries/sessions/waiters";
import { AppError } from "~/domain/errors";
import { requireUser } from "~/domain/permissions";
import { closedAmong } from "~/domain/safety/sanctions";
import { SESSION_SENTENCES } from "~/domain/sessions/limits";
import * as sessionRefusals from "~/domain/sessions/refusals";
import { refuseTemplate } from "~/domain/sessions/sessions";
import { isFull } from "~/domain/sessions/spots";
import { SESSION_STATUS, statusAt } from "~/domain/sessions/status";
import { placeIn, WAITING_LIMITS, WAITING_SENTENCES, waitingPhase } from "~/domain/sessions/waiting";
import type { App } from "~/use-cases/app.server";
import { runEachRow } from "~/use-cases/each-row.server";
import { notifyRoom } from "~/use-cases/notify-room.server";
import { countUse } from "~/use-cases/rate-limits.server";
import { calendarCause } from "~/use-cases/sessions/calendar-invites.server";
import { viewerOf } from "~/use-cases/viewer.server";
import { requireCode } from "./join-code.server";
import { noSession, readSession, type SessionRef, seatOfRow, withHeldSeats } from "./read.server";
import { updatePlan } from "./roster-plan.server";

const MAX_ATTEMPTS = 4;
/** Maximum seats that one batch passes on. */
export const SEATS_A_BATCH = 16;
/** Maximum sessions of one run of cron. */
const SESSIONS_A_RUN = 100;

/** A session with a free seat. */
type SessionWithSeat = { id: number; title: string };

/** The statements that give or offer up to `seats` free seats of a session, after those that free them. */
export function passSeatStatements(app: App, { id, title }: SessionWithSeat, seats = 1): Statement[] {
  const freeSeat = { sessionId: id, title, now: app.now, capacity: app.settings.roomCapacity };
  const passStatements = Array.from({ length: Math.min(seats, SEATS_A_BATCH) }).flatMap(() =>
    waiters.passSeat(app.db, {
      ...freeSeat,
      seatId: app.newId(),
      causeId: newEventId(app.now),
      calendarInvite: calendarCause(app, id, { isNew: true }),
    }),
  );
  return [
    waiters.notifyUnpaid(app.db, freeSeat, newEventId(app.now)),
    ...passStatements,
    waiters.notifyOffered(app.db, freeSeat, newEventId(app.now)),
  ];
}

/** Passes on the seats that one batch could not, after many were freed. */
export async function passRest(app: App, session: SessionWithSeat): Promise<void> {
  for (let batch = 0; batch * SEATS_A_BATCH < WAITING_LIMITS.most; batch++) {
    const results = (await runBatch(app.db, passSeatStatements(app, session, SEATS_A_BATCH))) as unknown[][];
    if (results.every((rows) => !Array.isArray(rows) || rows.length === 0)) return;
  }
}

/** Takes a place at the end of the list of a full session, for free. A repeat answers the place as it is now. */
export async function waitForSeat(
  app: App,
  input: SessionRef & { joinCode?: string | undefined },
): Promise<{ position: number }> {
  const user = requireUser(app.user, sessionRefusals.signInToJoin);
  await countUse(app, "change-seat", user.id);
  let row = await readSession(app, input);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const waitingPlace = placeIn(row.waiting, app.now);
    if (waitingPlace && waitingPlace.codeUntil === null) return { position: waitingPlace.position };
    await requireMayWait(app, row, input.joinCode);
    const waiter = { sessionId: row.id, userId: user.id };
    const [updatedRow] = (
      await runBatch(app.db, [
        // An expired offer ends the wait, so this is a new place.
        ...(row.waiting.position === null || waitingPlace
          ? []
          : leaveWaitingListStatements(app, row, user.id)),
        waitingPlace
          ? waiters.recordWaiterCodeGiven(app.db, waiter, row.joinCode)
          : waiters.insertWaiter(
              app.db,
              { ...waiter, personId: user.personId, now: app.now, viewer: viewerOf(app) },
              { joinCode: row.joinCode, capacity: app.settings.roomCapacity },
            ),
        sessions.findSession(app.db, row.id, viewerOf(app)),
      ])
    ).at(-1) as SessionRow[];
    if (!updatedRow) throw noSession();
    row = updatedRow;
  }
  throw new AppError("CONFLICT", sessionRefusals.changing);
}

async function requireMayWait(app: App, row: SessionRow, code: string | undefined): Promise<void> {
  const closedBan = closedAmong(row.sanctions, app.now);
  refuseTemplate(row);
  if (statusAt(row, app.now) === SESSION_STATUS.ended || row.closedAt !== null)
    throw new AppError("CONFLICT", SESSION_SENTENCES.ended);
  if (closedBan !== null) throw new AppError("FORBIDDEN", closedBan);
  if (seatOfRow(row)) throw new AppError("CONFLICT", WAITING_SENTENCES.updateAfterSeat);
  if (!isFull(withHeldSeats(row, app.now), app.settings.roomCapacity))
    throw new AppError("CONFLICT", WAITING_SENTENCES.seatFree);
  if (waitingPhase(row, app.now) === "open") throw new AppError("CONFLICT", WAITING_SENTENCES.closed);
  await requireCode(app, row, code);
  if (row.waiting.length >= WAITING_LIMITS.most) throw new AppError("CONFLICT", WAITING_SENTENCES.full);
}

/** The statements that take a person off the list; a seat offered to them goes to the next. */
export const leaveWaitingListStatements = (
  app: App,
  session: SessionWithSeat,
  userId: number,
): Statement[] => [
  waiters.deleteWaiter(app.db, { sessionId: session.id, userId }),
  ...passSeatStatements(app, session),
];

/** Takes the user off the waiting list. Idempotent. */
export async function stopWaiting(app: App, input: SessionRef): Promise<void> {
  const user = requireUser(app.user);
  const row = await readSession(app, input);
  await runBatch(app.db, leaveWaitingListStatements(app, row, user.id));
  if (row.waiting.held > 0) await updateAfterSeating(app, row.id);
}

/** Updates the plan and notifies the room after seats were passed on. */
async function updateAfterSeating(app: App, sessionId: number): Promise<void> {
  await updatePlan(app, await readSession(app, { session: sessionId }));
  notifyRoom(app, sessionId);
}

/** The job of cron that passes offers that nobody took to the next waiter (G-22). */
export async function passExpiredOffers(app: App): Promise<{ expired: number; failed: number }> {
  const lists = await waiters.listExpiredOffers(app.db, app.now, SESSIONS_A_RUN);
  const { done, failed } = await runEachRow(app, lists, {
    job: "pass-expired-offers",
    nameOf: ({ sessionId }) => sessionId,
    atOnce: SESSIONS_A_RUN,
    async runRow({ sessionId, title, count }) {
      await runBatch(app.db, [
        waiters.deleteExpiredOffers(app.db, sessionId, app.now),
        ...passSeatStatements(app, { id: sessionId, title }, count),
      ]);
      if (count > SEATS_A_BATCH) await passRest(app, { id: sessionId, title });
      notifyRoom(app, sessionId);
    },
  });
  return { expired: done.reduce((sum, { row }) => sum + row.count, 0), failed: failed.length };
}
