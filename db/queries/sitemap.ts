// What search engines may find: the newest public pages of each kind. Built here, run by use cases.
import { and, desc, eq, isNull, sql } from "drizzle-orm";
import { type Database, schema } from "#db/connect.server";

const { activities, huts, sessions, items } = schema;

export const listNewestActivities = (db: Database, limit: number) =>
  db
    .select({ slug: activities.slug, updatedAt: activities.updatedAt })
    .from(activities)
    .where(eq(activities.isTemplate, false))
    .orderBy(desc(activities.id))
    .limit(limit);

export const listNewestHuts = (db: Database, limit: number) =>
  db.select({ slug: huts.slug, updatedAt: huts.updatedAt }).from(huts).orderBy(desc(huts.id)).limit(limit);

/** Only what is not over: a page of an ended session tells a stranger nothing. */
export const listOpenSessions = (db: Database, limit: number) =>
  db
    .select({ id: sessions.id, updatedAt: sessions.updatedAt })
    .from(sessions)
    .where(and(eq(sessions.isTemplate, false), isNull(sessions.closedAt)))
    .limit(limit);

export const listPublishedBooks = (db: Database, limit: number) =>
  db
    .select({ slug: items.slug, updatedAt: items.updatedAt })
    .from(items)
    .where(and(sql`is_book = 1`, eq(items.status, 1)))
    .orderBy(items.slug)
    .limit(limit);
