// Statements on deliveries to channels outside the product: claims, the facts that are checked before sending, results
// and retries (N-04 to N-07); use cases run them.
import { asc, desc, eq, lt, type SQL, sql } from "drizzle-orm";
import { type Database, type Statement, schema } from "#db/connect.server";
import { parseGoalFacts, selectGoalFacts } from "#db/queries/goals/reminders";
import { insertFrom } from "#db/queries/insert-from";
import { isNoticeVisible, isVisible } from "#db/queries/visibility";
import type { Day } from "~/domain/days";
import type { DistanceUnit } from "~/domain/distances";
import type { GoalOfDays } from "~/domain/goals/today";
import { LEASE_MINUTES, REFUSALS_TO_STOP, REFUSED_ADDRESS } from "~/domain/notices/deliveries";
import { type Instant, MINUTE } from "~/domain/time";
import { differencesOf, isUnblocked } from "./events";

const { deliveries, deliveryDays, users } = schema;

const hasKey = (keys: readonly string[]): SQL =>
  sql`${deliveries.key} IN (SELECT value FROM json_each(${JSON.stringify(keys)}))`;
const isDueAndFree = (now: Instant): SQL =>
  sql`state = 'waiting' AND due_at <= ${now} AND coalesce(lease_until, 0) <= ${now}`;

/** Due deliveries that nobody holds, oldest first. */
export const listDue = (db: Database, now: Instant, limit: number) =>
  db
    .select({ key: deliveries.key })
    .from(deliveries)
    .where(isDueAndFree(now))
    .orderBy(asc(deliveries.dueAt))
    .limit(limit);

/** Claims those of these deliveries that are due and free, and returns them (N-04). */
export const claimDeliveries = (db: Database, keys: readonly string[], now: Instant) =>
  db
    .update(deliveries)
    .set({ leaseUntil: (now + LEASE_MINUTES * MINUTE) as Instant, tries: sql`tries + 1` })
    .where(sql`${hasKey(keys)} AND ${isDueAndFree(now)}`)
    .returning();
export type ClaimedDelivery = Awaited<ReturnType<typeof claimDeliveries>>[number];

/** The columns with the current facts about the user (N-05); `s` is the session of the subject. */
const selectChecks = (user: SQL, line: { actorId: SQL; subject: SQL; body: SQL }, now: Instant) => {
  const { subject, body } = line;
  const idOf = (kind: "hut" | "series") =>
    sql`iif(${subject} LIKE ${`${kind}:%`}, CAST(substr(${subject}, ${kind.length + 2}) AS INTEGER), NULL)`;
  const isOver = (row: string) =>
    sql.raw(
      `(${row}.closed_at IS NOT NULL OR (${row}.ended_at IS NOT NULL AND ${row}.ended_at <= ${Number(now)}))`,
    );
  return {
    sessionId: sql<number | null>`s.id`,
    startedAt: sql<Instant | null>`s.started_at`,
    toldStart: sql<Instant | null>`s.told_start`,
    endedAt: sql<Instant | null>`s.ended_at`,
    isBlocked: sql<number>`${line.actorId} IS NOT NULL AND NOT (${isUnblocked(user, line.actorId)})`,
    isUnreadable: sql<number>`NOT ${isNoticeVisible(line, user)}`,
    isOver: sql<number>`${isOver("s")}`,
    hasSeat: sql<number>`EXISTS (SELECT 1 FROM participants p WHERE p.user_id = ${user} AND p.session_id = s.id)`,
    isWaiting: sql<number>`EXISTS (SELECT 1 FROM waiters w WHERE w.user_id = ${user} AND w.session_id = s.id)`,
    offeredUntil: sql<Instant | null>`(SELECT w.offered_until FROM waiters w WHERE w.user_id = ${user} AND w.session_id = s.id)`,
    isMember: sql<number>`EXISTS (SELECT 1 FROM hut_members hm WHERE hm.hut_id = ${idOf("hut")} AND hm.user_id = ${user})
      OR EXISTS (SELECT 1 FROM huts ho WHERE ho.id = ${idOf("hut")} AND ho.owner_id = ${user})`,
    isSessionOpen: sql<number>`EXISTS (SELECT 1 FROM sessions ns WHERE (ns.id = ${body} ->> '$.session' OR ns.series_id = ${body} ->> '$.series')
      AND NOT ${isOver("ns")} AND ${isVisible("sessions", "ns", user)})`,
    isSeriesOpen: sql<number>`EXISTS (SELECT 1 FROM series r WHERE r.id = ${idOf("series")} AND r.ended_at IS NULL)`,
    isInvited: sql<number>`EXISTS (SELECT 1 FROM rota_hosts rh WHERE rh.series_id = ${idOf("series")} AND rh.user_id = ${user} AND rh.accepted_at IS NULL)`,
    /** The address of the series (H-11) while it goes on and the user sees it (H-13). */
    series: sql<
      string | null
    >`(SELECT '/series/' || coalesce(r.slug, r.id) FROM series r WHERE r.ended_at IS NULL AND ${isVisible("series", "r", user)}
      AND r.id = coalesce(s.series_id, ${idOf("series")}))`,
  };
};
type Checks = ReturnType<typeof selectChecks>;
/** The checks of a digest's line. */
export type LineChecks = { [K in keyof Checks]: Checks[K] extends SQL<infer T> ? T : never };
const joinSession = (subject: SQL): SQL =>
  sql`LEFT JOIN sessions s ON ${subject} LIKE 'session:%' AND s.id = CAST(substr(${subject}, 9) AS INTEGER)`;

/** The checks of a digest's lines, in the order of the lines. */
function selectLineChecks(now: Instant): SQL<LineChecks[]> {
  const line = {
    actorId: sql`l.value ->> '$.actorId'`,
    subject: sql`l.value ->> '$.subject'`,
    body: sql`l.value -> '$.body'`,
  };
  const checks = Object.entries(selectChecks(sql`d.user_id`, line, now));
  const pairs = sql.join(
    checks.map(([name, check]) => sql`${name}, ${check}`),
    sql`, `,
  );
  return sql`(SELECT json_group_array(checks) FROM (SELECT json_object(${pairs}) AS checks
    FROM json_each(d.body, '$.lines') l ${joinSession(sql`l.value ->> '$.subject'`)} ORDER BY l.key))`.mapWith(
    (list: string) => (JSON.parse(list) as (LineChecks | string)[]).map(asChecks),
  );
}
/** SQLite forgets that the rows of a subquery are JSON, and then writes each of them as a string. */
const asChecks = (row: LineChecks | string): LineChecks =>
  typeof row === "string" ? (JSON.parse(row) as LineChecks) : row;

/** The facts that the checks before sending read (N-05), by delivery. */
export function listSendingFacts(db: Database, keys: readonly string[], now: Instant) {
  const delivery = { actorId: sql`d.actor_id`, subject: sql`d.subject`, body: sql`d.body` };
  const recipientChecks = selectChecks(sql`d.user_id`, delivery, now);
  return db
    .select({
      key: sql<string>`d.key`.as("delivery_key"),
      email: sql<string>`u.email`.as("email"),
      username: sql<string>`u.username`.as("username"),
      timeZone: sql<string>`u.time_zone`.as("time_zone"),
      locale: sql<string | null>`u.locale`.as("locale"),
      distanceUnit: sql<DistanceUnit | null>`u.distance_unit`.as("distance_unit"),
      quietFrom: sql<number | null>`u.quiet_from`.as("quiet_from"),
      quietTo: sql<number | null>`u.quiet_to`.as("quiet_to"),
      isConfirmed: sql<number>`u.email_confirmed_at IS NOT NULL`.as("is_confirmed"),
      isFailing: sql<number>`u.mail_failing_at IS NOT NULL`.as("is_failing"),
      differences: sql<string>`${differencesOf(sql`d.user_id`)}`.as("differences"),
      isBlocked: recipientChecks.isBlocked.as("is_blocked"),
      isUnreadable: recipientChecks.isUnreadable.as("is_unreadable"),
      isWaiting: recipientChecks.isWaiting.as("is_waiting"),
      offeredUntil: recipientChecks.offeredUntil.as("offered_until"),
      isMember: recipientChecks.isMember.as("is_member"),
      isSessionOpen: recipientChecks.isSessionOpen.as("is_session_open"),
      isSeriesOpen: recipientChecks.isSeriesOpen.as("is_series_open"),
      isInvited: recipientChecks.isInvited.as("is_invited"),
      lines: selectLineChecks(now).as("lines"),
      goal: sql<GoalOfDays | null>`CASE WHEN d.subject LIKE 'goal:%' THEN (SELECT ${selectGoalFacts(now)} FROM goals g WHERE g.id = CAST(substr(d.subject, 6) AS INTEGER)) END`
        .mapWith(parseGoalFacts)
        .as("goal_facts"),
      series: recipientChecks.series.as("series_address"),
      sessionId: recipientChecks.sessionId.as("found_session"),
      startedAt: recipientChecks.startedAt.as("started_at"),
      toldStart: recipientChecks.toldStart.as("told_start"),
      endedAt: recipientChecks.endedAt.as("ended_at"),
      isOver: recipientChecks.isOver.as("is_over"),
      hasSeat: recipientChecks.hasSeat.as("has_seat"),
    })
    .from(
      sql`json_each(${JSON.stringify(keys)}) asked JOIN deliveries d ON d.key = asked.value JOIN users u ON u.id = d.user_id
        ${joinSession(sql`d.subject`)}`,
    );
}

export type Result = {
  key: string;
  /** The lease of the claim. A later claim has another lease, and this result no longer counts. */
  lease: Instant;
  state: "waiting" | "sent" | "dropped" | "failed";
  reason: string;
  dueAt: Instant;
  /** The delivery waited before anything was sent, so the claim counts as no try (N-06). */
  isUntried?: true;
};

/**
 * Stores the results of claimed deliveries: statements for one batch. Each permanent refusal of an address counts on
 * its user, and enough of them stop the mail (N-35).
 */
export function markResults(db: Database, results: readonly Result[], now: Instant): Statement[] {
  const resultsJson = JSON.stringify(results);
  const resultField = (field: string) =>
    sql`(SELECT r.value ->> ${`$.${field}`} FROM json_each(${resultsJson}) r WHERE r.value ->> '$.key' = deliveries.key)`;
  const states = new Set(results.map(({ state }) => state));
  const resultsUpdate = db
    .update(deliveries)
    .set({
      state: resultField("state"),
      reason: resultField("reason"),
      // Only a repeated try moves the row in the index of due deliveries.
      ...(states.has("waiting")
        ? {
            dueAt: resultField("dueAt"),
            leaseUntil: null,
            tries: sql`tries - coalesce(${resultField("isUntried")}, 0)`,
          }
        : {}),
    })
    .where(
      sql`${hasKey(results.map(({ key }) => key))} AND state = 'waiting' AND lease_until = ${resultField("lease")}`,
    );
  const refusals = results.filter(({ reason }) => reason === REFUSED_ADDRESS);
  return refusals.length === 0 ? [resultsUpdate] : [countRefusals(db, refusals, now), resultsUpdate];
}

/** Runs before the results are stored. Refusals of a claim that has ended, or of an earlier address, do not count. */
function countRefusals(db: Database, refusals: readonly Result[], now: Instant): Statement {
  const from = sql`FROM json_each(${JSON.stringify(refusals)}) r JOIN deliveries d ON d.key = r.value ->> '$.key'
    WHERE d.state = 'waiting' AND d.lease_until = r.value ->> '$.lease'`;
  const count = sql`mail_failures + (SELECT count(*) ${from} AND d.user_id = users.id
    AND d.at >= coalesce(users.email_confirmed_at, 0) AND lower(coalesce(d.body ->> '$.email', users.email)) = lower(users.email))`;
  return db
    .update(users)
    .set({
      mailFailures: count,
      mailFailingAt: sql`CASE WHEN ${count} >= ${REFUSALS_TO_STOP} THEN coalesce(mail_failing_at, ${now}) ELSE mail_failing_at END`,
    })
    .where(sql`id IN (SELECT d.user_id ${from})`);
}

/** Deliveries that failed permanently, newest first (N-06). */
export const listFailedDeliveries = (db: Database, limit: number) =>
  db
    .select({
      key: deliveries.key,
      kind: deliveries.kind,
      channel: deliveries.channel,
      username: users.username,
      reason: deliveries.reason,
      at: deliveries.at,
    })
    .from(deliveries)
    .leftJoin(users, eq(users.id, deliveries.userId))
    .where(sql`${deliveries.state} = 'failed'`)
    .orderBy(desc(deliveries.at))
    .limit(limit);

const hasFailed = (key: string): SQL => sql`${deliveries.key} = ${key} AND ${deliveries.state} = 'failed'`;
export const findFailedDelivery = (db: Database, key: string) =>
  db.select({ userId: deliveries.userId, reason: deliveries.reason }).from(deliveries).where(hasFailed(key));
export const retryFailedDelivery = (db: Database, key: string, now: Instant): Statement =>
  db
    .update(deliveries)
    .set({ state: "waiting", tries: 0, dueAt: now, leaseUntil: null, reason: "" })
    .where(hasFailed(key));

/** The delivery is the user's: its key begins with the user's id. */
const isOfUser = (userId: number): SQL =>
  sql`${deliveries.key} >= ${`${userId}:`} AND ${deliveries.key} < ${`${userId};`}`;
/** The user's deliveries after a key, in the order of the index. */
export const exportDeliveries = (db: Database, userId: number, after: string, limit: number) =>
  db
    .select()
    .from(deliveries)
    .where(sql`${isOfUser(userId)} AND ${deliveries.key} > ${after}`)
    .orderBy(asc(deliveries.key))
    .limit(limit);
export const deleteDeliveries = (db: Database, userId: number) =>
  db.delete(deliveries).where(isOfUser(userId));

/**
 * Deletes deliveries decided before `before`, except the calendar mail of open sessions, which the session's next
 * calendar mail renews.
 */
export const deleteOldDeliveries = (db: Database, before: Instant, limit: number) =>
  db.delete(deliveries).where(
    sql`key IN (SELECT d.key FROM deliveries d WHERE d.state <> 'waiting' AND d.at < ${before}
        AND (d.kind <> 'calendar' OR NOT EXISTS (SELECT 1 FROM sessions s WHERE s.id = CAST(substr(d.subject, 9) AS INTEGER) AND s.closed_at IS NULL))
        LIMIT ${limit})`,
  );

/** Stores how many deliveries were decided on each day from `since` on, for the figures of super admins. */
export const storeDecidedCounts = (db: Database, since: Day) =>
  insertFrom(
    db,
    deliveryDays,
    { day: sql`date(at / 1000, 'unixepoch') AS day`, state: sql`state`, deliveries: sql`count(*)` },
    sql`FROM deliveries
        WHERE state IN ('sent', 'dropped') AND at >= unixepoch(${since}) * 1000 GROUP BY day, state`,
  ).onConflictDoUpdate({
    target: [deliveryDays.day, deliveryDays.state],
    set: { deliveries: sql`excluded.deliveries` },
  });
export const deleteOldCounts = (db: Database, before: Day) =>
  db.delete(deliveryDays).where(lt(deliveryDays.day, before));
