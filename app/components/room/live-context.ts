// The contexts from which every component of a session reads it: at first the server's data, then the live room's once
// its chunk has connected.
import { type Context, createContext, createElement, type ReactNode, useContext, useEffect } from "react";
import { SEAT_ROLE } from "~/domain/roles";
import { asSlowMode } from "~/domain/room/chat";
import type { Schedule } from "~/domain/schedule/shape";
import type { SessionHead } from "~/domain/sessions/view";
import { instant } from "~/domain/time";
import type { RoomClient, RoomConnection, RoomSnapshot } from "~/hooks/room/client";
import type { LiveRoom } from "~/wire/room/live-room";

/** `off`: no connection, only the page's data. */
type Connection = "off" | RoomConnection;

export type LiveSession = Omit<RoomSnapshot, "connection"> & {
  connection: Connection;
  /** Null until the room's chunk has loaded; forms post instead. */
  client: RoomClient | null;
  /** Shows an optimistic schedule until it is released; null reverts it. */
  showOptimistic: (schedule: Schedule | null) => void;
  /** No change of this client is pending any more: the room's state applies. */
  releaseOptimistic: () => void;
};

type Field = keyof LiveSession;

const newContext = <T>(): Context<T | undefined> => createContext<T | undefined>(undefined);
/**
 * A context for each field, so that a new chat line renders only the chat, and a change of presence only the roster.
 */
const CONTEXTS: { [F in Field]: Context<LiveSession[F] | undefined> } = {
  room: newContext(),
  isPage: newContext(),
  online: newContext(),
  messages: newContext(),
  linesFrom: newContext(),
  changes: newContext(),
  freshLogs: newContext(),
  typing: newContext(),
  reactions: newContext(),
  inCall: newContext(),
  connection: newContext(),
  client: newContext(),
  showOptimistic: newContext(),
  releaseOptimistic: newContext(),
};

/** Provides the session to `children`. */
export const withLive = (live: LiveSession, children: ReactNode): ReactNode =>
  Object.entries(CONTEXTS).reduce(
    (inner, [field, context]) =>
      createElement((context as Context<unknown>).Provider, { value: live[field as Field] }, inner),
    children,
  );

/** A field of the session; the component renders again when this field changes. */
export function useLive<F extends Field>(field: F): LiveSession[F] {
  const value = useContext(CONTEXTS[field]);
  if (value === undefined) throw new Error("This belongs inside a session's pages.");
  return value as LiveSession[F];
}

/** Loads the whole roster while `isNeeded`: the room sends a page of a large roster. */
export function useWholeRoster(isNeeded: boolean): void {
  const isPage = useLive("isPage");
  const connection = useLive("connection");
  const client = useLive("client");
  useEffect(() => {
    if (isNeeded && isPage && connection === "open") client?.requestRoster();
  }, [isNeeded, isPage, connection, client]);
}

/** The room with numbered people in place of its participants, for viewers who may not read their names. */
const withoutNames = (room: LiveRoom, count: number): LiveRoom => ({
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
  if (!viewer.mayRead) return withoutNames(room, page.count);
  return viewer.needsCode && !viewer.isJoined
    ? { ...room, participants: page.participants, count: page.count }
    : room;
}

/**
 * The names of the people who are present. `isNewest`: the live names are newer than the page's, which a spectator without
 * a connection reloads, and belong to the roster that is shown.
 */
export function onlineOf(
  pageOnline: readonly string[],
  live: Pick<RoomSnapshot, "online" | "connection"> | null,
  isNewest: boolean,
): readonly string[] {
  if (live === null) return pageOnline;
  return live.connection === "open" || (isNewest && live.online.length > 0) ? live.online : pageOnline;
}

/** The page's data in the room's shape. */
export const roomOfPage = ({
  session,
  participants,
  mutes,
  line,
}: Pick<SessionHead, "session" | "participants" | "mutes" | "line">): LiveRoom => ({
  line,
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
  participants: participants.map(
    ({ username, role, isHost, isReady, completedAt, handle, aim, guestName }) => ({
      username,
      handle,
      role,
      isHost,
      isReady,
      completedAt,
      aim,
      guestName,
      joinedAt: instant(0),
    }),
  ),
});
