// The menu of a participant: blocking and reporting for everybody, and the tools of host and admins. Without
// JavaScript the page of the session's people has those tools.
import { lazy, Suspense, useState } from "react";
import { Icon } from "~/components/pictures/icon";
import { BlockItem } from "~/components/safety/block-item";
import { ReportMenuLink } from "~/components/safety/report-link";
import { DropdownMenu } from "~/components/ui/dropdown-menu";
import { isAlias } from "~/domain/room/aliases";
import { nameOfSeat } from "~/domain/room/guest-names";
import { useHydrated } from "~/hooks/use-hydrated";
import { useShell } from "~/hooks/use-shell";
import type { LiveRoom } from "~/wire/room/live-room";
import type { ConfirmableAct } from "./participant-dialog";

const loadTools = () => import("./tools");
const ParticipantTools = lazy(async () => ({ default: (await loadTools()).ParticipantTools }));
const ConfirmTool = lazy(async () => ({ default: (await loadTools()).ConfirmTool }));

export type ParticipantMenuProps = {
  person: LiveRoom["participants"][number];
  session: { id: number };
  mayMute: boolean;
  mayManage: boolean;
  isMuted: boolean;
};

export function ParticipantMenu(props: ParticipantMenuProps) {
  const { person, session, mayMute, mayManage } = props;
  const { viewer } = useShell();
  const isHydrated = useHydrated();
  const [confirming, setConfirming] = useState<ConfirmableAct | null>(null);
  return (
    <>
      <DropdownMenu
        label={`More for ${nameOfSeat(person)}`}
        trigger={<Icon name="more" />}
        triggerClassName="face-fold"
      >
        {viewer && !isAlias(person.username) && (
          <>
            <BlockItem username={person.username} name={nameOfSeat(person)} />
            <ReportMenuLink target={{ kind: "person", id: person.username }} author={nameOfSeat(person)} />
          </>
        )}
        {/* A guest reports an answer too, also without JavaScript (H-19). */}
        {person.aim && !isAlias(person.username) && (
          <ReportMenuLink
            target={{ kind: "aim", id: `${session.id}:${person.username}` }}
            author={nameOfSeat(person)}
            label="Report this line"
          />
        )}
        {isHydrated && (mayMute || mayManage) && (
          <Suspense>
            <ParticipantTools {...props} onConfirm={setConfirming} />
          </Suspense>
        )}
      </DropdownMenu>
      {confirming && (
        <Suspense>
          <ConfirmTool {...props} confirming={confirming} onClose={() => setConfirming(null)} />
        </Suspense>
      )}
    </>
  );
}
