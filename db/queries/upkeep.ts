// Statements for cron: they find rooms that should be awake, delete expired rows, and keep the marks of jobs. Use cases
// run them.
import { and, asc, between, eq, gt, inArray, isNotNull, isNull, lt, type SQL, sql } from "drizzle-orm";
import { type Database, schema } from "#db/connect.server";
import { showsUpload, UPLOAD_TEXTS } from "#db/schema/columns";
import type { Instant } from "~/domain/time";

/** The least list key of a session that starts in this second. */
const listKeyAt = (at: Instant) => sql`(${Math.floor(at / 1000)} << 31)`;

const { sessions, passwordResets, mailbox, providerEvents, uploads, cronMarks } = schema;

/** A list of keys as one parameter. */
const eachKey = (keys: string[]) => sql`json_each(${JSON.stringify(keys)})`;

/** Sessions that start around now: cron wakes their rooms, in case an earlier notice failed. */
export const listStartingSessions = (db: Database, from: Instant, to: Instant, limit: number) =>
  db
    .select({ id: sessions.id })
    .from(sessions)
    .where(
      and(
        isNull(sessions.closedAt),
        inArray(sessions.isPrivate, [false, true]),
        inArray(sessions.isTemplate, [false, true]),
        sql`${sessions.listKey} BETWEEN ${listKeyAt(from)} AND ${listKeyAt(to)} + 2147483647`,
        between(sessions.startedAt, from, to),
      ),
    )
    .orderBy(asc(sessions.startedAt))
    .limit(limit);

/** Sessions that are over and not yet closed by their room. */
export const listUnclosedSessions = (db: Database, endedBefore: Instant, limit: number) =>
  db
    .select({ id: sessions.id })
    .from(sessions)
    .where(
      and(
        isNull(sessions.closedAt),
        isNotNull(sessions.startedAt),
        eq(sessions.isTemplate, false),
        lt(sessions.endedAt, endedBefore),
      ),
    )
    .orderBy(asc(sessions.startedAt))
    .limit(limit);

export const deleteOldResets = (db: Database, before: Instant) =>
  db.delete(passwordResets).where(lt(passwordResets.expiresAt, before));
export const deleteOldProviderEvents = (db: Database, before: Instant) =>
  db.delete(providerEvents).where(lt(providerEvents.handledAt, before));
/** Lists which of these events were already handled. */
export const listHandledEvents = (db: Database, ids: string[]) =>
  db
    .select({ id: providerEvents.id })
    .from(providerEvents)
    .where(sql`${providerEvents.id} IN (SELECT value FROM ${eachKey(ids)})`);
export const insertHandledEvent = (db: Database, row: typeof providerEvents.$inferInsert) =>
  db.insert(providerEvents).values(row).onConflictDoNothing();
export const deleteOldMails = (db: Database, before: Instant) =>
  db.delete(mailbox).where(lt(mailbox.sentAt, before));

// ---- uploads

export const listKnownUploads = (db: Database, keys: string[]) =>
  db
    .select({ key: uploads.key })
    .from(uploads)
    .where(sql`${uploads.key} IN (SELECT value FROM ${eachKey(keys)})`);

export const listUploadsAfter = (db: Database, after: string, limit: number) =>
  db
    .select({ key: uploads.key, createdAt: uploads.createdAt })
    .from(uploads)
    .where(gt(uploads.key, after))
    .orderBy(asc(uploads.key))
    .limit(limit);

/** Deletes and returns the rows of these keys that no text shows: one statement, so that no text can come between. */
export function deleteUploadsNotShown(db: Database, keys: string[]) {
  // The first condition lets SQLite use a small index. D1 joins at most five selects by UNION.
  const isShownNowhereIn = (table: keyof typeof UPLOAD_TEXTS): SQL => sql`key NOT IN (
    SELECT asked.value FROM ${sql.raw(table)} CROSS JOIN ${eachKey(keys)} AS asked
    WHERE ${showsUpload(table)} AND instr(${sql.raw(UPLOAD_TEXTS[table])}, asked.value) > 0)`;
  const tables = Object.keys(UPLOAD_TEXTS) as (keyof typeof UPLOAD_TEXTS)[];
  return db
    .delete(uploads)
    .where(
      sql.join(
        [sql`key IN (SELECT value FROM ${eachKey(keys)})`, ...tables.map(isShownNowhereIn)],
        sql` AND `,
      ),
    )
    .returning({ key: uploads.key });
}

export const findMark = (db: Database, job: string) =>
  db.select({ mark: cronMarks.mark }).from(cronMarks).where(eq(cronMarks.job, job));
/** Inserts the mark of a job; does nothing if the job has one. */
export const insertMarkOnce = (db: Database, job: string, mark: string) =>
  db.insert(cronMarks).values({ job, mark }).onConflictDoNothing();
export const takeMark = (db: Database, job: string) =>
  db.delete(cronMarks).where(eq(cronMarks.job, job)).returning({ mark: cronMarks.mark });
export const setMark = (db: Database, job: string, mark: string) =>
  db.insert(cronMarks).values({ job, mark }).onConflictDoUpdate({ target: cronMarks.job, set: { mark } });
