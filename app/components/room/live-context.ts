// The session as this page knows it: at first what the server sent with the page, then, once the live room's own chunk
// has connected, what the room says. Everything that shows a session reads it from here.
import { createContext, useContext } from "react";
import type { RoomLog } from "~/domain/room";
import type { Instant } from "~/domain/time";
import type { LiveRoom } from "~/wire/room";

/** A line of the chat; own ones stand here before the room has them. */
export type ChatLine = {
  key: string;
  username: string;
  content: string;
  createdAt: Instant;
  state: "sent" | "pending" | "failed";
  /** Why it failed. */
  problem?: string;
};

export type Connection = "off" | "connecting" | "open" | "lost";

export type LiveSession = {
  room: LiveRoom;
  online: readonly string[];
  messages: readonly ChatLine[];
  /** Logged since the page was made, newest first. */
  freshLogs: readonly RoomLog[];
  /** Who writes at the moment, without oneself. */
  typing: readonly string[];
  connection: Connection;
  /** Null until the room's chunk is there: forms post instead. */
  say: ((content: string) => void) | null;
  retry: (key: string) => void;
  setReady: ((isReady: boolean) => void) | null;
  tellTyping: () => void;
};

export const LiveContext = createContext<LiveSession | null>(null);

export function useLive(): LiveSession {
  const live = useContext(LiveContext);
  if (!live) throw new Error("This belongs inside a session's pages.");
  return live;
}

/** Who takes part still, in order of joining: whose turns there are. */
export const rosterOf = (room: Pick<LiveRoom, "participants">): string[] =>
  room.participants.filter((person) => person.completedAt === null).map((person) => person.username);
