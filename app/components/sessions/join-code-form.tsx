// The form of a button that may need the join code: a field without JavaScript, else a modal (S-03).
import { type ReactNode, useState } from "react";
import { flushSync } from "react-dom";
import { ActionForm } from "~/components/form/action-form";
import { Field } from "~/components/ui/field";
import { TextInput } from "~/components/ui/inputs";
import { useActionForm } from "~/hooks/form/use-action-form";
import { openModal } from "~/hooks/modal-store";
import type { ActResult } from "~/wire/act";

type Props = {
  intent: string;
  action: string;
  hiddenFields?: Record<string, string | number>;
  needsCode: boolean;
  /** The code in the page's address. */
  linkCode: string;
  posted: ActResult | undefined;
  children: (isBusy: boolean) => ReactNode;
};

export function JoinCodeForm({
  intent,
  action,
  hiddenFields = {},
  needsCode,
  linkCode,
  posted,
  children,
}: Props) {
  const [typedCode, setTypedCode] = useState<string | null>(null);
  const code = typedCode ?? linkCode;
  const submitCode = (givenCode: string) => {
    // The form submits the field as it is in the document.
    flushSync(() => setTypedCode(givenCode));
    form.element.current?.requestSubmit();
  };
  const form = useActionForm({
    intent,
    action,
    hiddenFields,
    posted,
    handleHere: () => {
      const needsModal = needsCode && code === "";
      if (needsModal) openModal({ name: "join-code", onCode: submitCode });
      return needsModal;
    },
    // A form that was sent before hydration has no code, so its refusal opens the modal too.
    onRefused: (refusal) => {
      if (refusal.code !== "WRONG_CODE") return false;
      const tried = code === "" ? {} : { message: refusal.message, tried: code };
      openModal({ name: "join-code", ...tried, onCode: submitCode });
      return true;
    },
  });
  const refusal = posted && !posted.ok && posted.intent === intent ? posted : null;
  return (
    <ActionForm
      form={form}
      className="flex flex-col gap-x-4 gap-y-3 sm:flex-row sm:flex-wrap sm:items-center"
    >
      {/* Present as soon as the code is known, because somebody may press while the page still loads. */}
      {code !== "" && <input type="hidden" name="joinCode" value={code} />}
      {needsCode && (
        <noscript>
          <Field label="Join Code" isRequired error={refusal?.code === "WRONG_CODE" ? refusal.message : null}>
            <TextInput
              name="joinCode"
              autoComplete="off"
              autoCapitalize="none"
              defaultValue={String(refusal?.form.initialValue?.joinCode ?? "")}
            />
          </Field>
        </noscript>
      )}
      {children(form.isBusy)}
    </ActionForm>
  );
}
