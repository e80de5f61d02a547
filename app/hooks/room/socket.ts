// The browser's socket to a room. It reconnects with exponential backoff (L-01, L-04).
import ReconnectingSocket from "partysocket/ws";
import { madeFor } from "~/hooks/made-for";
import { MADE_FOR_PARAM } from "~/wire/made-for";
import { JOIN_PARAM, SINCE_PARAM, SOCKET_PROTOCOL, WATCH, WATCH_PARAM } from "~/wire/room/room";
import type { RoomEvents, RoomOpening, RoomSocket } from "./client";

/** After a deploy every browser reconnects at once; the delay spreads them. */
const FIRST_DELAY_MS = 4000;
const LONGEST_DELAY_MS = 30_000;

export function connectRoom(
  sessionId: number,
  events: RoomEvents,
  opening: () => RoomOpening,
  watch: string = WATCH.spectator,
): RoomSocket {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const url = () => {
    const { join } = opening();
    const query = new URLSearchParams(
      join === null
        ? { [WATCH_PARAM]: watch }
        : { [JOIN_PARAM]: join.username, ...(join.since !== null && { [SINCE_PARAM]: String(join.since) }) },
    );
    const mark = madeFor();
    if (join !== null && mark !== null) query.set(MADE_FOR_PARAM, mark);
    return `${scheme}//${location.host}/sessions/${sessionId}/socket?${query}`;
  };
  const connect = () => {
    // Full jitter: any delay below a bound that doubles each time, up to 30 s (L-04).
    let jitter = 1;
    const protocols = () => {
      const { ticket } = opening();
      return ticket === null ? [] : [SOCKET_PROTOCOL, ticket];
    };
    const socket = new ReconnectingSocket(url, protocols, {
      get minReconnectionDelay() {
        jitter = Math.random();
        return jitter * FIRST_DELAY_MS;
      },
      get maxReconnectionDelay() {
        return jitter * LONGEST_DELAY_MS;
      },
      reconnectionDelayGrowFactor: 2,
      maxEnqueuedMessages: 0,
    });
    // A replaced socket must not report events.
    const isCurrent = () => socket === current;
    socket.addEventListener("message", (event) => isCurrent() && events.onMessage(event.data));
    socket.addEventListener("close", (event) => isCurrent() && events.onClose(event.code));
    return socket;
  };
  let current = connect();
  const stopSignal = new AbortController();
  const hurry = () => {
    if (document.visibilityState !== "visible") return;
    // An open socket may have died unnoticed during a sleep.
    if (current.readyState === current.OPEN) return events.onWake();
    // A waiting socket cannot be hurried, but a new one connects at once.
    const waiting = current;
    current = connect();
    waiting.close();
  };
  window.addEventListener("online", hurry, { signal: stopSignal.signal });
  document.addEventListener("visibilitychange", hurry, { signal: stopSignal.signal });
  return {
    send: (text) => current.send(text),
    close: () => {
      stopSignal.abort();
      current.close();
    },
    reconnect: () => current.reconnect(),
    isOpen: () => current.readyState === current.OPEN,
  };
}
