// Asks the host before a participant becomes the host or is removed.
import { type FormEvent, useState } from "react";
import { Button } from "~/components/ui/button";
import { Dialog } from "~/components/ui/dialog";
import { Field } from "~/components/ui/field";
import { TextInput } from "~/components/ui/inputs";
import { nameForActs } from "~/domain/room/aliases";
import { REASON_LENGTH } from "~/domain/safety/sanctions";
import { useCall } from "~/hooks/use-call";
import * as paths from "~/wire/paths";

export type Confirming = "hand-over" | "remove";

type Props = {
  confirming: Confirming;
  session: { id: number };
  person: { username: string; handle?: string | null };
  onHandOver: () => void;
  onClose: () => void;
};

export const ParticipantDialog = ({ confirming, session, person, onHandOver, onClose }: Props) =>
  confirming === "remove" ? (
    <RemoveDialog
      username={person.username}
      params={{ event: session.id, username: nameForActs(person) }}
      onClose={onClose}
    />
  ) : (
    <Dialog
      isOpen
      role="alertdialog"
      width="sm"
      title={`Hand over to ${person.username}?`}
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

function RemoveDialog({
  username,
  params,
  onClose,
}: {
  username: string;
  params: { event: number; username: string };
  onClose: () => void;
}) {
  const [reason, setReason] = useState("");
  const remove = useCall({ success: `${username} has been removed.` });
  const run = (body?: object) => {
    onClose();
    void remove.run(paths.removeParticipant, { params, ...(body ? { body } : {}) });
  };
  const keepOut = (event?: FormEvent) => {
    event?.preventDefault();
    run({ keep_out: 1, reason });
  };
  return (
    <Dialog
      isOpen
      role="alertdialog"
      width="sm"
      title={`Remove ${username}?`}
      description="Their spot becomes free. Before the start, their token is refunded."
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button onClick={() => run()}>Remove</Button>
          <Button variant="danger" onClick={() => keepOut()}>
            Remove and keep out
          </Button>
        </>
      }
    >
      <form onSubmit={keepOut}>
        <Field label="Reason for keeping out" hint="They read it when they try to join again.">
          <TextInput
            value={reason}
            maxLength={REASON_LENGTH}
            autoComplete="off"
            onChange={(event) => setReason(event.target.value)}
          />
        </Field>
      </form>
    </Dialog>
  );
}
