// The tools of host and admins in the menu of a participant.
import { Icon } from "~/components/pictures/icon";
import { MenuButton } from "~/components/ui/dropdown-menu";
import { SEAT_ROLE } from "~/domain/roles";
import { nameForActs } from "~/domain/room/aliases";
import { isGuestName, nameOfSeat } from "~/domain/room/guest-names";
import { useCall } from "~/hooks/use-call";
import * as paths from "~/wire/paths";
import { type ConfirmableAct, ParticipantDialog } from "./participant-dialog";
import type { ParticipantMenuProps } from "./participant-menu";

/** `mute` in seconds; 1 is the whole session. */
const MUTES = [
  { mute: 300, label: "Mute for 5 minutes" },
  { mute: 1800, label: "Mute for 30 minutes" },
  { mute: 1, label: "Mute for this session" },
] as const;

export function ParticipantTools({
  person,
  session,
  mayMute,
  mayManage,
  isMuted,
  onConfirm,
}: ParticipantMenuProps & { onConfirm: (act: ConfirmableAct) => void }) {
  const change = useChangeParticipant(session.id, nameForActs(person));
  const isAdmin = person.role === SEAT_ROLE.admin;
  const remove = useCall();
  return (
    <>
      {person.aim && mayMute && (
        <MenuButton
          onClick={() =>
            void remove.run(paths.removeAim, {
              params: { event: session.id, username: nameForActs(person) },
            })
          }
        >
          <Icon name="close" />
          Remove this line
        </MenuButton>
      )}
      {mayMute &&
        (isMuted ? (
          <MenuButton onClick={() => change({ mute: 0 })}>
            <Icon name="message" />
            Lift the mute
          </MenuButton>
        ) : (
          MUTES.map(({ mute, label }) => (
            <MenuButton key={mute} onClick={() => change({ mute })}>
              <Icon name="message" />
              {label}
            </MenuButton>
          ))
        ))}
      {mayManage && (
        <>
          {/* A guest has no right but the seat (H-26). */}
          {!isGuestName(person.username) && (
            <>
              <MenuButton onClick={() => change({ role: isAdmin ? SEAT_ROLE.participant : SEAT_ROLE.admin })}>
                <Icon name="person" />
                {isAdmin ? "No longer an admin" : "Make an admin"}
              </MenuButton>
              <MenuButton onClick={() => onConfirm("hand-over")}>
                <Icon name="key" />
                Hand over to {nameOfSeat(person)}
              </MenuButton>
            </>
          )}
          <MenuButton isDanger onClick={() => onConfirm("remove")}>
            <Icon name="close" />
            Remove {nameOfSeat(person)}
          </MenuButton>
        </>
      )}
    </>
  );
}

function useChangeParticipant(event: number, username: string): (body: object) => void {
  const call = useCall();
  return (body) => void call.run(paths.changeParticipant, { params: { event, username }, body });
}

type ConfirmProps = Pick<ParticipantMenuProps, "person" | "session" | "isMuted"> & {
  confirming: ConfirmableAct;
  onClose: () => void;
};

/** The dialog of a tool. It is outside the menu, which closes when an entry is pressed. */
export function ConfirmTool({ person, session, isMuted, confirming, onClose }: ConfirmProps) {
  const change = useChangeParticipant(session.id, nameForActs(person));
  return (
    <ParticipantDialog
      confirming={confirming}
      session={session}
      person={person}
      isMuted={isMuted}
      onHandOver={() => change({ host: 1 })}
      onClose={onClose}
    />
  );
}
