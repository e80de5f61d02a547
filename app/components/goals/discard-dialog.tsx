// The dialog that asks before a log is discarded. Its code loads when it first opens.
import { Button } from "~/components/ui/button";
import { Dialog } from "~/components/ui/dialog";

type Props = { isBusy: boolean; onClose: () => void; onConfirm: () => void };

export default function DiscardDialog({ isBusy, onClose, onConfirm }: Props) {
  return (
    <Dialog
      role="alertdialog"
      width="sm"
      title="Discard this log?"
      description="Its time does not count, and the log is gone."
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Keep it</Button>
          <Button variant="danger" isLoading={isBusy} onClick={onConfirm}>
            Discard
          </Button>
        </>
      }
    />
  );
}
