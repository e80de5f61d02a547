// Statements on entering a private hut: its invitation and requests (Q-28); use cases run them.
import { and, asc, eq, gt, isNull, lt, type SQL, sql } from "drizzle-orm";
import { type Database, type Statement, schema } from "#db/connect.server";
import { roleInHut } from "#db/queries/hut-role";
import { insertFrom } from "#db/queries/insert-from";
import { recordEvent } from "#db/queries/notices/events";
import { nameInHut, personNameOf } from "#db/queries/person-of-row";
import { isShownTo } from "#db/queries/safety/blocks";
import { isLetIntoHut, suspensionOf } from "#db/queries/safety/sanctions";
import type { NewEvent } from "~/domain/notices/cause";
import type { Instant } from "~/domain/time";

const { huts, hutMembers, hutRequests, acceptedInvitations, sessions, users } = schema;

type NewInvitation = { inviteHash: string; inviteSealed: string | null; invitedBy: number };

/** Replaces the invitation's code, which voids the former link. */
export const renewInvitation = (db: Database, hutId: number, invitation: NewInvitation) =>
  db
    .update(huts)
    .set(invitation)
    .where(and(eq(huts.id, hutId), eq(huts.isPrivate, true)))
    .returning({ id: huts.id });

const isInvitedTo = (inviteHash: string): SQL =>
  sql`${huts.inviteHash} = ${inviteHash} AND ${huts.isPrivate} = 1`;

export const findInvitedHut = (db: Database, inviteHash: string) =>
  db
    .select({ id: huts.id, slug: huts.slug, title: huts.title })
    .from(huts)
    .where(isInvitedTo(inviteHash))
    .limit(1);

/** The hut's link: its hash, and the encrypted code, which is null for links from before codes were stored. */
export const findInvitation = (db: Database, hutId: number | SQL) =>
  db
    .select({
      hash: huts.inviteHash,
      sealed: huts.inviteSealed,
      by: nameInHut(sql.raw("huts.id"), sql.raw("huts.invited_by")).as("invited_by_name"),
    })
    .from(huts)
    .where(eq(huts.id, hutId))
    .limit(1);

/** The link of a session's hut, with the user's role in the hut. */
export const findInvitationOfSession = (db: Database, sessionId: number, userId: number) =>
  db
    .select({
      hash: huts.inviteHash,
      sealed: huts.inviteSealed,
      ownerId: huts.ownerId,
      role: roleInHut(userId),
    })
    .from(huts)
    .where(sql`${huts.id} = (SELECT s.hut_id FROM sessions s WHERE s.id = ${sessionId})`)
    .limit(1);

/** The hut behind a link, as the page of the invitation shows it to this user; 0 is a visitor (R-82). */
export const viewInvitedHut = (db: Database, inviteHash: string, userId: number) =>
  db
    .select({
      slug: huts.slug,
      title: huts.title,
      summary: huts.summary,
      userCount: huts.userCount,
      role: roleInHut(userId),
      by: sql<
        string | null
      >`iif(${isShownTo(sql.raw("huts.invited_by"), userId)}, ${nameInHut(sql.raw("huts.id"), sql.raw("huts.invited_by"))}, NULL)`.as(
        "invited_by_name",
      ),
    })
    .from(huts)
    .where(isInvitedTo(inviteHash))
    .limit(1);

type FaceList = { userId: number; now: Instant; limit: number };
export const listInvitedFaces = (db: Database, { inviteHash, ...faces }: FaceList & { inviteHash: string }) =>
  listFaces(db, isInvitedTo(inviteHash), faces);
/** Lists the members of a hut for one of them; no rows for anybody else. */
export const listFacesInside = (db: Database, { hutId, ...faces }: FaceList & { hutId: number | SQL }) =>
  listFaces(db, sql`${huts.id} = ${hutId} AND ${roleInHut(faces.userId).getSQL()} IS NOT NULL`, faces);

/** Members of a hut, the earliest first, without people whom a block hides from this user. */
const listFaces = (db: Database, isChosenHut: SQL, { userId, now, limit }: FaceList) =>
  db
    .select({
      username: personNameOf(sql`${hutMembers.personId}`, sql`${hutMembers.userId}`).as("member_name"),
    })
    .from(hutMembers)
    .innerJoin(huts, eq(huts.id, hutMembers.hutId))
    .innerJoin(users, eq(users.id, hutMembers.userId))
    .where(
      and(
        isChosenHut,
        isShownTo(users.id, userId),
        sql`${suspensionOf(sql`users.id`, now).getSQL()} IS NULL`,
      ),
    )
    .orderBy(asc(hutMembers.joinedAt), asc(hutMembers.userId))
    .limit(limit);

const selectInvitedSessions = (db: Database, inviteHash: string, condition: SQL | undefined) =>
  db
    .select({ title: sessions.title, startedAt: sessions.startedAt })
    .from(sessions)
    .innerJoin(huts, eq(huts.id, sessions.hutId))
    .where(and(isInvitedTo(inviteHash), isNull(sessions.closedAt), condition));

/** The next dated session in the hut behind a link. */
export const findNextInvited = (db: Database, inviteHash: string, now: Instant) =>
  selectInvitedSessions(db, inviteHash, gt(sessions.startedAt, now))
    .orderBy(asc(sessions.startedAt), asc(sessions.id))
    .limit(1);

/** The open session with this id, if it is in the hut behind the link. */
export const findInvitedSession = (db: Database, inviteHash: string, sessionId: number) =>
  selectInvitedSessions(db, inviteHash, eq(sessions.id, sessionId)).limit(1);

/** Stores the invitation that an unconfirmed user accepted, in place of an earlier one. */
export const saveAcceptedInvitation = (
  db: Database,
  accepted: { userId: number; inviteHash: string; session: number | null; now: Instant },
) =>
  insertFrom(
    db,
    acceptedInvitations,
    {
      userId: accepted.userId,
      hutId: sql`h.id`,
      inviteHash: accepted.inviteHash,
      session: accepted.session,
      createdAt: accepted.now,
    },
    sql`FROM huts h
        WHERE h.invite_hash = ${accepted.inviteHash} AND h.is_private = 1 AND ${isLetIntoHut(accepted, sql`h.id`)}`,
  ).onConflictDoUpdate({
    target: acceptedInvitations.userId,
    set: {
      hutId: sql`excluded.hut_id`,
      inviteHash: sql`excluded.invite_hash`,
      session: sql`excluded.session`,
      createdAt: accepted.now,
    },
  });

/** The invitation that waits for the confirmation of this user's address; no row after the hut's link has changed. */
export const findAcceptedInvitation = (db: Database, userId: number | SQL, after: Instant) =>
  db
    .select({
      title: huts.title,
      sealed: huts.inviteSealed,
      hash: huts.inviteHash,
      session: acceptedInvitations.session,
    })
    .from(acceptedInvitations)
    .innerJoin(huts, eq(huts.id, acceptedInvitations.hutId))
    .where(
      and(
        eq(acceptedInvitations.userId, userId),
        eq(huts.inviteHash, acceptedInvitations.inviteHash),
        eq(huts.isPrivate, true),
        gt(acceptedInvitations.createdAt, after),
      ),
    )
    .limit(1);

/** Records the cause of the notice to the hut's owner, unless the user is a member already or a ban keeps them out. */
export const recordInvitationUsed = (
  db: Database,
  cause: NewEvent<"invitation-used">,
  { hutId, userId, now }: { hutId: number; userId: number; now: Instant },
): Statement =>
  recordEvent(db, cause, {
    idLists: { to: sql`SELECT owner_id AS id FROM huts WHERE id = ${hutId} AND owner_id <> ${userId}` },
    condition: sql`${isLetIntoHut({ userId, now }, hutId)}
      AND NOT EXISTS (SELECT 1 FROM hut_members m WHERE m.hut_id = ${hutId} AND m.user_id = ${userId})`,
  });

export const deleteAcceptedInvitation = (db: Database, userId: number) =>
  db.delete(acceptedInvitations).where(eq(acceptedInvitations.userId, userId));
export const deleteOldAcceptedInvitations = (db: Database, before: Instant) =>
  db.delete(acceptedInvitations).where(lt(acceptedInvitations.createdAt, before));

/**
 * Adds a request if the private hut exists, the user is no member, no ban keeps them out, and fewer than `limit` of
 * their requests are open.
 */
export const insertRequest = (
  db: Database,
  request: { slug: string; userId: number; personId: number; now: Instant },
  limit: number,
) =>
  insertFrom(
    db,
    hutRequests,
    { hutId: sql`h.id`, userId: request.userId, personId: request.personId, createdAt: request.now },
    sql`FROM huts h
        WHERE h.slug = ${request.slug} AND h.is_private = 1 AND h.owner_id <> ${request.userId}
        AND NOT EXISTS (SELECT 1 FROM hut_members m WHERE m.hut_id = h.id AND m.user_id = ${request.userId})
        AND ${isLetIntoHut(request, sql`h.id`)}
        AND (SELECT count(*) FROM hut_requests r WHERE r.user_id = ${request.userId}) < ${limit}`,
  ).onConflictDoUpdate({
    target: [hutRequests.hutId, hutRequests.userId],
    set: { personId: request.personId, createdAt: request.now },
  });

/** Oldest first. */
export const listRequests = (db: Database, hutId: number | SQL, after: Instant, limit: number) =>
  db
    .select({
      userId: hutRequests.userId,
      createdAt: hutRequests.createdAt,
      username: personNameOf(sql.raw("hut_requests.person_id"), sql.raw("hut_requests.user_id")).as(
        "request_name",
      ),
    })
    .from(hutRequests)
    .where(and(eq(hutRequests.hutId, hutId), gt(hutRequests.createdAt, after)))
    .orderBy(asc(hutRequests.createdAt), asc(hutRequests.userId))
    .limit(limit);

export const findRequest = (db: Database, hutId: number, username: string, after: Instant) =>
  db
    .select({ userId: hutRequests.userId })
    .from(hutRequests)
    .where(
      and(
        eq(hutRequests.hutId, hutId),
        gt(hutRequests.createdAt, after),
        sql`${hutRequests.userId} = (SELECT n.user_id FROM persons n WHERE lower(n.username) = lower(${username}))`,
      ),
    )
    .limit(1);

/** Makes the person of an accepted request a member; writes no row after a concurrent answer. */
export const insertMemberOfRequest = (db: Database, hutId: number, userId: number, now: Instant) =>
  insertFrom(
    db,
    hutMembers,
    { hutId: sql`r.hut_id`, userId: sql`r.user_id`, personId: sql`r.person_id`, joinedAt: now },
    sql`FROM hut_requests r WHERE r.hut_id = ${hutId} AND r.user_id = ${userId} AND ${isLetIntoHut({ userId, now }, hutId)}`,
  ).onConflictDoNothing();

export const deleteRequest = (db: Database, hutId: number, userId: number, condition?: SQL) =>
  db.delete(hutRequests).where(and(eq(hutRequests.hutId, hutId), eq(hutRequests.userId, userId), condition));
/** Deletes the requests of people who have become members otherwise. */
export const deleteRequestsOfMembers = (db: Database, hutId: number): Statement =>
  db
    .delete(hutRequests)
    .where(
      sql`hut_id = ${hutId} AND user_id IN (SELECT m.user_id FROM hut_members m WHERE m.hut_id = ${hutId})`,
    );
export const deleteOldRequests = (db: Database, before: Instant) =>
  db.delete(hutRequests).where(lt(hutRequests.createdAt, before));
