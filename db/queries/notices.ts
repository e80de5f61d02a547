// In-app notices and their settings. Statements; use cases run them.
import { and, asc, eq, gt } from "drizzle-orm";
import { type Database, schema } from "#db/connect.server";

const { notices, noticeSettings } = schema;

/** After an id, oldest first. */
export const exportNotices = (db: Database, userId: number, after: string, limit: number) =>
  db
    .select()
    .from(notices)
    .where(and(eq(notices.userId, userId), gt(notices.id, after)))
    .orderBy(asc(notices.id))
    .limit(limit);

export const listSettings = (db: Database, userId: number) =>
  db.select().from(noticeSettings).where(eq(noticeSettings.userId, userId));
