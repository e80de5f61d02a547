// The people of a session: avatars with online ring, ready check, creator's key, the turn holder's glow, and
// placeholders for free places (U-39, U-41 to U-43).
import { Form } from "@remix-run/react";
import clsx from "clsx";
import { useState } from "react";
import { MadeFor } from "~/components/form/made-for";
import { Icon } from "~/components/pictures/icon";
import { Avatar } from "~/components/ui/avatar";
import { Badge } from "~/components/ui/badge";
import { Button } from "~/components/ui/button";
import { TextLink } from "~/components/ui/text-link";
import { SEAT_ROLE } from "~/domain/roles";
import { placeOfAlias } from "~/domain/safety/blocks";
import { SESSION_STATUS, type SessionStatus } from "~/domain/sessions/status";
import type { ShownSession } from "~/domain/sessions/view";
import { toast } from "~/hooks/toasts";
import { useShell } from "~/hooks/use-shell";
import type { LiveRoom } from "~/wire/room/room";
import { useLive, useWholeRoster } from "./live-context";
import { ParticipantMenu } from "./participant-menu";

type LivePerson = LiveRoom["participants"][number];

/** More people are folded. */
const SHOWN_AT_FIRST = 24;
/** More free places are counted instead. */
const MOST_PLACEHOLDERS = 12;

/** U-42: "Participant N" for each placeholder. Pure. */
export function placeholders(taken: number, limit: number | null): { names: string[]; more: number } {
  const free = limit === null || limit === 0 ? 0 : Math.max(0, limit - taken);
  const drawn = free > MOST_PLACEHOLDERS ? 0 : free;
  return {
    names: Array.from({ length: drawn }, (_, index) => `Participant ${taken + index + 1}`),
    more: free - drawn,
  };
}

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
  const { room, online } = useLive();
  const { viewer } = useShell();
  const [isWhole, setWhole] = useState(false);
  useWholeRoster(isWhole);
  const { participants } = room;
  const here = new Set(online);
  const muted = new Set(room.mutes.map(({ username }) => username));
  const shown = isWhole ? participants : participants.slice(0, SHOWN_AT_FIRST);
  const free = placeholders(room.count, session.participantLimit);
  if (participants.length === 0) return <p className="text-soft">No one has joined this session yet.</p>;
  return (
    <>
      <ul className="grid gap-1 sm:grid-cols-2 lg:grid-cols-1">
        {shown.map((person) => (
          <Participant
            key={person.username}
            person={person}
            isMe={person.username === me}
            isSignedIn={viewer !== null}
            isOnline={here.has(person.username)}
            isBuilder={person.username === session.ownerUsername}
            hasTurn={person.username === turn}
            status={status}
            session={session}
            canRun={canRun}
            canHost={canHost}
            isMuted={muted.has(person.username)}
          />
        ))}
        {(isWhole || room.count <= SHOWN_AT_FIRST) &&
          free.names.map((name) => (
            <li key={name} className="flex min-h-11 items-center gap-3 px-1 text-faint">
              <span
                aria-hidden="true"
                className="size-9 shrink-0 rounded-full border-2 border-dashed border-line"
              />
              <span>{name}</span>
            </li>
          ))}
      </ul>
      {!isWhole && room.count > SHOWN_AT_FIRST && (
        <Button className="needs-script self-start" onClick={() => setWhole(true)}>
          Show all {room.count}
        </Button>
      )}
      {free.more > 0 && <p className="text-sm text-soft">{free.more} more places are free.</p>}
      {canRun && status !== SESSION_STATUS.ended && (
        <p className="text-sm">
          <TextLink to={`${session.path}/people`} preventScrollReset>
            Mute, remove, let back in
          </TextLink>
        </p>
      )}
    </>
  );
}

type ParticipantProps = {
  person: LivePerson;
  isMe: boolean;
  isSignedIn: boolean;
  isOnline: boolean;
  isBuilder: boolean;
  hasTurn: boolean;
  status: SessionStatus;
  session: RosterProps["session"];
  canRun: boolean;
  canHost: boolean;
  /** As far as the viewer may know. */
  isMuted: boolean;
};

function Participant(props: ParticipantProps) {
  const { person, isMe, isSignedIn, isOnline, isBuilder, hasTurn, status, session } = props;
  const { canRun, canHost, isMuted } = props;
  const hasKey = isBuilder || person.isHost;
  const mayManage = canHost && status !== SESSION_STATUS.ended && !person.isHost;
  const mayMute = status !== SESSION_STATUS.ended && (canHost || (canRun && !person.isHost));
  const isAlias = placeOfAlias(person.username) !== null;
  return (
    <li
      className={clsx(
        "flex min-h-11 items-center gap-3 rounded-md px-1 py-1",
        hasTurn && "bg-ember-wash font-semibold",
      )}
    >
      <Avatar name={person.username} size={36} isOnline={isOnline} isTheirTurn={hasTurn} />
      <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2">
        {isAlias ? (
          <span className="truncate">{person.username}</span>
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
      </span>
      {status === SESSION_STATUS.waiting &&
        (isMe ? (
          <OwnCheck isReady={person.isReady} path={session.path} />
        ) : (
          <ReadyMark isReady={person.isReady} />
        ))}
      {isSignedIn && !isMe && (mayManage || mayMute || !isAlias) && (
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
  <span className={clsx("grid size-11 place-content-center", isReady ? "text-pine" : "text-line")}>
    <CheckMark isFilled={isReady} />
    <span className="sr-only">{isReady ? "ready" : "not ready yet"}</span>
  </span>
);

const CheckMark = ({ isFilled }: { isFilled: boolean }) => (
  <svg viewBox="0 0 24 24" className="size-6" aria-hidden="true">
    <circle
      cx="12"
      cy="12"
      r="10"
      fill={isFilled ? "currentColor" : "none"}
      stroke="currentColor"
      strokeWidth="2"
    />
    <path
      d="m7.5 12.4 3 3 6-6.4"
      fill="none"
      stroke={isFilled ? "var(--paper)" : "currentColor"}
      strokeWidth="2.2"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  </svg>
);

/** U-43: a click toggles the own check. */
function OwnCheck({ isReady, path }: { isReady: boolean; path: string }) {
  const { setReady } = useLive();
  return (
    <Form
      method="post"
      action={path}
      preventScrollReset
      onSubmit={(event) => {
        if (!setReady) return;
        event.preventDefault();
        setReady(!isReady);
        if (!isReady) toast.success("You are ready for this activity!", { id: "ready" });
      }}
    >
      <input type="hidden" name="intent" value="ready" />
      <MadeFor />
      <input type="hidden" name="isReady" value={isReady ? "0" : "1"} />
      <button
        type="submit"
        aria-pressed={isReady}
        aria-label="I am ready"
        className={clsx(
          "grid size-11 place-content-center rounded-full hover:bg-sunken",
          isReady ? "text-pine" : "text-edge",
        )}
      >
        <CheckMark isFilled={isReady} />
      </button>
    </Form>
  );
}
