// Statements on the records that the library has created on this installation (H-05), and on the site's account, which
// owns them; use cases run them.
import { and, eq, isNull, sql } from "drizzle-orm";
import { type Database, schema } from "#db/connect.server";
import { rawStatement } from "#db/intercept.server";
import type { Instant } from "~/domain/time";

const { library, users } = schema;
type Kind = (typeof library.$inferSelect)["kind"];
const TABLE_OF = { activity: "activities", session: "sessions", book: "items" } as const;

export const listInstalled = (db: Database) => db.select().from(library);

/**
 * Builds the statements that note a record as installed, for the batch that creates it. The primary key refuses the
 * batch if another run has installed the record.
 */
export const buildInstallationStatements = (uuid: string, kind: Kind, now: Instant) => ({
  before: [
    rawStatement(sql`INSERT INTO ${library} (uuid, kind, installed_at) VALUES (${uuid}, ${kind}, ${now})`),
  ] as const,
  afterInsert: rawStatement(
    sql`UPDATE ${library} SET thing = last_insert_rowid() WHERE ${eq(library.uuid, uuid)} AND thing IS NULL`,
  ),
});

/** Marks the records of this kind that no longer exist. */
export const markDeletedRecords = (db: Database, kind: Kind, now: Instant) =>
  db
    .update(library)
    .set({ removedAt: now })
    .where(
      and(
        eq(library.kind, kind),
        isNull(library.removedAt),
        sql`NOT EXISTS (SELECT 1 FROM ${sql.raw(TABLE_OF[kind])} t WHERE t.id = ${library.thing})`,
      ),
    );

/** The account with this reserved name, which only the library creates. */
export const findSiteUser = (db: Database, username: string) =>
  db
    .select({ id: users.id, email: users.email, username: users.username, personId: users.personId })
    .from(users)
    .where(sql`lower(${users.username}) = ${username}`)
    .limit(1);

/** A row if any session, seen or not, has this id. */
export const findTakenSessionId = (db: Database, id: number) =>
  db.select({ id: schema.sessions.id }).from(schema.sessions).where(eq(schema.sessions.id, id)).limit(1);

/** The activity's slug and the session's id of the welcome tour (H-02); null where they are missing. */
export const findTourAddresses = (db: Database, uuids: { activity: string; session: string }) =>
  db
    .select({
      activity: sql<
        string | null
      >`(SELECT slug FROM activities WHERE id = (SELECT thing FROM library WHERE uuid = ${uuids.activity}))`,
      session: sql<
        number | null
      >`(SELECT id FROM sessions WHERE id = (SELECT thing FROM library WHERE uuid = ${uuids.session}))`,
    })
    .from(sql`(SELECT 1)`);
