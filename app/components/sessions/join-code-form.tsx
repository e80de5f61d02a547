// The form of a button that may need the join code: a field without JavaScript, else a modal.
import { Form } from "@remix-run/react";
import type { ReactNode } from "react";
import { MadeFor } from "~/components/form/made-for";
import { Field } from "~/components/ui/field";
import { TextInput } from "~/components/ui/inputs";
import { Notice } from "~/components/ui/notice";
import { openModal } from "~/hooks/modal-store";
import type { ActResult } from "~/wire/act";

type Props = {
  intent: string;
  action: string;
  needsCode: boolean;
  /** The code in the page's address. */
  linkCode: string;
  failed: Extract<ActResult, { ok: false }> | null;
  onCode: (code: string) => void;
  children: ReactNode;
};

export function JoinCodeForm({ intent, action, needsCode, linkCode, failed, onCode, children }: Props) {
  return (
    <Form
      method="post"
      action={action}
      preventScrollReset
      className="flex flex-col gap-x-4 gap-y-3 sm:flex-row sm:flex-wrap sm:items-center"
      onSubmit={(event) => {
        event.preventDefault();
        const typed = String(new FormData(event.currentTarget).get("joinCode") ?? "").trim() || linkCode;
        if (needsCode && typed === "") openModal({ name: "join-code", onCode });
        else onCode(typed);
      }}
    >
      <input type="hidden" name="intent" value={intent} />
      <MadeFor />
      {needsCode && (
        <noscript>
          <Field label="Join Code" isRequired error={failed?.code === "WRONG_CODE" ? failed.message : null}>
            <TextInput
              name="joinCode"
              autoComplete="off"
              autoCapitalize="none"
              defaultValue={String(failed?.form.initialValue?.joinCode ?? "")}
            />
          </Field>
        </noscript>
      )}
      {failed && failed.code !== "WRONG_CODE" && <Notice tone="error">{failed.message}</Notice>}
      {children}
    </Form>
  );
}
