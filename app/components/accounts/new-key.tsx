// The form of a new personal key, and the key itself, shown once (O-01, O-02).
import { ActionForm, SubmitRow } from "~/components/form/action-form";
import { SelectRow, TextRow } from "~/components/form/rows";
import { Checkbox } from "~/components/ui/choices";
import { CopyButton } from "~/components/ui/copy-button";
import { FieldGroup } from "~/components/ui/field";
import { Notice } from "~/components/ui/notice";
import { KEY_DAYS, KEY_SCOPES, keyRules, MAX_KEY_NAME_CHARS, SCOPE_LABELS } from "~/domain/accounts/api-keys";
import { useActionForm } from "~/hooks/form/use-action-form";
import { toast } from "~/hooks/toasts";

const LIFETIMES = KEY_DAYS.map((days) => ({ value: String(days), label: `${days} days` }));

export function NewKeyForm({ onCreated }: { onCreated: (key: string) => void }) {
  const form = useActionForm({
    intent: "key.create",
    rules: keyRules,
    clearsWhenDone: true,
    onSuccess: (result, sentence) => {
      onCreated((result as { key: string }).key);
      if (sentence) toast.success(sentence);
    },
  });
  const chosenScopes = form.checkedValues("scopes", ["read"]);
  return (
    <ActionForm form={form} className="flex flex-col gap-4">
      <TextRow
        {...form.field("name")}
        label="Name"
        hint="For example, the program that uses it."
        maxLength={MAX_KEY_NAME_CHARS}
        isRequired
      />
      <FieldGroup legend="The key may" error={form.errorsOf("scopes")}>
        {KEY_SCOPES.map((scope) => (
          <Checkbox
            key={scope}
            name="scopes"
            value={scope}
            {...SCOPE_LABELS[scope]}
            defaultChecked={chosenScopes.includes(scope)}
          />
        ))}
      </FieldGroup>
      <SelectRow {...form.field("days", "90")} label="Valid for" options={LIFETIMES} />
      <SubmitRow form={form} variant="primary">
        Create key
      </SubmitRow>
    </ActionForm>
  );
}

export const CreatedKey = ({ secret }: { secret: string }) => (
  <Notice tone="warning" title="Copy this key now." isLive>
    <p>You will not see it again. Do not share it: a program that has it acts in your name.</p>
    <p className="my-3">
      <code className="wrap-anywhere rounded-md bg-sunken px-2 py-1 text-sm">{secret}</code>
    </p>
    <CopyButton text={secret} label="Copy key" />
  </Notice>
);
