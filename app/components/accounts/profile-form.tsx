// Name and email; the username cannot be changed (U-12).
import { useId } from "react";
import { ActionForm, FormErrors } from "~/components/form/action-form";
import { TextRow } from "~/components/form/rows";
import { Button } from "~/components/ui/button";
import { Field } from "~/components/ui/field";
import { TextInput } from "~/components/ui/inputs";
import { problemsOf, profileRules } from "~/domain/account-rules";
import { useActionForm } from "~/hooks/use-action-form";

type ProfileFormProps = { accountName: string; email: string; firstName: string; lastName: string };

export function ProfileForm({ accountName, email, firstName, lastName }: ProfileFormProps) {
  const id = useId();
  const form = useActionForm({ intent: "profile", check: (typed) => problemsOf(profileRules, typed) });
  return (
    <ActionForm form={form} className="flex flex-col gap-4">
      <Field label="Username" hint="This is how everybody knows you. It stays." id={id}>
        <TextInput value={accountName} disabled readOnly autoComplete="off" />
      </Field>
      <TextRow {...form.field("email", email)} label="Email" type="email" autoComplete="email" isRequired />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextRow {...form.field("firstName", firstName)} label="First name" autoComplete="given-name" />
        <TextRow {...form.field("lastName", lastName)} label="Last name" autoComplete="family-name" />
      </div>
      <FormErrors form={form} />
      <Button type="submit" variant="primary" isLoading={form.isBusy} className="self-start">
        Save profile
      </Button>
    </ActionForm>
  );
}
