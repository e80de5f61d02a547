// People, own goals and own notes for the palette (Y-01). Statements; the use case runs them in one batch with lists.
import { asc, type SQL, sql } from "drizzle-orm";
import { type Database, schema } from "#db/connect.server";
import { isShownTo } from "#db/queries/safety/blocks";
import { suspensionOf } from "#db/queries/safety/sanctions";
import type { Instant } from "~/domain/time";

const { persons } = schema;

/** Rows of the name index that one search reads at most, hidden people included. */
const PEOPLE_READ = 12;
/** The newest goals and notes that are searched: no index has their words, and a search reads a bounded number of rows. */
const GOALS_READ = 25;
const NOTES_READ = 50;

/**
 * People whose username begins so, by name, without suspended people and blocks in either direction (Q-11, Q-18). A name
 * with a dot is that of a deleted account.
 */
export const findPeople = (
  db: Database,
  { name, userId, now, limit }: { name: string | null; userId: number; now: Instant; limit: number },
) =>
  db
    .select({ username: persons.username, title: persons.title })
    .from(persons)
    .where(
      sql`${persons.id} IN (SELECT begun.id FROM persons begun WHERE lower(begun.username) >= ${name} AND lower(begun.username) < ${name} || char(1114111) AND instr(begun.username, '.') = 0 ORDER BY lower(begun.username) LIMIT ${PEOPLE_READ})
        AND ${suspensionOf(sql`${persons.userId}`, now).getSQL()} IS NULL AND ${isShownTo(persons.userId, userId)}`,
    )
    .orderBy(asc(sql`lower(${persons.username})`))
    .limit(limit);

/** The user's own goals with all of these words of `searchText`, open goals first. */
export const findOwnGoals = (db: Database, userId: number, words: readonly string[], limit: number) => {
  const newest = sql`SELECT id, title, search_text FROM goals WHERE user_id = ${userId} AND session_id IS NULL AND activity_id IS NULL
    ORDER BY status, id DESC LIMIT ${GOALS_READ}`;
  return ownRows(
    db,
    newest,
    words.map((word) => sql`instr(own.search_text, ${word}) > 0`),
    limit,
  );
};

/** The user's own notes with all of these words, newest first. SQLite folds the case of ASCII letters alone. */
export const findOwnNotes = (db: Database, userId: number, words: readonly string[], limit: number) => {
  const newest = sql`SELECT id, title, title || ' ' || content || ' ' || todo || ' ' || done AS words FROM notes
    WHERE user_id = ${userId} ORDER BY id DESC LIMIT ${NOTES_READ}`;
  const has = (word: string) =>
    sql`(instr(lower(own.words), ${word.toLowerCase()}) > 0 OR instr(own.words, ${word}) > 0)`;
  return ownRows(db, newest, words.map(has), limit);
};

/** Rows of `newest`, in its order. */
const ownRows = (db: Database, newest: SQL, conditions: SQL[], limit: number) =>
  db
    .select({ id: sql<number>`own.id`.as("id"), title: sql<string>`own.title`.as("title") })
    .from(sql`(${newest}) own`)
    .where(sql.join([sql`TRUE`, ...conditions], sql` AND `))
    .limit(limit);
