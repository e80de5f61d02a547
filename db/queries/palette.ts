// Statements that find people, books, and the user's goals, notes and logs, for the palette (Y-01); the use case runs them in
// one batch with lists.
import { and, asc, desc, eq, sql } from "drizzle-orm";
import { type Database, schema } from "#db/connect.server";
import { isShownTo } from "#db/queries/safety/blocks";
import { suspensionOf } from "#db/queries/safety/sanctions";
import { listOwnGoalIds, listOwnIds, matchesBook, type Words } from "#db/queries/search";
import type { Instant } from "~/domain/time";

const { persons, items, goals, notes, logs } = schema;

/** Rows of the name index that one search reads at most, hidden people included. */
const MAX_PEOPLE_READ = 12;

/**
 * People whose username begins with `name`, by name, without suspended people and blocks in either direction (Q-11,
 * Q-18). A name with a dot is that of a deleted account.
 */
export const findPeople = (
  db: Database,
  { name, userId, now, limit }: { name: string | null; userId: number; now: Instant; limit: number },
) =>
  db
    .select({ username: persons.username, title: persons.title })
    .from(persons)
    .where(
      sql`${persons.id} IN (SELECT begun.id FROM persons begun WHERE lower(begun.username) >= ${name} AND lower(begun.username) < ${name} || char(1114111) AND instr(begun.username, '.') = 0 ORDER BY lower(begun.username) LIMIT ${MAX_PEOPLE_READ})
        AND ${suspensionOf(sql`${persons.userId}`, now).getSQL()} IS NULL AND ${isShownTo(persons.userId, userId)}`,
    )
    .orderBy(asc(sql`lower(${persons.username})`))
    .limit(limit);

/** Matches of the index of books that one search reads at most, those of hidden people included. */
const MAX_BOOKS_READ = 12;

/** Published books whose titles have all of these words, oldest first, without those of people in a block (Q-11). */
export const findBooks = (
  db: Database,
  { words, userId, limit }: { words: Words; userId: number; limit: number },
) =>
  db
    .select({ slug: items.slug, title: items.title })
    .from(
      sql`(SELECT rowid AS id FROM book_words WHERE ${matchesBook(words)} ORDER BY rowid LIMIT ${MAX_BOOKS_READ}) found`,
    )
    .innerJoin(items, sql`${items.id} = found.id`)
    .innerJoin(persons, eq(persons.id, items.personId))
    .where(isShownTo(persons.userId, userId))
    .orderBy(asc(items.id))
    .limit(limit);

/** The user's own goals with all of these words, open goals first. */
export const findOwnGoals = (db: Database, userId: number, words: readonly string[], limit: number) =>
  db
    .select({ id: goals.id, title: goals.title })
    .from(goals)
    .where(sql`${goals.id} IN (${listOwnGoalIds(userId, words, limit)})`)
    .orderBy(asc(goals.status), desc(goals.id))
    .limit(limit);

/** The user's own notes with all of these words, newest first. */
export const findOwnNotes = (db: Database, userId: number, words: readonly string[], limit: number) =>
  db
    .select({ id: notes.id, title: notes.title, summary: notes.summary })
    .from(notes)
    .where(
      and(eq(notes.userId, userId), sql`${notes.id} IN (${listOwnIds("note", userId, words, { limit })})`),
    )
    .orderBy(desc(notes.id));

/** The user's own logs with all of these words, newest first. */
export const findOwnLogs = (db: Database, userId: number, words: readonly string[], limit: number) =>
  db
    .select({ id: logs.id, title: logs.title, summary: logs.summary })
    .from(logs)
    .where(and(eq(logs.userId, userId), sql`${logs.id} IN (${listOwnIds("log", userId, words, { limit })})`))
    .orderBy(desc(logs.id));
