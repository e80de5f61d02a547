// Asks for confirmation before an irreversible action. Its form submits to the page's action, and a refusal shows as a
// toast; without JavaScript it opens as a popover, otherwise as a modal dialog.
import { Form } from "@remix-run/react";
import { cloneElement, type MouseEvent, type ReactElement, type ReactNode, useId, useRef } from "react";
import { MadeFor } from "~/components/form/made-for";
import { usePostedRefusal } from "~/hooks/form/use-posted";
import { toast } from "~/hooks/toasts";
import { Button } from "./button";
import { Checkbox } from "./choices";
import { notifyDialogChange } from "./dialog-change";

export type ConfirmDialogProps = {
  /** A Button that opens the dialog. */
  trigger: ReactElement;
  title: ReactNode;
  /** The consequences, in a sentence. */
  children?: ReactNode;
  confirmLabel: string;
  cancelLabel?: string;
  isDanger?: boolean;
  /** The form that confirming submits, by default to the page's action. Without a form, `onConfirm` runs. */
  form?: { fields: { intent: string } & Record<string, string | number>; action?: string };
  /** A checkbox of that form. */
  choice?: { name: string; label: string; hint?: string };
  /** Called on confirming, if there is no form. */
  onConfirm?: () => void;
};

export function ConfirmDialog(props: ConfirmDialogProps) {
  const {
    trigger,
    title,
    children,
    confirmLabel,
    cancelLabel = "Cancel",
    isDanger = true,
    form,
    choice,
    onConfirm,
  } = props;
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const open = (event: MouseEvent) => {
    event.preventDefault();
    dialog.current?.showModal();
    notifyDialogChange();
  };
  const close = () => dialog.current?.close();
  usePostedRefusal(form?.fields ?? { intent: "" }, ({ sentences }) => toast.errors(sentences));
  const confirmButton = (
    <Button
      type={form ? "submit" : "button"}
      variant={isDanger ? "danger" : "primary"}
      onClick={() => {
        if (form) return;
        close();
        onConfirm?.();
      }}
    >
      {confirmLabel}
    </Button>
  );
  return (
    <>
      {cloneElement(trigger, { onClick: open, popovertarget: id })}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard uses Escape; this is the click on the backdrop. */}
      <dialog
        ref={dialog}
        id={id}
        {...{ popover: "auto" }}
        role="alertdialog"
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-text`}
        className="dialog is-sheet"
        onClose={notifyDialogChange}
        onClick={(event) => {
          if (event.target === event.currentTarget) close();
        }}
      >
        <div className="flex flex-col gap-4 p-5 text-start sm:p-6">
          <h2 id={`${id}-title`} className="text-xl">
            {title}
          </h2>
          <div id={`${id}-text`} className="text-soft">
            {children}
          </div>
          {choice && <Checkbox {...choice} form={`${id}-form`} />}
          <div className="flex flex-wrap justify-end gap-3 pt-1">
            <Button onClick={close} {...{ popovertarget: id, popovertargetaction: "hide" }}>
              {cancelLabel}
            </Button>
            {form ? (
              <Form id={`${id}-form`} method="post" action={form.action} preventScrollReset onSubmit={close}>
                <MadeFor />
                {Object.entries(form.fields).map(([name, value]) => (
                  <input key={name} type="hidden" name={name} value={value} />
                ))}
                {confirmButton}
              </Form>
            ) : (
              confirmButton
            )}
          </div>
        </div>
      </dialog>
    </>
  );
}
