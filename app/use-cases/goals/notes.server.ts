// Notes: create, update, delete, by their author. A note costs a hundredth of a token.
import * as goals from "#db/queries/goals/goals";
import * as notes from "#db/queries/goals/notes";
import * as tokens from "#db/queries/tokens";
import { AppError, brokenConstraint, invalid } from "~/domain/errors";
import { isTicked, type LinePlace, tickLine } from "~/domain/goals/note-lines";
import { isEmptyNote, NOTE_EMPTY, type Note, type NoteDraft } from "~/domain/goals/notes";
import * as goalRefusals from "~/domain/goals/refusals";
import { withoutOwner } from "~/domain/owned";
import { requireUser } from "~/domain/permissions";
import * as refusals from "~/domain/refusals";
import type { Instant } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import { countUse } from "~/use-cases/rate-limits.server";
import { refuseStaleEdit } from "~/use-cases/stale-edits.server";
import { canManage } from "./goals.server";

/** Maximum characters of Todo, and of Done. */
const MAX_LIST_CHARS = 20_000;

/**
 * Inserts a note at the top of the user's notes and of the goal's (C-42, U-21). Only people who may open the goal's notes
 * may add one (P-17, A-05).
 */
export async function createNote(
  app: App,
  input: NoteDraft & { uuid?: string | undefined; goalId?: number | undefined },
): Promise<Note> {
  const user = requireUser(app.user, refusals.signIn);
  if (isEmptyNote(input)) throw invalid("title", NOTE_EMPTY);
  const [[goal]] = await Promise.all([
    input.goalId === undefined ? [] : goals.findGoal(app.db, input.goalId, user.id),
    countUse(app, "note", user.id),
  ]);
  if (input.goalId !== undefined && !(goal && canManage(user, goal))) {
    // A repeat returns its note, even after the goal or the role has gone.
    const [firstNote] = input.uuid ? await notes.findNoteByUuid(app.db, input.uuid, user.id) : [];
    if (firstNote) return withoutOwner(firstNote);
    throw invalid("goal_id", goalRefusals.noGoal);
  }
  const uuid = input.uuid ?? app.newId();
  const note = {
    uuid,
    userId: user.id,
    goalId: goal?.id ?? null,
    title: input.title ?? "",
    ...(await app.richText.render(input.content ?? "")),
    todo: input.todo ?? "",
    done: input.done ?? "",
    createdAt: app.now,
    updatedAt: app.now,
  };
  try {
    const [[insertedNote]] = await app.db.batch([
      notes.insertNote(app.db, note),
      ...tokens.spendTokens(app.db, {
        userId: user.id,
        what: "note",
        reference: `note:${uuid}`,
        now: app.now,
      }),
    ]);
    if (!insertedNote) throw new AppError("SERVER_ERROR");
    return withoutOwner(insertedNote);
  } catch (error) {
    if (brokenConstraint(error) !== "notes.uuid") throw error;
    const [existingNote] = await notes.findNoteByUuid(app.db, uuid, user.id);
    if (!existingNote) throw new AppError("CONFLICT", goalRefusals.usedNoteUuid);
    return withoutOwner(existingNote);
  }
}

/** Edits a note (C-43). Missing fields stay unchanged. `since`: the version from which the edit began. */
export async function updateNote(
  app: App,
  input: NoteDraft & { note: number; since?: Instant | undefined },
): Promise<Note> {
  const user = requireUser(app.user, refusals.signIn);
  await countUse(app, "change-note", user.id);
  const { note: id, content, since, ...fields } = input;
  const [before] = await notes.findNote(app.db, id, user.id);
  if (!before) throw new AppError("NOT_FOUND");
  refuseStaleEdit(before, { ...fields, content }, since);
  const change = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  if (isEmptyNote({ ...before, ...change, content: content ?? before.content }))
    throw invalid("title", NOTE_EMPTY);
  const text = content === undefined ? {} : await app.richText.render(content);
  const [note] = await notes.updateNote(app.db, before, { ...change, ...text, updatedAt: app.now }, since);
  if (note) return withoutOwner(note);
  const current = await readNote(app, { note: id });
  refuseStaleEdit(current, { ...fields, content }, since);
  return current;
}

/** Moves ticked lines to Done, and lines of Done back to Todo (U-21). A repeated tick changes nothing. */
export async function tickNote(
  app: App,
  { note: id, from, lines }: { note: number; from: LinePlace; lines: readonly string[] },
): Promise<Note> {
  const user = requireUser(app.user, refusals.signIn);
  await countUse(app, "change-note", user.id);
  for (let attempt = 0; attempt < 3; attempt++) {
    const [before] = await notes.findNote(app.db, id, user.id);
    if (!before) throw new AppError("NOT_FOUND");
    const after = lines.reduce(
      (texts, line) => {
        const movedTexts = tickLine(texts, from, line);
        if (!movedTexts && !isTicked(texts, from, line)) throw new AppError("CONFLICT", goalRefusals.noLine);
        return movedTexts ?? texts;
      },
      { content: before.content, todo: before.todo, done: before.done },
    );
    if (Math.max(after.todo.length, after.done.length) > MAX_LIST_CHARS)
      throw new AppError("INVALID", goalRefusals.doneIsFull);
    const { content, todo, done } = after;
    if (content === before.content && todo === before.todo && done === before.done)
      return withoutOwner(before);
    const text = content === before.content ? {} : await app.richText.render(content);
    const change = { todo, done, ...text, updatedAt: app.now };
    const [note] = await notes.updateNote(app.db, before, change, before.updatedAt);
    if (note) return withoutOwner(note);
  }
  throw new AppError("CONFLICT", goalRefusals.noLine);
}

export async function deleteNote(app: App, input: { note: number }): Promise<void> {
  const user = requireUser(app.user, refusals.signIn);
  await countUse(app, "change-note", user.id);
  const [note] = await notes.findNote(app.db, input.note, user.id);
  if (!note) throw new AppError("NOT_FOUND");
  await notes.deleteNote(app.db, note.id, user.id);
}

/** A note of the user, for the answer of a note call. */
export async function readNote(app: App, input: { note: number }): Promise<Note> {
  const [note] = await notes.findNote(app.db, input.note, requireUser(app.user, refusals.signIn).id);
  if (!note) throw new AppError("NOT_FOUND");
  return withoutOwner(note);
}
