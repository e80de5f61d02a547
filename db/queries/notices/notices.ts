// Statements on in-app notices and the settings of all channels; use cases run them.
import { and, asc, desc, eq, getTableColumns, gt, lt, type SQL, sql } from "drizzle-orm";
import { type Database, type Statement, schema } from "#db/connect.server";
import { insertFrom } from "#db/queries/insert-from";
import { isNoticeOpen } from "#db/queries/visibility";
import type { Channel, Digest, NoticeKind } from "~/domain/notices/notices";
import type { Instant } from "~/domain/time";
import { differencesOf, eventIdAt } from "./events";

const { deliveries, notices, noticeSettings, users } = schema;

type Page = { after?: string | undefined; limit: number };

/** A page and one row more, newest first, after the id of the cursor. `isOpen`: its reader may open what it leads to. */
export const listNotices = (db: Database, userId: number, { after, limit }: Page) =>
  db
    .select({
      ...getTableColumns(notices),
      isOpen: sql<number>`${isNoticeOpen({ subject: sql`notices.subject`, body: sql`notices.body` }, sql`${userId}`)}`,
    })
    .from(notices)
    .where(and(eq(notices.userId, userId), after === undefined ? undefined : lt(notices.id, after)))
    .orderBy(desc(notices.id))
    .limit(limit + 1);

/** Marks the unread rows of this page. */
export const readPage = (db: Database, userId: number, { after, limit }: Page, now: Instant): Statement =>
  db
    .update(notices)
    .set({ readAt: now })
    .where(
      sql`user_id = ${userId} AND read_at IS NULL AND id IN (SELECT id FROM notices WHERE user_id = ${userId} ${
        after === undefined ? sql`` : sql`AND id < ${after}`
      } ORDER BY id DESC LIMIT ${limit})`,
    );

export const readNotices = (db: Database, userId: number, ids: string[] | undefined, now: Instant) =>
  db
    .update(notices)
    .set({ readAt: now })
    .where(
      sql`user_id = ${userId} AND read_at IS NULL ${
        ids === undefined ? sql`` : sql`AND id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`
      }`,
    );

/** The notices of a subject up to an instant, those that merged too: their event has another id (N-40). */
export const readSubject = (
  db: Database,
  subject: { userId: number; kind: string; subject: string; instant: number },
  now: Instant,
) =>
  db
    .update(notices)
    .set({ readAt: now })
    .where(
      sql`user_id = ${subject.userId} AND read_at IS NULL AND kind = ${subject.kind} AND subject = ${subject.subject} AND at <= ${subject.instant}`,
    );

const unreadOf = (userId: SQL): SQL =>
  sql`(SELECT count(*) FROM notices n WHERE n.user_id = ${userId} AND n.read_at IS NULL)`;

/** The counter after rows were read or deleted (N-12); no row when it is right. */
export const countUnread = (db: Database, userId: number) =>
  db
    .update(users)
    .set({ unreadNotices: sql`${unreadOf(sql`${userId}`)}` })
    .where(sql`id = ${userId} AND unread_notices <> ${unreadOf(sql`${userId}`)}`)
    .returning({ unread: users.unreadNotices });

/**
 * The notices of these two users about each other go; a merged one stays for the other people in it (Q-11). Three
 * statements.
 */
export const deleteNoticesBetween = (db: Database, a: number, b: number): Statement[] => {
  const isBlocked = sql`EXISTS (SELECT 1 FROM blocks WHERE user_id = ${a} AND blocked_id = ${b})`;
  const otherId = sql`iif(user_id = ${a}, ${b}, ${a})`;
  const isAbout = sql`user_id IN (${a}, ${b}) AND body ->> '$.by' = ${otherId} AND ${isBlocked}`;
  const isOther = sql`value ->> '$.by' = ${otherId}`;
  return [
    db
      .update(notices)
      .set({
        others: sql`(SELECT json_group_array(json(value)) FROM json_each(others) WHERE NOT (${isOther}))`,
      })
      .where(
        sql`user_id IN (${a}, ${b}) AND ${isBlocked} AND EXISTS (SELECT 1 FROM json_each(others) WHERE ${isOther})`,
      ),
    db.delete(notices).where(sql`${isAbout} AND json_array_length(others) = 0`),
    // The next person takes the place of the first.
    db
      .update(notices)
      .set({
        body: sql`json_patch(body, others -> '$[0]')`,
        others: sql`json_remove(others, '$[0]')`,
        merged: sql`json_array_length(others) - 1`,
      })
      .where(isAbout),
  ];
};

/** Nobody hears any more of a subject that is gone: neither in the list nor by a delivery that waits. */
export const deleteNoticesOf = (db: Database, userId: number, subject: string): Statement[] => [
  db.delete(notices).where(sql`user_id = ${userId} AND subject = ${subject}`),
  // The key begins with the user.
  db
    .delete(deliveries)
    .where(
      sql`key >= ${`${userId}:`} AND key < ${`${userId};`} AND subject = ${subject} AND state = 'waiting'`,
    ),
  countUnread(db, userId),
];

/** N-12: notices older than `before`, and all but the newest `most` of a user, at most `limit` rows; then the counters. */
export const deleteOldNotices = (
  db: Database,
  { before, most, limit }: { before: Instant; most: number; limit: number },
): [Statement, Statement] => [
  db
    .delete(notices)
    .where(
      sql`(user_id, id) IN (SELECT user_id, id FROM (SELECT user_id, id, row_number() OVER (PARTITION BY user_id ORDER BY id DESC) AS place FROM notices) WHERE place > ${most} OR id < ${eventIdAt(before)} LIMIT ${limit})`,
    ),
  db
    .update(users)
    .set({ unreadNotices: sql`${unreadOf(sql`users.id`)}` })
    .where(sql`unread_notices > 0 AND unread_notices <> ${unreadOf(sql`users.id`)}`),
];

/** After an id, oldest first. */
export const exportNotices = (db: Database, userId: number, after: string, limit: number) =>
  db
    .select()
    .from(notices)
    .where(and(eq(notices.userId, userId), gt(notices.id, after)))
    .orderBy(asc(notices.id))
    .limit(limit);

// ---- settings

export const listSettings = (db: Database, userId: number) =>
  db.select().from(noticeSettings).where(eq(noticeSettings.userId, userId));

export const findSettings = (db: Database, userId: number) =>
  db
    .select({
      quietFrom: users.quietFrom,
      quietTo: users.quietTo,
      digest: users.digest,
      differences: sql<string>`${differencesOf(sql`${users.id}`)}`.as("differences"),
    })
    .from(users)
    .where(eq(users.id, userId))
    .limit(1);

type Changed = { kind: NoticeKind; channel: Channel; value: number; isDefault: boolean };

/** Stores the values that differ from the defaults, and deletes the others. */
export function changeSettings(db: Database, userId: number, changed: readonly Changed[]): Statement[] {
  const eachSetting = sql`json_each(${JSON.stringify(changed)}) t`;
  if (changed.length === 0) return [];
  return [
    db
      .delete(noticeSettings)
      .where(
        sql`user_id = ${userId} AND (kind, channel) IN (SELECT t.value ->> '$.kind', t.value ->> '$.channel' FROM ${eachSetting} WHERE t.value ->> '$.isDefault')`,
      ),
    insertFrom(
      db,
      noticeSettings,
      {
        userId,
        kind: sql`t.value ->> '$.kind'`,
        channel: sql`t.value ->> '$.channel'`,
        value: sql`t.value ->> '$.value'`,
      },
      sql`FROM ${eachSetting} WHERE NOT t.value ->> '$.isDefault'`,
    ).onConflictDoUpdate({
      target: [noticeSettings.userId, noticeSettings.kind, noticeSettings.channel],
      set: { value: sql`excluded.value` },
      setWhere: sql`notice_settings.value <> excluded.value`,
    }),
  ];
}

export const changeTimes = (
  db: Database,
  userId: number,
  times: { quietFrom?: number | null; quietTo?: number | null; digest?: Digest },
): Statement => db.update(users).set(times).where(eq(users.id, userId));
/** These kinds never again on this channel, until the user chooses otherwise. No rows for an account that is gone. */
export const switchOff = (db: Database, userId: number, kinds: readonly NoticeKind[], channel: Channel) =>
  insertFrom(
    db,
    noticeSettings,
    { userId: sql`u.id`, kind: sql`k.value`, channel, value: 0 },
    sql`FROM json_each(${JSON.stringify(kinds)}) k JOIN users u ON u.id = ${userId}`,
  ).onConflictDoUpdate({
    target: [noticeSettings.userId, noticeSettings.kind, noticeSettings.channel],
    set: { value: 0 },
  });
