// Statements on notes and lists of them; use cases run them.
import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import { type Database, schema } from "#db/connect.server";
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

/** With `since`, no row after a newer save than `before`. */
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

/** Newest first; at most `perPage` + 1 rows, so that the last tells of a next page (C-05). */
const pageOfNotes = (db: Database, condition: SQL, at: IdPage) =>
  selectNotes(db, sql`${and(condition, isAfterCursor(notes.id, at))}`)
    .orderBy(desc(notes.id))
    .limit(at.perPage + 1)
    .offset(offsetOf(at));

/** `words`: only those with all of them. */
export const listUserNotes = (
  db: Database,
  userId: number,
  at: IdPage,
  words: readonly string[] | null = null,
) => {
  if (words === null) return pageOfNotes(db, eq(notes.userId, userId), at);
  const ids = listOwnIds("note", userId, words, {
    before: at.after ? Number(at.after) : undefined,
    limit: at.perPage + 1,
    offset: offsetOf(at),
  });
  return selectNotes(db, sql`${eq(notes.userId, userId)} AND ${notes.id} IN (${ids})`).orderBy(
    desc(notes.id),
  );
};
/** The user's own notes on a goal that others may manage too. */
export const listGoalNotes = (db: Database, goalId: number, userId: number, at: IdPage) =>
  pageOfNotes(db, sql`${and(eq(notes.goalId, goalId), eq(notes.userId, userId))}`, at);

/** A goal of this user, for tying a note to it. */
export const findOwnGoal = (db: Database, goalId: number, userId: number) =>
  db
    .select({ id: goals.id, title: goals.title })
    .from(goals)
    .where(and(eq(goals.id, goalId), eq(goals.userId, userId)))
    .limit(1);
