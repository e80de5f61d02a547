// The box to answer in, under the prompt. It is plain text until somebody presses Formatting.
import clsx from "clsx";
import { useEffect, useId, useRef, useState } from "react";
import { RichTextField } from "~/components/editor/rich-text-field";
import { ActionForm, FormErrors } from "~/components/form/action-form";
import { Button } from "~/components/ui/button";
import { Field } from "~/components/ui/field";
import { TextArea } from "~/components/ui/inputs";
import type { ShownSession } from "~/domain/sessions/view";
import { useActionForm } from "~/hooks/form/use-action-form";
import type { ActResult } from "~/wire/act";

export type ContributeProps = {
  session: Pick<ShownSession, "slug" | "path">;
  /** The answer to a submit without JavaScript. */
  posted: ActResult | undefined;
  /** The viewer's turn, or a part that accepts contributions from all. */
  mayContribute: boolean;
  /** The part in which it is the viewer's turn: the box takes the focus, unless the person types elsewhere. */
  turnPartId: string | null;
  newUuid: string | null;
};

const LABEL = "Your contribution";
const HINT = "It is added to the end of the content under your name, for everybody.";
const TURN_OVER = "Your turn is over. The text stays here until you remove it.";
/** A focus in one of these means that the person types or reads something else. */
const BUSY_ELSEWHERE = "input, textarea, select, [contenteditable], dialog:modal *";

export function Contribute({ session, posted, mayContribute, turnPartId, newUuid }: ContributeProps) {
  const hintId = useId();
  const textArea = useRef<HTMLTextAreaElement>(null);
  /** The text with which the rich-text editor opened; null before. */
  const [editorText, setEditorText] = useState<string | null>(null);
  const [hasText, setHasText] = useState(false);
  const form = useActionForm({
    intent: "texts.contribute",
    action: session.path,
    posted,
    uuid: newUuid ?? undefined,
    draft: `contribution ${session.slug}`,
    clearsWhenDone: true,
    onDone: () => {
      setEditorText(null);
      setHasText(false);
    },
  });
  const passForm = useActionForm({
    intent: "pass",
    action: session.path,
    hiddenFields: { part: turnPartId ?? "" },
    posted,
  });
  const passId = useId();
  const isMyTurn = turnPartId !== null;
  useEffect(() => {
    if (
      isMyTurn &&
      !document.activeElement?.matches(BUSY_ELSEWHERE) &&
      !document.querySelector("dialog:modal")
    )
      textArea.current?.focus();
  }, [isMyTurn]);
  // The box stays after the turn while it holds text, so that nothing typed is lost.
  if (!mayContribute && !hasText && !form.isFailed) return null;
  const field = form.field("contribution");
  return (
    <div className="contribute">
      <ActionForm form={form} className="flex flex-col gap-2" aria-label={LABEL}>
        {editorText === null ? (
          <Field label={LABEL} error={field.error} isRequired isLabelHidden={isMyTurn}>
            <TextArea
              ref={textArea}
              name={field.name}
              defaultValue={field.defaultValue}
              aria-describedby={hintId}
              rows={2}
              className="min-h-18!"
              placeholder="Markdown works here."
              required
              onInput={(event) => setHasText(event.currentTarget.value !== "")}
            />
          </Field>
        ) : (
          <RichTextField
            {...field}
            defaultValue={editorText}
            saved=""
            label={LABEL}
            rows={3}
            isRequired
            isDrafted
            imageOwner="session"
            onChange={(text) => setHasText(text !== "")}
          />
        )}
        <FormErrors form={form} />
        <div className="flex flex-wrap items-center justify-end gap-x-2">
          <p
            id={hintId}
            className={clsx(
              "min-w-0 flex-1 text-sm text-soft",
              mayContribute && (isMyTurn ? "sr-only" : "max-sm:sr-only"),
            )}
          >
            {mayContribute ? HINT : TURN_OVER}
          </p>
          {editorText === null && (
            <Button
              variant="ghost"
              className={clsx("needs-script", turnPartId !== null && "max-sm:hidden")}
              onClick={() => setEditorText(textArea.current?.value ?? "")}
            >
              Formatting
            </Button>
          )}
          {turnPartId === null || !mayContribute ? (
            <Button type="submit" variant="primary" isLoading={form.isBusy}>
              Add it
            </Button>
          ) : (
            <>
              <Button type="submit" form={passId} isLoading={passForm.isBusy}>
                Pass
              </Button>
              <Button type="submit" isLoading={form.isBusy}>
                Add it
              </Button>
              <Button type="submit" name="isPassing" value="1" variant="primary" isLoading={form.isBusy}>
                Add and pass on
              </Button>
            </>
          )}
        </div>
      </ActionForm>
      <ActionForm form={passForm} id={passId} className="hidden" />
    </div>
  );
}
