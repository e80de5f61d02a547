// Statements that set, lift and find sanctions, and conditions on sanctions for other statements (Q-13 to Q-18); use
// cases run them.
import { and, asc, desc, eq, getTableColumns, gt, isNull, or, type SQL, sql } from "drizzle-orm";
import { type Database, type Statement, schema } from "#db/connect.server";
import { insertFrom } from "#db/queries/insert-from";
import { personNameOf } from "#db/queries/person-of-row";
import type { Viewer } from "#db/queries/visibility";
import type { HutRole, SeatRole } from "~/domain/roles";
import type { HeldSanction, SanctionKind, SanctionScope, Suspension } from "~/domain/safety/sanctions";
import type { Instant } from "~/domain/time";

const { sanctions, users, participants, sessions } = schema;

export type SanctionKey = { scope: SanctionScope; targetId: number; userId: number; kind: SanctionKind };
export type NewSanction = SanctionKey & {
  /** The person by whose name the sanction is set; a suspension is of the whole account. */
  personId?: number | null;
  until: Instant | null;
  reason: string;
  now: Instant;
  /** A decision leaves a sanction in force that ends no earlier as it is, so that an appeal does not lift it (Q-31). */
  isDecision?: boolean | undefined;
};

const hasKey = ({ scope, targetId, userId, kind }: SanctionKey) =>
  and(
    eq(sanctions.scope, scope),
    eq(sanctions.targetId, targetId),
    eq(sanctions.userId, userId),
    eq(sanctions.kind, kind),
  );
const isInForce = (now: Instant) => or(isNull(sanctions.until), gt(sanctions.until, now));

/** Two ends within this many milliseconds count as the same, so that a retry changes nothing. */
const SAME_END_TOLERANCE_MS = 10_000;

const endsNoEarlier = (now: Instant): SQL => sql`(sanctions.until IS NULL
  OR sanctions.until > ${now} AND sanctions.until > excluded.until - ${SAME_END_TOLERANCE_MS})`;

/** The columns that a new sanction replaces. The row counts as changed even if it stays, for the row of the audit. */
function replacedBy({ personId = null, until, reason, now, isDecision }: NewSanction) {
  const columns = { personId, until, reason, createdAt: now };
  if (!isDecision) return columns;
  const keeps = endsNoEarlier(now);
  const unlessKept = (column: SQL, value: unknown) =>
    sql`CASE WHEN ${keeps} THEN ${column} ELSE ${value} END`;
  return {
    personId: unlessKept(sql`sanctions.person_id`, personId),
    until: unlessKept(sql`sanctions.until`, until),
    reason: unlessKept(sql`sanctions.reason`, reason),
    createdAt: unlessKept(sql`sanctions.created_at`, now),
  };
}

/** Sets a sanction, or its new end and reason, where `condition` holds. A retry changes no row. */
export const setSanction = (db: Database, row: NewSanction, condition: SQL = sql`true`): Statement =>
  insertFrom(
    db,
    sanctions,
    {
      scope: row.scope,
      targetId: row.targetId,
      userId: row.userId,
      personId: row.personId ?? null,
      kind: row.kind,
      until: row.until,
      reason: row.reason,
      createdAt: row.now,
    },
    sql`WHERE ${condition}`,
  ).onConflictDoUpdate({
    target: [sanctions.scope, sanctions.targetId, sanctions.userId, sanctions.kind],
    set: replacedBy(row),
    setWhere: sql`NOT (sanctions.until IS excluded.until OR coalesce(abs(excluded.until - sanctions.until) < ${SAME_END_TOLERANCE_MS}, 0)) OR sanctions.reason <> excluded.reason`,
  });

/** Ends these sanctions now, where `condition` holds; the rows stay as a record. A retry changes no row. */
export const liftSanctions = (
  db: Database,
  keys: readonly SanctionKey[],
  now: Instant,
  condition: SQL = sql`true`,
): Statement =>
  db
    .update(sanctions)
    .set({ until: now })
    .where(and(or(...keys.map(hasKey)), isInForce(now), condition));
export const liftSanction = (db: Database, key: SanctionKey, now: Instant, condition?: SQL): Statement =>
  liftSanctions(db, [key], now, condition);

/** A condition of the lifting: the sanction was set at `setAt`, and by nobody since; without it, no condition. */
export const isSetAt = (setAt: Instant | undefined): SQL | undefined =>
  setAt === undefined ? undefined : eq(sanctions.createdAt, setAt);

export const findSanction = (db: Database, key: SanctionKey) =>
  db.select().from(sanctions).where(hasKey(key)).limit(1);

type Place = { id: SQL; seriesId: SQL; hutId: SQL };
const isOfPlace = ({ id, seriesId, hutId }: Place): SQL =>
  sql`(b.scope = 'session' AND b.target_id = ${id} OR b.scope = 'series' AND b.target_id = ${seriesId} OR b.scope = 'hut' AND b.target_id = ${hutId})`;

/** A condition on the ban or mute `b`: it is in force in the session, its series, its hut or the site. */
export const holdsIn = (session: Place, now: Instant): SQL =>
  sql`(b.until IS NULL OR b.until > ${now}) AND (b.scope = 'site' OR ${isOfPlace(session)})`;

/**
 * A condition of the statements of a seat: no active ban keeps the user out of the session, its series, its hut or the
 * site (Q-15).
 */
export const isLetIn = ({ userId, now }: { userId: Viewer; now: Instant }, session: Place): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM sanctions b WHERE b.user_id = ${userId} AND b.kind = 'ban' AND (b.until IS NULL OR b.until > ${now})
    AND (${isOfPlace(session)} OR b.scope = 'site'))`;

/** A condition of the statements of a membership: no active ban keeps the user out of the hut or the site (Q-16). */
export const isLetIntoHut = ({ userId, now }: { userId: Viewer; now: Instant }, hutId: number | SQL): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM sanctions b WHERE b.user_id = ${userId} AND b.kind = 'ban' AND (b.until IS NULL OR b.until > ${now})
    AND (b.scope = 'hut' AND b.target_id = ${hutId} OR b.scope = 'site'))`;

/** The end of a sanction. A mute of a whole session ends with the session (Q-13). */
const endOf = (
  sanction: SQL,
) => sql<Instant | null>`CASE WHEN ${sanction}.scope = 'session' AND ${sanction}.kind = 'mute' AND ${sanction}.until IS NULL
  THEN (SELECT muted_in.closed_at FROM sessions muted_in WHERE muted_in.id = ${sanction}.target_id) ELSE ${sanction}.until END`;
const END_OF_B = endOf(sql`b`);

/** A user's sanctions in a session or hut, active or ended, as a column of another select. */
export const selectSanctionsIn = (userId: Viewer, place: { sessionId?: SQL; seriesId?: SQL; hutId: SQL }) =>
  sql<
    HeldSanction[]
  >`(SELECT json_group_array(json_object('scope', b.scope, 'kind', b.kind, 'until', ${END_OF_B}, 'reason', b.reason))
    FROM sanctions b WHERE b.user_id = ${userId} AND (b.scope = 'hut' AND b.target_id = ${place.hutId} OR b.scope = 'session' AND b.target_id = ${place.sessionId ?? sql`0`} OR b.scope = 'series' AND b.target_id = ${place.seriesId ?? sql`0`}))`
    .mapWith((json: string) => JSON.parse(json) as HeldSanction[])
    .as("sanctions_here");

/** A user's sanctions in a hut, active or ended. */
export const listSanctionsInHut = (db: Database, hutId: number | SQL, userId: number) =>
  db
    .select({
      scope: sanctions.scope,
      kind: sanctions.kind,
      until: sanctions.until,
      reason: sanctions.reason,
    })
    .from(sanctions)
    .where(and(eq(sanctions.scope, "hut"), eq(sanctions.targetId, hutId), eq(sanctions.userId, userId)));

/** The suspension in force of a user: a column of another select; null for none. */
export const suspensionOf = (userId: SQL, now: Instant) =>
  sql<Suspension | null>`(SELECT json_object('until', b.until, 'reason', b.reason) FROM sanctions b
    WHERE b.scope = 'site' AND b.target_id = 0 AND b.user_id = ${userId} AND b.kind = 'ban' AND (b.until IS NULL OR b.until > ${now}))`
    .mapWith((json: string | null) => (json === null ? null : (JSON.parse(json) as Suspension)))
    .as("suspension");

/**
 * Mutes that apply to a session: its own and those of its hut, ended mutes included. A mute of the whole session has no end
 * here, because the lines that it hides stay hidden (R-84).
 */
export const listMutesOf = (db: Database, sessionId: number) =>
  db
    .select({
      userId: sql<number>`b.user_id`.as("muted_id"),
      until: sql<Instant | null>`b.until`.as("muted_until"),
      scope: sql<"session" | "hut">`b.scope`.as("mute_scope"),
    })
    .from(sql`sanctions b`)
    .where(
      sql`b.kind = 'mute' AND (b.scope = 'session' AND b.target_id = ${sessionId} OR b.scope = 'hut' AND b.target_id = (SELECT s.hut_id FROM sessions s WHERE s.id = ${sessionId}))`,
    )
    .orderBy(asc(sql`b.user_id`));

/** People kept out of a session, series or hut, the latest first. */
export const listBans = (
  db: Database,
  scope: "session" | "series" | "hut",
  targetId: number | SQL,
  now: Instant,
  limit: number,
) =>
  db
    .select({
      username: personNameOf(sql.raw("sanctions.person_id"), sql.raw("sanctions.user_id")).as("banned_name"),
      reason: sanctions.reason,
      until: sanctions.until,
      createdAt: sql<Instant>`${sanctions.createdAt}`.as("banned_at"),
    })
    .from(sanctions)
    .where(
      and(
        eq(sanctions.scope, scope),
        eq(sanctions.targetId, targetId),
        eq(sanctions.kind, "ban"),
        isInForce(now),
      ),
    )
    .orderBy(desc(sql`banned_at`))
    .limit(limit);

/** All sanctions of a user, newest first: the latest of each kind in each session, series or hut, and for the site. */
export const listSanctionsOf = (db: Database, userId: number | SQL) =>
  db
    .select({ ...getTableColumns(sanctions), until: endOf(sql`${sanctions}`).as("sanction_end") })
    .from(sanctions)
    .where(eq(sanctions.userId, userId))
    .orderBy(desc(sanctions.createdAt));

/** All sanctions of the users that the SELECT `userIds` finds, newest first. */
export const listSanctionsOfUsers = (db: Database, userIds: SQL) =>
  db
    .select()
    .from(sanctions)
    .where(sql`${sanctions.userId} IN ${userIds}`)
    .orderBy(desc(sanctions.createdAt));

/** The account behind the name of one of its persons. */
export const userOfName = (username: string): SQL =>
  sql`(SELECT n.user_id FROM persons n WHERE lower(n.username) = lower(${username}))`;

/**
 * The account behind a name, with its role in the place (null without a seat or membership) for the permission rules.
 */
export const findTarget = (
  db: Database,
  username: string,
  place: { sessionId: number } | { hutId: number } | null = null,
) =>
  db
    .select({
      userId: users.id,
      personId: sql<
        number | null
      >`(SELECT n.id FROM persons n WHERE lower(n.username) = lower(${username}))`.as("named_person"),
      roleId: users.roleId,
      email: users.email,
      name: sql<string>`${users.username}`.as("account_name"),
      roleHere: sql<SeatRole | HutRole | null>`(${selectRoleIn(place)})`.as("role_here"),
      isHost:
        sql<boolean>`${place && "sessionId" in place ? sql`EXISTS (SELECT 1 FROM participants p WHERE p.user_id = ${users.id} AND p.session_id = ${place.sessionId} AND p.is_host = 1)` : sql`0`}`
          .mapWith(Boolean)
          .as("is_host_here"),
    })
    .from(users)
    .where(sql`${users.id} = ${userOfName(username)}`)
    .limit(1);
const selectRoleIn = (place: { sessionId: number } | { hutId: number } | null): SQL =>
  place === null
    ? sql`NULL`
    : "sessionId" in place
      ? sql`SELECT p.role FROM participants p WHERE p.user_id = ${users.id} AND p.session_id = ${place.sessionId}`
      : sql`SELECT m.role FROM hut_members m WHERE m.user_id = ${users.id} AND m.hut_id = ${place.hutId}`;

/** Open sessions of a hut in which the user has a seat, whose rooms must learn of a mute. */
export const listSeatsInHut = (db: Database, hutId: number, userId: number, limit: number) =>
  db
    .select({ sessionId: participants.sessionId })
    .from(participants)
    .innerJoin(sessions, eq(sessions.id, participants.sessionId))
    .where(and(eq(participants.userId, userId), eq(sessions.hutId, hutId), isNull(sessions.closedAt)))
    .limit(limit);

/** Sessions that have not begun and that the user hosts. */
export const listHostedUpcoming = (db: Database, userId: number, now: Instant, limit: number) =>
  db
    .select({ sessionId: participants.sessionId })
    .from(participants)
    .innerJoin(sessions, eq(sessions.id, participants.sessionId))
    .where(
      and(
        eq(participants.userId, userId),
        eq(participants.isHost, true),
        isNull(sessions.closedAt),
        or(isNull(sessions.startedAt), gt(sessions.startedAt, now)),
      ),
    )
    .limit(limit);

/** The sessions that the user hosts and that are not closed. */
export const listHostedOpen = (db: Database, userId: number, limit: number) =>
  db
    .select({ sessionId: participants.sessionId })
    .from(participants)
    .innerJoin(sessions, eq(sessions.id, participants.sessionId))
    .where(and(eq(participants.userId, userId), eq(participants.isHost, true), isNull(sessions.closedAt)))
    .limit(limit);
