// The notice that an earlier draft of a form is stored in this browser, with buttons to restore or discard it.
import { Button } from "~/components/ui/button";
import { Notice } from "~/components/ui/notice";

type Props = { onRestore: () => void; onDiscard: () => void };

export const DraftNotice = ({ onRestore, onDiscard }: Props) => (
  <Notice
    title="You have an earlier draft."
    action={
      <span className="flex gap-2">
        <Button onClick={onRestore}>Restore</Button>
        <Button variant="ghost" onClick={onDiscard}>
          Discard
        </Button>
      </span>
    }
  />
);
