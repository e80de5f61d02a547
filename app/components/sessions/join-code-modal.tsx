// The dialog that asks for the code of a session, then retries the join (U-09, S-03).
import { useRef, useState } from "react";
import { Button } from "~/components/ui/button";
import { Dialog } from "~/components/ui/dialog";
import { Field } from "~/components/ui/field";
import { TextInput } from "~/components/ui/inputs";
import { closeModal, type Modal } from "~/hooks/modal-store";
import { useBrowserLayoutEffect } from "~/hooks/use-browser-layout-effect";

export function JoinCodeModal({ modal }: { modal: Extract<Modal, { name: "join-code" }> }) {
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState(modal.message ?? null);
  // A layout effect, because a later one could run after a submit and hide the error of an empty field.
  useBrowserLayoutEffect(() => {
    setProblem(modal.message ?? null);
    input.current?.focus();
    input.current?.select();
  }, [modal]);
  return (
    <Dialog title="Enter the code to join the session" width="sm" onClose={closeModal}>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          const code = input.current?.value.trim() ?? "";
          if (code === "") {
            setProblem("Please enter the code the host gave you.");
            input.current?.focus();
            return;
          }
          closeModal();
          modal.onCode(code);
        }}
      >
        <Field label="Join Code" error={problem} isRequired>
          <TextInput
            ref={input}
            name="join_code"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={100}
            defaultValue={modal.tried}
            onChange={() => setProblem(null)}
          />
        </Field>
        <Button type="submit" variant="primary">
          Continue
        </Button>
      </form>
    </Dialog>
  );
}
