// The data of an account that only its export reads: one statement per kind, run by use cases. Long lists come in
// batches by their key, so that years of history never fill memory.
import { and, asc, eq, getTableColumns, gt, sql } from "drizzle-orm";
import { type Database, schema } from "#db/connect.server";
import { isListedFor, isVisible } from "#db/queries/visibility";

const { users, persons, goalDays, paraphrases, favorites, followers, sessions } = schema;
const { participants, huts, hutMembers, hutRequests, posts, uploads, standingSeats, rotaHosts } = schema;
const { apiKeys, tokenLots, tokenEntries, purchases, logins, passkeys, snippets, twoStep } = schema;
const { decisions, waiters, attendance, contributions, subscriptions } = schema;

export const exportUser = (db: Database, userId: number) =>
  db.select().from(users).where(eq(users.id, userId));

export const exportPersons = (db: Database, userId: number) =>
  db.select().from(persons).where(eq(persons.userId, userId)).orderBy(asc(persons.id));

/** The days after this goal and day, in the order of the primary key. */
export const exportDays = (
  db: Database,
  userId: number,
  after: { goalId: number; day: string },
  limit: number,
) =>
  db
    .select({
      goalId: goalDays.goalId,
      day: goalDays.day,
      amount: goalDays.amount,
      duration: goalDays.duration,
      distance: goalDays.distance,
      logs: goalDays.logs,
      isSkipped: goalDays.isSkipped,
    })
    .from(goalDays)
    .where(
      sql`user_id = ${userId} AND (goal_id, day) > (${after.goalId}, ${after.day}) AND goal_id IN (
        SELECT id FROM goals WHERE user_id = ${userId} AND session_id IS NULL AND activity_id IS NULL AND id >= ${after.goalId}
        UNION SELECT goal_id FROM goal_days WHERE user_id = ${userId} AND is_shared = 1 AND goal_id >= ${after.goalId})`,
    )
    .orderBy(asc(goalDays.goalId), asc(goalDays.day))
    .limit(limit);

/** With the person's name and the text of the snippet. */
export const exportParaphrases = (db: Database, personId: number, afterId: number, limit: number) =>
  db
    .select({
      ...getTableColumns(paraphrases),
      username: sql<string>`${persons.username}`.as("owner_username"),
      snippet: sql<string>`${snippets.content}`.as("snippet_text"),
    })
    .from(paraphrases)
    .innerJoin(persons, eq(persons.id, paraphrases.personId))
    .innerJoin(snippets, eq(snippets.id, paraphrases.snippetId))
    .where(and(eq(paraphrases.personId, personId), gt(paraphrases.id, afterId)))
    .orderBy(asc(paraphrases.id))
    .limit(limit);

export const exportPosts = (db: Database, userId: number, afterId: number, limit: number) =>
  db
    .select()
    .from(posts)
    .where(and(eq(posts.userId, userId), gt(posts.id, afterId)))
    .orderBy(asc(posts.id))
    .limit(limit);

export const exportContributions = (db: Database, userId: number, afterId: number, limit: number) =>
  db
    .select()
    .from(contributions)
    .where(and(eq(contributions.userId, userId), gt(contributions.id, afterId)))
    .orderBy(asc(contributions.id))
    .limit(limit);

/**
 * Sessions after an id in which the user has, awaits or had a seat. Of a session that is closed to the user, the row
 * holds nothing about others.
 */
export const exportSeats = (db: Database, userId: number, afterId: number, limit: number) =>
  db
    .select({
      id: sessions.id,
      slug: sessions.slug,
      title: sessions.title,
      startedAt: sessions.startedAt,
      endedAt: sessions.endedAt,
      duration: sessions.duration,
      participantLimit: sessions.participantLimit,
      participantsCount: sql<
        number | null
      >`iif(${isListedFor("sessions", userId)}, ${sessions.participantsCount}, NULL)`.as("seen_count"),
      isFree: sessions.isFree,
      hutId: sql<number | null>`${huts.id}`.as("hut_id"),
      hutSlug: sql<string | null>`${huts.slug}`.as("hut_slug"),
      summary: sessions.summary,
      content: sessions.content,
      prompt: sessions.prompt,
      meetingLink: sessions.meetingLink,
      donationLink: sessions.donationLink,
      isHost: sql<boolean>`coalesce(${participants.isHost}, 0)`.mapWith(Boolean),
      role: participants.role,
      joinedAt: participants.joinedAt,
      completedAt: participants.completedAt,
      aim: participants.aim,
      aimGoalId: participants.aimGoalId,
      waitingSince: waiters.since,
      attendedSeconds: attendance.seconds,
      hasCome: sql<boolean | null>`${attendance.hasCome}`
        .mapWith((has) => (has === null ? null : Boolean(has)))
        .as("has_come"),
    })
    .from(sessions)
    .leftJoin(huts, and(eq(huts.id, sessions.hutId), isVisible("huts", "huts", userId)))
    .leftJoin(participants, and(eq(participants.sessionId, sessions.id), eq(participants.userId, userId)))
    .leftJoin(waiters, and(eq(waiters.sessionId, sessions.id), eq(waiters.userId, userId)))
    .leftJoin(attendance, and(eq(attendance.sessionId, sessions.id), eq(attendance.userId, userId)))
    .where(
      sql`${sessions.id} IN (SELECT p.session_id FROM participants p WHERE p.user_id = ${userId} AND p.session_id > ${afterId}
        UNION SELECT w.session_id FROM waiters w WHERE w.user_id = ${userId} AND w.session_id > ${afterId}
        UNION SELECT a.session_id FROM attendance a WHERE a.user_id = ${userId} AND a.session_id > ${afterId})`,
    )
    .orderBy(asc(sessions.id))
    .limit(limit);

export const exportHuts = (db: Database, userId: number) =>
  db
    .select({
      id: huts.id,
      slug: huts.slug,
      title: huts.title,
      content: huts.content,
      contentHtml: huts.contentHtml,
      summary: huts.summary,
      userCount: huts.userCount,
      ownerId: huts.ownerId,
      joinedAt: hutMembers.joinedAt,
    })
    .from(hutMembers)
    .innerJoin(huts, eq(huts.id, hutMembers.hutId))
    .where(eq(hutMembers.userId, userId))
    .orderBy(asc(huts.id));

export const exportFavorites = (db: Database, userId: number) =>
  db.select().from(favorites).where(eq(favorites.userId, userId)).orderBy(asc(favorites.createdAt));

export const exportUploads = (db: Database, userId: number) =>
  db.select().from(uploads).where(eq(uploads.userId, userId)).orderBy(asc(uploads.createdAt));

export const exportLots = (db: Database, userId: number) =>
  db.select().from(tokenLots).where(eq(tokenLots.userId, userId)).orderBy(asc(tokenLots.id));

export const exportEntries = (db: Database, userId: number, afterId: number, limit: number) =>
  db
    .select()
    .from(tokenEntries)
    .where(and(eq(tokenEntries.userId, userId), gt(tokenEntries.id, afterId)))
    .orderBy(asc(tokenEntries.id))
    .limit(limit);

export const exportPurchases = (db: Database, userId: number) =>
  db.select().from(purchases).where(eq(purchases.userId, userId)).orderBy(asc(purchases.createdAt));

/** The subscription that runs, and all before it. */
export const exportSubscriptions = (db: Database, userId: number) =>
  db.select().from(subscriptions).where(eq(subscriptions.userId, userId)).orderBy(asc(subscriptions.id));

export const exportLogins = (db: Database, userId: number) =>
  db.select().from(logins).where(eq(logins.userId, userId)).orderBy(asc(logins.createdAt));

/** Open requests to enter private huts: only the hut's id, because the user may not see more of the hut. */
export const exportRequests = (db: Database, userId: number) =>
  db.select().from(hutRequests).where(eq(hutRequests.userId, userId)).orderBy(asc(hutRequests.createdAt));

export const exportStandingSeats = (db: Database, userId: number) =>
  db
    .select()
    .from(standingSeats)
    .where(eq(standingSeats.userId, userId))
    .orderBy(asc(standingSeats.seriesId));

/** Series that the user hosts in turn, or is invited to. */
export const exportRotaTurns = (db: Database, userId: number) =>
  db.select().from(rotaHosts).where(eq(rotaHosts.userId, userId)).orderBy(asc(rotaHosts.seriesId));

export const exportFollows = (db: Database, userId: number) =>
  db.select().from(followers).where(eq(followers.userId, userId)).orderBy(asc(followers.activityId));

/** When the user turned two-step sign-in on. */
export const exportTwoStep = (db: Database, userId: number) =>
  db.select({ since: twoStep.confirmedAt }).from(twoStep).where(eq(twoStep.userId, userId));

/** Decisions on reports about the user's words; the secret of the appeal is left out. */
export const exportDecisions = (db: Database, userId: number) =>
  db.select().from(decisions).where(eq(decisions.userId, userId)).orderBy(asc(decisions.decidedAt));

export const exportPasskeys = (db: Database, userId: number) =>
  db
    .select({ name: passkeys.name, createdAt: passkeys.createdAt, lastUsedAt: passkeys.lastUsedAt })
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .orderBy(asc(passkeys.createdAt));

/** Personal keys without their hashes. */
export const exportKeys = (db: Database, userId: number) =>
  db
    .select({
      name: apiKeys.name,
      start: apiKeys.start,
      scopes: apiKeys.scopes,
      createdAt: apiKeys.createdAt,
      expiresAt: apiKeys.expiresAt,
      lastUsedAt: apiKeys.lastUsedAt,
    })
    .from(apiKeys)
    .where(eq(apiKeys.userId, userId))
    .orderBy(asc(apiKeys.createdAt));
