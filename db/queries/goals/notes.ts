// Statements on notes and lists of them; use cases run them.
import { and, asc, desc, eq, type SQL, sql } from "drizzle-orm";
import { type Database, type Statement, schema } from "#db/connect.server";
import { noteColumns } from "#db/queries/goals/columns";
import { type IdPage, isAfterCursor, offsetOf } from "#db/queries/pagination";
import { listOwnIds, searchTextOf } from "#db/queries/search";
import { nextOwnId } from "#db/schema/columns";
import type { Instant } from "~/domain/time";

const { notes, goals } = schema;

type NoteText = { title: string; content: string; todo: string; done: string };
export type NewNote = Omit<typeof notes.$inferInsert, "id" | "searchText" | keyof NoteText> & NoteText;

export const insertNote = (db: Database, note: NewNote) => {
  const id = nextOwnId("notes", note.userId, note.createdAt);
  return db
    .insert(notes)
    .values({ ...note, id, searchText: searchTextOf(note) })
    .returning(noteColumns);
};

/**
 * With `since`, the version that the author saw, it returns no row if somebody saved after `before` was read.
 */
export const updateNote = (
  db: Database,
  before: { id: number; userId: number; updatedAt: Instant } & NoteText,
  { updatedAt, ...change }: Partial<Omit<NewNote, "userId" | "goalId">> & { updatedAt: Instant },
  since: Instant | undefined,
) =>
  db
    .update(notes)
    .set({
      ...change,
      searchText: searchTextOf({ ...before, ...change }),
      updatedAt: sql`max(updated_at + 1, ${updatedAt})`,
    })
    .where(
      and(
        eq(notes.id, before.id),
        eq(notes.userId, before.userId),
        since === undefined ? undefined : eq(notes.updatedAt, before.updatedAt),
      ),
    )
    .returning(noteColumns);

/** Keeps the notes on goals that are deleted after this statement. */
export const keepNotes = (db: Database, isDeletedGoal: SQL): Statement =>
  db.update(notes).set({ goalId: null }).where(sql`goal_id IN (SELECT id FROM goals WHERE ${isDeletedGoal})`);

export const deleteNote = (db: Database, noteId: number, userId: number) =>
  db.delete(notes).where(and(eq(notes.id, noteId), eq(notes.userId, userId)));

export const findNote = (db: Database, noteId: number, userId: number) =>
  db
    .select(noteColumns)
    .from(notes)
    .where(and(eq(notes.id, noteId), eq(notes.userId, userId)))
    .limit(1);

/** A note by the uuid from its client, to answer a retry. */
export const findNoteByUuid = (db: Database, uuid: string, userId: number) =>
  db
    .select(noteColumns)
    .from(notes)
    .where(and(eq(notes.uuid, uuid), eq(notes.userId, userId)))
    .limit(1);

const selectNotes = (db: Database, condition: SQL) =>
  db
    .select({
      ...noteColumns,
      goalTitle: sql<string | null>`${goals.title}`.as("goal_title"),
    })
    .from(notes)
    .leftJoin(goals, eq(goals.id, notes.goalId))
    .where(condition);

/** Newest first; at most `perPage` + 1 rows, because the extra row shows that a next page exists (C-05). */
const selectPageOfNotes = (db: Database, condition: SQL, page: IdPage) =>
  selectNotes(db, sql`${and(condition, isAfterCursor(notes.id, page))}`)
    .orderBy(desc(notes.id))
    .limit(page.perPage + 1)
    .offset(offsetOf(page));

/** The user's notes after an id, oldest first. */
export const exportNotes = (db: Database, userId: number, afterId: number, limit: number) =>
  selectNotes(db, sql`${notes.userId} = ${userId} AND ${notes.id} > ${afterId}`)
    .orderBy(asc(notes.id))
    .limit(limit);

/** The user's notes; with `words`, only notes that contain all of them. */
export const listUserNotes = (
  db: Database,
  userId: number,
  page: IdPage,
  words: readonly string[] | null = null,
) => {
  if (words === null) return selectPageOfNotes(db, eq(notes.userId, userId), page);
  const ids = listOwnIds("note", userId, words, {
    before: page.after ? Number(page.after) : undefined,
    limit: page.perPage + 1,
    offset: offsetOf(page),
  });
  return selectNotes(db, sql`${eq(notes.userId, userId)} AND ${notes.id} IN (${ids})`).orderBy(
    desc(notes.id),
  );
};
/** The user's own notes on a goal that others may manage too. */
export const listGoalNotes = (db: Database, goalId: number, userId: number, page: IdPage) =>
  selectPageOfNotes(db, sql`${and(eq(notes.goalId, goalId), eq(notes.userId, userId))}`, page);

/** A goal of this user. */
export const findOwnGoal = (db: Database, goalId: number, userId: number) =>
  db
    .select({ id: goals.id, title: goals.title })
    .from(goals)
    .where(and(eq(goals.id, goalId), eq(goals.userId, userId)))
    .limit(1);
