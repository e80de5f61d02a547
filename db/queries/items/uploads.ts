// Statements on uploaded images and their limits; use cases run them.
import { eq, type SQL, sql } from "drizzle-orm";
import { type Database, schema } from "#db/connect.server";
import { insertFrom } from "#db/queries/insert-from";
import { MAX_UPLOAD_BYTES, MAX_UPLOAD_BYTES_A_DAY, SMALLEST_COUNTED } from "~/domain/items/images";

const { uploads } = schema;

const countedBytes = sql.raw(`max(bytes, ${SMALLEST_COUNTED})`);
const isUploadedSince = (since: number) => sql`created_at > ${since}`;

/** The bytes of all the user's images and of those after `since`, and when the first image after `since` was stored. */
export const sumUploads = (db: Database, userId: number, since: number) =>
  db
    .select({
      all: sql<number>`coalesce(sum(${countedBytes}), 0)`,
      recent: sql<number>`coalesce(sum(CASE WHEN ${isUploadedSince(since)} THEN ${countedBytes} END), 0)`,
      firstAt: sql<number | null>`min(CASE WHEN ${isUploadedSince(since)} THEN created_at END)`,
    })
    .from(uploads)
    .where(eq(uploads.userId, userId));

/** The upload with this rowid. */
export const findUploadByRow = (db: Database, row: number) =>
  db
    .select({ key: uploads.key, width: uploads.width, height: uploads.height })
    .from(uploads)
    .where(sql`rowid = ${row}`)
    .limit(1);

/** Inserts an upload and returns its key, unless the account's images would exceed its limits. */
export const insertUpload = (db: Database, row: typeof uploads.$inferInsert, since: number) => {
  const { key, userId, type, bytes, width, height, createdAt } = row;
  const newBytes = sql`max(${bytes}, ${sql.raw(String(SMALLEST_COUNTED))})`;
  const bytesAfter = (condition: SQL) =>
    sql`(SELECT coalesce(sum(${countedBytes}), 0) FROM uploads WHERE ${condition}) + ${newBytes}`;
  return insertFrom(
    db,
    uploads,
    { key, userId, type, bytes, width, height, createdAt },
    sql`WHERE ${bytesAfter(sql`user_id = ${userId}`)} <= ${MAX_UPLOAD_BYTES}
          AND ${bytesAfter(sql`user_id = ${userId} AND ${isUploadedSince(since)}`)} <= ${MAX_UPLOAD_BYTES_A_DAY}`,
  ).returning({ key: uploads.key });
};
