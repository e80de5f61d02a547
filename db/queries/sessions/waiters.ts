// Statements on the waiting list (G-18 to G-22); use cases run them. The batch that frees a seat also gives or offers
// it to the first waiter who may come and can pay, so a waiter without tokens undoes nothing.
import { and, eq, isNotNull, lte, type SQL, sql } from "drizzle-orm";
import { type Database, type Statement, schema } from "#db/connect.server";
import { insertFrom } from "#db/queries/insert-from";
import { recordEvent } from "#db/queries/notices/events";
import { isLetIn } from "#db/queries/safety/sanctions";
import { canPay, spendTokens } from "#db/queries/tokens";
import { isVisible, type Viewer } from "#db/queries/visibility";
import type { NewEvent } from "~/domain/notices/cause";
import { subjectOf } from "~/domain/notices/events";
import { WAITING_LIMITS, type WaitingList } from "~/domain/sessions/waiting";
import { type Instant, instant } from "~/domain/time";
import { recordCalendarInvite, selectStart } from "./calendar-invites";
import { hasPaidSeat, isSeatUnpaid, keepPaidSeat, seatReferenceOf } from "./paid-seats";
import { isHostOf, isSeatFree } from "./participants";

const { participants, persons, sessions, waiters } = schema;

/** The session `s`, for the bans that hold there. */
const PLACE_OF_S = { id: sql`s.id`, seriesId: sql`s.series_id`, hutId: sql`s.hut_id` };

/** A condition: the session `s` takes people, and at `now` its freed seats are in this phase. */
const isPhase = (phase: "given" | "offered" | "waiting", now: Instant): SQL => {
  const isGiven = sql`(s.started_at IS NULL OR s.started_at > ${now + WAITING_LIMITS.offersBefore})`;
  const isWaiting = sql`(s.started_at IS NULL OR s.started_at > ${now - WAITING_LIMITS.closesAfter})`;
  const isInPhase =
    phase === "given" ? isGiven : phase === "waiting" ? isWaiting : sql`(${isWaiting} AND NOT ${isGiven})`;
  return sql`s.closed_at IS NULL AND s.is_template = 0
    AND (s.ended_at IS NULL OR s.started_at IS NULL OR s.ended_at > ${now}) AND ${isInPhase}`;
};

type NewWaiter = { sessionId: number; userId: number; personId: number; now: Instant; viewer: Viewer };

/**
 * Puts the user at the end of the list, while the session is full, takes people and still has this code. A second
 * place of the same user changes no row.
 */
export const insertWaiter = (
  db: Database,
  waiter: NewWaiter,
  terms: { joinCode: string; capacity: number },
): Statement =>
  insertFrom(
    db,
    waiters,
    { sessionId: sql`s.id`, since: waiter.now, userId: waiter.userId, personId: waiter.personId },
    sql`FROM sessions s
        WHERE s.id = ${waiter.sessionId} AND ${isPhase("waiting", waiter.now)} AND NOT (${isSeatFree(terms.capacity)})
        AND s.join_code = ${terms.joinCode}
        AND (SELECT count(*) FROM waiters w WHERE w.session_id = s.id) < ${WAITING_LIMITS.most}
        AND NOT EXISTS (SELECT 1 FROM participants p WHERE p.user_id = ${waiter.userId} AND p.session_id = s.id)
        AND ${isLetIn(waiter, PLACE_OF_S)} AND ${isVisible("sessions", "s", waiter.viewer)}`,
  ).onConflictDoNothing();

export const deleteWaiter = (
  db: Database,
  { sessionId, userId }: { sessionId: number; userId: number },
  condition: SQL = sql`true`,
): Statement =>
  db.delete(waiters).where(and(eq(waiters.sessionId, sessionId), eq(waiters.userId, userId), condition));

/** The column with the waiting list of a session, and the user's place in it. */
export const selectWaitingList = (sessionId: SQL, userId: Viewer) =>
  sql<WaitingList>`(SELECT json_object('length', count(*), 'held', count(w.offered_until),
      'position', sum(CASE WHEN (w.since, w.user_id) <= (mine.since, mine.user_id) THEN 1 END),
      'offeredUntil', max(CASE WHEN w.user_id = mine.user_id THEN w.offered_until END),
      'codeAskedAt', max(CASE WHEN w.user_id = mine.user_id THEN w.code_asked_at END))
    FROM waiters w LEFT JOIN waiters mine ON mine.session_id = w.session_id AND mine.user_id = ${userId}
    WHERE w.session_id = ${sessionId})`
    .mapWith((json: string) => JSON.parse(json) as WaitingList)
    .as("waiting");

/** The waiters in order, with the names that host and admins see (G-23). */
export const listWaiters = (db: Database, sessionId: number) =>
  db
    .select({
      userId: waiters.userId,
      username: persons.username,
      since: waiters.since,
      offeredUntil: waiters.offeredUntil,
    })
    .from(waiters)
    .innerJoin(persons, eq(persons.id, waiters.personId))
    .where(eq(waiters.sessionId, sessionId))
    .orderBy(waiters.since, waiters.userId)
    .limit(WAITING_LIMITS.most);

/**
 * Asks the people on the list for the new code, and notifies them (R-95): two statements, which run before the change
 * of the code in its batch, and do nothing if the code stays. The people keep their places.
 */
export const askWaiters = (
  db: Database,
  { sessionId, joinCode, now }: { sessionId: number; joinCode: string; now: Instant },
  cause: NewEvent<"waiting-asked">,
  condition: SQL,
): [Statement, Statement] => {
  const hasNewCode = sql`${condition} AND EXISTS (SELECT 1 FROM sessions sc WHERE sc.id = ${sessionId} AND sc.join_code <> ${joinCode})`;
  return [
    recordEvent(db, cause, {
      condition: hasNewCode,
      idLists: { to: sql`SELECT user_id AS id FROM waiters WHERE session_id = ${sessionId}` },
    }),
    db.update(waiters).set({ codeAskedAt: now }).where(sql`session_id = ${sessionId} AND ${hasNewCode}`),
  ];
};

/** Stops asking for a code, because the session no longer has one. */
export const stopAskingWaiters = (db: Database, sessionId: number, condition: SQL): Statement =>
  db
    .update(waiters)
    .set({ codeAskedAt: null })
    .where(sql`session_id = ${sessionId} AND code_asked_at IS NOT NULL AND ${condition}`);

/** Records that the user has given the code `joinCode`; changes nothing if the session now has another code. */
export const recordWaiterCodeGiven = (
  db: Database,
  { sessionId, userId }: { sessionId: number; userId: number },
  joinCode: string,
): Statement =>
  db
    .update(waiters)
    .set({ codeAskedAt: null })
    .where(
      sql`session_id = ${sessionId} AND user_id = ${userId}
        AND EXISTS (SELECT 1 FROM sessions sc WHERE sc.id = ${sessionId} AND sc.join_code = ${joinCode})`,
    );

/** Sessions with waiters who were asked for the code before `before` and have not given it. */
export const listSessionsWithUnanswered = (db: Database, before: Instant, limit: number) =>
  db
    .selectDistinct({ id: sessions.id, title: sessions.title })
    .from(waiters)
    .innerJoin(sessions, eq(sessions.id, waiters.sessionId))
    .where(sql`${waiters.codeAskedAt} < ${before} AND ${sessions.closedAt} IS NULL`)
    .limit(limit);

/** Takes people who have not given the code off the list, and notifies them (R-95). */
export const deleteUnansweredWaiters = (
  db: Database,
  { sessionId, before }: { sessionId: number; before: Instant },
  cause: NewEvent<"waiting-ended">,
): [Statement, Statement] => {
  const isUnanswered = sql`session_id = ${sessionId} AND code_asked_at < ${before}`;
  return [
    recordEvent(db, cause, { idLists: { to: sql`SELECT user_id AS id FROM waiters WHERE ${isUnanswered}` } }),
    db.delete(waiters).where(isUnanswered),
  ];
};

// ---- a freed seat

type FreeSeat = { sessionId: number; title: string; now: Instant; capacity: number };

/** Records the cause of a notice to the users whom `to` selects; writes no row if there are none. */
const recordSeatNotice = (
  db: Database,
  { sessionId, title, now }: FreeSeat,
  kind: "seat-given" | "seat-offered" | "seat-unpaid",
  id: string,
  to: SQL,
  offerFields: { until?: Instant } = {},
): Statement =>
  recordEvent(
    db,
    {
      id,
      kind,
      subject: subjectOf("session", sessionId),
      // The notice names no actor, because the person who freed the seat may be blocked or deleted.
      actorId: null,
      body: { title, path: `/sessions/${sessionId}`, ...offerFields },
      at: now,
    },
    { idLists: { to }, textFields: kind === "seat-unpaid" ? {} : { knownBy: selectStart(sessionId) } },
  );

/** Notifies the first people on the list who would pay themselves and cannot (G-21). It runs before `passSeat`. */
export const notifyUnpaid = (db: Database, freed: FreeSeat, id: string): Statement => {
  const { sessionId, now, capacity } = freed;
  const selectFirstSince = (phase: "given" | "offered") =>
    sql`SELECT w.since ${fromFirstWaiter(freed, phase)}`;
  return recordSeatNotice(
    db,
    freed,
    "seat-unpaid",
    id,
    sql`SELECT p.user_id AS id FROM waiters p JOIN sessions s ON s.id = p.session_id
      WHERE s.id = ${sessionId} AND s.is_free = 0 AND p.offered_until IS NULL AND ${isPhase("waiting", now)}
      AND p.code_asked_at IS NULL AND ${isSeatFree(capacity)} AND p.since < coalesce((${selectFirstSince("given")}), (${selectFirstSince("offered")}), 9e15)
      AND NOT (${canPay({ userId: sql`p.user_id`, what: "join", now })})
      AND EXISTS (SELECT 1 FROM users u WHERE u.id = p.user_id AND u.deletion_due_at IS NULL)
      AND ${isLetIn({ userId: sql`p.user_id`, now }, PLACE_OF_S)}`,
  );
};

/** Notifies the people to whom a seat was offered (G-22). It runs after `passSeat`. */
export const notifyOffered = (db: Database, freed: FreeSeat, id: string): Statement =>
  recordSeatNotice(
    db,
    freed,
    "seat-offered",
    id,
    sql`SELECT p.user_id AS id FROM waiters p WHERE p.session_id = ${freed.sessionId} AND p.offered_until = ${freed.now + WAITING_LIMITS.offer}`,
    { until: instant(freed.now + WAITING_LIMITS.offer) },
  );

/** From the first person on the list who may come and can pay, if a seat is free in this phase. */
const fromFirstWaiter = ({ sessionId, now, capacity }: FreeSeat, phase: "given" | "offered"): SQL =>
  sql`FROM sessions s CROSS JOIN waiters w ON w.session_id = s.id
    JOIN persons n ON n.id = w.person_id JOIN users u ON u.id = w.user_id
    WHERE s.id = ${sessionId} AND ${isPhase(phase, now)} AND ${isSeatFree(capacity)}
    AND w.offered_until IS NULL AND w.code_asked_at IS NULL AND u.deletion_due_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM participants p WHERE p.user_id = w.user_id AND p.session_id = s.id)
    AND ${isLetIn({ userId: sql`w.user_id`, now }, PLACE_OF_S)}
    AND ${isVisible("sessions", "s", sql`w.user_id`)}
    AND (${canPay({ userId: seatPayer, what: "join", now })} OR ${hasPaidSeat(sql`s.id`, sql`w.user_id`, seatPayer)})
    ORDER BY w.since, w.user_id LIMIT 1`;
/** The user who pays for the first waiter's seat: the host where joining is free. */
const seatPayer = sql`iif(s.is_free = 1, (SELECT h.user_id FROM participants h WHERE ${isHostOf(sql`s`)}), w.user_id)`;

/**
 * Gives or offers one free seat to the first waiter (G-20 to G-22). The statements run after those that free it: the
 * seat, its count, its two payments, the place on the list, the invitation, the notice, the host's earlier payment, the
 * offer. `seatId` and `causeId` are new ids.
 */
export function passSeat(
  db: Database,
  freed: FreeSeat & { seatId: string; causeId: string; calendarInvite: NewEvent<"calendar"> },
): Statement[] {
  const { sessionId, now, seatId, causeId } = freed;
  // Only the batch knows the person, whom the reference names.
  const isNewSeat = sql`participants.session_id = ${sessionId} AND participants.joined_at = ${now} AND instr(participants.seat, ${seatId})`;
  const selectNewSeat = (column: string) =>
    sql`(SELECT ${sql.raw(column)} FROM participants WHERE ${isNewSeat})`;
  const seat = selectNewSeat("seat");
  const isTaken = sql`EXISTS ${selectNewSeat("1")}`;
  return [
    insertFrom(
      db,
      participants,
      {
        sessionId: sql`s.id`,
        userId: sql`w.user_id`,
        personId: sql`w.person_id`,
        username: sql`n.username`,
        seat: seatReferenceOf(sql`s.id`, sql`w.user_id`, seatId),
        paidBy: seatPayer,
        joinedAt: now,
        joinedStart: sql`s.started_at`,
      },
      fromFirstWaiter(freed, "given"),
    )
      .onConflictDoNothing()
      .returning({ userId: participants.userId }),
    db
      .update(sessions)
      .set({ participantsCount: sql`participants_count + 1` })
      .where(and(eq(sessions.id, sessionId), isTaken)),
    ...spendTokens(db, {
      userId: selectNewSeat("paid_by"),
      what: "join",
      reason: selectNewSeat("iif(paid_by = user_id, 'join', 'host_join')"),
      reference: seat,
      now,
      condition: isSeatUnpaid(isNewSeat),
    }),
    db.delete(waiters).where(sql`session_id = ${sessionId} AND user_id = ${selectNewSeat("user_id")}`),
    recordCalendarInvite(db, freed.calendarInvite, { sessionId, seat, now }),
    recordSeatNotice(db, freed, "seat-given", causeId, selectNewSeat("user_id AS id")),
    keepPaidSeat(db, isNewSeat),
    db
      .update(waiters)
      .set({ offeredUntil: (now + WAITING_LIMITS.offer) as Instant })
      .where(
        sql`(session_id, since, user_id) = (SELECT w.session_id, w.since, w.user_id ${fromFirstWaiter(freed, "offered")})`,
      )
      .returning({ userId: waiters.userId }),
  ];
}

/** Sessions with an offer that nobody took, the longest expired first. */
export const listExpiredOffers = (db: Database, now: Instant, limit: number) =>
  db
    .select({
      sessionId: waiters.sessionId,
      title: sessions.title,
      count: sql<number>`count(*)`.as("expired"),
    })
    .from(waiters)
    .innerJoin(sessions, eq(sessions.id, waiters.sessionId))
    .where(and(isNotNull(waiters.offeredUntil), lte(waiters.offeredUntil, now)))
    .groupBy(waiters.sessionId)
    .orderBy(sql`min(${waiters.offeredUntil})`)
    .limit(limit);

/** Removes the people whose offer has expired from the list. */
export const deleteExpiredOffers = (db: Database, sessionId: number, now: Instant): Statement =>
  db
    .delete(waiters)
    .where(
      and(eq(waiters.sessionId, sessionId), isNotNull(waiters.offeredUntil), lte(waiters.offeredUntil, now)),
    );

/** Deletes the lists of closed sessions. */
export const deleteClosedLists = (db: Database) =>
  db
    .delete(waiters)
    .where(
      sql`session_id IN (SELECT w.session_id FROM waiters w JOIN sessions s ON s.id = w.session_id WHERE s.closed_at IS NOT NULL)`,
    );
