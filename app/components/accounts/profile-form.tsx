// Name and email; the username stands there and cannot be changed (U-12).
import { useId } from "react";
import { Button } from "~/components/ui/button";
import { Field } from "~/components/ui/field";
import { TextInput } from "~/components/ui/inputs";
import { profileRules } from "~/domain/account-rules";
import { FormProblems, TextRow } from "./account-fields";
import { useActForm } from "./use-act-form";

type ProfileFormProps = { accountName: string; email: string; firstName: string; lastName: string };

export function ProfileForm({ accountName, email, firstName, lastName }: ProfileFormProps) {
  const id = useId();
  const { fields, formProps, Form, isBusy, problems } = useActForm({
    rules: profileRules,
    intent: "profile",
    defaultValue: { email, firstName, lastName },
  });
  return (
    <Form {...formProps} className="flex flex-col gap-4">
      <input type="hidden" name="intent" value="profile" />
      <Field label="Username" hint="This is how everybody knows you. It stays." id={id}>
        <TextInput value={accountName} disabled readOnly autoComplete="off" />
      </Field>
      <TextRow field={fields.email} label="Email" type="email" autoComplete="email" isRequired />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextRow field={fields.firstName} label="First name" autoComplete="given-name" />
        <TextRow field={fields.lastName} label="Last name" autoComplete="family-name" />
      </div>
      <FormProblems problems={problems} />
      <Button type="submit" variant="primary" isLoading={isBusy} className="self-start">
        Save profile
      </Button>
    </Form>
  );
}
