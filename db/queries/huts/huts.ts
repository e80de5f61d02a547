// Statements on huts, their members, and lists of them; use cases run them.
import { and, asc, desc, eq, getTableColumns, isNull, type SQL, sql } from "drizzle-orm";
import { type Database, type Statement, schema } from "#db/connect.server";
import {
  isAfterKey,
  type ListedTable,
  limitToPage,
  type PageRequest,
  selectKeys,
} from "#db/queries/filtered-lists";
import { roleInHut } from "#db/queries/hut-role";
import { insertFrom } from "#db/queries/insert-from";
import { nameInHut, personNameOf } from "#db/queries/person-of-row";
import { isLetIntoHut, liftSanction } from "#db/queries/safety/sanctions";
import { hasWords, type Words, withTitlePairs } from "#db/queries/search";
import { isAccountKept } from "#db/queries/sessions/hand-over";
import { isHostOf } from "#db/queries/sessions/participants";
import { isListedFor, isVisible, type Viewer } from "#db/queries/visibility";
import { literal } from "#db/schema/columns";
import { type HostedInHut, MAX_MODERATORS } from "~/domain/huts/huts";
import { HUT_ROLE, type HutRole } from "~/domain/roles";
import type { Instant } from "~/domain/time";

const { huts, hutMembers, activities, sessions } = schema;

/** The columns of a hut without the invitation, which only its own query reads (R-82). */
const {
  inviteHash: _hash,
  inviteSealed: _sealed,
  invitedBy: _invitedBy,
  ...hutColumns
} = getTableColumns(huts);

export type HutFilter = PageRequest & {
  /** 0 for a visitor. */
  userId: Viewer;
  now: Instant;
  /** Only huts of which this user is a member. */
  isJoined?: boolean;
  words?: Words;
};

/** The hut's next session with a date, as far as this user sees it. */
export const selectNextSession = (userId: Viewer, now: Instant) =>
  sql<{ id: number; startedAt: Instant } | null>`(SELECT json_object('id', n.id, 'startedAt', n.started_at)
    FROM sessions n WHERE n.hut_id = ${huts.id} AND n.closed_at IS NULL AND n.is_template = 0 AND n.started_at > ${now}
    AND ${isListedFor("n", userId)} ORDER BY n.started_at, n.id LIMIT 1)`
    .mapWith((json: string) => JSON.parse(json) as { id: number; startedAt: Instant })
    .as("next_session");

/** Newest first; at most `perPage` + 1 rows (C-05). */
export const listHuts = (db: Database, filter: HutFilter) =>
  db
    .select({
      ...hutColumns,
      role: roleInHut(filter.userId),
      next: selectNextSession(filter.userId, filter.now),
      key: sql<string>`CAST(k.key AS TEXT)`.as("key"),
    })
    .from(sql`${keysOf(filter)} k`)
    .innerJoin(huts, sql`${huts.id} = k.id`)
    .orderBy(desc(sql`k.key`));

/** The listed huts, newest first. */
const HUT_LIST: ListedTable = {
  searched: "hut",
  table: "huts",
  key: "id",
  order: "DESC",
  isListed: sql`TRUE`,
};

function keysOf({ userId, isJoined = false, words = [], ...pageRequest }: HutFilter): SQL {
  if (!isJoined) return selectKeys(HUT_LIST, null, words, pageRequest, userId);
  const key = sql.raw("m.hut_id");
  const condition = and(hasWords("hut", words, key, "t"), ...isAfterKey(key, pageRequest, HUT_LIST.order));
  return sql`(SELECT ${key} AS key, m.hut_id AS id FROM hut_members m CROSS JOIN huts t ON t.id = m.hut_id
    WHERE m.user_id = ${userId} AND ${condition} ORDER BY 1 DESC ${limitToPage(pageRequest)})`;
}

/** The most titles that the hut's page names to a member who wants to leave. */
const MAX_NAMED_TITLES = 20;
/** The column with the sessions and series that the member hosts in a private hut, which end when they leave (R-56). */
const selectHostedInHut = (userId: Viewer, now: Instant) => {
  const hostedSessions = sql`FROM sessions s JOIN participants h ON ${isHostOf(sql`s`)} WHERE s.hut_id = huts.id AND h.user_id = ${userId}
    AND ${isAhead("s", now)}`;
  return sql<HostedInHut>`CASE WHEN huts.is_private = 1 AND huts.owner_id <> ${userId} THEN json_object(
    'sessions', (SELECT count(*) ${hostedSessions}),
    'series', (SELECT count(*) FROM series r WHERE r.hut_id = huts.id AND r.owner_id = ${userId} AND r.ended_at IS NULL),
    'titles', json((SELECT json_group_array(a.title) FROM (SELECT s.title ${hostedSessions} GROUP BY s.title ORDER BY min(s.started_at), min(s.id) LIMIT ${sql.raw(String(MAX_NAMED_TITLES))}) a)))
    ELSE '{"sessions":0,"series":0,"titles":[]}' END`
    .mapWith((json: string) => JSON.parse(json) as HostedInHut)
    .as("hosted");
};

export const findHut = (db: Database, slug: string, userId: Viewer, now: Instant) =>
  db
    .select({ ...hutColumns, role: roleInHut(userId), hosted: selectHostedInHut(userId, now) })
    .from(huts)
    .where(and(eq(huts.slug, slug), isVisible("huts", "huts", userId)))
    .limit(1);
export type HutRow = Omit<Awaited<ReturnType<typeof findHut>>[number], "hosted">;

/** The user's huts, for a select field. The owner of a public hut who has left it still owns it. */
export const listOwnHuts = (db: Database, userId: number) =>
  db
    .select({ id: huts.id, slug: huts.slug, title: huts.title })
    .from(huts)
    .where(
      sql`${huts.id} IN (SELECT m.hut_id FROM hut_members m WHERE m.user_id = ${userId} UNION SELECT o.id FROM huts o WHERE o.owner_id = ${userId})`,
    )
    .orderBy(asc(huts.title))
    .limit(200);

/** A row if the user owns the hut or is its member. */
export const findOwnHut = (db: Database, hutId: number, userId: number) =>
  db
    .select({ id: huts.id, isPrivate: huts.isPrivate })
    .from(huts)
    .where(
      sql`${huts.id} = ${hutId} AND (${huts.ownerId} = ${userId} OR EXISTS (SELECT 1 FROM hut_members m WHERE m.hut_id = ${huts.id} AND m.user_id = ${userId}))`,
    )
    .limit(1);

export const hutIdOf = (slug: string): SQL => sql`(SELECT id FROM huts WHERE slug = ${slug})`;
export const findHutSlugs = (db: Database, candidates: readonly string[]) =>
  db.select({ slug: huts.slug }).from(huts).where(sql`${huts.slug} IN ${candidates}`);

export const findHutSlug = (db: Database, id: number) =>
  db.select({ slug: huts.slug }).from(huts).where(eq(huts.id, id)).limit(1);

/** Inserts a hut, whose creator is its first member, as this person. */
export const insertHut = (
  db: Database,
  { personId, ...row }: Omit<typeof huts.$inferInsert, "id" | "userCount"> & { personId: number },
) =>
  [
    db
      .insert(huts)
      .values(withTitlePairs({ ...row, userCount: 1 }))
      .returning({ id: huts.id }),
    db.insert(hutMembers).values({
      hutId: hutIdOf(row.slug),
      userId: row.ownerId,
      personId,
      joinedAt: row.createdAt,
    }),
  ] as const;
export const updateHut = (db: Database, id: number, set: Partial<typeof huts.$inferInsert>) =>
  db.update(huts).set(withTitlePairs(set)).where(eq(huts.id, id));

export const listOpenSessionsIn = (db: Database, hutId: number, limit: number) =>
  db
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.hutId, hutId), sql`${sessions.closedAt} IS NULL`))
    .limit(limit);

/** Inserts nothing for a member, and for a person whom a ban keeps out (Q-16). */
export const insertMember = (
  db: Database,
  hutId: number,
  { id: userId, personId }: { id: number; personId: number },
  now: Instant,
) =>
  insertFrom(
    db,
    hutMembers,
    { hutId, userId, personId, joinedAt: now },
    sql`WHERE ${isLetIntoHut({ userId, now }, hutId)}`,
  ).onConflictDoNothing();
export const deleteMember = (db: Database, hutId: number, userId: number, condition?: SQL) =>
  db.delete(hutMembers).where(and(eq(hutMembers.hutId, hutId), eq(hutMembers.userId, userId), condition));
export const findMembership = (db: Database, hutId: number, userId: number) =>
  db
    .select({ userId: hutMembers.userId })
    .from(hutMembers)
    .where(and(eq(hutMembers.hutId, hutId), eq(hutMembers.userId, userId)));
/** Inside a batch: the user is a member. */
export const isMember = (hutId: number, userId: number): SQL =>
  sql`EXISTS (SELECT 1 FROM hut_members m WHERE m.hut_id = ${hutId} AND m.user_id = ${userId})`;
/** Inside a batch: the user is not, or no longer, a member, and does not own the hut. */
export const isNoMember = (hutId: number, userId: number): SQL =>
  sql`(NOT ${isMember(hutId, userId)} AND ${isNotOwner(hutId, userId)})`;
/** Inside a batch: the user does not own the hut. */
export const isNotOwner = (hutId: number, userId: number): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM huts o WHERE o.id = ${hutId} AND o.owner_id = ${userId})`;

// ---- moderators and owners (Q-26)

const isOwnerOrModerator = (hutId: number | SQL) =>
  sql`(${hutMembers.role} = ${literal(HUT_ROLE.moderator)} OR ${hutMembers.userId} = (SELECT o.owner_id FROM huts o WHERE o.id = ${hutId}))`;
const MEMBER_NAME = personNameOf(sql.raw("hut_members.person_id"), sql.raw("hut_members.user_id"));
const selectMembers = (db: Database, name = MEMBER_NAME) =>
  db
    .select({
      userId: hutMembers.userId,
      role: hutMembers.role,
      joinedAt: hutMembers.joinedAt,
      username: name.as("member_name"),
    })
    .from(hutMembers);

/** The moderators, in order of joining. */
export const listModerators = (db: Database, hutId: number | SQL) =>
  selectMembers(db)
    .where(and(eq(hutMembers.hutId, hutId), sql`${hutMembers.role} = ${literal(HUT_ROLE.moderator)}`))
    .orderBy(asc(hutMembers.joinedAt))
    .limit(MAX_MODERATORS);
export type MemberRow = Awaited<ReturnType<typeof listModerators>>[number];

/** The members without role, except the owner. */
export const listPlainMembers = (
  db: Database,
  hutId: number | SQL,
  { page, perPage }: { page: number; perPage: number },
) =>
  selectMembers(db)
    .where(and(eq(hutMembers.hutId, hutId), sql`NOT ${isOwnerOrModerator(hutId)}`))
    .orderBy(asc(hutMembers.userId))
    .limit(perPage + 1)
    .offset((page - 1) * perPage);

export const findOwnerName = (db: Database, hutId: number | SQL) =>
  db
    .select({ username: nameInHut(sql.raw("huts.id"), sql.raw("huts.owner_id")).as("hut_owner_name") })
    .from(huts)
    .where(eq(huts.id, hutId))
    .limit(1);

/** A member by the name of one of the account's persons, under which the answer names the member. */
export const findMember = (db: Database, hutId: number, username: string) => {
  const named = (column: SQL) =>
    sql`(SELECT n.${column} FROM persons n WHERE lower(n.username) = lower(${username}))`;
  return selectMembers(db, sql<string>`${named(sql.raw("username"))}`)
    .where(and(eq(hutMembers.hutId, hutId), sql`${hutMembers.userId} = ${named(sql.raw("user_id"))}`))
    .limit(1);
};

/** No row when the hut has its maximum of moderators, or the member left. */
export const setMemberRole = (db: Database, hutId: number, userId: number, role: HutRole) =>
  db
    .update(hutMembers)
    .set({ role })
    .where(
      and(
        eq(hutMembers.hutId, hutId),
        eq(hutMembers.userId, userId),
        sql`${hutMembers.role} <> ${role}`,
        role === HUT_ROLE.moderator
          ? sql`(SELECT count(*) FROM hut_members o WHERE o.hut_id = ${hutId} AND o.role = ${literal(HUT_ROLE.moderator)}) < ${MAX_MODERATORS}`
          : undefined,
      ),
    )
    .returning({ role: hutMembers.role });

type HutHandOver = { hutId: number; from: number; to: number; now: Instant };

/** Hands the hut to a member whom R-88 allows; nothing when the member left or the owner changed meanwhile. */
export const handOverHut = (db: Database, { hutId, from, to, now }: HutHandOver) =>
  db
    .update(huts)
    .set({ ownerId: to, updatedAt: now })
    .where(
      and(
        eq(huts.id, hutId),
        eq(huts.ownerId, from),
        sql`EXISTS (SELECT 1 FROM hut_members m WHERE m.hut_id = ${hutId} AND m.user_id = ${to})`,
        isAccountKept(to),
        isLetIntoHut({ userId: to, now }, hutId),
      ),
    )
    .returning({ id: huts.id });

/**
 * Follows `handOverHut` in its batch: the former owner stays a member, and the new owner needs no role and is not muted,
 * because nobody in the hut could lift that mute.
 */
export const keepMember = (db: Database, { hutId, from, to, now }: HutHandOver): Statement[] => [
  insertFrom(
    db,
    hutMembers,
    { hutId, userId: from, joinedAt: now },
    sql`FROM huts WHERE id = ${hutId} AND owner_id = ${to}`,
  ).onConflictDoNothing(),
  db
    .update(hutMembers)
    .set({ role: HUT_ROLE.member })
    .where(
      and(
        eq(hutMembers.hutId, hutId),
        eq(hutMembers.userId, to),
        sql`EXISTS (SELECT 1 FROM huts h WHERE h.id = ${hutId} AND h.owner_id = ${to})`,
      ),
    ),
  liftSanction(
    db,
    { scope: "hut", targetId: hutId, userId: to, kind: "mute" },
    now,
    sql`NOT ${isNotOwner(hutId, to)}`,
  ),
  updateMemberCount(db, hutId),
];

/** Counts the members again, in the batch that changes them. */
export const updateMemberCount = (db: Database, hutId: number) =>
  db
    .update(huts)
    .set({ userCount: sql`(SELECT count(*) FROM hut_members WHERE hut_id = ${hutId})` })
    .where(eq(huts.id, hutId))
    .returning({ userCount: huts.userCount });

/** `onlyIfPublic`: the activity may have become private meanwhile. */
export const attachActivity = (
  db: Database,
  activityId: number,
  hutId: number,
  { onlyIfPublic }: { onlyIfPublic: boolean },
): Statement =>
  db
    .update(activities)
    .set({ hutId })
    .where(and(eq(activities.id, activityId), onlyIfPublic ? eq(activities.isPrivate, false) : undefined));

/** `staysPrivate`: without its private hut an activity is public otherwise, by a trigger (R-87). */
export const detachActivity = (
  db: Database,
  activityId: number,
  hutId: number,
  { staysPrivate }: { staysPrivate: boolean },
): Statement[] => [
  db
    .update(activities)
    .set({ hutId: null })
    .where(and(eq(activities.id, activityId), eq(activities.hutId, hutId))),
  ...(staysPrivate
    ? [
        db
          .update(activities)
          .set({ isPrivate: true })
          .where(and(eq(activities.id, activityId), isNull(activities.hutId))),
      ]
    : []),
];

/** Selects the members except this user, as the recipients of a notice (Q-25). */
export const selectOtherMembers = (hutId: number, userId: number): SQL =>
  sql`SELECT user_id AS id FROM hut_members WHERE hut_id = ${hutId} AND user_id <> ${userId}`;

/**
 * Deletes a hut where `condition` holds, with its forum, memberships and requests. Activities, series, sessions and
 * items lose their hut (Q-25, R-87).
 */
export const deleteHut = (db: Database, id: number, condition: SQL) =>
  db
    .delete(huts)
    .where(and(eq(huts.id, id), condition))
    .returning({ id: huts.id });

/** A condition of a hut's deletion: a private hut has no session ahead, and no series that goes on (R-87). */
export const isQuiet = (id: number, now: Instant): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM huts q WHERE q.id = ${id} AND q.is_private = 1 AND (
    EXISTS (SELECT 1 FROM sessions ahead WHERE ahead.hut_id = q.id AND ${isAhead("ahead", now)})
    OR EXISTS (SELECT 1 FROM series on_going WHERE on_going.hut_id = q.id AND on_going.ended_at IS NULL)))`;

/** A session that has not begun, and is no template. */
const isAhead = (row: string, now: Instant): SQL =>
  sql`${sql.raw(row)}.closed_at IS NULL AND ${sql.raw(row)}.is_template = 0 AND (${sql.raw(row)}.started_at IS NULL OR ${sql.raw(row)}.started_at > ${now})`;

/** Counts what the deletion of a private hut would end (R-87). */
export const countEndingsOfDeletion = (db: Database, hutId: SQL, now: Instant) =>
  db
    .select({
      series:
        sql<number>`(SELECT count(*) FROM series r WHERE r.hut_id = ${hutId} AND r.ended_at IS NULL)`.as(
          "ending_series",
        ),
      ahead:
        sql<number>`(SELECT count(*) FROM sessions s WHERE s.hut_id = ${hutId} AND ${isAhead("s", now)})`.as(
          "ending_sessions",
        ),
      running:
        sql<number>`(SELECT count(*) FROM sessions s WHERE s.hut_id = ${hutId} AND s.closed_at IS NULL AND s.started_at <= ${now})`.as(
          "running_sessions",
        ),
    })
    .from(sql`(SELECT 1)`);

/** The hut's sessions that have not begun. */
export const listSessionsAheadIn = (db: Database, hutId: number, now: Instant, limit: number) =>
  db
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.hutId, hutId), isAhead("sessions", now)))
    .limit(limit);
