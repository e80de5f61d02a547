// Notes (C-42, C-43); both calls answer the note.
import { call, fields } from "../call";
import { noteOut } from "../goals/notes";
import { markdown, oneLineText, plainText } from "../goals/texts";
import { id, instantIn, ownId } from "../values";

const body = { title: oneLineText(200), content: markdown, todo: plainText(20_000), done: plainText(20_000) };

export const noteCalls = {
  createNote: call("POST /api/notes", "Create a note", {
    scope: "write",
    errors: ["INSUFFICIENT_TOKENS"],
    limits: ["note"],
    input: fields({ body: { ...body, uuid: ownId, goal_id: id.nullish() } }).transform(
      ({ goal_id, ...note }) => ({
        ...note,
        goalId: goal_id ?? undefined,
      }),
    ),
    isRepeatable: true,
    answer: noteOut,
  }),
  updateNote: call("PATCH /api/notes/{note}", "Update a note", {
    scope: "write",
    limits: ["change-note"],
    input: fields({ params: { note: id }, body: { ...body, updated_at: instantIn.nullish() } }).transform(
      ({ updated_at, ...note }) => ({ ...note, since: updated_at ?? undefined }),
    ),
    isRepeatable: true,
    status: 200,
    answer: noteOut,
  }),
};
