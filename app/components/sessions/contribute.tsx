// The box to answer in, under the prompt. It is plain text until somebody asks for the editor's tools.
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
  answered: ActResult | undefined;
  /** The viewer's turn, or a part that accepts contributions from all. */
  mayContribute: boolean;
  /** The part in which it is the viewer's turn: the box takes the focus, unless the person types elsewhere. */
  turnPart: string | null;
  newUuid: string | null;
};

const LABEL = "Your contribution";
const HINT = "It is added to the end of the content under your name, for everybody.";
const TURN_OVER = "Your turn is over. The text stays here until you remove it.";
/** Where the focus means that the person types or reads something else. */
const BUSY_ELSEWHERE = "input, textarea, select, [contenteditable], dialog:modal *";

export function Contribute({ session, answered, mayContribute, turnPart, newUuid }: ContributeProps) {
  const hintId = useId();
  const box = useRef<HTMLTextAreaElement>(null);
  /** The text at the press that asked for the tools. */
  const [formatted, setFormatted] = useState<string | null>(null);
  const [hasText, setHasText] = useState(false);
  const form = useActionForm({
    intent: "texts.contribute",
    action: session.path,
    posted: answered,
    uuid: newUuid ?? undefined,
    draft: `contribution ${session.slug}`,
    clearsWhenDone: true,
    onDone: () => {
      setFormatted(null);
      setHasText(false);
    },
  });
  const pass = useActionForm({
    intent: "pass",
    action: session.path,
    about: { part: turnPart ?? "" },
    posted: answered,
  });
  const passId = useId();
  const isMyTurn = turnPart !== null;
  useEffect(() => {
    if (
      isMyTurn &&
      !document.activeElement?.matches(BUSY_ELSEWHERE) &&
      !document.querySelector("dialog:modal")
    )
      box.current?.focus();
  }, [isMyTurn]);
  // A turn that ends does not take away what somebody writes.
  if (!mayContribute && !hasText && !form.isFailed) return null;
  const field = form.field("contribution");
  return (
    <div className="contribute">
      <ActionForm form={form} className="flex flex-col gap-2" aria-label={LABEL}>
        {formatted === null ? (
          <Field label={LABEL} error={field.error} isRequired isLabelHidden={isMyTurn}>
            <TextArea
              ref={box}
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
            defaultValue={formatted}
            saved=""
            label={LABEL}
            rows={3}
            isRequired
            isDrafted
            about="session"
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
          {formatted === null && (
            <Button
              variant="ghost"
              className={clsx("needs-script", turnPart !== null && "max-sm:hidden")}
              onClick={() => setFormatted(box.current?.value ?? "")}
            >
              Formatting
            </Button>
          )}
          {turnPart === null || !mayContribute ? (
            <Button type="submit" variant="primary" isLoading={form.isBusy}>
              Add it
            </Button>
          ) : (
            <>
              <Button type="submit" form={passId} isLoading={pass.isBusy}>
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
      <ActionForm form={pass} id={passId} className="hidden" />
    </div>
  );
}
