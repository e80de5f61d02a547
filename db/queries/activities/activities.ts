// Statements on activities, their followers, and lists of them; use cases run them.
import { and, asc, desc, eq, getTableColumns, gt, type SQL, sql } from "drizzle-orm";
import { type Database, type Statement, schema } from "#db/connect.server";
import {
  inScope,
  isAfterKey,
  type ListedTable,
  limitToPage,
  type PageRequest,
  selectKeys,
} from "#db/queries/filtered-lists";
import { goalColumns } from "#db/queries/goals/columns";
import { keepNotes } from "#db/queries/goals/notes";
import { personNameOf } from "#db/queries/person-of-row";
import { hasWords, type Scope, type Words, withTitlePairs } from "#db/queries/search";
import { isVisible, type Viewer } from "#db/queries/visibility";
import type { Instant } from "~/domain/time";

const { activities, activityCounts, followers, goals, huts, categories, slugs } = schema;

const flagOf = (condition: SQL, name: string) => sql<boolean>`${condition}`.mapWith(Boolean).as(name);
const isFollowedBy = (userId: Viewer) =>
  flagOf(
    sql`EXISTS (SELECT 1 FROM followers f WHERE f.activity_id = ${activities.id} AND f.user_id = ${userId})`,
    "is_joined",
  );

export type ActivityFilter = Scope &
  PageRequest & {
    /** 0 for a visitor. */
    userId: Viewer;
    /** Only activities that this user follows. */
    isJoined?: boolean;
    words?: Words;
  };

/** Newest first; at most `perPage` + 1 rows (C-05). */
export const listActivities = (db: Database, filter: ActivityFilter) =>
  db
    .select({
      id: activities.id,
      slug: activities.slug,
      title: activities.title,
      summary: activities.summary,
      difficulty: activities.difficulty,
      isTemplate: activities.isTemplate,
      duration: activities.duration,
      participantLimit: activities.participantLimit,
      followersCount: activities.followersCount,
      openSessionsCount: activities.openSessionsCount,
      hutId: activities.hutId,
      createdAt: activities.createdAt,
      category: activities.category,
      categoryTitle: sql<string | null>`${categories.title}`.as("category_title"),
      hutSlug: sql<string | null>`${huts.slug}`.as("hut_slug"),
      hutTitle: sql<string | null>`${huts.title}`.as("hut_title"),
      isJoined: isFollowedBy(filter.userId),
      key: sql<string>`CAST(k.key AS TEXT)`.as("key"),
    })
    .from(sql`${keysOf(filter)} k`)
    .innerJoin(activities, sql`${activities.id} = k.id`)
    .leftJoin(huts, and(eq(huts.id, activities.hutId), isVisible("huts", "huts", filter.userId)))
    .leftJoin(categories, eq(categories.slug, activities.category))
    .orderBy(desc(sql`k.key`));

/** Newest first. */
const ACTIVITY_LIST: ListedTable = {
  searched: "activity",
  table: "activities",
  key: "id",
  order: "DESC",
  isListed: sql`TRUE`,
};

function keysOf(filter: ActivityFilter): SQL {
  const { userId, isJoined = false, words = [] } = filter;
  if (!isJoined) return selectKeys(ACTIVITY_LIST, filter, words, filter, userId);
  // The order is the index's, so that SQLite stops reading after the page.
  const key = sql.raw("f.activity_id");
  const condition = and(
    ...inScope(filter),
    isVisible("activities", "t", userId),
    hasWords("activity", words, key, "t"),
    ...isAfterKey(key, filter, ACTIVITY_LIST.order),
  );
  return sql`(SELECT ${key} AS key, t.id AS id FROM followers f CROSS JOIN activities t ON t.id = f.activity_id
    WHERE f.user_id = ${userId} AND ${condition} ORDER BY 1 DESC ${limitToPage(filter)})`;
}

/** Counts a list without words and pages (decision 13). */
export const countActivities = (db: Database, filter: ActivityFilter) => {
  const { isJoined, userId, isTemplate = false, hutId, category, difficulty } = filter;
  return isJoined
    ? db
        .select({ count: sql<number>`count(*)`.as("count") })
        .from(sql`followers f CROSS JOIN activities t ON t.id = f.activity_id`)
        .where(and(sql`f.user_id = ${userId}`, ...inScope(filter), isVisible("activities", "t", userId)))
    : db
        .select({ count: sql<number>`coalesce(sum(${activityCounts.count}), 0)`.as("count") })
        .from(activityCounts)
        .where(
          and(
            eq(activityCounts.hutId, hutId ?? 0),
            eq(activityCounts.isTemplate, isTemplate),
            category ? eq(activityCounts.category, category) : undefined,
            difficulty ? eq(activityCounts.difficulty, difficulty) : undefined,
          ),
        );
};

/** Templates, newest first. */
export const listTemplates = (db: Database, limit: number) =>
  db
    .select({
      slug: activities.slug,
      title: activities.title,
      summary: activities.summary,
      duration: activities.duration,
    })
    .from(sql`${selectNewest({ isTemplate: true }, limit)} k`)
    .innerJoin(activities, sql`${activities.id} = k.id`)
    .orderBy(desc(sql`k.key`))
    .limit(limit);

/** Selects `(key, id)` of the newest activities of a list. */
export const selectNewest = (scope: Scope, limit: number): SQL =>
  selectKeys(ACTIVITY_LIST, scope, [], { page: 1, perPage: limit }, 0);

/** Activities with hut and owner, and whether the user follows them. `userId` 0: a visitor. */
const selectActivities = (db: Database, userId: Viewer) =>
  db
    .select({
      ...getTableColumns(activities),
      ownerName: personNameOf(sql`${activities.personId}`, sql`${activities.ownerId}`).as("owner_name"),
      categoryTitle: sql<string | null>`${categories.title}`.as("category_title"),
      hutSlug: sql<string | null>`${huts.slug}`.as("hut_slug"),
      hutTitle: sql<string | null>`${huts.title}`.as("hut_title"),
      isJoined: isFollowedBy(userId),
    })
    .from(activities)
    .leftJoin(huts, and(eq(huts.id, activities.hutId), isVisible("huts", "huts", userId)))
    .leftJoin(categories, eq(categories.slug, activities.category));

export const findActivity = (db: Database, slug: string, userId: Viewer) =>
  selectActivities(db, userId)
    .where(and(eq(activities.slug, slug), isVisible("activities", "activities", userId)))
    .limit(1);
export type ActivityRow = Awaited<ReturnType<typeof findActivity>>[number];

/** The user's own activities after an id, oldest first. */
export const exportActivities = (db: Database, ownerId: number, afterId: number, limit: number) =>
  selectActivities(db, ownerId)
    .where(and(eq(activities.ownerId, ownerId), gt(activities.id, afterId)))
    .orderBy(asc(activities.id))
    .limit(limit);
/** The goals of the activities that `exportActivities` reads, in their order. */
export const exportActivityGoals = (db: Database, ownerId: number, afterId: number, limit: number) =>
  db
    .select(goalColumns)
    .from(goals)
    .where(
      sql`${goals.activityId} IN (SELECT a.id FROM activities a WHERE a.owner_id = ${ownerId} AND a.id > ${afterId} ORDER BY a.id LIMIT ${limit})`,
    )
    .orderBy(asc(goals.activityId), asc(goals.position), asc(goals.id));

export const findSlugKind = (db: Database, slug: string) =>
  db.select({ kind: slugs.kind }).from(slugs).where(eq(slugs.slug, slug)).limit(1);
export const activityIdOf = (slug: string): SQL => sql`(SELECT id FROM activities WHERE slug = ${slug})`;

export const findActivitySlug = (db: Database, id: number) =>
  db.select({ slug: activities.slug }).from(activities).where(eq(activities.id, id)).limit(1);

export const insertActivity = (db: Database, row: Omit<typeof activities.$inferInsert, "id">) =>
  [
    db.insert(activities).values(withTitlePairs(row)).returning({ id: activities.id }),
    db.insert(slugs).values({ slug: row.slug, kind: "activity", targetId: activityIdOf(row.slug) }),
  ] as const;

export const updateActivity = (db: Database, id: number, set: Partial<typeof activities.$inferInsert>) =>
  db.update(activities).set(withTitlePairs(set)).where(eq(activities.id, id));

/** The goals of an activity, in their order. */
export const listGoalsByActivitySlug = (db: Database, slug: string) =>
  db
    .select(goalColumns)
    .from(goals)
    .where(sql`${goals.activityId} = ${activityIdOf(slug)}`)
    .orderBy(asc(goals.position), asc(goals.id));
export const insertActivityGoal = (db: Database, row: typeof goals.$inferInsert): Statement =>
  db.insert(goals).values(row);
export const updateActivityGoal = (
  db: Database,
  activityId: number,
  uuid: string,
  set: Partial<typeof goals.$inferInsert>,
): Statement =>
  db
    .update(goals)
    .set(set)
    .where(and(eq(goals.uuid, uuid), eq(goals.activityId, activityId)));
/** Deletes the goals without these uuids. Their notes stay with the people who wrote them. */
export const deleteOtherActivityGoals = (
  db: Database,
  activityId: number,
  keptUuids: readonly string[],
): Statement[] => {
  const isOther = sql`activity_id = ${activityId} AND uuid NOT IN (SELECT value FROM json_each(${JSON.stringify(keptUuids)}))`;
  return [keepNotes(db, isOther), db.delete(goals).where(isOther)];
};

/**
 * Deletes an activity and its slug, only while none of its sessions is open. The notes on its goals stay with the
 * people who wrote them.
 */
export const deleteActivity = (db: Database, id: number, slug: string, now: Instant) => {
  const hasOpenSession = sql`EXISTS (SELECT 1 FROM sessions s WHERE s.activity_id = ${id} AND s.closed_at IS NULL AND (s.ended_at IS NULL OR s.ended_at > ${now}))`;
  return [
    keepNotes(db, sql`activity_id = ${id} AND NOT ${hasOpenSession}`),
    db
      .delete(activities)
      .where(and(eq(activities.id, id), sql`NOT ${hasOpenSession}`))
      .returning({ id: activities.id }),
    db
      .delete(slugs)
      .where(and(eq(slugs.slug, slug), sql`NOT EXISTS (SELECT 1 FROM activities WHERE id = ${id})`)),
  ] as const;
};

export type Follow = { activityId: number; userId: number; now: Instant };
/** Does nothing when the user follows already. */
export const insertFollower = (db: Database, follow: Follow) =>
  db
    .insert(followers)
    .values({ activityId: follow.activityId, userId: follow.userId, followedAt: follow.now })
    .onConflictDoNothing()
    .returning({ followedAt: followers.followedAt });
export const deleteFollower = (db: Database, activityId: number, userId: number) =>
  db.delete(followers).where(and(eq(followers.activityId, activityId), eq(followers.userId, userId)));
/** Counts the followers again in the batch that changes them, so that concurrent follows leave the right number. */
export const updateFollowersCount = (db: Database, activityId: number) =>
  db
    .update(activities)
    .set({ followersCount: sql`(SELECT count(*) FROM followers WHERE activity_id = ${activityId})` })
    .where(eq(activities.id, activityId))
    .returning({ followersCount: activities.followersCount });
