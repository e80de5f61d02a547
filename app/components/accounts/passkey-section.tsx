// Passkeys on the security page: the list, a name for each, and a new one.
import { useState } from "react";
import { ActionForm, FormErrors, SubmitRow } from "~/components/form/action-form";
import { TextRow } from "~/components/form/rows";
import { Button } from "~/components/ui/button";
import { Warning } from "~/components/ui/notice";
import { Time } from "~/components/ui/time";
import { passkeyRules } from "~/domain/accounts/rules";
import { MAX_PASSKEYS, PASSKEYS_NEED_A_NAME } from "~/domain/accounts/sign-in";
import { problemsOf } from "~/domain/field-rules";
import { usePasskey, useSupportsPasskeys } from "~/hooks/accounts/use-passkey";
import { useActionForm } from "~/hooks/form/use-action-form";
import * as paths from "~/wire/paths";

type ListedPasskey = { id: string; name: string; createdAt: number; lastUsedAt: number | null };

export function PasskeySection({
  passkeys,
  hasHostName,
}: {
  passkeys: readonly ListedPasskey[];
  hasHostName: boolean;
}) {
  return (
    <>
      {passkeys.length > 0 && (
        <ul aria-label="Passkeys" className="flex flex-col">
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} />
          ))}
        </ul>
      )}
      {!hasHostName ? (
        <Warning title={PASSKEYS_NEED_A_NAME} />
      ) : (
        passkeys.length < MAX_PASSKEYS && <NewPasskeyForm />
      )}
    </>
  );
}

function PasskeyRow({ passkey: { id, name, createdAt, lastUsedAt } }: { passkey: ListedPasskey }) {
  const renameForm = useActionForm({
    intent: "passkey.rename",
    hiddenFields: { passkey: id },
    rules: passkeyRules,
  });
  const removeForm = useActionForm({ intent: "passkey.remove", hiddenFields: { passkey: id } });
  return (
    <li className="flex flex-col gap-2 border-b border-line py-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <div className="min-w-0">
          <p className="wrap-anywhere font-semibold">{name}</p>
          <p className="text-sm text-soft">
            Added <Time at={createdAt} look="date" />
            {lastUsedAt !== null && (
              <>
                {" "}
                · used <Time at={lastUsedAt} show="relative" />
              </>
            )}
          </p>
        </div>
        <ActionForm form={removeForm}>
          <Button type="submit" isLoading={removeForm.isBusy} aria-label={`Remove ${name}`}>
            Remove
          </Button>
        </ActionForm>
      </div>
      <FormErrors form={removeForm} />
      <details open={renameForm.isFailed}>
        <summary className="min-h-11 cursor-pointer py-2 text-sm text-soft">Rename</summary>
        <ActionForm form={renameForm} className="flex flex-col gap-3 pb-2">
          <TextRow {...renameForm.field("name", name)} label="Name" maxLength={60} isRequired />
          <SubmitRow form={renameForm}>Save name</SubmitRow>
        </ActionForm>
      </details>
    </li>
  );
}

function NewPasskeyForm() {
  const canCreate = useSupportsPasskeys();
  const [name, setName] = useState("");
  const [problems, setProblems] = useState<string[]>([]);
  const { run, isBusy } = usePasskey(
    { kind: "create", optionsCall: paths.readNewPasskey, answerCall: paths.addPasskey },
    { success: "Your passkey was added.", onDone: () => setName("") },
  );
  if (!canCreate) return <p className="text-soft">This browser cannot make a passkey here.</p>;
  return (
    <form
      noValidate
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        const sentences = problemsOf(passkeyRules, { name })?.name ?? [];
        setProblems(sentences);
        if (sentences.length === 0) void run({ name });
      }}
    >
      <TextRow
        name="name"
        label="Name of the new passkey"
        hint="Such as the device that keeps it."
        value={name}
        onChange={(event) => setName(event.target.value)}
        error={problems}
        maxLength={60}
        isRequired
      />
      <Button type="submit" isLoading={isBusy} className="self-start">
        Add a passkey
      </Button>
    </form>
  );
}
