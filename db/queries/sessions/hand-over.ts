// A session's hand-over to another host: the only statements that move the host role (R-05, R-55). Use cases run them.
import { and, eq, type SQL, sql } from "drizzle-orm";
import { type Database, type Statement, schema } from "#db/connect.server";
import { recordEvent } from "#db/queries/notices/events";
import { liftSanction } from "#db/queries/safety/sanctions";
import type { NewEvent } from "~/domain/notices/cause";
import { SEAT_ROLE } from "~/domain/roles";
import type { Instant } from "~/domain/time";
import { isHostOf } from "./participants";

const { participants, sessions } = schema;

/**
 * Moves the host role, so that a session always has exactly one host (R-05), tells the new host, and ends free joining,
 * because the new host would pay for it (R-55), and their mute in it. The previous host stays admin. A repeat changes no row. `when` is a
 * further condition on the state before.
 */
export const handOver = (
  db: Database,
  { sessionId, userId, keepsFree = false }: { sessionId: number; userId: number; keepsFree?: boolean },
  given: NewEvent<"host-given">,
  when: SQL = sql`true`,
): Statement[] => {
  const isOther = sql`EXISTS (SELECT 1 FROM participants WHERE session_id = ${sessionId} AND user_id = ${userId} AND is_host = 0)`;
  const moves = sql`${isOther} AND ${when}`;
  const mute = { scope: "session", targetId: sessionId, userId, kind: "mute" } as const;
  const endsFree = keepsFree ? sql`0` : sql`(SELECT is_free FROM sessions WHERE id = ${sessionId})`;
  return [
    recordEvent(db, given, { when: moves, words: { endsFree } }),
    // A host who may not write could not host.
    liftSanction(db, mute, given.at, moves),
    ...(keepsFree ? [] : [stopFreeJoining(db, sessionId, moves)]),
    db
      .update(participants)
      .set({ isHost: false, role: SEAT_ROLE.admin })
      .where(and(eq(participants.sessionId, sessionId), eq(participants.isHost, true), moves)),
    db
      .update(participants)
      .set({ isHost: true, role: SEAT_ROLE.admin })
      .where(
        and(
          eq(participants.sessionId, sessionId),
          eq(participants.userId, userId),
          eq(participants.isHost, false),
          // The statement before has made room for the new host.
          sql`NOT EXISTS (SELECT 1 FROM participants h WHERE h.session_id = ${sessionId} AND h.is_host = 1)`,
        ),
      ),
  ];
};

/** From now on each person pays for their own seat. */
const stopFreeJoining = (db: Database, sessionId: number, when: SQL): Statement =>
  db
    .update(sessions)
    .set({ isFree: false })
    .where(and(eq(sessions.id, sessionId), eq(sessions.isFree, true), when));

/** This admin may claim the session from this host, or from none, while it is open (G-29). */
export const mayClaim = (
  { sessionId, hostId, adminId }: { sessionId: number; hostId: number | null; adminId: number },
  now: Instant,
): SQL =>
  sql`EXISTS (SELECT 1 FROM sessions s JOIN participants a ON a.session_id = s.id AND a.user_id = ${adminId} AND a.role = 1 AND a.is_host = 0 WHERE s.id = ${sessionId} AND s.closed_at IS NULL AND (s.ended_at IS NULL OR s.ended_at > ${now})
    AND coalesce((SELECT h.user_id FROM participants h WHERE ${isHostOf(sql`s`)}), 0) = ${hostId ?? 0})`;
