// Asks before a log is discarded; its code loads with the first question.
import { Button } from "~/components/ui/button";
import { Dialog } from "~/components/ui/dialog";

type Props = { isBusy: boolean; onClose: () => void; onSure: () => void };

export default function DiscardDialog({ isBusy, onClose, onSure }: Props) {
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
          <Button variant="danger" isLoading={isBusy} onClick={onSure}>
            Discard
          </Button>
        </>
      }
    />
  );
}
