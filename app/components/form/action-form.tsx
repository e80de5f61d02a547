// The form element of `useActionForm`, and the errors of the form as a whole.
import { Fragment, type ReactNode } from "react";
import { Button, type ButtonProps } from "~/components/ui/button";
import { Notice } from "~/components/ui/notice";
import type { ActionFormState } from "~/hooks/form/use-action-form";
import { useHydrated } from "~/hooks/use-hydrated";
import { useReader } from "~/hooks/use-shell";
import { READER_FIELD, readerField } from "~/wire/reader";
import { DraftNotice } from "./draft-notice";
import { MadeFor } from "./made-for";

type Props = { form: ActionFormState; className?: string; children?: ReactNode } & Partial<
  Record<"id" | "aria-label" | "aria-labelledby" | "data-changed", string | boolean | undefined>
> & { onChange?: () => void };

export function ActionForm({ form, children, ...rest }: Props) {
  const { Form, formProps, hidden } = form;
  const reader = useReader();
  // This component reads the state, and not the form's hook, so that the end of hydration does not rerender every field.
  const isHydrated = useHydrated();
  // React may handle a submit before hydration is complete, and sets `stay` then; only a native submit leaves it empty.
  const hiddenFields = isHydrated ? hidden : { ...hidden, stay: "" };
  return (
    // The browser's own messages apply to forms without rules, until hydration.
    <Form {...formProps} noValidate={isHydrated || formProps.noValidate} {...(rest as object)}>
      <MadeFor />
      <input type="hidden" name={READER_FIELD} value={readerField(reader)} />
      {Object.entries(hiddenFields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {form.draft.isFound && <DraftNotice onRestore={form.draft.restore} onDiscard={form.draft.discard} />}
      <Fragment key={form.draft.key}>{children}</Fragment>
    </Form>
  );
}

/**
 * The errors of the form as a whole, between its fields and its button (M-02, M-03), and the texts of a newer save
 * (R-69).
 */
export function FormErrors({
  form,
}: {
  form: Pick<ActionFormState, "problems"> & Partial<Pick<ActionFormState, "newer">>;
}) {
  const { problems, newer = [] } = form;
  if (problems.length === 0) return null;
  return (
    <Notice tone="error" isLive>
      {problems.map((problem) => (
        <p key={problem}>{problem}</p>
      ))}
      {newer.length > 0 && (
        <dl className="mt-2 flex flex-col gap-1">
          {newer.map(({ label, text }) => (
            <div key={label}>
              <dt className="font-semibold">{label}</dt>
              <dd className="whitespace-pre-line wrap-anywhere">{text || "(empty)"}</dd>
            </div>
          ))}
        </dl>
      )}
    </Notice>
  );
}

/** The end of a form: its errors, and the button that submits it. */
export const SubmitRow = ({ form, ...button }: { form: ActionFormState } & Omit<ButtonProps, "form">) => (
  <>
    <FormErrors form={form} />
    <Button type="submit" isLoading={form.isBusy} className="self-start" {...button} />
  </>
);
