// The single button of a card, as a form that submits to another page's action. Without JavaScript the browser opens that
// page.
import { ActionForm } from "~/components/form/action-form";
import { Button } from "~/components/ui/button";
import { useActionForm } from "~/hooks/form/use-action-form";

type Props = {
  action: string;
  intent: string;
  label: string;
  /** The subject, for screen readers, which read the button without its card. */
  subject: string;
  /** Additional fields to submit. */
  hiddenFields?: Record<string, string>;
};

export function CardActionForm({ action, intent, label, subject, hiddenFields = {} }: Props) {
  const form = useActionForm({ intent, action, hiddenFields });
  return (
    <ActionForm form={form}>
      <Button type="submit" isLoading={form.isBusy} aria-label={`${label}: ${subject}`}>
        {label}
      </Button>
    </ActionForm>
  );
}
