// A button that calls the server, and without JavaScript submits a form. A refusal of either opens the same modals.
import type { ReactNode } from "react";
import { usePostedRefusal } from "~/hooks/form/use-posted";
import { handleRefusal, resumableAct } from "~/hooks/refusals";
import { toast } from "~/hooks/toasts";
import { MadeFor } from "./made-for";

type Props = {
  /** The fields that the action takes, `intent` included. */
  fields: { intent: string } & Record<string, string | number>;
  /** `isRetry` is true when a purchase or a check of the login repeats the call. */
  onPress: (isRetry: boolean) => void;
  /** The route whose action handles the form; by default the current page. */
  action?: string;
  children: ReactNode;
  className?: string;
  /** The name of the form for screen readers, if it has more than its button. */
  label?: string;
};

export function PlainForm({ fields, onPress, action, children, className, label }: Props) {
  usePostedRefusal(fields, (refusal) => {
    const resumes = resumableAct(action, fields.intent);
    if (handleRefusal(refusal, { retry: onPress, isRetry: false, resumes })) return;
    toast.errors(refusal.sentences);
  });
  return (
    <form
      method="post"
      action={action}
      className={className}
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        onPress(false);
      }}
    >
      <MadeFor />
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
    </form>
  );
}
