// Sanctions: statements that set, lift and find them, and conditions for other statements (Q-13 to Q-18).
import { and, asc, desc, eq, gt, isNull, or, type SQL, sql } from "drizzle-orm";
import { type Database, type Statement, schema } from "#db/connect.server";
import type { HeldSanction, SanctionKind, SanctionScope } from "~/domain/safety";
import type { Instant } from "~/domain/time";

const { sanctions, users } = schema;

export type SanctionKey = { scope: SanctionScope; targetId: number; userId: number; kind: SanctionKind };
export type NewSanction = SanctionKey & { until: Instant | null; reason: string; now: Instant };

const isThis = ({ scope, targetId, userId, kind }: SanctionKey) =>
  and(
    eq(sanctions.scope, scope),
    eq(sanctions.targetId, targetId),
    eq(sanctions.userId, userId),
    eq(sanctions.kind, kind),
  );
const isInForce = (now: Instant) => or(isNull(sanctions.until), gt(sanctions.until, now));

/** Two ends within this many milliseconds count as the same, so that a retry changes nothing. */
const SAME_END = 10_000;

/** Sets a sanction, or its new end and reason, where `when` holds. A retry changes no row. */
export const setSanction = (db: Database, row: NewSanction, when: SQL = sql`true`): Statement =>
  db
    .insert(sanctions)
    .select(
      sql`SELECT ${row.scope}, ${row.targetId}, ${row.userId}, ${row.kind}, ${row.until}, ${row.reason}, ${row.now} WHERE ${when}`,
    )
    .onConflictDoUpdate({
      target: [sanctions.scope, sanctions.targetId, sanctions.userId, sanctions.kind],
      set: { until: row.until, reason: row.reason, createdAt: row.now },
      setWhere: sql`NOT (sanctions.until IS excluded.until OR coalesce(abs(excluded.until - sanctions.until) < ${SAME_END}, 0)) OR sanctions.reason <> excluded.reason`,
    });

/** Ends the sanction now; the row stays as a record. A retry changes no row. */
export const liftSanction = (db: Database, key: SanctionKey, now: Instant): Statement =>
  db
    .update(sanctions)
    .set({ until: now })
    .where(and(isThis(key), isInForce(now)));

/**
 * A condition of the statements of a seat: no active ban keeps the user out of the session, its hut or the site
 * (Q-15).
 */
export const isLetIn = (
  { userId, now }: { userId: number; now: Instant },
  session: { id: SQL; hutId: SQL },
): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM sanctions b WHERE b.user_id = ${userId} AND b.kind = 'ban' AND (b.until IS NULL OR b.until > ${now})
    AND (b.scope = 'session' AND b.target_id = ${session.id} OR b.scope = 'hut' AND b.target_id = ${session.hutId} OR b.scope = 'site'))`;

/** A user's sanctions in a session or hut, active or ended, as a column of another select. */
export const sanctionsHere = (userId: number, place: { sessionId?: SQL; hutId: SQL }) =>
  sql<
    HeldSanction[]
  >`(SELECT json_group_array(json_object('scope', b.scope, 'kind', b.kind, 'until', b.until, 'reason', b.reason))
    FROM sanctions b WHERE b.user_id = ${userId} AND (b.scope = 'hut' AND b.target_id = ${place.hutId} OR b.scope = 'session' AND b.target_id = ${place.sessionId ?? sql`0`}))`
    .mapWith((json: string) => JSON.parse(json) as HeldSanction[])
    .as("sanctions_here");

/** Mutes that apply to a session: its own and those of its hut, ended mutes included. */
export const listMutesOf = (db: Database, sessionId: number) =>
  db
    .select({ userId: sanctions.userId, until: sanctions.until })
    .from(sanctions)
    .where(
      sql`kind = 'mute' AND (scope = 'session' AND target_id = ${sessionId} OR scope = 'hut' AND target_id = (SELECT s.hut_id FROM sessions s WHERE s.id = ${sessionId}))`,
    )
    .orderBy(asc(sanctions.userId));

/** All sanctions of a user, newest first, with the last of each place and kind. */
export const listSanctionsOf = (db: Database, userId: number) =>
  db.select().from(sanctions).where(eq(sanctions.userId, userId)).orderBy(desc(sanctions.createdAt));

/** The account behind a name, with its role here (null without a seat or membership) for the permission rules. */
export const findTarget = (
  db: Database,
  username: string,
  place: { sessionId: number } | { hutId: number },
) =>
  db
    .select({
      userId: users.id,
      roleId: users.roleId,
      name: sql<string>`${users.username}`.as("account_name"),
      seatRole: ("sessionId" in place
        ? sql<
            number | null
          >`(SELECT p.role FROM participants p WHERE p.user_id = ${users.id} AND p.session_id = ${place.sessionId})`
        : sql<
            number | null
          >`(SELECT m.role FROM hut_members m WHERE m.user_id = ${users.id} AND m.hut_id = ${place.hutId})`
      ).as("role_here"),
      isHost: ("sessionId" in place
        ? sql<boolean>`EXISTS (SELECT 1 FROM participants p WHERE p.user_id = ${users.id} AND p.session_id = ${place.sessionId} AND p.is_host = 1)`
        : sql<boolean>`EXISTS (SELECT 1 FROM huts o WHERE o.id = ${place.hutId} AND o.owner_id = ${users.id})`
      )
        .mapWith(Boolean)
        .as("is_host_here"),
    })
    .from(users)
    .where(sql`${users.id} = (SELECT n.user_id FROM persons n WHERE lower(n.username) = lower(${username}))`)
    .limit(1);
