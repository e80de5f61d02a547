// Statements on calendar mail (F-20 to F-24): its causes, the single delivery of a user and a session, and the facts of
// its next version; use cases run them.
import { and, eq, type SQL, sql } from "drizzle-orm";
import { type Database, type Statement, schema } from "#db/connect.server";
import { isUnblocked, recordEvent } from "#db/queries/notices/events";
import type { Mailed } from "~/domain/notices/calendar-invites";
import type { NewEvent } from "~/domain/notices/cause";
import { subjectOf } from "~/domain/notices/events";
import type { Instant } from "~/domain/time";
import { entryColumnsFor } from "./calendar";
import { isHostOf } from "./participants";

const { deliveries, sessions } = schema;

/** The key of the calendar delivery. The session's id is part of a text, because D1 binds numbers as floats. */
const deliveryKeyOf = (userId: SQL, sessionId: number): SQL =>
  sql`${userId} || ${`:calendar:${subjectOf("session", sessionId)}::mail`}`;
const isInvited = (userId: SQL, sessionId: number): SQL =>
  sql`EXISTS (SELECT 1 FROM deliveries invited WHERE invited.key = ${deliveryKeyOf(userId, sessionId)})`;

/** The start of a session, as an expression. */
export const selectStart = (sessionId: number): SQL =>
  sql`(SELECT ss.started_at FROM sessions ss WHERE ss.id = ${sessionId})`;

/**
 * Records the cause of an invitation for the user with this new seat, if the session has a date ahead and the user gets
 * calendar mail (F-20, F-23). It runs after the statements of the seat.
 */
export const recordCalendarInvite = (
  db: Database,
  event: NewEvent<"calendar">,
  { sessionId, seat, now }: { sessionId: number; seat: string | SQL; now: Instant },
): Statement =>
  recordEvent(db, event, {
    textFields: { knownBy: selectStart(sessionId) },
    idLists: {
      to: sql`SELECT p.user_id AS id FROM participants p JOIN sessions s ON s.id = p.session_id JOIN users u ON u.id = p.user_id
        WHERE p.session_id = ${sessionId} AND p.joined_at = ${now} AND p.seat = ${seat} AND s.started_at > ${now}
        AND u.email_confirmed_at IS NOT NULL AND u.mail_failing_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM notice_settings ns WHERE ns.user_id = u.id AND ns.kind = 'calendar' AND ns.channel = 'mail' AND ns.value = 0)`,
    },
  });

/**
 * Records the cause of an update for everybody with the session in their calendar. With `isFirstDate`, people who
 * joined while it had no date get their invitation too. It runs before the statement of the change.
 */
export const recordSessionChange = (
  db: Database,
  event: NewEvent<"calendar">,
  { sessionId, condition, isFirstDate = false }: { sessionId: number; condition: SQL; isFirstDate?: boolean },
): Statement => {
  const hasPaidSeat = sql`(p.is_host = 0 AND p.seat LIKE 'join:%' AND p.seat NOT LIKE 'join:stand:%')`;
  const isMailed = isInvited(sql`p.user_id`, sessionId);
  return recordEvent(db, event, {
    condition,
    idLists: {
      to: sql`SELECT p.user_id AS id FROM participants p WHERE p.session_id = ${sessionId} AND (${isMailed} ${isFirstDate ? sql`OR ${hasPaidSeat}` : sql``})`,
    },
  });
};

/**
 * Records the cause of the session's removal from a person's calendar. It runs before the statements that free the
 * seat.
 */
export const recordDeparture = (
  db: Database,
  event: NewEvent<"calendar">,
  seat: { sessionId: number; userId: number; seat: string },
  condition: SQL,
): Statement =>
  recordEvent(db, event, {
    condition,
    idLists: {
      to: sql`SELECT p.user_id AS id FROM participants p JOIN sessions s ON s.id = p.session_id
        WHERE p.user_id = ${seat.userId} AND p.session_id = ${seat.sessionId} AND p.seat = ${seat.seat}
        AND (s.started_at IS NULL OR s.started_at > ${event.at}) AND ${isInvited(sql`p.user_id`, seat.sessionId)}`,
    },
  });

/** Like `recordDeparture`, for all participants `p` who meet `isLeaving`, before a session begins. */
export const recordDepartures = (
  db: Database,
  event: NewEvent<"calendar">,
  sessionId: number,
  isLeaving: SQL,
): Statement =>
  recordEvent(db, event, {
    idLists: {
      to: sql`SELECT p.user_id AS id FROM participants p WHERE p.session_id = ${sessionId} AND p.is_host = 0 AND ${isLeaving} AND ${isInvited(sql`p.user_id`, sessionId)}`,
    },
  });

/** The sessions of these calendar deliveries as they are now; `id` is null for a deleted session. */
export const listCalendarInviteFacts = (db: Database, keys: readonly string[]) =>
  db
    .select({
      key: deliveries.key,
      ...entryColumnsFor(sql`${deliveries.userId}`),
      isSeated:
        sql<number>`EXISTS (SELECT 1 FROM participants p WHERE p.user_id = ${deliveries.userId} AND p.session_id = ${sessions.id})`.as(
          "is_seated",
        ),
      hostName: sql<
        string | null
      >`(SELECT h.username FROM participants h WHERE ${isHostOf(sessions)} AND ${isUnblocked(sql`${deliveries.userId}`, sql`h.user_id`)})`.as(
        "host_name",
      ),
    })
    .from(deliveries)
    .leftJoin(sessions, sql`${sessions.id} = CAST(substr(${deliveries.subject}, 9) AS INTEGER)`)
    .where(sql`${deliveries.key} IN (SELECT value FROM json_each(${JSON.stringify(keys)}))`);
export type CalendarInviteFacts = Awaited<ReturnType<typeof listCalendarInviteFacts>>[number];

/**
 * Stores the version that is about to be sent, so that no later email has its number. No row when a newer change has
 * renewed the delivery since the claim.
 */
export const reserveVersion = (db: Database, claim: { key: string; lease: Instant }, mailed: Mailed) =>
  db
    .update(deliveries)
    .set({ body: sql`json_set(body, '$.mailed', json(${JSON.stringify(mailed)}))` })
    .where(
      and(
        eq(deliveries.key, claim.key),
        eq(deliveries.state, "waiting"),
        eq(deliveries.leaseUntil, claim.lease),
      ),
    )
    .returning({ key: deliveries.key });
