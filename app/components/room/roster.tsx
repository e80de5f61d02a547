// The people of a session: avatars with online ring, ready check, creator's key, the turn holder's glow, and how many
// places are free (U-39, U-41, U-43, R-74). On a wide window they are a row of faces.
import clsx from "clsx";
import { useState } from "react";
import { Icon } from "~/components/pictures/icon";
import { Avatar } from "~/components/ui/avatar";
import { Badge } from "~/components/ui/badge";
import { Button } from "~/components/ui/button";
import { TextLink } from "~/components/ui/text-link";
import { SEAT_ROLE } from "~/domain/roles";
import { canBeNamed, isAlias } from "~/domain/room/aliases";
import { isGuestName, nameOfSeat } from "~/domain/room/guest-names";
import { SESSION_STATUS, type SessionStatus } from "~/domain/sessions/status";
import type { ShownSession } from "~/domain/sessions/view";
import { useRemovals } from "~/hooks/sessions/removals";
import { useShell } from "~/hooks/use-shell";
import type { LiveRoom } from "~/wire/room/live-room";
import { useLive, useWholeRoster } from "./live-context";
import { ParticipantMenu } from "./participant-menu";
import { CheckMark } from "./ready";

type LivePerson = LiveRoom["participants"][number];

/** The button “Show all” shows the others. */
const SHOWN_AT_FIRST = 24;
/** On a wide window, so that two rows of faces leave enough height for the chat. */
const FACES_AT_FIRST = 10;

/** How many places are free; null without a limit. Pure. */
export const freePlacesText = (taken: number, limit: number | null): string | null => {
  if (limit === null || limit === 0) return null;
  const freeCount = Math.max(0, limit - taken);
  return freeCount === 0
    ? "No place is free."
    : freeCount === 1
      ? "1 place is free."
      : `${freeCount} places are free.`;
};

export type RosterProps = {
  session: Pick<ShownSession, "id" | "slug" | "path" | "participantLimit" | "ownerUsername">;
  me: string | null;
  status: SessionStatus;
  /** The turn holder. */
  turn: string | null;
  canRun: boolean;
  canHost: boolean;
};

export function Roster({ session, me, status, turn, canRun, canHost }: RosterProps) {
  const room = useLive("room");
  const online = useLive("online");
  const { viewer, home } = useShell();
  const [isWhole, setWhole] = useState(false);
  useWholeRoster(isWhole);
  const isRemoved = useRemovals(session.id);
  const participants = room.participants.filter(({ username }) => !isRemoved(username));
  const presentNames = new Set(online);
  const hands = participants.flatMap(({ hand }) => hand ?? []);
  const inCall = useLive("inCall");
  const mutedNames = new Set(room.mutes.map(({ username }) => username));
  const shownPeople = isWhole ? participants : participants.slice(0, SHOWN_AT_FIRST);
  // An aim is a line of text and needs the width of a row.
  const showsFaces = status === SESSION_STATUS.running && participants.every(({ aim }) => !aim);
  // Of a large roster only some people are known, and who is here only of them.
  const isKnown = room.participants.length >= room.count;
  const freePlaces = freePlacesText(room.count, session.participantLimit);
  if (participants.length === 0) return <p className="text-soft">No one has joined this session yet.</p>;
  return (
    <>
      <ul className={clsx("roster", showsFaces && "is-faces", !isWhole && "is-short")}>
        {shownPeople.map((person) => (
          <Participant
            key={person.username}
            person={person}
            isMe={person.username === me}
            hasMenu={viewer !== null || (home !== "/" && Boolean(person.aim))}
            isOnline={presentNames.has(person.username)}
            isBuilder={person.username === session.ownerUsername}
            hasTurn={person.username === turn}
            status={status}
            session={session}
            canRun={canRun}
            canHost={canHost}
            isMuted={mutedNames.has(person.username)}
            isInCall={inCall.includes(person.username)}
            hand={hands.filter((hand) => person.hand && hand <= person.hand).length}
          />
        ))}
      </ul>
      {!isWhole && room.count > (showsFaces ? FACES_AT_FIRST : SHOWN_AT_FIRST) && (
        <Button
          className={clsx("needs-script self-start", room.count <= SHOWN_AT_FIRST && "max-lg:hidden")}
          onClick={() => setWhole(true)}
        >
          Show all {room.count}
        </Button>
      )}
      {status !== SESSION_STATUS.ended && (
        <p className="flex flex-wrap items-center gap-x-4 text-sm text-soft">
          {isKnown && `${presentNames.size} here, ${room.count - presentNames.size} away. `}
          {freePlaces}
          {canRun && (
            <TextLink to={`${session.path}/people`} preventScrollReset>
              Mute, remove, let back in
            </TextLink>
          )}
        </p>
      )}
    </>
  );
}

type ParticipantProps = {
  person: LivePerson;
  isMe: boolean;
  /** A guest has the menu only to report an aim. */
  hasMenu: boolean;
  isOnline: boolean;
  isBuilder: boolean;
  hasTurn: boolean;
  status: SessionStatus;
  session: RosterProps["session"];
  canRun: boolean;
  canHost: boolean;
  /** The person is muted, as far as the viewer may know. */
  isMuted: boolean;
  isInCall: boolean;
  /** The position in the line of hands, from 1; 0: the hand is down. */
  hand: number;
};

function Participant(props: ParticipantProps) {
  const { person, isMe, hasMenu, isOnline, isBuilder, hasTurn, status, session } = props;
  const { canRun, canHost, isMuted, isInCall, hand } = props;
  const hasKey = isBuilder || person.isHost;
  const mayManage = canHost && status !== SESSION_STATUS.ended && !person.isHost;
  const mayMute = status !== SESSION_STATUS.ended && (canHost || (canRun && !person.isHost));
  const isHidden = isAlias(person.username);
  return (
    <li className={clsx("roster-row", hasTurn && "bg-ember-wash font-semibold")}>
      <Avatar name={person.username} size={36} isOnline={isOnline} isTheirTurn={hasTurn} />
      <span className="roster-name">
        {isHidden || isGuestName(person.username) ? (
          <span className="seat-name">{nameOfSeat(person)}</span>
        ) : (
          <TextLink to={`/${person.username}`} className="truncate no-underline hover:underline">
            {person.username}
          </TextLink>
        )}
        {hasKey && (
          <span title={isBuilder ? "Session builder" : "Host"} className="inline-flex text-ember">
            <Icon name="key" className="size-4" />
            <span className="sr-only">{isBuilder ? "Session builder" : "Host"}</span>
          </span>
        )}
        {isBuilder && !person.isHost && <span className="sr-only">not the host any more</span>}
        {person.role === SEAT_ROLE.admin && !person.isHost && <Badge>Admin</Badge>}
        {isMe && <span className="text-sm text-soft">you</span>}
        {hasTurn && <span className="sr-only">has the turn</span>}
        {isOnline && <span className="sr-only">here now</span>}
        {person.completedAt !== null && <Badge tone="pine">Done</Badge>}
        {isMuted && <Badge>Muted</Badge>}
        {isInCall && (
          <span role="img" aria-label="in the call" className="inline-flex text-soft">
            <Icon name="camera" className="size-4" />
          </span>
        )}
        {hand > 0 && (
          <Badge>
            <span role="img" aria-label="Hand up, in line:">
              ✋
            </span>
            {hand}
          </Badge>
        )}
        {person.aim && <span className="w-full text-sm text-soft wrap-anywhere">{person.aim}</span>}
      </span>
      {status === SESSION_STATUS.waiting && <ReadyMark isReady={person.isReady} />}
      {hasMenu && !isMe && (((mayManage || mayMute) && canBeNamed(person)) || !isHidden) && (
        <ParticipantMenu
          person={person}
          session={session}
          mayMute={mayMute}
          mayManage={mayManage}
          isMuted={isMuted}
        />
      )}
    </li>
  );
}

const ReadyMark = ({ isReady }: { isReady: boolean }) => (
  <span className={clsx("grid size-11 place-content-center", isReady ? "text-pine" : "text-edge")}>
    <CheckMark isFilled={isReady} />
    <span className="sr-only">{isReady ? "ready" : "not ready yet"}</span>
  </span>
);
