// Statements on the audit: they record moderation acts, list them, and delete old rows; use cases run them.
import { and, desc, eq, is, SQL, sql } from "drizzle-orm";
import { type Database, type Statement, schema } from "#db/connect.server";
import { insertFrom } from "#db/queries/insert-from";
import { type IdPage, isAfterCursor, offsetOf } from "#db/queries/pagination";
import type { AuditAction, AuditTarget } from "~/domain/safety/audit";
import type { Instant } from "~/domain/time";

const { audit, users } = schema;

export type Act = {
  at: Instant;
  actorId: number;
  action: AuditAction;
  /** SQL names a row that the batch inserts. */
  target: { kind: AuditTarget; id: number | string | SQL };
  /** The user who is affected by the act. */
  userId?: number | null | undefined;
  reason?: string | undefined;
  /** The value that the act replaced. */
  previous?: string | number | undefined;
};

/** The previous statement of the batch changed a row, so an act without effect leaves no row. */
const HAS_CHANGED_A_ROW = sql`changes() > 0`;

/**
 * Inserts the row of an act, directly after the statement of the act in its batch unless `condition` replaces that
 * check.
 */
export const recordAct = (db: Database, act: Act, condition: SQL = HAS_CHANGED_A_ROW): Statement =>
  insertFrom(
    db,
    audit,
    {
      at: act.at,
      actorId: act.actorId,
      action: act.action,
      targetKind: act.target.kind,
      targetId: is(act.target.id, SQL) ? act.target.id : String(act.target.id),
      userId: act.userId ?? null,
      reason: act.reason ?? "",
      previous: String(act.previous ?? ""),
    },
    sql`WHERE ${condition}`,
  );

/**
 * Inserts the row of an act outside D1, such as a change in a room; it runs before the act, so that no act lacks its
 * row.
 */
export const insertAct = (db: Database, act: Act): Statement => recordAct(db, act, sql`true`);

export type AuditFilter = {
  /** Usernames of the acting and of the affected user. */
  actor?: string | undefined;
  user?: string | undefined;
  target?: { kind: string; id: string } | undefined;
};

const selectUserNamed = (username: string): SQL =>
  sql`(SELECT n.user_id FROM persons n WHERE lower(n.username) = lower(${username}))`;
const selectUsername = (column: SQL, name: string) =>
  sql<string | null>`(SELECT ${users.username} FROM ${users} WHERE ${users.id} = ${column})`.as(name);

/** Newest first. Filters scan all rows, because an index would cost each act one more write. */
export const listActs = (db: Database, { actor, user, target }: AuditFilter, page: IdPage) =>
  db
    .select({
      id: audit.id,
      at: audit.at,
      action: audit.action,
      targetKind: audit.targetKind,
      targetId: audit.targetId,
      reason: audit.reason,
      previous: audit.previous,
      actor: selectUsername(sql`${audit.actorId}`, "actor"),
      user: selectUsername(sql`${audit.userId}`, "user"),
      slug: sql<string | null>`CASE ${audit.targetKind}
        WHEN 'hut' THEN (SELECT h.slug FROM huts h WHERE h.id = ${audit.targetId})
        WHEN 'series' THEN (SELECT r.slug FROM series r WHERE r.id = ${audit.targetId})
        WHEN 'activity' THEN (SELECT c.slug FROM activities c WHERE c.id = ${audit.targetId}) END`.as("slug"),
    })
    .from(audit)
    .where(
      and(
        isAfterCursor(audit.id, page),
        actor ? sql`${audit.actorId} = ${selectUserNamed(actor)}` : undefined,
        user ? sql`${audit.userId} = ${selectUserNamed(user)}` : undefined,
        target ? and(sql`${audit.targetKind} = ${target.kind}`, eq(audit.targetId, target.id)) : undefined,
      ),
    )
    .orderBy(desc(audit.id))
    .limit(page.perPage + 1)
    .offset(offsetOf(page));

/**
 * Deletes the oldest rows, at most `limit`. It compares with SQLite's clock too, by which a trigger protects younger
 * rows.
 */
export const deleteOldActs = (db: Database, before: Instant, limit: number) =>
  db
    .delete(audit)
    .where(
      sql`id IN (SELECT id FROM audit ORDER BY id LIMIT ${limit}) AND at < ${before} AND at < unixepoch() * 1000 - 63072000000`,
    );
