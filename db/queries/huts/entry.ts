// Entering a private hut: its invitation and requests (Q-28). Statements; use cases run them.
import { and, asc, eq, gt, lt, type SQL, sql } from "drizzle-orm";
import { type Database, schema } from "#db/connect.server";
import { isLetIntoHut } from "#db/queries/safety/sanctions";
import type { Instant } from "~/domain/time";

const { huts, hutMembers, hutRequests, users } = schema;

/** Replaces the invitation's code, which voids the former link. */
export const renewInvitation = (db: Database, hutId: number, inviteHash: string) =>
  db
    .update(huts)
    .set({ inviteHash })
    .where(and(eq(huts.id, hutId), eq(huts.isPrivate, true)))
    .returning({ id: huts.id });

export const findInvitedHut = (db: Database, inviteHash: string) =>
  db
    .select({ id: huts.id, slug: huts.slug, title: huts.title })
    .from(huts)
    .where(and(eq(huts.inviteHash, inviteHash), eq(huts.isPrivate, true)))
    .limit(1);

/**
 * Adds a request where the private hut exists, the user is no member, no ban keeps the user out, and fewer than `most`
 * requests of the user are open.
 */
export const insertRequest = (
  db: Database,
  request: { slug: string; userId: number; now: Instant },
  most: number,
) =>
  db
    .insert(hutRequests)
    .select(
      sql`SELECT h.id, ${request.userId}, ${request.now} FROM huts h
        WHERE h.slug = ${request.slug} AND h.is_private = 1 AND h.owner_id <> ${request.userId}
        AND NOT EXISTS (SELECT 1 FROM hut_members m WHERE m.hut_id = h.id AND m.user_id = ${request.userId})
        AND ${isLetIntoHut(request, sql`h.id`)}
        AND (SELECT count(*) FROM hut_requests r WHERE r.user_id = ${request.userId}) < ${most}`,
    )
    .onConflictDoUpdate({
      target: [hutRequests.hutId, hutRequests.userId],
      set: { createdAt: request.now },
    });

/** Oldest first. */
export const listRequests = (db: Database, hutId: number | SQL, after: Instant, limit: number) =>
  db
    .select({
      userId: hutRequests.userId,
      createdAt: hutRequests.createdAt,
      username: sql<string>`${users.username}`.as("request_name"),
    })
    .from(hutRequests)
    .innerJoin(users, eq(users.id, hutRequests.userId))
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

/** The member of an accepted request; no row after a concurrent answer. */
export const insertAccepted = (db: Database, hutId: number, userId: number, now: Instant) =>
  db
    .insert(hutMembers)
    .select(
      sql`SELECT r.hut_id, r.user_id, ${now}, 0 FROM hut_requests r WHERE r.hut_id = ${hutId} AND r.user_id = ${userId} AND ${isLetIntoHut({ userId, now }, hutId)}`,
    )
    .onConflictDoNothing();

export const deleteRequest = (db: Database, hutId: number, userId: number) =>
  db.delete(hutRequests).where(and(eq(hutRequests.hutId, hutId), eq(hutRequests.userId, userId)));
export const deleteOldRequests = (db: Database, before: Instant) =>
  db.delete(hutRequests).where(lt(hutRequests.createdAt, before));
