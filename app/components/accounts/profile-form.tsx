// The profile form: names and email beside the username, which cannot be changed (U-12). A new email requires the
// password.
import { useId } from "react";
import { ActionForm, SubmitRow } from "~/components/form/action-form";
import { PasswordRow } from "~/components/form/password-row";
import { TextRow } from "~/components/form/rows";
import { Field } from "~/components/ui/field";
import { TextInput } from "~/components/ui/inputs";
import { profileRules } from "~/domain/accounts/rules";
import { useActionForm } from "~/hooks/form/use-action-form";
import { useFieldValue } from "~/hooks/form/use-field-value";

type ProfileFormProps = { accountName: string; email: string; firstName: string; lastName: string };

export function ProfileForm({ accountName, email, firstName, lastName }: ProfileFormProps) {
  const id = useId();
  const form = useActionForm({ intent: "profile", rules: profileRules });
  const address = form.field("email", email);
  const typedAddress = useFieldValue(address.defaultValue);
  const password = form.field("currentPassword");
  // Without JavaScript the field appears after the first submit, whose answer keeps the typed address.
  const isNewAddress = typedAddress.value.trim().toLowerCase() !== email.toLowerCase();
  const asksPassword = isNewAddress || password.error.length > 0;
  return (
    <ActionForm form={form} className="flex flex-col gap-4">
      <Field label="Username" hint="This is how others know you. It cannot be changed." id={id}>
        <TextInput value={accountName} disabled readOnly autoComplete="off" />
      </Field>
      <TextRow
        {...address}
        label="Email"
        type="email"
        autoComplete="email"
        isRequired
        {...typedAddress.props}
      />
      {asksPassword && (
        <PasswordRow
          {...password}
          label="Current password"
          autoComplete="current-password"
          hint="A new address requires your password."
        />
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        <TextRow {...form.field("firstName", firstName)} label="First name" autoComplete="given-name" />
        <TextRow {...form.field("lastName", lastName)} label="Last name" autoComplete="family-name" />
      </div>
      <SubmitRow form={form} variant="primary">
        Save profile
      </SubmitRow>
    </ActionForm>
  );
}
