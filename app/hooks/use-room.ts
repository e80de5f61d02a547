// The live room in a component: room-client.ts over a socket that comes back by itself with a growing delay (L-01, L-04).
import ReconnectingSocket from "partysocket/ws";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { LiveRoom } from "~/wire/room";
import { CLIENT_UUID } from "./call-server";
import { RoomClient, type RoomEvents, type RoomKnown, type RoomSocket } from "./room-client";

/** After a deploy everybody comes back at once: spread over this long. Milliseconds. */
const FIRST_DELAY = { least: 500, spread: 3500 } as const;
const LONGEST_DELAY = 30_000;

type Options = {
  sessionId: number;
  /** One's name in this session; null: one only looks on. */
  username: string | null;
  /** What the page brought along. */
  initial: LiveRoom;
  /** The server's time, for own lines that are not sent yet. */
  now(): number;
  /** A refusal that belongs to no line, e.g. of a ready mark. */
  onRefused?: (code: string, message: string) => void;
};

function connect(sessionId: number, isOnlooker: boolean, events: RoomEvents): RoomSocket {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const url = `${scheme}//${location.host}/sessions/${sessionId}/socket${isOnlooker ? "?watch=1" : ""}`;
  // Doubled each time, 30 s at most (L-04).
  const live = new ReconnectingSocket(url, [], {
    minReconnectionDelay: FIRST_DELAY.least + Math.random() * FIRST_DELAY.spread,
    maxReconnectionDelay: LONGEST_DELAY,
    reconnectionDelayGrowFactor: 2,
    maxEnqueuedMessages: 0,
  });
  live.addEventListener("open", () => events.onOpen());
  live.addEventListener("message", (event) => events.onMessage(event.data));
  live.addEventListener("close", (event) => events.onClose(event.code));
  const stopped = new AbortController();
  const back = () => {
    if (live.readyState !== live.OPEN && document.visibilityState === "visible") live.reconnect();
  };
  window.addEventListener("online", back, { signal: stopped.signal });
  document.addEventListener("visibilitychange", back, { signal: stopped.signal });
  return {
    send: (text) => live.send(text),
    close: () => {
      stopped.abort();
      live.close();
    },
    reconnect: () => live.reconnect(),
    isOpen: () => live.readyState === live.OPEN,
  };
}

export function useRoom({ sessionId, username, initial, now, onRefused }: Options) {
  const told = useRef({ initial, now, onRefused });
  told.current = { initial, now, onRefused };
  const client = useRef<RoomClient | null>(null);
  const [known, setKnown] = useState<RoomKnown>({
    room: initial,
    online: [],
    messages: [],
    freshLogs: [],
    typing: [],
    connection: "connecting",
  });

  useEffect(() => {
    const live = new RoomClient({
      sessionId,
      username,
      clientUuid: CLIENT_UUID,
      initial: told.current.initial,
      connect: (events) => connect(sessionId, username === null, events),
      now: () => told.current.now(),
      makeNonce: () => crypto.randomUUID(),
      onChange: setKnown,
      onRefused: (code, message) => told.current.onRefused?.(code, message),
    });
    client.current = live;
    return () => {
      client.current = null;
      live.close();
    };
  }, [sessionId, username]);

  const sendMessage = useCallback((content: string) => client.current?.sendMessage(content), []);
  const retry = useCallback((key: string) => client.current?.retry(key), []);
  const setReady = useCallback((isReady: boolean) => client.current?.setReady(isReady), []);
  const tellTyping = useCallback(() => client.current?.tellTyping(), []);
  return useMemo(
    () => ({ ...known, sendMessage, retry, setReady, tellTyping }),
    [known, sendMessage, retry, setReady, tellTyping],
  );
}
