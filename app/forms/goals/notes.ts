// The forms of notes.
import { z } from "zod";
import { LINE_PLACES } from "~/domain/goals/note-lines";
import { manyLines } from "~/domain/text-fields";
import { optionalId, since } from "~/forms/fields";
import { markdown, oneLineText, plainText } from "~/wire/goals/texts";
import { id, ownId } from "~/wire/values";

const texts = {
  title: oneLineText(200),
  content: markdown,
  todo: plainText(20_000),
  done: plainText(20_000),
};

export const NoteInput = z
  .object({ goal: optionalId, uuid: ownId, ...texts })
  .transform(({ goal, ...rest }) => ({ ...rest, goalId: goal }));

export const NoteChoice = z.object({ note: id });
/** The form always contains its texts, so an empty field clears the stored text. */
export const NoteChange = NoteChoice.extend({ ...texts, since }).transform(
  ({ title = "", content = "", todo = "", done = "", note, since }) => ({
    note,
    title,
    content,
    todo,
    done,
    since,
  }),
);
/** Without JavaScript several boxes may be ticked at once. */
const line = manyLines().min(1).max(20_000);
export const NoteTick = NoteChoice.extend({
  from: z.enum(LINE_PLACES),
  line: z.union([z.array(line).max(1000), line.transform((text) => [text])]),
}).transform(({ line: lines, ...rest }) => ({ ...rest, lines }));
