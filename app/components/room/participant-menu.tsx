// The menu of a participant: blocking, and the host's actions: make admin or not, hand over, remove.
import { useState } from "react";
import { Icon } from "~/components/pictures/icon";
import { BlockItem } from "~/components/safety/block-item";
import { ReportItem } from "~/components/safety/report-link";
import { Button } from "~/components/ui/button";
import { Dialog } from "~/components/ui/dialog";
import { DropdownMenu, MenuButton } from "~/components/ui/dropdown-menu";
import { placeOfAlias } from "~/domain/blocks";
import { useCall } from "~/hooks/use-call";
import { paths } from "~/wire/paths";
import type { LiveRoom } from "~/wire/room";

type Asked = "hand-over" | "remove" | null;

export function ParticipantMenu({
  person,
  session,
  mayManage,
}: {
  person: LiveRoom["participants"][number];
  session: { id: number };
  mayManage: boolean;
}) {
  const [asked, setAsked] = useState<Asked>(null);
  const change = useCall();
  const remove = useCall({ success: `${person.username} has been removed.` });
  const params = { event: session.id, username: person.username };
  const isAdmin = person.role === 1;
  const confirm = () => {
    setAsked(null);
    if (asked === "remove") void remove.run(paths.removeParticipant, { params });
    else void change.run(paths.changeParticipant, { params, body: { host: 1 } });
  };
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
        {mayManage && (
          <div className="needs-script">
            <MenuButton
              onClick={() =>
                void change.run(paths.changeParticipant, { params, body: { role: isAdmin ? 0 : 1 } })
              }
            >
              <Icon name="person" />
              {isAdmin ? "No longer an admin" : "Make an admin"}
            </MenuButton>
            <MenuButton onClick={() => setAsked("hand-over")}>
              <Icon name="key" />
              Hand over to {person.username}
            </MenuButton>
            <MenuButton isDanger onClick={() => setAsked("remove")}>
              <Icon name="close" />
              Remove from the session
            </MenuButton>
          </div>
        )}
      </DropdownMenu>
      <Dialog
        isOpen={asked !== null}
        role="alertdialog"
        width="sm"
        title={asked === "remove" ? `Remove ${person.username}?` : `Hand over to ${person.username}?`}
        description={
          asked === "remove"
            ? "Their spot becomes free. Before the start, their token is refunded."
            : "They become the host: they start, control and end this session. You stay in it."
        }
        onClose={() => setAsked(null)}
        footer={
          <>
            <Button onClick={() => setAsked(null)}>Cancel</Button>
            <Button variant={asked === "remove" ? "danger" : "primary"} onClick={confirm}>
              {asked === "remove" ? "Remove" : "Hand over"}
            </Button>
          </>
        }
      />
    </>
  );
}
