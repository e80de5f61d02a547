// The one button of a card, as a form that another page's action takes. Without JavaScript it leads to that page.
import { ActionForm } from "~/components/form/action-form";
import { Button } from "~/components/ui/button";
import { useActionForm } from "~/hooks/use-action-form";

type Props = {
  action: string;
  intent: string;
  label: string;
  /** The thing it is about, for those who hear the button alone. */
  of: string;
  /** Posted with it. */
  fields?: Record<string, string>;
};

export function CardForm({ action, intent, label, of, fields = {} }: Props) {
  const form = useActionForm({ intent, action, about: fields });
  return (
    <ActionForm form={form}>
      <Button type="submit" isLoading={form.isBusy} aria-label={`${label}: ${of}`}>
        {label}
      </Button>
    </ActionForm>
  );
}
