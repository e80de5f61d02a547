// Statements on logins, and the one query of the signed-in user with everything that each page shows of the user.
import { and, desc, eq, gt, inArray, isNull, lt, ne, or, sql } from "drizzle-orm";
import { type Database, schema } from "#db/connect.server";
import { isEndedTimer } from "#db/queries/goals/logs";
import { IS_OPEN_LOG } from "#db/queries/goals/open-logs";
import { sumReserves } from "#db/queries/payments/reserves";
import { suspensionOf } from "#db/queries/safety/sanctions";
import { literal } from "#db/schema/columns";
import { LOG_STATUS, type RunningLog } from "~/domain/goals/log-state";
import { RENEWING_STATUSES, unpaidLimit } from "~/domain/payments/products";
import type { Instant } from "~/domain/time";
import { isStillGuest } from "./still-guest";

const { logins, logs, users, persons, tokenLots, subscriptions, participants, sessions } = schema;

/**
 * The columns of a signed-in user, with balance (hundredths) and running subscription, beside `users` and `persons`.
 */
export const actingUser = (now: Instant) => ({
  user: users,
  // Unique aliases: in a batch, two columns of one name would collapse.
  personId: sql<number>`${persons.id}`.as("acting_id"),
  username: sql<string>`${persons.username}`.as("acting_username"),
  tokens: sql<number>`(SELECT coalesce(sum(${tokenLots.remaining}), 0) FROM ${tokenLots} WHERE ${tokenLots.userId} = ${users.id} AND (${tokenLots.expiresAt} IS NULL OR ${tokenLots.expiresAt} > ${now}))`,
  owed: sql<number>`(SELECT -coalesce(sum(amount), 0) FROM token_entries WHERE user_id = ${users.id} AND lot_id IS NULL)`.as(
    "owed",
  ),
  reserved: sumReserves(sql`${users.id}`, now).as("reserved"),
  subscription: sql<
    "goals_sub" | "goals_sessions_sub" | null
  >`(SELECT ${subscriptions.product} FROM ${subscriptions} WHERE ${subscriptions.userId} = ${users.id} AND (${subscriptions.periodEnd} > ${now} OR ${subscriptions.periodEnd} > ${unpaidLimit(now)} AND ${subscriptions.endDate} IS NULL AND ${inArray(subscriptions.stripeSubStatus, [...RENEWING_STATUSES])}) ORDER BY ${subscriptions.id} DESC LIMIT 1)`,
  suspension: suspensionOf(sql`${users.id}`, now),
  hasUnstoredTimerEnd:
    sql<boolean>`EXISTS (SELECT 1 FROM ${logs} WHERE ${isEndedTimer(now)} AND +${logs.userId} = ${users.id})`
      .mapWith(Boolean)
      .as("has_timer_over"),
  runningLog:
    // Its columns are those of the row with the largest id. The index of open logs holds all that `o` needs; without
    // `o` the planner reads all logs of the user.
    sql<RunningLog | null>`(SELECT json_object('id', max(l.id), 'goalId', l.goal_id, 'startedAt', l.started_at, 'elapsed', l.elapsed_duration, 'endsAt', CASE WHEN l.is_interval = 1 THEN l.ended_at END,
      'title', coalesce(nullif(l.title, ''), (SELECT g.title FROM goals g WHERE g.id = l.goal_id), ''), 'count', count(*))
    FROM logs o INNER JOIN logs l ON l.user_id = o.user_id AND l.id = o.id
    WHERE o.user_id = ${users.id} AND o.${IS_OPEN_LOG} AND o.status = ${literal(LOG_STATUS.active)} AND l.is_timed = 1 AND (l.is_interval = 0 OR l.ended_at > ${now}) GROUP BY o.user_id)`
      .mapWith((json: string) => JSON.parse(json) as RunningLog)
      .as("running_log"),
});

/** The user of a live login. */
export const findCurrentUser = (db: Database, tokenHash: string, now: Instant) =>
  db
    .select({
      ...actingUser(now),
      lastSeenAt: logins.lastSeenAt,
      checkedAt: logins.checkedAt,
      loginCreatedAt: sql<Instant>`${logins.createdAt}`.as("login_created_at"),
    })
    .from(logins)
    .innerJoin(users, eq(users.id, logins.userId))
    // A guest's `person_id` is null, because a guest has only one person (H-20).
    .innerJoin(
      persons,
      sql`${persons.id} = coalesce(${users.personId}, (SELECT p.id FROM persons p WHERE p.user_id = ${users.id} LIMIT 1))`,
    )
    .where(and(eq(logins.tokenHash, tokenHash), gt(logins.expiresAt, now)))
    .limit(1);

export const insertLogin = (db: Database, login: typeof logins.$inferInsert) =>
  db.insert(logins).values(login);

/** Like `insertLogin`, for a user inserted in the same batch. */
export const insertLoginOf = (
  db: Database,
  email: string,
  login: Omit<typeof logins.$inferInsert, "userId">,
) =>
  db.insert(logins).values({
    ...login,
    userId: sql`(SELECT ${users.id} FROM ${users} WHERE lower(${users.email}) = lower(${email}))`,
  });

export const touchLogin = (db: Database, tokenHash: string, now: Instant, expiresAt: Instant) =>
  db.update(logins).set({ lastSeenAt: now, expiresAt }).where(eq(logins.tokenHash, tokenHash));

/** Records that the login's user has just been authenticated again. */
export const checkLogin = (db: Database, tokenHash: string, now: Instant) =>
  db.update(logins).set({ checkedAt: now }).where(eq(logins.tokenHash, tokenHash));

export const deleteLogin = (db: Database, tokenHash: string) =>
  db.delete(logins).where(eq(logins.tokenHash, tokenHash)).returning({ loginHash: logins.tokenHash });

/** Ends a guest's login, and every other one while the guest has no account. */
export const deleteGuestLogins = (db: Database, userId: number, tokenHash: string) =>
  db
    .delete(logins)
    .where(or(eq(logins.tokenHash, tokenHash), and(eq(logins.userId, userId), isStillGuest(userId))))
    .returning({ loginHash: logins.tokenHash });

export const deleteLoginOf = (db: Database, userId: number, tokenHash: string) =>
  db
    .delete(logins)
    .where(and(eq(logins.userId, userId), eq(logins.tokenHash, tokenHash)))
    .returning({ loginHash: logins.tokenHash });

export const deleteOtherLogins = (db: Database, userId: number, tokenHash: string) =>
  db
    .delete(logins)
    .where(and(eq(logins.userId, userId), ne(logins.tokenHash, tokenHash)))
    .returning({ loginHash: logins.tokenHash });

export const deleteAllLogins = (db: Database, userId: number) =>
  db.delete(logins).where(eq(logins.userId, userId)).returning({ loginHash: logins.tokenHash });

/** Sessions in whose rooms this user may have a socket: seats in sessions that are open, or closed after `since`. */
export const listSeatsWithSockets = (db: Database, userId: number, since: Instant, limit: number) =>
  db
    .select({ sessionId: participants.sessionId })
    .from(participants)
    .innerJoin(sessions, eq(sessions.id, participants.sessionId))
    .where(and(eq(participants.userId, userId), or(isNull(sessions.closedAt), gt(sessions.closedAt, since))))
    .orderBy(desc(participants.sessionId))
    .limit(limit);

export const listLogins = (db: Database, userId: number, now: Instant) =>
  db
    .select()
    .from(logins)
    .where(and(eq(logins.userId, userId), gt(logins.expiresAt, now)))
    .orderBy(desc(logins.lastSeenAt))
    .limit(50);

export const deleteExpiredLogins = (db: Database, now: Instant) =>
  db.delete(logins).where(lt(logins.expiresAt, now));
