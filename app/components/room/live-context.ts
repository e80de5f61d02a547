// The session as this page knows it: at first what the server sent with the page, then, once the live room's own chunk
// has connected, what the room says. Everything that shows a session reads it from here.
import { createContext, useContext } from "react";
import { asSlowMode } from "~/domain/chat";
import type { Schedule } from "~/domain/schedule-shape";
import type { SessionHead } from "~/domain/session-view";
import { instant } from "~/domain/time";
import type { RoomConnection } from "~/hooks/room-client";
import type { Wire } from "~/hooks/room-store";
import type { LiveRoom } from "~/wire/room";

/** `off`: nobody is asked, the page alone is known. */
type Connection = "off" | RoomConnection;

export type LiveSession = Omit<Wire, "connection" | "sendMessage" | "setReady"> & {
  connection: Connection;
  /** Null until the room's chunk is there: forms post instead. */
  say: ((content: string) => void) | null;
  setReady: ((isReady: boolean) => void) | null;
  /** Shows a change of one's own at once, until it is let go; null takes it back. */
  foretell: (schedule: Schedule | null) => void;
  /** Nothing of one's own is under way any more: the room's word takes its place. */
  letGo: () => void;
};

export const LiveContext = createContext<LiveSession | null>(null);

export function useLive(): LiveSession {
  const live = useContext(LiveContext);
  if (!live) throw new Error("This belongs inside a session's pages.");
  return live;
}

/** The participants of a session with a join code, for somebody without a seat: turns are counted, nobody is named. */
export const namelessPeople = (count: number): LiveRoom["participants"] =>
  Array.from({ length: count }, (_, index) => ({
    username: `Participant ${index + 1}`,
    role: 0,
    isHost: false,
    isReady: false,
    completedAt: null,
    joinedAt: instant(0),
  }));

/** What the page brought along, in the room's own shape. */
export const roomOfPage = ({
  session,
  participants,
  mutes,
}: Pick<SessionHead, "session" | "participants" | "mutes">): LiveRoom => ({
  seq: session.roomVersion,
  title: session.title,
  content: session.content,
  contentHtml: session.contentHtml,
  summary: session.summary,
  prompt: session.prompt,
  isManuallyStarted: session.isManuallyStarted,
  slowMode: asSlowMode(session.slowMode),
  mutes,
  startedAt: session.startedAt,
  endedAt: session.endedAt,
  duration: session.duration,
  schedule: session.schedule,
  participants: participants.map(({ username, role, isHost, isReady, completedAt }) => ({
    username,
    role,
    isHost,
    isReady,
    completedAt,
    joinedAt: instant(0),
  })),
});
