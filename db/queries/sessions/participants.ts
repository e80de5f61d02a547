// Statements on seats: taking and leaving, roles, aims and refunds, with the money in the same batch. All statements of
// a batch share one condition, so that all of them or none apply (L-08).
import { and, asc, eq, inArray, ne, type SQL, sql } from "drizzle-orm";
import { type Database, type Statement, schema } from "#db/connect.server";
import { insertFrom } from "#db/queries/insert-from";
import { isLetIn } from "#db/queries/safety/sanctions";
import { giveBack } from "#db/queries/tokens";
import { isVisible, type Viewer } from "#db/queries/visibility";
import type { SeatRole } from "~/domain/roles";
import { isHandle } from "~/domain/room/aliases";
import type { Instant } from "~/domain/time";

const { participants, sessions, sessionTotals, activities } = schema;

export type NewSeat = {
  sessionId: number;
  userId: number;
  personId: number;
  username: string;
  /** The ledger reference of the join. */
  seat: string;
  paidBy: number;
  now: Instant;
  /** The user, with the rights of this request to see sessions. */
  viewer: Viewer;
};
/** The facts on which a join was decided; if any has changed, the join does nothing. */
export type JoinTerms = { joinCode: string; isFree: boolean; hostId: number | null; capacity: number };

/** The seat `h` is that of the host of this session. */
export const isHostOf = (session: SQL | typeof sessions): SQL =>
  sql`h.session_id = ${session}.id AND h.is_host = 1`;

/** The row of `participants` is this seat. */
export const isSeat = ({ sessionId, userId, seat }: Pick<NewSeat, "sessionId" | "userId" | "seat">): SQL =>
  sql`participants.session_id = ${sessionId} AND participants.user_id = ${userId} AND participants.seat = ${seat}`;

/** A condition of the later statements of a batch: this seat exists. */
export const hasSeat = (seat: Pick<NewSeat, "sessionId" | "userId" | "seat">): SQL =>
  sql`EXISTS (SELECT 1 FROM participants WHERE ${isSeat(seat)})`;

/**
 * A condition on the session `s`: the limits leave a seat that is not offered to another person (G-22). An offer
 * to `to` does not count while it is valid.
 */
export const isSeatFree = (capacity: number, to?: { userId: number; now: Instant }): SQL => {
  const isOwn = to ? sql` AND NOT (held.user_id = ${to.userId} AND held.offered_until > ${to.now})` : sql``;
  const takenSeats = sql`s.participants_count + (SELECT count(*) FROM waiters held WHERE held.session_id = s.id AND held.offered_until IS NOT NULL${isOwn})`;
  return sql`${takenSeats} < iif(coalesce(s.participant_limit, 0) = 0, ${capacity}, min(s.participant_limit, ${capacity}))`;
};

/**
 * Inserts a seat and raises the count: two statements. Neither applies when the session ended, filled up or changed
 * its terms, or when the user has another seat. A repeat of this seat breaks `one_seat_per_user`.
 */
export const takeSeat = (db: Database, seat: NewSeat, terms: JoinTerms): [Statement, Statement] => [
  insertFrom(
    db,
    participants,
    {
      sessionId: sql`s.id`,
      userId: seat.userId,
      personId: seat.personId,
      username: seat.username,
      seat: seat.seat,
      paidBy: seat.paidBy,
      joinedAt: seat.now,
      joinedStart: sql`s.started_at`,
    },
    sql`FROM sessions s WHERE s.id = ${seat.sessionId} AND s.closed_at IS NULL AND s.is_template = 0
        AND (s.ended_at IS NULL OR s.started_at IS NULL OR s.ended_at > ${seat.now})
        AND ${isSeatFree(terms.capacity, seat)}
        AND ${isLetIn(seat, { id: sql`s.id`, seriesId: sql`s.series_id`, hutId: sql`s.hut_id` })}
        AND s.join_code = ${terms.joinCode} AND s.is_free = ${terms.isFree ? 1 : 0}
        AND (s.is_free = 0 OR EXISTS (SELECT 1 FROM participants h WHERE h.session_id = s.id AND h.is_host = 1 AND h.user_id = ${terms.hostId ?? 0}))
        AND ${isVisible("sessions", "s", seat.viewer)}
        AND NOT EXISTS (SELECT 1 FROM participants o WHERE o.user_id = ${seat.userId} AND o.session_id = s.id AND o.seat <> ${seat.seat})`,
  ),
  db
    .update(sessions)
    .set({ participantsCount: sql`participants_count + 1` })
    .where(and(eq(sessions.id, seat.sessionId), hasSeat(seat))),
];

/** Finds a seat by the seat's handle, or by the person's name. It starts from the name, so it reads no large roster. */
export const findSeatByName = (db: Database, sessionId: number, name: string) =>
  db
    .select()
    .from(participants)
    .where(
      and(
        eq(participants.sessionId, sessionId),
        isHandle(name)
          ? eq(participants.handle, name)
          : sql`${participants.userId} = (SELECT n.user_id FROM persons n WHERE lower(n.username) = lower(${name})) AND lower(${participants.username}) = lower(${name})`,
      ),
    )
    .limit(1);

/** A user's seat in any session, by the reference from the client. */
export const findSeatByReference = (db: Database, userId: number, seat: string) =>
  db
    .select({ sessionId: participants.sessionId })
    .from(participants)
    .where(and(eq(participants.userId, userId), eq(participants.seat, seat)))
    .limit(1);

/** A user's seat, by its own key. */
export const findSeat = (db: Database, sessionId: number, userId: number) =>
  db
    .select()
    .from(participants)
    .where(and(eq(participants.userId, userId), eq(participants.sessionId, sessionId)))
    .limit(1);

/** The seats of a session in order of joining. */
export const listSeats = (db: Database, sessionId: number, limit: number, offset = 0) =>
  db
    .select()
    .from(participants)
    .where(eq(participants.sessionId, sessionId))
    .orderBy(asc(participants.joinedAt), asc(participants.userId))
    .limit(limit)
    .offset(offset);

/** A cursor in the order of joining: after the first `skip` seats of that instant. */
export type SeatKey = { joinedAt: number; skip: number };
type SeatPage = { page: number; perPage: number; after: SeatKey | null };
const offsetOf = ({ page, perPage, after }: SeatPage): number => after?.skip ?? (page - 1) * perPage;

/** A page of seats, in order of joining, and one row more. */
export const listSeatPage = (db: Database, sessionId: number, page: SeatPage) =>
  db
    .select()
    .from(participants)
    .where(
      and(
        eq(participants.sessionId, sessionId),
        page.after ? sql`${participants.joinedAt} >= ${page.after.joinedAt}` : undefined,
      ),
    )
    .orderBy(asc(participants.joinedAt), asc(participants.userId))
    .limit(page.perPage + 1)
    .offset(offsetOf(page));
/** The totals per goal of these participants. */
export const listTotals = (db: Database, sessionId: number, userIds: readonly number[] | SQL) =>
  db
    .select()
    .from(sessionTotals)
    .where(
      and(
        eq(sessionTotals.sessionId, sessionId),
        Array.isArray(userIds)
          ? inArray(sessionTotals.userId, userIds as number[])
          : sql`${sessionTotals.userId} IN (${userIds as SQL})`,
      ),
    );
/** Selects the users of a page of seats, so that the same batch can read their totals. */
export const selectUsersOfSeatPage = (sessionId: number, page: SeatPage): SQL =>
  sql`SELECT user_id FROM participants WHERE session_id = ${sessionId}${
    page.after ? sql` AND joined_at >= ${page.after.joinedAt}` : sql``
  } ORDER BY joined_at, user_id LIMIT ${page.perPage} OFFSET ${offsetOf(page)}`;

// ---- leaving

/** Frees the seat if `condition` holds: two statements, `row` last. */
export const freeSeat = (
  db: Database,
  seat: { sessionId: number; userId: number; seat: string },
  condition: SQL,
) => ({
  count: db
    .update(sessions)
    .set({ participantsCount: sql`participants_count - 1` })
    .where(and(eq(sessions.id, seat.sessionId), hasSeat(seat), condition)),
  row: db
    .delete(participants)
    .where(
      and(
        eq(participants.sessionId, seat.sessionId),
        eq(participants.userId, seat.userId),
        eq(participants.seat, seat.seat),
        condition,
      ),
    )
    .returning({ userId: participants.userId }),
});

/** A condition inside the batch: the user is not the host, and the session has not ended. */
export const mayLeave = (seat: { sessionId: number; userId: number }, now: Instant): SQL =>
  sql`EXISTS (SELECT 1 FROM participants g JOIN sessions gs ON gs.id = g.session_id WHERE g.session_id = ${seat.sessionId} AND g.user_id = ${seat.userId} AND g.is_host = 0 AND gs.closed_at IS NULL AND (gs.ended_at IS NULL OR gs.started_at IS NULL OR gs.ended_at > ${now}))`;

/** A condition inside the batch: the session's start is the one that was read. */
export const startsAt = (sessionId: number, startedAt: Instant | null): SQL =>
  sql`EXISTS (SELECT 1 FROM sessions st WHERE st.id = ${sessionId} AND st.started_at IS ${startedAt})`;

/** Forgets the start that people joined for. A start that is set again then counts as set after they joined (R-64). */
export const forgetStart = (db: Database, sessionId: number, condition: SQL): Statement =>
  db
    .update(participants)
    .set({ joinedStart: null })
    .where(and(eq(participants.sessionId, sessionId), condition));

/** A condition inside the batch: the user is not the session's host. */
export const isNotHost = ({ sessionId, userId }: { sessionId: number; userId: number }): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM participants h WHERE h.session_id = ${sessionId} AND h.user_id = ${userId} AND h.is_host = 1)`;

/** A condition inside the batch: the user is the session's host, and it is open. */
export const isHostedBy = (sessionId: number, userId: number): SQL =>
  sql`EXISTS (SELECT 1 FROM sessions hs JOIN participants h ON ${isHostOf(sql`hs`)} WHERE hs.id = ${sessionId} AND hs.closed_at IS NULL AND h.user_id = ${userId})`;

// ---- roles

/** Sets the role of a seat: 0 participant, 1 admin. The host's role never changes here, and a repeat changes no row. */
export const setRole = (db: Database, sessionId: number, userId: number, role: SeatRole) =>
  db
    .update(participants)
    .set({ role })
    .where(
      and(
        eq(participants.sessionId, sessionId),
        eq(participants.userId, userId),
        eq(participants.isHost, false),
        ne(participants.role, role),
      ),
    );

// ---- aims

/** Stores what a person will do in a session that has not closed. The goal must be the person's own (R-84). */
export const setAim = (
  db: Database,
  { sessionId, userId }: { sessionId: number; userId: number },
  { aim, goalId }: { aim: string; goalId: number | null },
) =>
  db
    .update(participants)
    .set({ aim, aimGoalId: goalId })
    .where(
      and(
        eq(participants.sessionId, sessionId),
        eq(participants.userId, userId),
        sql`EXISTS (SELECT 1 FROM sessions s WHERE s.id = ${sessionId} AND s.closed_at IS NULL)`,
        goalId === null
          ? undefined
          : sql`EXISTS (SELECT 1 FROM goals g WHERE g.id = ${goalId} AND g.user_id = ${userId} AND g.session_id IS NULL AND g.activity_id IS NULL)`,
      ),
    )
    .returning({ aim: participants.aim, aimGoalId: participants.aimGoalId });

export const eraseAim = (db: Database, { sessionId, userId }: { sessionId: number; userId: number }) =>
  db
    .update(participants)
    .set({ aim: "", aimGoalId: null })
    .where(
      and(eq(participants.sessionId, sessionId), eq(participants.userId, userId), ne(participants.aim, "")),
    );

// ---- refunds

/** Selects the tokens that the joins of these seats `p` took, for `giveBack`. */
const selectRefunds = (isRefunded: SQL): SQL =>
  sql`SELECT e.user_id, e.lot_id, -e.amount AS amount, 'refund:' || p.seat AS reference, e.paid_before
    FROM participants p JOIN token_entries e ON e.reference = p.seat AND e.amount < 0 WHERE ${isRefunded}`;

/** Refunds the joins of these seats `p`, each at most once (B-14, R-89). Run them before the seats are deleted. */
export const refundSeatsWhere = (db: Database, now: Instant, isRefunded: SQL): Statement[] =>
  giveBack(db, selectRefunds(isRefunded), { reason: "refund", now });

/**
 * Refunds every join of a session, or the join of `userId`, at most once (B-14, R-89). The number of statements does
 * not grow with the roster. Run them before the seats are deleted.
 */
export const refundSeats = (
  db: Database,
  { sessionId, userId }: { sessionId: number; userId?: number },
  now: Instant,
  condition: SQL,
): Statement[] =>
  refundSeatsWhere(
    db,
    now,
    sql`p.session_id = ${sessionId} ${userId === undefined ? sql`` : sql`AND p.user_id = ${userId}`} AND ${condition}`,
  );

/** Lowers the activity's count of open sessions, when this batch closes the session. */
export const lowerOpenSessionsCount = (db: Database, sessionId: number, condition: SQL): Statement =>
  db
    .update(activities)
    .set({ openSessionsCount: sql`max(0, open_sessions_count - 1)` })
    .where(
      sql`id = (SELECT activity_id FROM sessions WHERE id = ${sessionId} AND closed_at IS NULL AND is_template = 0) AND ${condition}`,
    );
