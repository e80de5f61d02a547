// Statements on pages for search engines: the newest public pages of each kind; use cases run them.
import { and, desc, eq, sql } from "drizzle-orm";
import { type Database, schema } from "#db/connect.server";
import { selectNewest } from "#db/queries/activities/activities";
import { openSessionList } from "#db/queries/sessions/cards";
import { ITEM_STATUS } from "~/domain/items/status";
import type { Instant } from "~/domain/time";
import { selectKeys } from "./filtered-lists";
import { isPublic } from "./visibility";

const { activities, huts, sessions, items } = schema;

export const listNewestActivities = (db: Database, limit: number) =>
  db
    .select({ slug: activities.slug, updatedAt: activities.updatedAt })
    .from(sql`${selectNewest({}, limit)} k`)
    .innerJoin(activities, sql`${activities.id} = k.id`)
    .orderBy(desc(sql`k.key`))
    .limit(limit);

export const listNewestHuts = (db: Database, limit: number) =>
  db
    .select({ slug: huts.slug, updatedAt: huts.updatedAt })
    .from(huts)
    .where(isPublic("huts"))
    .orderBy(desc(huts.id))
    .limit(limit);

/** Only sessions that are not over: the page of an ended session shows a visitor nothing. */
export const listOpenSessions = (db: Database, now: Instant, limit: number) =>
  db
    .select({ id: sessions.id, updatedAt: sessions.updatedAt })
    .from(sql`${selectKeys(openSessionList(now), {}, [], { page: 1, perPage: limit }, 0)} k`)
    .innerJoin(sessions, sql`${sessions.id} = k.id`)
    .limit(limit);

export const listPublishedBooks = (db: Database, limit: number) =>
  db
    .select({ slug: items.slug, updatedAt: items.updatedAt })
    .from(items)
    .where(and(sql`is_book = 1`, eq(items.status, ITEM_STATUS.published), isPublic("items")))
    .orderBy(items.slug)
    .limit(limit);
