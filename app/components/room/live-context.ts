// The session on this page: at first the server's data, then the live room's once its chunk has connected. Every
// component of a session reads from here.
import { createContext, useContext, useEffect } from "react";
import { SEAT_ROLE } from "~/domain/roles";
import { asSlowMode } from "~/domain/room/chat";
import type { Schedule } from "~/domain/schedule/shape";
import type { SessionHead } from "~/domain/sessions/view";
import { instant } from "~/domain/time";
import type { RoomClient, RoomConnection, RoomKnown } from "~/hooks/room-client";
import type { LiveRoom } from "~/wire/room/room";

/** `off`: no connection, only the page's data. */
type Connection = "off" | RoomConnection;

export type LiveSession = Omit<RoomKnown, "connection"> & {
  connection: Connection;
  /** Null until the room's chunk has loaded; forms post instead. */
  client: RoomClient | null;
  /** Shows an optimistic schedule until it is released; null reverts it. */
  showOptimistic: (schedule: Schedule | null) => void;
  /** No own change is pending any more: the room's state applies. */
  releaseOptimistic: () => void;
};

export const LiveContext = createContext<LiveSession | null>(null);

export function useLive(): LiveSession {
  const live = useContext(LiveContext);
  if (!live) throw new Error("This belongs inside a session's pages.");
  return live;
}

/** Loads the whole roster while `isNeeded`: the room sends a page of a large roster. */
export function useWholeRoster(isNeeded: boolean): void {
  const { isPage, connection, client } = useLive();
  useEffect(() => {
    if (isNeeded && isPage && connection === "open") client?.askPeople();
  }, [isNeeded, isPage, connection, client]);
}

/**
 * The participants of a session with a join code, for viewers without a seat: turns are counted without names.
 */
const asNameless = (room: LiveRoom, count: number): LiveRoom => ({
  ...room,
  count,
  participants: Array.from({ length: count }, (_, index) => ({
    username: `Participant ${index + 1}`,
    role: SEAT_ROLE.participant,
    isHost: false,
    isReady: false,
    completedAt: null,
    joinedAt: instant(0),
    handle: null,
  })),
});

/**
 * The room with the people that this viewer may see. The socket of a session with a join code names nobody to a viewer
 * without a seat, so the page's people are shown: to a super admin by name, to anybody else counted.
 */
export function withPeopleOf(
  page: LiveRoom,
  room: LiveRoom,
  viewer: { mayRead: boolean; isJoined: boolean; needsCode: boolean },
): LiveRoom {
  if (!viewer.mayRead) return asNameless(room, page.count);
  return viewer.needsCode && !viewer.isJoined
    ? { ...room, participants: page.participants, count: page.count }
    : room;
}

/** The page's data in the room's shape. */
export const roomOfPage = ({
  session,
  participants,
  mutes,
}: Pick<SessionHead, "session" | "participants" | "mutes">): LiveRoom => ({
  seq: session.roomVersion,
  title: session.title,
  content: session.content,
  contentHtml: session.contentHtml,
  contributions: session.contributions,
  summary: session.summary,
  prompt: session.prompt,
  isManuallyStarted: session.isManuallyStarted,
  slowMode: asSlowMode(session.slowMode),
  mutes,
  startedAt: session.startedAt,
  endedAt: session.endedAt,
  duration: session.duration,
  schedule: session.schedule,
  count: session.participantsCount,
  participants: participants.map(({ username, role, isHost, isReady, completedAt, handle }) => ({
    username,
    handle,
    role,
    isHost,
    isReady,
    completedAt,
    joinedAt: instant(0),
  })),
});
