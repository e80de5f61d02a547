// The wire format of notes (E-17).
import type { Note, NoteShown } from "~/domain/goals/notes";
import { instantOut } from "~/wire/values";

export const noteOut = (note: Note | NoteShown) => ({
  id: note.id,
  title: note.title,
  content: note.content,
  content_html: note.contentHtml,
  summary: note.summary,
  todo: note.todo,
  done: note.done,
  goal_id: note.goalId,
  ...("goalTitle" in note ? { goal: note.goalTitle === null ? null : { title: note.goalTitle } } : {}),
  created_at: instantOut(note.createdAt),
  updated_at: instantOut(note.updatedAt),
});
