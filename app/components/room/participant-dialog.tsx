// Asks the host before a participant becomes the host or is removed.
import { Button } from "~/components/ui/button";
import { Dialog } from "~/components/ui/dialog";
import { type NamedPerson, nameOfSeat } from "~/domain/room/guest-names";
import { RemovalForm } from "./removal-form";

export type ConfirmableAct = "hand-over" | "remove";

type Props = {
  confirming: ConfirmableAct;
  session: { id: number };
  person: NamedPerson & { handle?: string | null };
  isMuted: boolean;
  onHandOver: () => void;
  onClose: () => void;
};

export const ParticipantDialog = ({ confirming, session, person, isMuted, onHandOver, onClose }: Props) =>
  confirming === "remove" ? (
    <Dialog
      isOpen
      role="alertdialog"
      width="sm"
      title={`Remove ${nameOfSeat(person)}?`}
      description="Their spot becomes free. Before the start, their token is refunded."
      onClose={onClose}
    >
      <RemovalForm sessionId={session.id} person={person} isMuted={isMuted} onDone={onClose} />
    </Dialog>
  ) : (
    <Dialog
      isOpen
      role="alertdialog"
      width="sm"
      title={`Hand over to ${nameOfSeat(person)}?`}
      description="They become the host: they start, control and end this session. Free joining ends. You stay in it."
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            onClick={() => {
              onClose();
              onHandOver();
            }}
          >
            Hand over
          </Button>
        </>
      }
    />
  );
