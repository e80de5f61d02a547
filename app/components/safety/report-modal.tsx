// The dialog of a report; its page is /account/report.
import { Dialog } from "~/components/ui/dialog";
import { KIND_NAMES } from "~/domain/safety/reports";
import { closeModal, type Modal } from "~/hooks/modal-store";
import { ReportForm } from "./report-form";

export function ReportModal({ modal }: { modal: Extract<Modal, { name: "report" }> }) {
  const { target, author } = modal;
  return (
    <Dialog
      title={target.kind === "person" ? `Report ${author}` : `Report this ${KIND_NAMES[target.kind]}`}
      onClose={closeModal}
    >
      <ReportForm target={target} onDone={closeModal} />
    </Dialog>
  );
}
