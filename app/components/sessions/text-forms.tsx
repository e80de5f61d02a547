// The form that edits a session's texts.
import { RichTextField } from "~/components/editor/rich-text-field";
import { ActionForm, FormErrors } from "~/components/form/action-form";
import { TextAreaRow, TextRow } from "~/components/form/rows";
import { useLive } from "~/components/room/live-context";
import { Button } from "~/components/ui/button";
import type { ShownSession } from "~/domain/sessions/view";
import { useActionForm } from "~/hooks/form/use-action-form";
import type { ActResult } from "~/wire/act";

export type EditTextsProps = {
  session: Pick<ShownSession, "slug" | "path">;
  /** The answer to a submit without JavaScript. */
  posted: ActResult | undefined;
  rights: { mayEditContent: boolean; mayEditPrompt: boolean };
  takesFocus: boolean;
  onDone: () => void;
};

export function EditTexts({ session, rights, posted, takesFocus, onDone }: EditTextsProps) {
  const room = useLive("room");
  const form = useActionForm({
    intent: "texts.save",
    action: `${session.path}?edit=texts`,
    posted,
    takesFocus,
    onDone,
  });
  return (
    <ActionForm form={form} className="flex flex-col gap-4" aria-label="What the session is about">
      {rights.mayEditContent && (
        <>
          <input type="hidden" name="hasContent" value="1" />
          <TextRow {...form.field("title", room.title)} label="Title" isRequired maxLength={200} />
          <RichTextField
            {...form.field("content", room.content)}
            label="Content"
            hint="Markdown is fine."
            rows={8}
            saved={room.content}
            draftKey={`session texts ${session.slug}`}
            imageOwner="session"
          />
        </>
      )}
      {rights.mayEditPrompt && (
        <>
          <input type="hidden" name="hasPrompt" value="1" />
          <TextAreaRow {...form.field("prompt", room.prompt)} label="Prompt" rows={2} />
        </>
      )}
      <FormErrors form={form} />
      <div className="flex gap-3">
        <Button type="submit" variant="primary" isLoading={form.isBusy}>
          Save for everybody
        </Button>
        <Button onClick={onDone} className="needs-script">
          Cancel
        </Button>
      </div>
    </ActionForm>
  );
}
