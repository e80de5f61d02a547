// The dialog that asks, before a second clock starts, whether the first keeps running.
import { Button } from "~/components/ui/button";
import { Dialog } from "~/components/ui/dialog";
import { LOG_STATUS } from "~/domain/goals/log-state";
import { closeModal, type Modal } from "~/hooks/modal-store";
import { useCall } from "~/hooks/use-call";
import * as paths from "~/wire/paths";

export function SecondClockModal({ modal }: { modal: Extract<Modal, { name: "second-clock" }> }) {
  const { running, onGoOn } = modal;
  const startSecond = () => {
    closeModal();
    onGoOn();
  };
  const { run, isBusy } = useCall({ onDone: startSecond, retries: true });
  const pause = () =>
    void run(paths.stopLog, { params: { log: running.id }, body: { status: LOG_STATUS.paused } });
  return (
    <Dialog
      title={`${running.title || "Another clock"} is running`}
      role="alertdialog"
      width="sm"
      description="Does it go on while you start this one?"
      onClose={closeModal}
      footer={
        <>
          <Button onClick={startSecond}>Let both run</Button>
          <Button variant="primary" isLoading={isBusy} onClick={pause}>
            Pause it and start
          </Button>
        </>
      }
    />
  );
}
