// The dialog in which users confirm that it is them. A refused action opens it, and runs after the check.
import { useFetcher } from "@remix-run/react";
import { useEffect } from "react";
import { Dialog } from "~/components/ui/dialog";
import { closeModal, type Modal } from "~/hooks/modal-store";
import { useShell } from "~/hooks/use-shell";
import { CheckForm, CONFIRM_PATH, CONFIRM_TITLE } from "./check-form";

type CheckMethods = { hasTwoStep: boolean; hasPasskey: boolean };

export function ConfirmModal({ modal }: { modal: Extract<Modal, { name: "confirm" }> }) {
  const { viewer } = useShell();
  // The password field shows at once; other ways to pass the check appear when the server has named them.
  const { data, load } = useFetcher<CheckMethods>();
  useEffect(() => load(CONFIRM_PATH), [load]);
  return (
    <Dialog
      title={CONFIRM_TITLE}
      description="It has been a while since you signed in, and this is worth protecting."
      width="sm"
      onClose={closeModal}
    >
      <CheckForm
        email={viewer?.email ?? ""}
        hasTwoStep={data?.hasTwoStep ?? false}
        hasPasskey={data?.hasPasskey ?? false}
        next="/"
        onDone={() => {
          closeModal();
          modal.onDone();
        }}
      />
    </Dialog>
  );
}
