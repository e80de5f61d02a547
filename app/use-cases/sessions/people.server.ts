// Participation: join, leave, roles, hand-over, remove, ready, complete (C-57, C-72, C-75, C-78, R-02, R-05, S-07,
// S-08). The record decides seats and payments in one batch, in the order capacity, code, payment (L-08); ready marks
// and completion belong to the room.

import { sql } from "drizzle-orm";
import { runBatch, type Statement } from "#db/connect.server";
import { type Act, recordAct } from "#db/queries/safety/audit";
import { keepSeat as seriesKeepSeat } from "#db/queries/series/standing";
import { recordCalendarInvite } from "#db/queries/sessions/calendar-invites";
import { isSeatUnpaid, keepPaidSeat, seatReference } from "#db/queries/sessions/paid-seats";
import * as participants from "#db/queries/sessions/participants";
import type { SessionRow } from "#db/queries/sessions/sessions";
import * as sessions from "#db/queries/sessions/sessions";
import * as waiters from "#db/queries/sessions/waiters";
import * as tokens from "#db/queries/tokens";
import { AppError, brokenConstraint } from "~/domain/errors";
import { isGuest } from "~/domain/guest-rights";
import { allow, requireUser } from "~/domain/permissions";
import * as refusals from "~/domain/refusals";
import { SEAT_ROLE, type SeatRole } from "~/domain/roles";
import { aliasAt, isHandle } from "~/domain/room/aliases";
import { NOT_JOINED, type RoomView } from "~/domain/room/room";
import { closedAmong, type MuteOrder } from "~/domain/safety/sanctions";
import { returnsToken } from "~/domain/sessions/leaving";
import { SESSION_SENTENCES } from "~/domain/sessions/limits";
import * as sessionRefusals from "~/domain/sessions/refusals";
import { refuseTemplate } from "~/domain/sessions/sessions";
import { isFull } from "~/domain/sessions/spots";
import { SESSION_STATUS, statusAt } from "~/domain/sessions/status";
import type { SessionHead, ShownParticipant } from "~/domain/sessions/view";
import { placeIn } from "~/domain/sessions/waiting";
import { PRICES } from "~/domain/tokens";
import type { App, CurrentUser } from "~/use-cases/app.server";
import { wakeEvents } from "~/use-cases/notices/events.server";
import { notifyRoom, refreshRoom } from "~/use-cases/notify-room.server";
import { countUse } from "~/use-cases/rate-limits.server";
import { calendarCause } from "~/use-cases/sessions/calendar-invites.server";
import { viewerOf } from "~/use-cases/viewer.server";
import { freeSeatStatements, removeSeatStatements } from "./freed-seats.server";
import {
  browserOf,
  guestSeats,
  requireBrowserLetIn,
  requireGuestSeats,
  returnGuestStatements,
} from "./guest-seats.server";
import { planHandOver } from "./hand-over.server";
import { headOf, seatsOf, showParticipant, underAlias } from "./head.server";
import { requireCode } from "./join-code.server";
import {
  actorOf,
  changeRoom,
  liveRow,
  mayHost,
  mayRun,
  noSession,
  readSession,
  returnsUntil,
  type SessionRef,
  seatOfRow,
  termsOf,
  viewRoom,
  withHeldSeats,
} from "./read.server";
import { layPlanStatements, updatePlan } from "./roster-plan.server";
import { banFromSession, endMuteStatements, expel, muteParticipant } from "./sanctions.server";
import { passSeatStatements } from "./waiting.server";

const MAX_ATTEMPTS = 4;

/** The answer of joining and leaving. */
export type Participation = SessionHead & { isJoined: boolean; tokens: number | null };

/** A thousand people may join at once, so the answer omits the roster; page and socket deliver it. */
const participationOf = async (app: App, row: SessionRow): Promise<Participation> => ({
  ...(await headOf(app, row, null, { isBrief: true })),
  isJoined: seatOfRow(row) !== null,
  tokens: app.user?.tokens ?? null,
});

/** Takes a seat, for a token of the user or of the host (B-07). Joining again is free. */
export async function joinSession(
  app: App,
  input: SessionRef & { joinCode?: string | undefined },
): Promise<Participation> {
  const user = requireUser(app.user, sessionRefusals.signInToJoin);
  let [row] = await Promise.all([readSession(app, input), countUse(app, "join", user.id)]);
  const seat = isGuest(user)
    ? `${await guestSeats(user.email)}${app.newId()}`
    : seatReference(row.id, user.id, app.newId());
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    if (seatOfRow(row)) return participationOf(app, row);
    await requireMayJoin(app, row, input.joinCode);
    const currentRow = await takeSeat(app, user, row, seat);
    if (hasTaken(currentRow, seat, payerOf(user, row) === user.id)) {
      notifyRoom(app, row.id);
      return participationOf({ ...app, user: afterPayment(user, row) }, currentRow);
    }
    // The session ended, filled up or changed its terms meanwhile, so the loop decides again.
    row = currentRow;
  }
  throw new AppError("CONFLICT", sessionRefusals.changing);
}

const payerOf = (user: CurrentUser, row: SessionRow): number =>
  row.isFree || isGuest(user) ? (row.hostId ?? row.ownerId) : user.id;

/** A person who comes back has the seat that the host has paid for, under its earlier reference. */
const hasTaken = (row: SessionRow, seat: string, isOwn: boolean): boolean =>
  isOwn ? row.seatReference === seat : row.seatReference !== null;

/** The user with the balance after the join, for the header of the page. */
const afterPayment = (user: CurrentUser, row: SessionRow): CurrentUser =>
  payerOf(user, row) === user.id ? { ...user, tokens: user.tokens - PRICES.join } : user;

/** Throws unless the user may join: capacity first, then the code. The ledger itself decides payment (L-08). */
async function requireMayJoin(app: App, row: SessionRow, code: string | undefined): Promise<void> {
  refuseTemplate(row);
  if (statusAt(row, app.now) === SESSION_STATUS.ended || row.closedAt !== null)
    throw new AppError("CONFLICT", SESSION_SENTENCES.ended);
  const closedBan = closedAmong(row.sanctions, app.now);
  if (closedBan !== null) throw new AppError("FORBIDDEN", closedBan);
  if (isFull(withHeldSeats(row, app.now), app.settings.roomCapacity))
    throw new AppError("SESSION_FULL", SESSION_SENTENCES.full);
  if (isGuest(app.user)) {
    requireGuestSeats(row);
    await requireBrowserLetIn(app, row.id, await browserOf(app, row.id));
  }
  // People on the waiting list have given the code, unless the host changed it since.
  const waitingPlace = placeIn(row.waiting, app.now);
  if (waitingPlace === null || waitingPlace.codeUntil !== null) await requireCode(app, row, code);
}

/** Runs the batch of a join; returns the session after it. */
async function takeSeat(app: App, user: CurrentUser, row: SessionRow, seat: string): Promise<SessionRow> {
  const isByGuest = isGuest(user);
  const paidBy = payerOf(user, row);
  const takenSeat = {
    sessionId: row.id,
    userId: user.id,
    personId: user.personId,
    username: user.username,
    seat,
    paidBy,
    now: app.now,
    viewer: viewerOf(app),
  };
  const guest = isByGuest ? await guestSeats(user.email) : null;
  const calendarInvite = calendarCause(app, row.id, { isNew: true });
  try {
    const results = await runBatch(app.db, [
      ...(isByGuest
        ? await returnGuestStatements(app, row, user, seat)
        : participants.takeSeat(app.db, takenSeat, {
            joinCode: row.joinCode,
            isFree: row.isFree,
            hostId: row.hostId,
            capacity: app.settings.roomCapacity,
          })),
      ...tokens.spendTokens(app.db, {
        userId: paidBy,
        what: "join",
        reason: paidBy === user.id ? "join" : "host_join",
        reference: seat,
        now: app.now,
        condition: isSeatUnpaid(participants.isSeat(takenSeat), guest),
      }),
      waiters.deleteWaiter(app.db, takenSeat, participants.hasSeat(takenSeat)),
      ...(isByGuest ? [] : [recordCalendarInvite(app.db, calendarInvite, takenSeat)]),
      keepPaidSeat(app.db, participants.isSeat(takenSeat), guest),
      ...layPlanStatements(app, row, row.participantsCount + 1),
      sessions.findSession(app.db, row.id, viewerOf(app)),
    ]);
    const [currentRow] = results.at(-1) as SessionRow[];
    if (!currentRow) throw noSession();
    const getsInvite =
      user.isConfirmed &&
      hasTaken(currentRow, seat, paidBy === user.id) &&
      (currentRow.startedAt ?? 0) > app.now;
    if (getsInvite) wakeEvents(app, [calendarInvite]);
    return updatePlan(app, currentRow);
  } catch (error) {
    if (brokenConstraint(error) === "tokens_sufficient" && paidBy !== user.id)
      throw new AppError("INSUFFICIENT_TOKENS", SESSION_SENTENCES.hostOutOfTokens, { lacksTokens: "host" });
    throw error;
  }
}

/** Records that the holder of a standing seat keeps it, so that the question is not asked again. Idempotent. */
export async function keepSeat(app: App, input: SessionRef): Promise<SessionHead> {
  const user = requireUser(app.user);
  await countUse(app, "change-seat", user.id);
  const row = await readSession(app, input);
  if (row.seatReference === null) throw new AppError("FORBIDDEN", NOT_JOINED);
  if (row.seatAskedAt !== null) await runBatch(app.db, [seriesKeepSeat(app.db, row.id, user.id)]);
  return headOf(app, { ...row, seatAskedAt: null }, null, { isBrief: true });
}

/** Gives up the seat. Before the start the token returns by; the rest of a chat block always (B-13). */
export async function leaveSession(app: App, input: SessionRef): Promise<Participation> {
  const user = requireUser(app.user);
  let row = await readSession(app, input);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    if (row.seatReference === null) return participationOf(app, row);
    if (statusAt(row, app.now) === SESSION_STATUS.ended)
      throw new AppError("CONFLICT", SESSION_SENTENCES.ended);
    if (row.seatIsHost) throw new AppError("CONFLICT", SESSION_SENTENCES.hostStays);
    const seat = { sessionId: row.id, userId: user.id, seat: row.seatReference };
    const currentRow = await giveUpSeat(app, row, seat);
    if (currentRow.seatReference !== seat.seat) {
      const plannedRow = await updatePlan(app, currentRow);
      notifyRoom(app, row.id);
      return participationOf(app, plannedRow);
    }
    // The session ended, was handed to this person or got another start meanwhile, so the loop decides again.
    row = currentRow;
  }
  throw new AppError("CONFLICT", sessionRefusals.changing);
}

/**
 * Runs the batch of leaving; returns the session after it. The start in `row` decides whether the token returns, so the
 * batch changes nothing if the start has changed since.
 */
async function giveUpSeat(
  app: App,
  row: SessionRow,
  seat: { sessionId: number; userId: number; seat: string },
): Promise<SessionRow> {
  const terms = termsOf(row);
  const view = await viewRoom(app, row.id);
  const { startedAt } = liveRow(row, view);
  const isRefunded =
    terms !== null && (returnsToken(terms, startedAt, app.now) || returnsUntil(app, row, view) !== null);
  const condition = sql`${participants.mayLeave(seat, app.now)} AND ${participants.startsAt(row.id, row.startedAt)}`;
  const freedSeat = freeSeatStatements(app, seat, { isRefunded, startedAt: row.startedAt }, condition);
  const results = await runBatch(app.db, [
    ...freedSeat.statements,
    ...passSeatStatements(app, row),
    ...layPlanStatements(app, row, row.participantsCount - 1),
    // The seat may have been the only right to see the session.
    sessions.findAnySession(app.db, row.id, viewerOf(app)),
  ]);
  const [currentRow] = results.at(-1) as SessionRow[];
  if (!currentRow) throw noSession();
  if (currentRow.seatReference !== seat.seat) wakeEvents(app, [freedSeat.departure]);
  return currentRow;
}

// ---- the host's changes of the roster

type SessionPersonRef = { session: number; username: string };

async function readSeat(app: App, input: SessionPersonRef, hasRight: (app: App, row: SessionRow) => boolean) {
  requireUser(app.user);
  const [[row], [seat]] = await app.db.batch([
    sessions.findSession(app.db, input.session, viewerOf(app)),
    participants.findSeatByName(app.db, input.session, input.username),
  ]);
  if (!row) throw noSession();
  allow(hasRight(app, row), refusals.hostOnly);
  if (!seat) throw new AppError("NOT_FOUND", sessionRefusals.notParticipant);
  return { row, seat };
}

const ROLE_NAMES = { [SEAT_ROLE.participant]: "participant", [SEAT_ROLE.admin]: "admin" } as const;

/** The audit row of an action on a seat. */
const seatAct = (
  app: App,
  seat: { sessionId: number; userId: number },
  action: Act["action"],
  details: Pick<Act, "previous" | "reason"> = {},
): Act => ({
  at: app.now,
  actorId: requireUser(app.user).id,
  action,
  target: { kind: "session", id: seat.sessionId },
  userId: seat.userId,
  ...details,
});

/** Changes a role, hands the session over, or mutes: there is exactly one host. */
export async function changeParticipant(
  app: App,
  input: SessionPersonRef & {
    role?: SeatRole | undefined;
    isHost?: boolean | undefined;
    mute?: MuteOrder | undefined;
    reason?: string | undefined;
  },
): Promise<ShownParticipant> {
  const { mute, reason } = input;
  if (mute !== undefined) {
    await muteParticipant(app, { ...input, mute, reason });
    if (input.role === undefined && input.isHost === undefined)
      return showSeat(app, await readSeat(app, input, mayRun), input.username);
  }
  const { row, seat } = await readSeat(app, input, mayHost);
  // H-26: a guest has no right in a session but the seat.
  if (seat.guestName !== "" && (input.isHost || input.role))
    throw new AppError("FORBIDDEN", sessionRefusals.guestHasNoRole);
  let changedSeat = seat;
  if (input.isHost && !seat.isHost) {
    const { statements, handOverEvent } = planHandOver(app, row, { userId: seat.userId });
    changedSeat = await changeSeat(app, seat, statements);
    if (!changedSeat.isHost) throw new AppError("CONFLICT", sessionRefusals.cannotHost);
    wakeEvents(app, [handOverEvent]);
  } else if (input.isHost === false && seat.isHost) throw new AppError("CONFLICT", sessionRefusals.needsHost);
  if (input.role !== undefined && input.role !== changedSeat.role) {
    if (changedSeat.isHost) throw new AppError("CONFLICT", sessionRefusals.hostIsAdmin);
    const statement = participants.setRole(app.db, row.id, seat.userId, input.role);
    const previousRole = ROLE_NAMES[changedSeat.role];
    const act = recordAct(app.db, seatAct(app, seat, "role-changed", { previous: previousRole }));
    changedSeat = await changeSeat(app, seat, [statement, act]);
  }
  if (changedSeat !== seat) {
    await updatePlan(app, row);
    notifyRoom(app, row.id);
  }
  return showSeat(app, { row, seat: changedSeat }, input.username);
}

/** The participant as the caller named them: under an alias if `username` is the handle of a hidden person. */
async function showSeat(
  app: App,
  { row, seat }: { row: SessionRow; seat: Seat },
  username: string,
): Promise<ShownParticipant> {
  const view = await viewRoom(app, row.id);
  const roster = await seatsOf(app, row, view);
  const rosterIndex = roster.findIndex(({ userId }) => userId === seat.userId);
  const participant = showParticipant(
    { ...seat, isReady: roster[rosterIndex]?.isReady ?? false },
    row,
    view?.online.includes(seat.username) ?? false,
  );
  return underAlias(participant, isHandle(username) ? aliasAt(rosterIndex) : undefined, seat.handle);
}

/** Runs the batch of a new role or host; returns the seat after it. */
async function changeSeat(app: App, seat: Seat, statements: Statement[]): Promise<Seat> {
  const results = await runBatch(app.db, [
    ...statements,
    participants.findSeatByName(app.db, seat.sessionId, seat.username),
  ]);
  const [changedSeat] = results.at(-1) as Seat[];
  if (!changedSeat) throw new AppError("NOT_FOUND", sessionRefusals.notParticipant);
  return changedSeat;
}
type Seat = Awaited<ReturnType<typeof readSeat>>["seat"];

/**
 * Frees the seat of a participant. Before the start the join is refunded to its payer; after it the person counts as
 * absent. `isBanned`: the person may not return; `withLines`: their chat lines are removed as well; `endsMute`: ends the
 * mute that was set while the page offered Undo.
 */
export async function removeParticipant(
  app: App,
  input: SessionPersonRef & {
    isBanned?: boolean | undefined;
    isSeries?: boolean | undefined;
    withLines?: boolean | undefined;
    endsMute?: boolean | undefined;
    reason?: string | undefined;
  },
): Promise<void> {
  if (input.isBanned) return banFromSession(app, input);
  const { row, seat } = await readSeat(app, input, mayHost);
  if (seat.isHost) throw new AppError("CONFLICT", SESSION_SENTENCES.hostStays);
  if (statusAt(row, app.now) === SESSION_STATUS.ended)
    throw new AppError("CONFLICT", SESSION_SENTENCES.ended);
  const freedSeat = removeSeatStatements(app, row, seat);
  const results = await runBatch(app.db, [
    ...freedSeat.statements,
    recordAct(app.db, seatAct(app, seat, "participant-removed", { reason: input.reason })),
    ...(input.endsMute ? endMuteStatements(app, seatAct(app, seat, "mute-lifted"), seat) : []),
    ...passSeatStatements(app, row),
    ...layPlanStatements(app, row, row.participantsCount - 1),
    participants.findSeatByName(app.db, row.id, seat.username),
    sessions.findSession(app.db, row.id, viewerOf(app)),
  ]);
  const [[keptSeat], [currentRow]] = results.slice(-2) as [unknown[], SessionRow[]];
  // The session was handed to this person, or ended, meanwhile.
  if (keptSeat) throw new AppError("CONFLICT");
  if (!currentRow) throw noSession();
  wakeEvents(app, [freedSeat.departure]);
  await updatePlan(app, currentRow);
  await refreshRoom(app, row.id);
  await expel(app, currentRow, { ...input, userId: seat.userId });
}

// ---- state that the room stores

/** Sets the user's ready mark, or toggles it without a value (U-43). */
export async function setReady(
  app: App,
  input: SessionRef & { isReady?: boolean | undefined },
): Promise<{ isReady: boolean; participant: ShownParticipant }> {
  const user = requireUser(app.user);
  const row = await readSession(app, input);
  if (!seatOfRow(row)) throw new AppError("FORBIDDEN", NOT_JOINED);
  const ownSeat = (view: RoomView) => view.state.participants.find(({ userId }) => userId === user.id);
  let isReady = input.isReady;
  if (isReady === undefined) isReady = !ownSeat(await app.rooms.of(row.id).view())?.isReady;
  const view = await changeRoom(app, row, { type: "set-ready", by: actorOf(user), isReady });
  const seat = ownSeat(view);
  if (!seat) throw new AppError("FORBIDDEN", NOT_JOINED);
  return {
    isReady: seat.isReady,
    participant: showParticipant(seat, row, view.online.includes(seat.username)),
  };
}

/** Marks the user as done, or takes the mark back; when everybody is done, the session ends (S-07). */
export async function completeSession(
  app: App,
  input: SessionRef & { isDone?: boolean | undefined },
): Promise<SessionHead> {
  const user = requireUser(app.user);
  const row = await readSession(app, input);
  if (!seatOfRow(row)) throw new AppError("FORBIDDEN", NOT_JOINED);
  const view = await changeRoom(app, row, {
    type: "complete",
    by: actorOf(user),
    isDone: input.isDone ?? true,
  });
  return headOf(app, row, view);
}
