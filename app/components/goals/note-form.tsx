// The form of a note: an optional title, the plan, to-dos and done items (U-20).
import type { ReactNode } from "react";
import { RichTextField } from "~/components/editor/rich-text-field";
import { ActionForm, FormErrors } from "~/components/form/action-form";
import { TextAreaRow, TextRow } from "~/components/form/rows";
import { Button } from "~/components/ui/button";
import { beginningOf } from "~/domain/beginnings";
import { isEmptyNote, NOTE_EMPTY, type Note } from "~/domain/goals/notes";
import { useActionForm } from "~/hooks/form/use-action-form";
import { queueForm } from "~/hooks/outbox/form";
import { createNote } from "~/wire/paths";

type Props = {
  /** Null for a new note. */
  note: Note | null;
  /** The goal of a new note. */
  goalId?: number;
  newUuid?: string;
  onDone?: () => void;
  takesFocus?: boolean;
  cancel?: ReactNode;
};

export function NoteForm({ note, goalId, newUuid, onDone, takesFocus = false, cancel }: Props) {
  /** Puts a new note into the outbox while there is no network (W-05). True if the browser handled the submit. */
  const holdNote = (element: HTMLFormElement | null): boolean =>
    queueForm(
      element,
      (typed) => {
        const texts = {
          title: typed("title"),
          content: typed("content"),
          todo: typed("todo"),
          done: typed("done"),
        };
        if (isEmptyNote(texts)) return NOTE_EMPTY;
        return {
          call: createNote,
          body: { ...texts, uuid: crypto.randomUUID(), ...(goalId === undefined ? {} : { goal_id: goalId }) },
          about: "",
          words: `Note: ${beginningOf(texts.title || texts.content || texts.todo || texts.done, 80)}`,
        };
      },
      // The form stays open and empty, because the page would need the network to close it.
    );
  const form = useActionForm({
    handleHere: () => note === null && holdNote(form.element.current),
    intent: note ? "note.update" : "note.create",
    hiddenFields: note ? { note: note.id } : goalId !== undefined ? { goal: goalId } : {},
    uuid: note ? undefined : newUuid,
    since: note?.updatedAt,
    clearsWhenDone: !note,
    draft: `note form ${note?.id ?? (goalId === undefined ? "new" : `of ${goalId}`)}`,
    takesFocus,
    ...(onDone ? { onDone } : {}),
  });
  return (
    <ActionForm form={form} className="flex flex-col gap-4" aria-label={note ? "Edit note" : "New note"}>
      <TextRow {...form.field("title", note?.title)} label="Title" maxLength={200} />
      <RichTextField
        {...form.field("content", note?.content)}
        label="Plan"
        rows={4}
        saved={note?.content ?? ""}
        isDrafted
        imageOwner="note"
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextAreaRow {...form.field("todo", note?.todo)} label="Todo" rows={4} />
        <TextAreaRow {...form.field("done", note?.done)} label="Done" rows={4} />
      </div>
      <FormErrors form={form} />
      <div className="flex gap-3">
        <Button type="submit" variant="primary" isLoading={form.isBusy}>
          {note ? "Save" : "Create"}
        </Button>
        {cancel}
      </div>
    </ActionForm>
  );
}
