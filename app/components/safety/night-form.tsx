// The button that runs the nightly jobs now.
import { ActionForm, FormErrors } from "~/components/form/action-form";
import { Button } from "~/components/ui/button";
import { useActionForm } from "~/hooks/form/use-action-form";

export function NightForm() {
  const form = useActionForm({ intent: "run-night" });
  return (
    <ActionForm form={form} className="flex flex-col items-start gap-3">
      <p className="max-w-prose text-soft">
        Every night at 03:17 UTC they tidy up, delete the accounts and images that are due, and plan the
        sessions of series. They may run at any time.
      </p>
      <FormErrors form={form} />
      <Button type="submit" isLoading={form.isBusy}>
        Run them now
      </Button>
    </ActionForm>
  );
}
