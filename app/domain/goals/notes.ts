// Planning notes: a plan, to-dos and done items (E-17). Pure.
import type { Instant } from "~/domain/time";

export type Note = {
  id: number;
  goalId: number | null;
  title: string;
  /** The plan in Markdown; its HTML is rendered once, on write. */
  content: string;
  contentHtml: string;
  summary: string;
  todo: string;
  done: string;
  createdAt: Instant;
  updatedAt: Instant;
};
export type NoteShown = Note & { goalTitle: string | null };

/** Missing fields stay unchanged. */
export type NoteDraft = {
  title?: string | undefined;
  content?: string | undefined;
  todo?: string | undefined;
  done?: string | undefined;
};

export const NOTE_EMPTY = "Please write something: a title, a plan, what is to do, or what is done.";
export const isEmptyNote = (note: NoteDraft): boolean =>
  [note.title, note.content, note.todo, note.done].every((text) => (text ?? "").trim() === "");
