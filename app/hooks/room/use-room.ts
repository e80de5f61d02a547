// Runs the client of the live room while mounted, and puts it into the page's store.
import { useEffect, useRef } from "react";
import type { LiveRoom } from "~/wire/room/live-room";
import { RoomClient } from "./client";
import { connectRoom } from "./socket";
import type { RoomStore } from "./store";

type Options = {
  store: RoomStore;
  sessionId: number;
  /** The viewer's name in this session; null for a spectator. */
  username: string | null;
  /** The state that the page loaded. */
  initial: LiveRoom;
  /** The page's ticket for the room; null for a spectator. */
  ticket: string | null;
  /** The server's time, for pending lines. */
  now(): number;
  /** How a viewer without a seat listens; by default as a spectator. */
  watch?: string;
  /** A refusal that belongs to no line, e.g. of a ready mark. */
  onRefused?: (code: string, message: string) => void;
};

export function useRoom({
  store,
  sessionId,
  username,
  initial,
  ticket,
  now,
  watch,
  onRefused,
}: Options): void {
  const latest = useRef({ initial, ticket, now, onRefused });
  latest.current = { initial, ticket, now, onRefused };
  useEffect(() => {
    const client = new RoomClient({
      username,
      initial: latest.current.initial,
      ticket: latest.current.ticket,
      connect: (events, opening) => connectRoom(sessionId, events, opening, watch),
      now: () => latest.current.now(),
      makeNonce: () => crypto.randomUUID(),
      onRefused: (code, message) => latest.current.onRefused?.(code, message),
    });
    // React renders a change of a store at once, so a timer moves it out of the task that runs the page's effects.
    const mountTimer = setTimeout(() => store.set(client));
    return () => {
      clearTimeout(mountTimer);
      client.close();
      store.set(null);
    };
  }, [store, sessionId, username, watch]);
}
