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

/** `isOpen`: the user may open the page that the notice links to. */
const selectNotices = (db: Database, userId: number) =>
  db
    .select({
      ...getTableColumns(notices),
      isOpen: sql<number>`${isNoticeOpen({ subject: sql`notices.subject`, body: sql`notices.body` }, sql`${userId}`)}`,
    })
    .from(notices);

/** A page and one row more, newest first, after the cursor's id. */
export const listNotices = (db: Database, userId: number, { after, limit }: Page) =>
  selectNotices(db, userId)
    .where(and(eq(notices.userId, userId), after === undefined ? undefined : lt(notices.id, after)))
    .orderBy(desc(notices.id))
    .limit(limit + 1);

/** Marks the unread notices of this page as read. */
export const markPageRead = (db: Database, userId: number, { after, limit }: Page, now: Instant): Statement =>
  db
    .update(notices)
    .set({ readAt: now })
    .where(
      sql`user_id = ${userId} AND read_at IS NULL AND id IN (SELECT id FROM notices WHERE user_id = ${userId} ${
        after === undefined ? sql`` : sql`AND id < ${after}`
      } ORDER BY id DESC LIMIT ${limit})`,
    );

export const markNoticesRead = (db: Database, userId: number, ids: string[] | undefined, now: Instant) =>
  db
    .update(notices)
    .set({ readAt: now })
    .where(
      sql`user_id = ${userId} AND read_at IS NULL ${
        ids === undefined ? sql`` : sql`AND id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`
      }`,
    );

/**
 * Marks a subject's notices up to an instant as read. It does not go by ids, because a merged notice has an earlier
 * event's (N-40).
 */
export const markSubjectRead = (
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

const selectUnreadCount = (userId: SQL): SQL =>
  sql`(SELECT count(*) FROM notices n WHERE n.user_id = ${userId} AND n.read_at IS NULL)`;

/** Counts the unread notices again after some were read or deleted (N-12); no row when the counter is right. */
export const updateUnreadCount = (db: Database, userId: number) =>
  db
    .update(users)
    .set({ unreadNotices: sql`${selectUnreadCount(sql`${userId}`)}` })
    .where(sql`id = ${userId} AND unread_notices <> ${selectUnreadCount(sql`${userId}`)}`)
    .returning({ unread: users.unreadNotices });

/**
 * Deletes the notices of these two users about each other, if the first blocks the second: four statements. A merged
 * notice stays for the other people in it (Q-11), and the news of an early start without the name (Q-12).
 */
export const deleteNoticesBetween = (db: Database, a: number, b: number): Statement[] => {
  const isBlocked = sql`EXISTS (SELECT 1 FROM blocks WHERE user_id = ${a} AND blocked_id = ${b})`;
  const otherId = sql`iif(user_id = ${a}, ${b}, ${a})`;
  const isAboutOther = sql`user_id IN (${a}, ${b}) AND body ->> '$.by' = ${otherId} AND ${isBlocked}`;
  const isByOther = sql`value ->> '$.by' = ${otherId}`;
  return [
    db
      .update(notices)
      .set({ body: sql`json_remove(json_set(body, '$.name', ''), '$.by')` })
      .where(sql`${isAboutOther} AND kind = 'session-early'`),
    db
      .update(notices)
      .set({
        others: sql`(SELECT json_group_array(json(value)) FROM json_each(others) WHERE NOT (${isByOther}))`,
      })
      .where(
        sql`user_id IN (${a}, ${b}) AND ${isBlocked} AND EXISTS (SELECT 1 FROM json_each(others) WHERE ${isByOther})`,
      ),
    db.delete(notices).where(sql`${isAboutOther} AND json_array_length(others) = 0`),
    // The next person takes the place of the first.
    db
      .update(notices)
      .set({
        body: sql`json_patch(body, others -> '$[0]')`,
        others: sql`json_remove(others, '$[0]')`,
        merged: sql`json_array_length(others) - 1`,
      })
      .where(isAboutOther),
  ];
};

/** Deletes a user's notices and waiting deliveries of a subject that no longer exists. */
export const deleteNoticesOf = (db: Database, userId: number, subject: string): Statement[] => [
  db.delete(notices).where(sql`user_id = ${userId} AND subject = ${subject}`),
  // The key begins with the user.
  db
    .delete(deliveries)
    .where(
      sql`key >= ${`${userId}:`} AND key < ${`${userId};`} AND subject = ${subject} AND state = 'waiting'`,
    ),
  updateUnreadCount(db, userId),
];

/**
 * Deletes notices older than `before`, and all but the newest of a user, at most `limit` rows; then corrects the
 * counters (N-12).
 */
export const deleteOldNotices = (
  db: Database,
  { before, maxPerUser, limit }: { before: Instant; maxPerUser: number; limit: number },
): [Statement, Statement] => [
  db
    .delete(notices)
    .where(
      sql`(user_id, id) IN (SELECT user_id, id FROM (SELECT user_id, id, row_number() OVER (PARTITION BY user_id ORDER BY id DESC) AS place FROM notices) WHERE place > ${maxPerUser} OR id < ${eventIdAt(before)} LIMIT ${limit})`,
    ),
  db
    .update(users)
    .set({ unreadNotices: sql`${selectUnreadCount(sql`users.id`)}` })
    .where(sql`unread_notices > 0 AND unread_notices <> ${selectUnreadCount(sql`users.id`)}`),
];

/** The user's notices after an id, oldest first. */
export const exportNotices = (db: Database, userId: number, after: string, limit: number) =>
  selectNotices(db, userId)
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

type SettingChange = { kind: NoticeKind; channel: Channel; value: number; isDefault: boolean };

/** Stores the changed values that differ from the defaults, and deletes the rows of those that do not. */
export function changeSettings(db: Database, userId: number, changed: readonly SettingChange[]): Statement[] {
  const changeRows = sql`json_each(${JSON.stringify(changed)}) t`;
  if (changed.length === 0) return [];
  return [
    db
      .delete(noticeSettings)
      .where(
        sql`user_id = ${userId} AND (kind, channel) IN (SELECT t.value ->> '$.kind', t.value ->> '$.channel' FROM ${changeRows} WHERE t.value ->> '$.isDefault')`,
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
      sql`FROM ${changeRows} WHERE NOT t.value ->> '$.isDefault'`,
    ).onConflictDoUpdate({
      target: [noticeSettings.userId, noticeSettings.kind, noticeSettings.channel],
      set: { value: sql`excluded.value` },
      setWhere: sql`notice_settings.value <> excluded.value`,
    }),
  ];
}

export const updateMailTimes = (
  db: Database,
  userId: number,
  times: { quietFrom?: number | null; quietTo?: number | null; digest?: Digest },
): Statement => db.update(users).set(times).where(eq(users.id, userId));
/** Turns these kinds of notices off on this channel; writes no rows for an account that no longer exists. */
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
