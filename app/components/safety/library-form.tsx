// The button that creates the missing parts of the installation's library (H-05).
import { ActionForm, FormErrors } from "~/components/form/action-form";
import { Button } from "~/components/ui/button";
import { TextLink } from "~/components/ui/text-link";
import { useActionForm } from "~/hooks/form/use-action-form";

export function LibraryForm() {
  const form = useActionForm({ intent: "install-library" });
  return (
    <ActionForm form={form} className="flex flex-col items-start gap-3">
      <p className="max-w-prose text-soft">
        <TextLink to="/challenges/templates">Templates</TextLink>, the session of the welcome tour and a{" "}
        <TextLink to="/books">book</TextLink>. Whatever somebody has deleted stays deleted, and an edited
        thing keeps its edit.
      </p>
      <FormErrors form={form} />
      <Button type="submit" isLoading={form.isBusy}>
        Install what is missing
      </Button>
    </ActionForm>
  );
}
