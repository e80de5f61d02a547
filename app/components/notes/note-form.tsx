// The form of a note: an optional title, the plan, and what is to do and done (U-20).
import type { ReactNode } from "react";
import { RichTextField } from "~/components/editor/rich-text-field";
import { MyFormProblems, useMyForm } from "~/components/my/use-my-form";
import { Button } from "~/components/ui/button";
import { Field } from "~/components/ui/field";
import { TextArea, TextInput } from "~/components/ui/inputs";
import type { Note } from "~/domain/notes";

type Props = {
  /** Null: a new one. */
  note: Note | null;
  /** The goal a new one belongs to. */
  goalId?: number;
  newUuid?: string;
  onDone?: () => void;
  takesFocus?: boolean;
  cancel?: ReactNode;
};

export function NoteForm({ note, goalId, newUuid, onDone, takesFocus = false, cancel }: Props) {
  const form = useMyForm(note ? "note.update" : "note.create", {
    about: note ? { note: note.id } : goalId !== undefined ? { goal: goalId } : {},
    uuid: note ? undefined : newUuid,
    isClearedWhenDone: !note,
    takesFocus,
    ...(onDone ? { onDone } : {}),
  });
  const text = (name: "title" | "content" | "todo" | "done") => form.shown(name, note?.[name] ?? "");
  return (
    <form.Form
      {...form.formProps}
      className="flex flex-col gap-4"
      aria-label={note ? "Edit note" : "New note"}
    >
      {form.hidden}
      <Field label="Title" error={form.errorsOf("title")}>
        <TextInput name="title" defaultValue={text("title")} maxLength={200} autoComplete="off" />
      </Field>
      <RichTextField
        name="content"
        label="Plan"
        rows={4}
        defaultValue={text("content")}
        saved={note?.content ?? ""}
        error={form.errorsOf("content")}
        draftKey={`note:${note?.id ?? (goalId === undefined ? "new" : `of:${goalId}`)}`}
        about="note"
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Todo" error={form.errorsOf("todo")}>
          <TextArea name="todo" rows={4} defaultValue={text("todo")} />
        </Field>
        <Field label="Done" error={form.errorsOf("done")}>
          <TextArea name="done" rows={4} defaultValue={text("done")} />
        </Field>
      </div>
      <MyFormProblems form={form} />
      <div className="flex gap-3">
        <Button type="submit" variant="primary" isLoading={form.isBusy}>
          {note ? "Save" : "Create"}
        </Button>
        {cancel}
      </div>
    </form.Form>
  );
}
