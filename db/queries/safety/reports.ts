// Statements on reports, decisions and appeals (Q-07 to Q-09, Q-30, Q-31); use cases run them.
import { and, asc, desc, eq, getTableColumns, gt, isNull, type SQL, sql } from "drizzle-orm";
import { type Database, type Statement, schema } from "#db/connect.server";
import { insertFrom } from "#db/queries/insert-from";
import { keptGuestName, type ReportTarget } from "~/domain/safety/report-targets";
import type { Instant } from "~/domain/time";

const { reports, decisions, users, persons, notices } = schema;

export type NewReport = Omit<typeof reports.$inferInsert, "closedAt">;

/**
 * Inserts a report. A second report of a target by the same user changes reason and text; after a decision it reports
 * the target's current state. No row beyond `maxTargets` targets of the user.
 */
export const upsertReport = (db: Database, report: NewReport, maxTargets: number | null = null) => {
  const newIfDecided = (column: string) =>
    sql.raw(`CASE WHEN reports.closed_at IS NULL THEN reports.${column} ELSE excluded.${column} END`);
  const otherTargets = sql`SELECT count(*) FROM reports o WHERE o.reporter_id = ${report.reporterId} AND NOT (o.kind = ${report.kind} AND o.target_id = ${report.targetId})`;
  return insertFrom(
    db,
    reports,
    report,
    maxTargets === null ? sql`WHERE true` : sql`WHERE (${otherTargets}) < ${maxTargets}`,
  )
    .onConflictDoUpdate({
      target: [reports.kind, reports.targetId, reports.reporterId],
      set: {
        reason: report.reason,
        text: report.text ?? "",
        authorId: newIfDecided("author_id"),
        authorName: newIfDecided("author_name"),
        snapshot: newIfDecided("kept"),
        path: newIfDecided("path"),
        createdAt: newIfDecided("created_at"),
        // Later than `created_at`, which marks a repeated report.
        updatedAt: sql`max(excluded.updated_at, reports.created_at + 1)`,
        closedAt: null,
      },
    })
    .returning();
};

/** The person behind a name, and the session of a guest. */
export const findReportedPerson = (db: Database, username: string) =>
  db
    .select({
      personId: persons.id,
      userId: persons.userId,
      username: persons.username,
      title: persons.title,
      guestOf: users.guestOf,
    })
    .from(persons)
    .innerJoin(users, eq(users.id, persons.userId))
    .where(sql`lower(${persons.username}) = lower(${username})`)
    .limit(1);

export const listReportsBy = (db: Database, reporterId: number) =>
  db
    .select({
      kind: reports.kind,
      id: reports.targetId,
      reason: reports.reason,
      text: reports.text,
      createdAt: reports.createdAt,
      updatedAt: reports.updatedAt,
      closedAt: reports.closedAt,
    })
    .from(reports)
    .where(eq(reports.reporterId, reporterId))
    .orderBy(asc(reports.createdAt));

// ---- guests

const isOfGuest = (row: string): SQL => sql.raw(`${row}.kind IN ('person', 'aim')`);
const sessionOf = (user: SQL): SQL =>
  sql`(SELECT '/sessions/' || abs(owner.guest_of) FROM users owner WHERE owner.id = ${user})`;
const keptIdOf = (row: string, user: SQL): SQL =>
  sql`iif(${sql.raw(`${row}.kind`)} = 'aim', substr(${sql.raw(`${row}.target_id`)}, 1, instr(${sql.raw(`${row}.target_id`)}, ':')), '')
    || (SELECT ${keptGuestName("")} || min(owner.id) FROM persons owner WHERE owner.user_id = ${user})`;
const keptPath = (path: SQL, user: SQL): SQL => sql`iif(${path} LIKE '/~%', ${sessionOf(user)}, ${path})`;

/**
 * Replaces the name of a guest in ids and paths by a number, where an earlier version has stored it (H-21). `isDue` is
 * the condition of the erasure. The statements belong in one batch, in this order.
 */
export function numberGuest(db: Database, userId: number, isDue: SQL): Statement[] {
  const isNamed = (row: string) =>
    sql`${isOfGuest(row)} AND ${sql.raw(`${row}.target_id`)} NOT LIKE ${`%${keptGuestName("%")}`} AND ${isDue}`;
  const user = sql`${userId}`;
  const namedReports = sql`FROM reports r WHERE r.author_id = ${userId} AND ${isNamed("r")}`;
  const subject = sql`'report:' || r.kind || ':' || r.target_id`;
  return [
    db
      .update(notices)
      .set({
        subject: sql`(SELECT 'report:' || r.kind || ':' || ${keptIdOf("r", user)} ${namedReports} AND ${subject} = notices.subject LIMIT 1)`,
        body: sql`iif(body ->> '$.path' LIKE '/~%', json_set(body, '$.path', ${sessionOf(user)}), body)`,
      })
      .where(
        sql`user_id IN (SELECT r.reporter_id ${namedReports}) AND subject IN (SELECT ${subject} ${namedReports})`,
      ),
    // A reporter has one report of a guest's person and one of the guest's answer, under whatever names.
    db.delete(reports).where(
      sql`reports.author_id = ${userId} AND ${isOfGuest("reports")} AND ${isDue} AND EXISTS (SELECT 1 FROM reports later WHERE later.kind = reports.kind
        AND later.reporter_id = reports.reporter_id AND later.author_id = reports.author_id AND (later.updated_at, later.target_id) > (reports.updated_at, reports.target_id))`,
    ),
    db
      .update(reports)
      .set({ targetId: keptIdOf("reports", user), path: keptPath(sql`path`, user) })
      .where(sql`reports.author_id = ${userId} AND ${isNamed("reports")}`),
    db
      .update(decisions)
      .set({ targetId: keptIdOf("decisions", user), path: keptPath(sql`path`, user) })
      .where(sql`decisions.user_id = ${userId} AND ${isNamed("decisions")}`),
  ];
}

// ---- the queue

const selectUsername = (column: SQL, name: string) =>
  sql<string>`(SELECT ${users.username} FROM ${users} WHERE ${users.id} = ${column})`.as(name);

/**
 * The column with the author's present name: the stored one while it is theirs, and else that of the account, because a
 * guest who registers gets another name, and somebody else may take the former one (H-22).
 */
const presentName = (row: "reports" | "decisions", userColumn: "author_id" | "user_id") => {
  const [name, userId] = [sql.raw(`${row}.author_name`), sql.raw(`${row}.${userColumn}`)];
  return sql<string>`coalesce((SELECT n.username FROM persons n WHERE lower(n.username) = lower(${name}) AND n.user_id = ${userId}),
    (SELECT a.username FROM users a WHERE a.id = ${userId}), ${name})`.as("present_name");
};
const reportColumns = { ...getTableColumns(reports), authorName: presentName("reports", "author_id") };
const decisionColumns = { ...getTableColumns(decisions), authorName: presentName("decisions", "user_id") };

/** Selects the authors of the reports in the queue. */
export const selectAuthorsOfOpenReports = (limit: number): SQL =>
  sql`(SELECT author_id FROM (SELECT author_id FROM ${reports} WHERE closed_at IS NULL ORDER BY created_at LIMIT ${limit}))`;

/** Oldest first, with the reporters' names. */
export const listOpenReports = (db: Database, limit: number) =>
  db
    .select({
      kind: reports.kind,
      targetId: reports.targetId,
      reason: reports.reason,
      text: reports.text,
      authorId: reports.authorId,
      authorName: reportColumns.authorName,
      kept: reports.snapshot,
      path: reports.path,
      createdAt: reports.createdAt,
      reporter: selectUsername(sql`reports.reporter_id`, "reporter"),
    })
    .from(reports)
    .where(isNull(reports.closedAt))
    .orderBy(asc(reports.createdAt))
    .limit(limit);

const isOpenReportOf = ({ kind, id }: ReportTarget): SQL =>
  sql`kind = ${kind} AND target_id = ${id} AND closed_at IS NULL`;

/** The oldest open report of a target. */
export const findOpenReport = (db: Database, target: ReportTarget) =>
  db
    .select(reportColumns)
    .from(reports)
    .where(isOpenReportOf(target))
    .orderBy(asc(reports.createdAt))
    .limit(1);

/** Selects the ids of the people with an open report of the target. */
export const selectReporters = (target: ReportTarget): SQL =>
  sql`SELECT reporter_id AS id FROM reports WHERE ${isOpenReportOf(target)}`;

/** A condition after `insertDecision` in its batch: that statement has inserted the decision. */
export const isDecided = (tokenHash: string): SQL =>
  sql`EXISTS (SELECT 1 FROM decisions WHERE token_hash = ${tokenHash})`;

export const closeReports = (db: Database, target: ReportTarget, now: Instant, condition: SQL = sql`true`) =>
  db
    .update(reports)
    .set({ closedAt: now })
    .where(sql`${isOpenReportOf(target)} AND ${condition}`);

export const isSessionDeleted = (id: number): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM sessions WHERE id = ${id})`;

export type NewDecision = Omit<
  typeof decisions.$inferInsert,
  "appeal" | "appealedAt" | "isGranted" | "answer" | "answeredAt"
>;

/** Inserts nothing when somebody else has just closed the reports. In a batch it comes before `closeReports`. */
export const insertDecision = (db: Database, row: NewDecision, condition: SQL = sql`true`) =>
  insertFrom(
    db,
    decisions,
    {
      tokenHash: row.tokenHash,
      kind: row.kind,
      targetId: row.targetId,
      userId: row.userId,
      authorName: row.authorName,
      act: row.act,
      reason: row.reason,
      snapshot: row.snapshot,
      path: row.path,
      decidedAt: row.decidedAt,
    },
    sql`WHERE EXISTS (SELECT 1 FROM reports WHERE ${isOpenReportOf({ kind: row.kind, id: row.targetId })}) AND ${condition}`,
  ).returning({ userId: decisions.userId });

/** Earlier decisions about these users, the latest first. */
export const listDecisionsAbout = (db: Database, userIds: SQL) =>
  db
    .select({
      userId: decisions.userId,
      act: decisions.act,
      kind: decisions.kind,
      id: decisions.targetId,
      path: decisions.path,
      reason: decisions.reason,
      decidedAt: decisions.decidedAt,
      isGranted: decisions.isGranted,
    })
    .from(decisions)
    .where(sql`${decisions.userId} IN ${userIds}`)
    .orderBy(desc(decisions.decidedAt));

/** The decision to remove this thing of the author, unless an appeal was granted. */
export const findRemoval = (db: Database, { kind, id }: ReportTarget, userId: number) =>
  db
    .select({ tokenHash: decisions.tokenHash })
    .from(decisions)
    .where(
      and(
        eq(decisions.userId, userId),
        eq(decisions.kind, kind),
        eq(decisions.targetId, id),
        eq(decisions.act, "remove"),
        sql`${decisions.isGranted} IS NOT 1`,
      ),
    )
    .limit(1);

// ---- appeals

export const findDecision = (db: Database, tokenHash: string) =>
  db.select(decisionColumns).from(decisions).where(eq(decisions.tokenHash, tokenHash)).limit(1);

/** The user's latest suspension by a decision younger than `since` without an appeal. */
export const findSuspensionToAppeal = (db: Database, userId: number, since: Instant) =>
  db
    .select({ tokenHash: decisions.tokenHash })
    .from(decisions)
    .where(
      and(
        eq(decisions.userId, userId),
        gt(decisions.decidedAt, since),
        eq(decisions.act, "suspend"),
        isNull(decisions.appealedAt),
      ),
    )
    .orderBy(desc(decisions.decidedAt))
    .limit(1);

/** Stores an appeal once, if the decision is younger than `since`; a repeat of the same text returns the row again. */
export const fileAppeal = (db: Database, tokenHash: string, text: string, now: Instant, since: Instant) =>
  db
    .update(decisions)
    .set({ appeal: text, appealedAt: sql`coalesce(appealed_at, ${now})` })
    .where(
      and(
        eq(decisions.tokenHash, tokenHash),
        gt(decisions.decidedAt, since),
        sql`(appealed_at IS NULL OR appeal = ${text})`,
      ),
    )
    .returning({ userId: decisions.userId });

export const listOpenAppeals = (db: Database, limit: number) =>
  db
    .select(decisionColumns)
    .from(decisions)
    .where(sql`appealed_at IS NOT NULL AND answered_at IS NULL`)
    .orderBy(asc(decisions.appealedAt))
    .limit(limit);

export type AppealAnswer = { isGranted: boolean; answer: string; now: Instant };
export const answerAppeal = (db: Database, tokenHash: string, { isGranted, answer, now }: AppealAnswer) =>
  db
    .update(decisions)
    .set({ isGranted, answer, answeredAt: now })
    .where(sql`token_hash = ${tokenHash} AND appealed_at IS NOT NULL AND answered_at IS NULL`)
    .returning({ userId: decisions.userId });

/** The address of a letter about a decision. */
export const findRecipient = (db: Database, userId: number) =>
  db
    .select({ email: users.email, username: users.username, confirmedAt: users.emailConfirmedAt })
    .from(users)
    .where(eq(users.id, userId))
    .limit(1);
