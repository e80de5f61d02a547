// The menu of a participant: blocking, muting by host and admins, and what the host does: make admin or not,
// hand over, remove, keep out. Without JavaScript the page of the session's people does the latter.
import { type FormEvent, useState } from "react";
import { Icon } from "~/components/pictures/icon";
import { BlockItem } from "~/components/safety/block-item";
import { ReportItem } from "~/components/safety/report-link";
import { Button } from "~/components/ui/button";
import { Dialog } from "~/components/ui/dialog";
import { DropdownMenu, MenuButton } from "~/components/ui/dropdown-menu";
import { Field } from "~/components/ui/field";
import { TextInput } from "~/components/ui/inputs";
import { placeOfAlias } from "~/domain/blocks";
import { REASON_LENGTH } from "~/domain/sanctions";
import { useCall } from "~/hooks/use-call";
import { paths } from "~/wire/paths";
import type { LiveRoom } from "~/wire/room";

type Props = {
  person: LiveRoom["participants"][number];
  session: { id: number };
  mayMute: boolean;
  mayManage: boolean;
  isMuted: boolean;
};
type Confirming = "hand-over" | "remove" | null;

const MUTES = [
  { mute: 300, label: "Mute for 5 minutes" },
  { mute: 1800, label: "Mute for 30 minutes" },
  { mute: 1, label: "Mute for this session" },
] as const;

export function ParticipantMenu({ person, session, mayMute, mayManage, isMuted }: Props) {
  const [confirming, setConfirming] = useState<Confirming>(null);
  const change = useCall();
  const params = { event: session.id, username: person.username };
  const isAdmin = person.role === 1;
  const tell = (body: object) => void change.run(paths.changeParticipant, { params, body });
  const close = () => setConfirming(null);
  return (
    <>
      <DropdownMenu
        label={`More for ${person.username}`}
        trigger={<Icon name="more" />}
        triggerClassName="grid size-11 cursor-pointer place-content-center rounded-md text-soft hover:bg-sunken"
      >
        {placeOfAlias(person.username) === null && (
          <>
            <BlockItem username={person.username} />
            <ReportItem target={{ kind: "person", id: person.username }} author={person.username} />
          </>
        )}
        {mayMute && (
          <div className="needs-script">
            {isMuted ? (
              <MenuButton onClick={() => tell({ mute: 0 })}>
                <Icon name="message" />
                Lift the mute
              </MenuButton>
            ) : (
              MUTES.map(({ mute, label }) => (
                <MenuButton key={mute} onClick={() => tell({ mute })}>
                  <Icon name="message" />
                  {label}
                </MenuButton>
              ))
            )}
          </div>
        )}
        {mayManage && (
          <div className="needs-script">
            <MenuButton onClick={() => tell({ role: isAdmin ? 0 : 1 })}>
              <Icon name="person" />
              {isAdmin ? "No longer an admin" : "Make an admin"}
            </MenuButton>
            <MenuButton onClick={() => setConfirming("hand-over")}>
              <Icon name="key" />
              Hand over to {person.username}
            </MenuButton>
            <MenuButton isDanger onClick={() => setConfirming("remove")}>
              <Icon name="close" />
              Remove from the session
            </MenuButton>
          </div>
        )}
      </DropdownMenu>
      <Dialog
        isOpen={confirming === "hand-over"}
        role="alertdialog"
        width="sm"
        title={`Hand over to ${person.username}?`}
        description="They become the host: they start, control and end this session. Free joining ends. You stay in it."
        onClose={close}
        footer={
          <>
            <Button onClick={close}>Cancel</Button>
            <Button
              variant="primary"
              onClick={() => {
                close();
                tell({ host: 1 });
              }}
            >
              Hand over
            </Button>
          </>
        }
      />
      {confirming === "remove" && <RemoveDialog username={person.username} params={params} onClose={close} />}
    </>
  );
}

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
