// Huts, their members, and lists of them: statements, run by use cases.
import { and, asc, desc, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { type Database, type Statement, schema } from "#db/connect.server";
import type { Instant } from "~/domain/time";

const { huts, hutMembers, activities } = schema;

const isJoined = (userId: number) =>
  sql<boolean>`EXISTS (SELECT 1 FROM hut_members m WHERE m.hut_id = ${huts.id} AND m.user_id = ${userId})`
    .mapWith(Boolean)
    .as("is_joined");
const matchOf = (words: readonly string[]) =>
  words.map((word) => `"${word.replaceAll('"', '""')}"*`).join(" ");

/** Newest first; only one's own with `isJoined`. */
export const listHuts = (
  db: Database,
  filter: { userId: number; isJoined: boolean; words: readonly string[]; limit: number; offset: number },
) =>
  db
    .select({ ...getTableColumns(huts), isJoined: isJoined(filter.userId) })
    .from(huts)
    .where(
      and(
        filter.isJoined
          ? sql`${huts.id} IN (SELECT m.hut_id FROM hut_members m WHERE m.user_id = ${filter.userId})`
          : undefined,
        filter.words.length > 0
          ? sql`${huts.id} IN (SELECT rowid FROM hut_search WHERE hut_search MATCH ${matchOf(filter.words)})`
          : undefined,
      ),
    )
    .orderBy(desc(huts.id))
    .limit(filter.limit)
    .offset(filter.offset);
export type HutRow = Awaited<ReturnType<typeof listHuts>>[number];

export const findHut = (db: Database, slug: string, userId: number) =>
  db
    .select({ ...getTableColumns(huts), isJoined: isJoined(userId) })
    .from(huts)
    .where(eq(huts.slug, slug))
    .limit(1);
/** Huts one belongs to, for choosing. */
export const listOwnHuts = (db: Database, userId: number) =>
  db
    .select({ id: huts.id, slug: huts.slug, title: huts.title })
    .from(huts)
    .where(sql`${huts.id} IN (SELECT m.hut_id FROM hut_members m WHERE m.user_id = ${userId})`)
    .orderBy(asc(huts.title))
    .limit(200);

export const hutIdOf = (slug: string): SQL => sql`(SELECT id FROM huts WHERE slug = ${slug})`;
export const findHutSlugs = (db: Database, candidates: readonly string[]) =>
  db.select({ slug: huts.slug }).from(huts).where(sql`${huts.slug} IN ${candidates}`);

/** Who makes a hut is its first member. */
export const insertHut = (db: Database, row: Omit<typeof huts.$inferInsert, "id" | "userCount">) =>
  [
    db
      .insert(huts)
      .values({ ...row, userCount: 1 })
      .returning({ id: huts.id }),
    db.insert(hutMembers).values({
      hutId: hutIdOf(row.slug) as unknown as number,
      userId: row.ownerId,
      joinedAt: row.createdAt,
    }),
  ] as const;
export const updateHut = (db: Database, id: number, set: Partial<typeof huts.$inferInsert>) =>
  db.update(huts).set(set).where(eq(huts.id, id));

export const insertMember = (db: Database, hutId: number, userId: number, now: Instant) =>
  db.insert(hutMembers).values({ hutId, userId, joinedAt: now }).onConflictDoNothing();
export const deleteMember = (db: Database, hutId: number, userId: number) =>
  db.delete(hutMembers).where(and(eq(hutMembers.hutId, hutId), eq(hutMembers.userId, userId)));
/** From the truth, in the same batch. */
export const countMembers = (db: Database, hutId: number): Statement =>
  db
    .update(huts)
    .set({ userCount: sql`(SELECT count(*) FROM hut_members WHERE hut_id = ${hutId})` })
    .where(eq(huts.id, hutId));

export const setActivityHut = (db: Database, activityId: number, hutId: number | null) =>
  db.update(activities).set({ hutId }).where(eq(activities.id, activityId));
