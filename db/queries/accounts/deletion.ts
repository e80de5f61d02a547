// Statements that delete an account: shared data (sessions, huts, activities, posts) and payment records stay under a
// row without a name, and everything else is deleted. Use cases run them.
import { and, asc, eq, lte, type SQL, sql } from "drizzle-orm";
import { type Database, type Statement, schema } from "#db/connect.server";
import { insertErasures } from "#db/queries/chat-of-user";
import { IS_OPEN_LOG } from "#db/queries/goals/open-logs";
import { deleteDeliveries } from "#db/queries/notices/deliveries";
import { deleteSubscriptionsOf } from "#db/queries/notices/push";
import { deletedEmail, deletedName } from "~/domain/accounts/deleted";
import { LOG_STATUS } from "~/domain/goals/log-state";
import { USER_ROLE } from "~/domain/roles";
import type { Instant } from "~/domain/time";
import { deleteMeans } from "./two-step";

const { users, persons, logs, goals, goalTags, goalDays, notes, items, paraphrases, favorites, uploads } =
  schema;
const {
  acceptedInvitations,
  huts,
  hutMembers,
  hutRequests,
  activities,
  followers,
  participants,
  sessions,
  posts,
} = schema;
const { tokenLots, tokenEntries, customers, paymentMethods, subscriptions } = schema;
const { decisions, reports, sanctions, notices, deliveries, noticeSettings } = schema;
const { series, standingSeats, rotaHosts } = schema;
const { calendarFeeds, waiters, attendance } = schema;
const { contributions } = schema;
const { blocks, logins, devices, passwordResets, confirmations, repeatedRequests, mailbox } = schema;

export const setDeletion = (db: Database, userId: number, dueAt: Instant) =>
  db
    .update(users)
    .set({ deletionDueAt: dueAt })
    .where(eq(users.id, userId))
    .returning({ email: users.email, username: users.username });

export const listDueAccounts = (db: Database, now: Instant, limit: number) =>
  db
    .select({
      id: users.id,
      email: users.email,
      username: users.username,
      personId: users.personId,
      createdAt: users.createdAt,
    })
    .from(users)
    .where(lte(users.deletionDueAt, now))
    .orderBy(asc(users.deletionDueAt))
    .limit(limit);

/**
 * Blocks sign-in. The account stays due until the rest is done, so the next run resumes an interrupted deletion. No
 * row when a login has cancelled the deletion meanwhile.
 */
export const claimAccount = (db: Database, account: { id: number; email: string }, now: Instant) =>
  [
    db.delete(mailbox).where(sql`lower(${mailbox.recipient}) = lower(${account.email})`),
    db
      .update(users)
      .set({ email: deletedEmail(account.id), passwordHash: "deleted", updatedAt: now })
      .where(and(eq(users.id, account.id), lte(users.deletionDueAt, now)))
      .returning({ id: users.id }),
    db
      .delete(logins)
      .where(
        and(
          eq(logins.userId, account.id),
          sql`EXISTS (SELECT 1 FROM users WHERE id = ${account.id} AND deletion_due_at <= ${now})`,
        ),
      )
      .returning({ loginHash: logins.tokenHash }),
    ...deleteMeans(
      db,
      account.id,
      sql`EXISTS (SELECT 1 FROM users WHERE id = ${account.id} AND deletion_due_at <= ${now})`,
    ),
  ] as const;

/** The open sessions in which the user has a seat or waits for one. */
export const listOpenSessionsOf = (db: Database, userId: number) =>
  db
    .select({ sessionId: sessions.id })
    .from(sessions)
    .where(
      sql`${sessions.id} IN (SELECT p.session_id FROM participants p WHERE p.user_id = ${userId} UNION SELECT w.session_id FROM waiters w WHERE w.user_id = ${userId})
        AND ${sessions.closedAt} IS NULL`,
    );

export const listUploadKeys = (db: Database, userId: number) =>
  db.select({ key: uploads.key }).from(uploads).where(eq(uploads.userId, userId));

/** Replaces the user's names in the notices and deliveries of others. Runs before the persons are renamed. */
export function eraseNames(
  db: Database,
  userId: number,
  name = deletedName(userId),
  condition: SQL = sql`true`,
): Statement[] {
  const ownNames = sql`(SELECT username FROM persons WHERE user_id = ${userId})`;
  const withName = (body: SQL) => sql`json_set(${body}, '$.name', ${name})`;
  return [
    db
      .update(notices)
      .set({
        body: sql`iif(body ->> '$.name' IN ${ownNames}, ${withName(sql`body`)}, body)`,
        others: sql`(SELECT json_group_array(json(iif(value ->> '$.name' IN ${ownNames}, ${withName(sql`value`)}, value))) FROM json_each(others))`,
      })
      .where(
        sql`(body ->> '$.name' IN ${ownNames} OR EXISTS (SELECT 1 FROM json_each(others) WHERE value ->> '$.name' IN ${ownNames})) AND ${condition}`,
      ),
    db
      .update(deliveries)
      .set({ body: withName(sql`body`) })
      .where(sql`body ->> '$.name' IN ${ownNames} AND ${condition}`),
    db
      .update(deliveries)
      .set({
        body: sql`json_set(body, '$.lines', (SELECT json_group_array(json(iif(value ->> '$.body.name' IN ${ownNames}, json_set(value, '$.body.name', ${name}), value))) FROM json_each(body, '$.lines')))`,
      })
      .where(
        sql`kind = 'digest' AND EXISTS (SELECT 1 FROM json_each(body, '$.lines') WHERE value ->> '$.body.name' IN ${ownNames}) AND ${condition}`,
      ),
  ];
}

/** Idempotent; the statements belong in one batch. */
export function eraseAccount(db: Database, userId: number, now: Instant): Statement[] {
  const name = deletedName(userId);
  const firstPersonId = sql`(SELECT min(id) FROM persons WHERE user_id = ${userId})`;
  const ownPersons = sql`(SELECT id FROM persons WHERE user_id = ${userId})`;
  const isPersonal = sql`session_id IS NULL AND activity_id IS NULL`;
  const emptyTexts = { title: "", content: "", contentHtml: "", summary: "", searchText: "" };
  return [
    // A session's log still counts in everybody's totals, but without text, name or running timer. A stopped log counts
    // what an open one does (R-54).
    db
      .update(logs)
      .set({
        ...emptyTexts,
        username: name,
        status: sql`CASE WHEN ${IS_OPEN_LOG} THEN ${LOG_STATUS.stopped} ELSE status END`,
        goalId: sql`(SELECT id FROM goals WHERE goals.id = logs.goal_id AND NOT (${isPersonal}))`,
      })
      .where(sql`user_id = ${userId} AND session_id IS NOT NULL`),
    db.delete(logs).where(sql`user_id = ${userId} AND session_id IS NULL`),
    db.delete(notes).where(eq(notes.userId, userId)),
    db.delete(goalTags).where(eq(goalTags.userId, userId)),
    // The days of personal goals are deleted with their goals.
    db.delete(goalDays).where(and(eq(goalDays.userId, userId), eq(goalDays.isShared, sql`1`))),
    db.delete(goals).where(sql`user_id = ${userId} AND ${isPersonal}`),
    // A book may hold the paraphrases of others, so it stays.
    db.update(items).set({ personId: firstPersonId }).where(sql`person_id IN ${ownPersons} AND is_book = 1`),
    db.delete(items).where(sql`person_id IN ${ownPersons} AND is_book = 0`),
    db.delete(paraphrases).where(sql`person_id IN ${ownPersons}`),
    db.delete(favorites).where(eq(favorites.userId, userId)),
    db.delete(uploads).where(eq(uploads.userId, userId)),
    db
      .update(huts)
      .set({ userCount: sql`user_count - 1` })
      .where(sql`id IN (SELECT hut_id FROM hut_members WHERE user_id = ${userId})`),
    db.delete(hutMembers).where(eq(hutMembers.userId, userId)),
    db.delete(hutRequests).where(eq(hutRequests.userId, userId)),
    db.delete(acceptedInvitations).where(eq(acceptedInvitations.userId, userId)),
    db.update(huts).set({ invitedBy: null }).where(eq(huts.invitedBy, userId)),
    db
      .update(activities)
      .set({ followersCount: sql`followers_count - 1` })
      .where(sql`id IN (SELECT activity_id FROM followers WHERE user_id = ${userId})`),
    db.delete(followers).where(eq(followers.userId, userId)),
    db.update(activities).set({ personId: null }).where(eq(activities.ownerId, userId)),
    db
      .update(participants)
      .set({
        username: name,
        personId: firstPersonId,
        aim: "",
        aimGoalId: null,
        guestName: "",
        guestLook: "",
      })
      .where(eq(participants.userId, userId)),
    // These addresses are the host's, unlike the texts, which the session's people share.
    db
      .update(sessions)
      .set({ meetingLink: "", donationLink: "" })
      .where(
        sql`id IN (SELECT session_id FROM participants WHERE user_id = ${userId} AND is_host = 1) AND (closed_at IS NOT NULL OR is_template = 1)
          AND (meeting_link <> '' OR donation_link <> '')`,
      ),
    db.delete(waiters).where(eq(waiters.userId, userId)),
    db.update(posts).set({ username: name }).where(eq(posts.userId, userId)),
    db.update(contributions).set({ username: name }).where(eq(contributions.userId, userId)),
    db.delete(sanctions).where(eq(sanctions.userId, userId)),
    // Series that nobody inherited have ended (R-88), and keep their page without the addresses of their host.
    db
      .update(series)
      .set({ personId: null, template: sql`json_remove(template, '$.meetingLink', '$.donationLink')` })
      .where(eq(series.ownerId, userId)),
    db.delete(standingSeats).where(eq(standingSeats.userId, userId)),
    db.delete(rotaHosts).where(eq(rotaHosts.userId, userId)),
    insertErasures(db, userId),
    db.delete(tokenEntries).where(eq(tokenEntries.userId, userId)),
    db.delete(tokenLots).where(eq(tokenLots.userId, userId)),
    db.delete(paymentMethods).where(eq(paymentMethods.userId, userId)),
    db.delete(subscriptions).where(eq(subscriptions.userId, userId)),
    db.delete(customers).where(eq(customers.userId, userId)),
    db.delete(devices).where(eq(devices.userId, userId)),
    db.delete(calendarFeeds).where(eq(calendarFeeds.userId, userId)),
    deleteSubscriptionsOf(db, userId),
    ...deleteMeans(db, userId),
    db.delete(passwordResets).where(eq(passwordResets.userId, userId)),
    db.delete(confirmations).where(eq(confirmations.userId, userId)),
    db.delete(decisions).where(eq(decisions.userId, userId)),
    db.delete(reports).where(eq(reports.reporterId, userId)),
    db.update(reports).set({ authorName: name, snapshot: "" }).where(eq(reports.authorId, userId)),
    db.delete(notices).where(eq(notices.userId, userId)),
    ...eraseNames(db, userId),
    db.delete(attendance).where(eq(attendance.userId, userId)),
    deleteDeliveries(db, userId),
    db.delete(noticeSettings).where(eq(noticeSettings.userId, userId)),
    db.delete(blocks).where(sql`user_id = ${userId} OR blocked_id = ${userId}`),
    db.delete(repeatedRequests).where(eq(repeatedRequests.userId, userId)),
    db.delete(persons).where(sql`user_id = ${userId} AND id <> ${firstPersonId}`),
    db.update(persons).set({ username: name, title: "" }).where(eq(persons.userId, userId)),
    db
      .update(users)
      .set({
        username: name,
        email: deletedEmail(userId),
        emailConfirmedAt: null,
        firstName: "",
        lastName: "",
        passwordHash: "deleted",
        roleId: USER_ROLE.ordinary,
        personId: firstPersonId,
        timeZone: "UTC",
        locale: null,
        distanceUnit: null,
        newMessages: "",
        isNew: false,
        poolRedeemedAt: null,
        deletionDueAt: null,
        unreadNotices: 0,
        quietFrom: null,
        quietTo: null,
        digest: "off",
        mailFailures: 0,
        mailFailingAt: null,
        updatedAt: now,
      })
      .where(eq(users.id, userId)),
  ];
}
