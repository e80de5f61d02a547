// The menu of a participant: blocking, muting by host and admins, and what the host does: make admin or not,
// hand over, remove, keep out. Without JavaScript the page of the session's people does the latter.
import { lazy, Suspense, useState } from "react";
import { Icon } from "~/components/pictures/icon";
import { BlockItem } from "~/components/safety/block-item";
import { ReportItem } from "~/components/safety/report-link";
import { DropdownMenu, MenuButton } from "~/components/ui/dropdown-menu";
import { SEAT_ROLE } from "~/domain/roles";
import { placeOfAlias } from "~/domain/safety/blocks";
import { useCall } from "~/hooks/use-call";
import * as paths from "~/wire/paths";
import type { LiveRoom } from "~/wire/room/room";
import type { Confirming } from "./participant-dialog";

const ParticipantDialog = lazy(async () => ({
  default: (await import("./participant-dialog")).ParticipantDialog,
}));

type Props = {
  person: LiveRoom["participants"][number];
  session: { id: number };
  mayMute: boolean;
  mayManage: boolean;
  isMuted: boolean;
};

const MUTES = [
  { mute: 300, label: "Mute for 5 minutes" },
  { mute: 1800, label: "Mute for 30 minutes" },
  { mute: 1, label: "Mute for this session" },
] as const;

export function ParticipantMenu({ person, session, mayMute, mayManage, isMuted }: Props) {
  const [confirming, setConfirming] = useState<Confirming | null>(null);
  const change = useCall();
  const params = { event: session.id, username: person.username };
  const isAdmin = person.role === SEAT_ROLE.admin;
  const tell = (body: object) => void change.run(paths.changeParticipant, { params, body });
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
            <MenuButton onClick={() => tell({ role: isAdmin ? SEAT_ROLE.participant : SEAT_ROLE.admin })}>
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
      {confirming && (
        <Suspense>
          <ParticipantDialog
            confirming={confirming}
            session={session}
            username={person.username}
            onHandOver={() => tell({ host: 1 })}
            onClose={() => setConfirming(null)}
          />
        </Suspense>
      )}
    </>
  );
}
