// Statements on standing seats: who holds one, the code they are asked for, and their seats in a new session (G-15, G-16).
import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import { type Database, type Statement, schema } from "#db/connect.server";
import { insertFrom } from "#db/queries/insert-from";
import { isHiddenFrom, newEventId, recordEvent } from "#db/queries/notices/events";
import { personNameOf, personOf } from "#db/queries/person-of-row";
import { isLetIn } from "#db/queries/safety/sanctions";
import { STANDING_SEAT_PREFIX, standingReferenceOf } from "#db/queries/sessions/paid-seats";
import { idOf } from "#db/queries/sessions/writes";
import { raiseLots, selectNextEntryIds } from "#db/queries/tokens";
import { isSeriesOpen, isVisible, type Viewer } from "#db/queries/visibility";
import type { NewEvent } from "~/domain/notices/cause";
import { subjectOf } from "~/domain/notices/events";
import type { Instant } from "~/domain/time";
import { PRICES } from "~/domain/tokens";

const { standingSeats, sessions, participants, tokenEntries, users } = schema;

/** The series `r` still has this code. Somebody may have changed the code since it was read (R-95). */
const hasCode = (joinCode: string): SQL => sql`coalesce(r.template ->> '$.joinCode', '') = ${joinCode}`;

/**
 * Gives the user a standing seat. It does nothing for a person who is kept out or does not see the hut, nor where the
 * series now has another code than `joinCode`. A retry keeps the first instant.
 */
export const takeStandingSeat = (
  db: Database,
  seat: { seriesId: number; userId: number; personId: number; now: Instant; viewer: Viewer },
  joinCode: string,
) =>
  insertFrom(
    db,
    standingSeats,
    { seriesId: sql`r.id`, userId: seat.userId, personId: seat.personId, since: seat.now },
    sql`FROM series r WHERE r.id = ${seat.seriesId} AND r.ended_at IS NULL AND r.owner_id <> ${seat.userId}
        AND ${isLetIn(seat, { id: sql`0`, seriesId: sql`r.id`, hutId: sql`r.hut_id` })}
        AND ${isSeriesOpen("r", seat.viewer)} AND ${hasCode(joinCode)}`,
  ).onConflictDoNothing();

/**
 * Asks the holders of standing seats for the new code and notifies them (R-95), except people whom the host has invited
 * by name to host in turn. Two statements.
 */
export const askHoldersForCode = (
  db: Database,
  { seriesId, now }: { seriesId: number; now: Instant },
  cause: NewEvent<"standing-asked">,
): [Statement, Statement] => {
  const mustGiveCode = sql`series_id = ${seriesId} AND NOT EXISTS (SELECT 1 FROM rota_hosts rh WHERE rh.series_id = ${seriesId} AND rh.user_id = standing_seats.user_id)`;
  return [
    recordEvent(db, cause, {
      idLists: { to: sql`SELECT user_id AS id FROM standing_seats WHERE ${mustGiveCode}` },
    }),
    db.update(standingSeats).set({ codeAskedAt: now }).where(mustGiveCode),
  ];
};

/** Stops asking the holders for a code, because the series no longer has one. */
export const stopAskingForCode = (db: Database, seriesId: number): Statement =>
  db
    .update(standingSeats)
    .set({ codeAskedAt: null })
    .where(sql`series_id = ${seriesId} AND code_asked_at IS NOT NULL`);

/** Records that the user has given the code `joinCode`; changes nothing if the series now has another code. */
export const recordCodeGiven = (
  db: Database,
  { seriesId, userId }: { seriesId: number; userId: number },
  joinCode: string,
): Statement =>
  db
    .update(standingSeats)
    .set({ codeAskedAt: null })
    .where(
      sql`series_id = ${seriesId} AND user_id = ${userId}
        AND EXISTS (SELECT 1 FROM series r WHERE r.id = ${seriesId} AND ${hasCode(joinCode)})`,
    );

/** Deletes standing seats of people who were asked for the code before `before` and have not given it. */
export const deleteUnansweredStandingSeats = (db: Database, before: Instant): Statement =>
  db.delete(standingSeats).where(sql`code_asked_at < ${before}`);

export const deleteStandingSeat = (db: Database, seriesId: number, userId: number) =>
  db.delete(standingSeats).where(and(eq(standingSeats.seriesId, seriesId), eq(standingSeats.userId, userId)));

/** Holders of standing seats, in the order in which seats are laid out. */
export const listHolders = (db: Database, seriesId: number, viewerId: number, limit: number) =>
  db
    .select({
      username: personNameOf(sql`${standingSeats.personId}`, sql`${standingSeats.userId}`).as("holder_name"),
      since: standingSeats.since,
      isHidden: isHiddenFrom(sql`${viewerId}`, sql`${users.id}`),
    })
    .from(standingSeats)
    .innerJoin(users, eq(users.id, standingSeats.userId))
    .where(eq(standingSeats.seriesId, seriesId))
    .orderBy(asc(standingSeats.since), asc(standingSeats.userId))
    .limit(limit);

/** Consecutive occurrences without tokens after which a standing seat ends (G-15). */
const MAX_SKIPS = 3;

const isStandingSeatIn = (sessionId: number): SQL =>
  and(
    eq(participants.sessionId, sessionId),
    sql`${participants.seat} >= ${STANDING_SEAT_PREFIX} AND ${participants.seat} < ${`${STANDING_SEAT_PREFIX}~`}`,
  ) as SQL;

/** Selects the ids of the people with standing seats in a session. */
export const selectHoldersIn = (sessionId: number): SQL =>
  sql`SELECT user_id AS id FROM participants WHERE ${isStandingSeatIn(sessionId)}`;

/**
 * Asks the holders of standing seats in a session to confirm them. It runs before the session moves, in its batch
 * (G-16).
 */
export const askHoldersToConfirm = (
  db: Database,
  sessionId: number,
  now: Instant,
  condition: SQL,
): Statement =>
  db
    .update(participants)
    .set({ askedAt: now })
    .where(and(isStandingSeatIn(sessionId), condition));

/** Records that the holder keeps the seat after the move. */
export const keepSeat = (db: Database, sessionId: number, userId: number): Statement =>
  db
    .update(participants)
    .set({ askedAt: null })
    .where(
      and(
        eq(participants.userId, userId),
        eq(participants.sessionId, sessionId),
        sql`${participants.askedAt} IS NOT NULL`,
      ),
    );

/** A session that its series lays out in this batch. */
type LaidOutSession = {
  seriesId: number;
  slug: string;
  capacity: number;
  title: string;
  startedAt: Instant;
  now: Instant;
};

// D1 binds numbers as floats, and LIMIT takes whole numbers.
const JOIN_PRICE = sql.raw(String(PRICES.join));

const isUsableLot = (now: Instant): SQL =>
  sql`l.scope = 'all' AND l.remaining > 0 AND (l.expires_at IS NULL OR l.expires_at > ${now})`;
const selectBalance = (user: SQL, now: Instant): SQL =>
  sql`(SELECT coalesce(sum(l.remaining), 0) FROM token_lots l WHERE l.user_id = ${user} AND ${isUsableLot(now)})`;
const selectFreeSeats = ({ slug, capacity }: LaidOutSession): SQL =>
  sql`(SELECT min(coalesce(nullif(f.participant_limit, 0), ${capacity}), ${capacity}) - f.participants_count FROM sessions f WHERE f.id = ${idOf(slug)})`;

/**
 * Seats and charges the holders of standing seats in a session inserted in this batch: by `since`, up to the limit, if
 * they (or a host who pays) have enough tokens (G-13 to G-15). The number of statements does not grow with the seats.
 */
export const seatStandingHolders = (db: Database, session: LaidOutSession): Statement[] => [
  ...insertStandingSeats(db, session),
  ...chargeSeats(db, session),
  ...skipUnpaidHolders(db, session),
];

/** Inserts the seats and corrects the session's count. */
function insertStandingSeats(db: Database, session: LaidOutSession): Statement[] {
  const sessionId = idOf(session.slug);
  const user = sql`st.user_id`;
  const payableSeats = sql`(SELECT CASE WHEN f.is_free THEN ${selectBalance(sql`f.owner_id`, session.now)} / ${JOIN_PRICE} ELSE 1000000 END FROM sessions f WHERE f.id = ${sessionId})`;
  return [
    insertFrom(
      db,
      participants,
      {
        sessionId: sql`s.id`,
        userId: sql`st.user_id`,
        personId: sql`p.id`,
        username: sql`p.username`,
        seat: standingReferenceOf(sql`s.id`, sql`st.user_id`),
        paidBy: sql`CASE WHEN s.is_free THEN s.owner_id ELSE st.user_id END`,
        joinedAt: session.now,
        joinedStart: sql`s.started_at`,
      },
      sql`FROM standing_seats st JOIN sessions s ON s.id = ${sessionId} JOIN users u ON u.id = st.user_id
          JOIN persons p ON p.id = ${personOf(sql`st.person_id`, user)}
          WHERE st.series_id = ${session.seriesId} AND st.user_id <> s.owner_id AND st.code_asked_at IS NULL AND u.deletion_due_at IS NULL
          AND (s.is_free = 1 OR ${selectBalance(user, session.now)} >= ${JOIN_PRICE})
          AND ${isLetIn({ userId: user, now: session.now }, { id: sql`s.id`, seriesId: sql`s.series_id`, hutId: sql`s.hut_id` })}
          AND ${isVisible("sessions", "s", user)}
          ORDER BY st.since, st.user_id LIMIT CAST(max(0, min(${selectFreeSeats(session)}, ${payableSeats})) AS INTEGER)`,
    ),
    db
      .update(sessions)
      .set({ participantsCount: sql`(SELECT count(*) FROM participants c WHERE c.session_id = sessions.id)` })
      .where(
        sql`id = ${sessionId} AND (SELECT count(*) FROM participants c WHERE c.session_id = sessions.id) > participants_count`,
      ),
  ];
}

/** Charges the payers of the seats. */
function chargeSeats(db: Database, session: LaidOutSession): Statement[] {
  const sessionId = idOf(session.slug);
  return [
    // The seats and lots of a payer are ranges of tokens; a seat takes from the lots that it overlaps.
    insertFrom(
      db,
      tokenEntries,
      {
        id: selectNextEntryIds(sql`x.payer`, sql`PARTITION BY x.payer`),
        userId: sql`x.payer`,
        lotId: sql`x.lot`,
        amount: sql`-x.amount`,
        reason: sql`x.reason`,
        reference: sql`x.seat`,
        createdAt: session.now,
        paidBefore: sql`x.before`,
      },
      sql`FROM (
        WITH owed AS (
          SELECT paid_by, user_id, seat, ${JOIN_PRICE} * (row_number() OVER (PARTITION BY paid_by ORDER BY user_id) - 1) AS first
          FROM participants WHERE session_id = ${sessionId} AND is_host = 0),
        lots AS (
          SELECT l.user_id, l.id, l.remaining,
            sum(l.remaining) OVER (PARTITION BY l.user_id ORDER BY coalesce(l.expires_at, 9e15), l.id ROWS UNBOUNDED PRECEDING) - l.remaining AS before
          FROM token_lots l WHERE l.user_id IN (SELECT paid_by FROM owed) AND ${isUsableLot(session.now)})
          SELECT o.paid_by AS payer, l.id AS lot, min(l.before + l.remaining, o.first + ${JOIN_PRICE}) - max(l.before, o.first) AS amount,
            CASE WHEN o.paid_by = o.user_id THEN 'join' ELSE 'host_join' END AS reason, o.seat AS seat, max(0, l.before - o.first) AS before
          FROM owed o JOIN lots l ON l.user_id = o.paid_by AND l.before < o.first + ${JOIN_PRICE} AND l.before + l.remaining > o.first) x`,
    ),
    raiseLots(
      db,
      sql`SELECT e.lot_id, sum(e.amount) AS amount FROM participants p JOIN token_entries e ON e.reference = p.seat AND e.amount < 0
        WHERE p.session_id = ${sessionId} AND p.is_host = 0 GROUP BY e.lot_id`,
    ),
  ];
}

/** Notifies holders without enough tokens, counts what they skipped, and ends the seats that were skipped too often. */
function skipUnpaidHolders(db: Database, session: LaidOutSession): Statement[] {
  const sessionId = idOf(session.slug);
  const isSeated = sql`EXISTS (SELECT 1 FROM participants h WHERE h.session_id = ${sessionId} AND h.user_id = standing_seats.user_id)`;
  const isSkipped = sql`NOT ${isSeated} AND standing_seats.code_asked_at IS NULL AND ${selectFreeSeats(session)} > 0
    AND EXISTS (SELECT 1 FROM users u WHERE u.id = standing_seats.user_id AND u.deletion_due_at IS NULL)
    AND EXISTS (SELECT 1 FROM sessions f WHERE f.id = ${sessionId} AND f.is_free = 0 AND f.owner_id <> standing_seats.user_id
      AND ${isLetIn({ userId: sql`standing_seats.user_id`, now: session.now }, { id: sql`f.id`, seriesId: sql`f.series_id`, hutId: sql`f.hut_id` })})
    AND ${selectBalance(sql`standing_seats.user_id`, session.now)} < ${JOIN_PRICE}`;
  const isEnding = sql`series_id = ${session.seriesId} AND skips >= ${MAX_SKIPS}`;
  const selectHolders = (condition: SQL) => ({
    to: sql`SELECT user_id AS id FROM standing_seats WHERE ${condition}`,
  });
  const causeFields = { subject: subjectOf("series", session.seriesId), actorId: null, at: session.now };
  const { title, startedAt } = session;
  const path = `/my/series/${session.seriesId}`;
  return [
    recordEvent(
      db,
      {
        ...causeFields,
        id: newEventId(session.now, { isFirst: true }),
        kind: "standing-unpaid",
        body: { title, path, startedAt },
      },
      { idLists: selectHolders(sql`series_id = ${session.seriesId} AND ${isSkipped}`) },
    ),
    db
      .update(standingSeats)
      .set({ skips: sql`CASE WHEN ${isSeated} THEN 0 ELSE skips + 1 END` })
      .where(sql`series_id = ${session.seriesId} AND (${isSeated} AND skips > 0 OR ${isSkipped})`),
    recordEvent(
      db,
      {
        ...causeFields,
        id: newEventId(session.now),
        kind: "standing-ended",
        body: { title, path: "/my/series" },
      },
      { idLists: selectHolders(isEnding) },
    ),
    db.delete(standingSeats).where(isEnding),
  ];
}
