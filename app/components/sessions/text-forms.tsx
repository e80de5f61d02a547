// The forms of a session's texts: editing them and contributing to them. They load when they open.
import { RichTextField } from "~/components/editor/rich-text-field";
import { ActionForm, FormErrors, SubmitRow } from "~/components/form/action-form";
import { TextAreaRow, TextRow } from "~/components/form/rows";
import { useLive } from "~/components/room/live-context";
import { Button } from "~/components/ui/button";
import type { ShownSession } from "~/domain/sessions/view";
import { useActionForm } from "~/hooks/use-action-form";
import type { ActResult } from "~/wire/act";

export type ContributeProps = {
  session: Pick<ShownSession, "slug" | "path">;
  /** The answer to a submit without JavaScript. */
  answered: ActResult | undefined;
};
export type EditTextsProps = ContributeProps & {
  rights: { mayEditContent: boolean; mayEditPrompt: boolean };
  takesFocus: boolean;
  onDone: () => void;
};

export function EditTexts({ session, rights, answered, takesFocus, onDone }: EditTextsProps) {
  const { room } = useLive();
  const form = useActionForm({
    intent: "texts.save",
    action: `${session.path}?edit=texts`,
    posted: answered,
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
            about="session"
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

export function Contribute({ session, answered }: ContributeProps) {
  const form = useActionForm({
    intent: "texts.contribute",
    action: session.path,
    posted: answered,
    clearsWhenDone: true,
  });
  return (
    <ActionForm
      form={form}
      className="flex flex-col gap-3 rounded-lg border border-ember bg-ember-wash p-4"
      aria-label="Your contribution"
    >
      <RichTextField
        {...form.field("contribution")}
        label="Your contribution"
        hint="It is added to the end of the content under your name, for everybody."
        rows={3}
        isRequired
        loadsOnFocus
        saved=""
        draftKey={`contribution ${session.slug}`}
        about="session"
      />
      <SubmitRow form={form} variant="primary">
        Add it
      </SubmitRow>
    </ActionForm>
  );
}
