// Notes: lists by place, like logs, so that any page is found by its number. Built here, run by use cases.
import { and, desc, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { type Database, type Statement, schema } from "#db/connect.server";
import { newerThan, nextPlace, onPage } from "./places";

const { notes, goals } = schema;

const ofUser = { owner: notes.userId, place: notes.userPlace };
const inGoal = { owner: notes.goalId, place: notes.goalPlace };

export type NewNote = Omit<typeof notes.$inferInsert, "id" | "userPlace" | "goalPlace">;

/** A note, at the top of its lists. */
export const insertNote = (db: Database, note: NewNote) =>
  db
    .insert(notes)
    .values({
      ...note,
      userPlace: nextPlace(ofUser, note.userId) ?? 0,
      goalPlace: nextPlace(inGoal, note.goalId ?? null),
    })
    .returning();

export const updateNote = (
  db: Database,
  noteId: number,
  userId: number,
  change: Partial<Omit<NewNote, "userId" | "goalId">>,
) =>
  db
    .update(notes)
    .set(change)
    .where(and(eq(notes.id, noteId), eq(notes.userId, userId)))
    .returning();

/** In one batch: the newer notes move down, the note goes. */
export const deleteNote = (db: Database, noteId: number, userId: number): Statement[] => {
  const isOurs = sql`EXISTS (SELECT 1 FROM notes AS own WHERE own.id = ${noteId} AND own.user_id = ${userId})`;
  return [
    db
      .update(notes)
      .set({ userPlace: sql`user_place - 1` })
      .where(and(newerThan(ofUser, noteId), isOurs)),
    db
      .update(notes)
      .set({ goalPlace: sql`goal_place - 1` })
      .where(and(newerThan(inGoal, noteId), isOurs)),
    db.delete(notes).where(and(eq(notes.id, noteId), eq(notes.userId, userId))),
  ];
};

export const findNote = (db: Database, noteId: number, userId: number) =>
  db
    .select()
    .from(notes)
    .where(and(eq(notes.id, noteId), eq(notes.userId, userId)))
    .limit(1);

/** A note by the uuid its client gave it, to answer a repeat. */
export const findNoteByUuid = (db: Database, uuid: string, userId: number) =>
  db
    .select()
    .from(notes)
    .where(and(eq(notes.uuid, uuid), eq(notes.userId, userId)))
    .limit(1);

const listed = (db: Database, where: SQL) =>
  db
    .select({
      ...getTableColumns(notes),
      goalTitle: sql<string | null>`${goals.title}`.as("goal_title"),
    })
    .from(notes)
    .leftJoin(goals, eq(goals.id, notes.goalId))
    .where(where);

/** Newest first, `perPage` + 1 rows at most. */
export const listUserNotes = (db: Database, userId: number, page: number, perPage: number) =>
  listed(db, onPage(ofUser, userId, page, perPage))
    .orderBy(desc(notes.userPlace))
    .limit(perPage + 1);

export const listGoalNotes = (db: Database, goalId: number, page: number, perPage: number) =>
  listed(db, onPage(inGoal, goalId, page, perPage))
    .orderBy(desc(notes.goalPlace))
    .limit(perPage + 1);

/** Whether a goal is one's own, before a note is tied to it. */
export const findOwnGoal = (db: Database, goalId: number, userId: number) =>
  db
    .select({ id: goals.id, title: goals.title })
    .from(goals)
    .where(and(eq(goals.id, goalId), eq(goals.userId, userId)))
    .limit(1);
