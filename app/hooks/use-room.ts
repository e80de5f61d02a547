// The live room in this browser: one socket that comes back by itself with a growing delay, catches up by `seq`, and
// shows own messages and marks at once (R-26, L-01 to L-04, L-11). No schema library: it stays a small chunk.
import { WebSocket as ReconnectingSocket } from "partysocket";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { RoomLog } from "~/domain/room";
import { type Instant, instant } from "~/domain/time";
import {
  applyOperation,
  CLOSE,
  type ClientMessage,
  type LiveRoom,
  type LogWire,
  type MessageWire,
  type Operation,
  PING,
} from "~/wire/room";
import { CLIENT_UUID } from "./call-server";

export type RoomLine = {
  /** The nonce: stays the same from pending to sent. */
  key: string;
  username: string;
  content: string;
  createdAt: Instant;
  state: "sent" | "pending" | "failed";
  problem?: string;
};
export type RoomConnection = "connecting" | "open" | "lost";

type Lines = { sent: Map<string, RoomLine & { seq: number }>; own: Map<string, RoomLine> };

const TYPING_MS = 4000;
const PENDING_MS = 12_000;
const PING_MS = 25_000;

const lineOf = (message: MessageWire): RoomLine & { seq: number } => ({
  key: message.nonce || String(message.seq),
  seq: message.seq,
  username: message.username,
  content: message.content,
  createdAt: instant(Date.parse(message.created_at)),
  state: "sent",
});

export const logOfWire = (log: LogWire): RoomLog => ({
  id: log.id,
  username: log.username,
  goalTitle: log.goal.title,
  action: log.goal.action,
  unit: log.goal.unit,
  taskUuid: log.task_uuid,
  title: log.title,
  amount: log.amount === null ? null : Math.round(log.amount * 1000),
  distance: log.distance === null ? null : Math.round(log.distance * 1000),
  duration: log.duration_elapsed,
  status: log.status,
  createdAt: instant(Date.parse(log.created_at)),
});

type Options = {
  sessionId: number;
  /** One's name in this session. */
  username: string;
  /** What the page brought along. */
  initial: LiveRoom;
  /** The server's time, for own lines that are not sent yet. */
  now(): number;
  /** A refusal that belongs to no line, e.g. of a ready mark. */
  onRefused?: (code: string, message: string) => void;
};

export function useRoom({ sessionId, username, initial, now, onRefused }: Options) {
  const [room, setRoom] = useState(initial);
  const [online, setOnline] = useState<readonly string[]>([]);
  const [lines, setLines] = useState<Lines>({ sent: new Map(), own: new Map() });
  const [freshLogs, setFreshLogs] = useState<readonly RoomLog[]>([]);
  const [typingUntil, setTypingUntil] = useState<ReadonlyMap<string, number>>(new Map());
  const [connection, setConnection] = useState<RoomConnection>("connecting");
  const socket = useRef<ReconnectingSocket | null>(null);
  const lastMessageSeq = useRef(-1);
  const told = useRef({ onRefused, now });
  told.current = { onRefused, now };

  const fail = useCallback((nonce: string, problem: string) => {
    setLines(({ sent, own }) => {
      const line = own.get(nonce);
      return line
        ? { sent, own: new Map(own).set(nonce, { ...line, state: "failed", problem }) }
        : { sent, own };
    });
  }, []);

  const hear = useCallback(
    (operations: Operation[]) => {
      for (const op of operations) {
        setRoom((current) => applyOperation(current, op));
        if (op.type === "welcome" || op.type === "message") {
          const messages = op.type === "welcome" ? op.messages : [op.message];
          for (const message of messages)
            lastMessageSeq.current = Math.max(lastMessageSeq.current, message.seq);
          setLines(({ sent, own }) => {
            const nextSent = new Map(sent);
            const nextOwn = new Map(own);
            for (const message of messages) {
              const line = lineOf(message);
              nextSent.set(line.key, line);
              nextOwn.delete(line.key);
            }
            return { sent: nextSent, own: nextOwn };
          });
        }
        if (op.type === "welcome" || op.type === "online") setOnline(op.online);
        if (op.type === "logs") {
          const log = logOfWire(op.log);
          setFreshLogs((logs) => [log, ...logs.filter((one) => one.id !== log.id)].slice(0, 50));
        }
        if (op.type === "typing")
          setTypingUntil((map) => new Map(map).set(op.username, Date.now() + TYPING_MS));
        if (op.type === "refused") {
          if (op.nonce) fail(op.nonce, op.message);
          else told.current.onRefused?.(op.error_code, op.message);
        }
      }
    },
    [fail],
  );

  useEffect(() => {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    // Doubled each time, 30 s at most (L-04).
    const live = new ReconnectingSocket(`${scheme}//${location.host}/sessions/${sessionId}/socket`, [], {
      minReconnectionDelay: 500,
      maxReconnectionDelay: 30_000,
      reconnectionDelayGrowFactor: 2,
      maxEnqueuedMessages: 0,
    });
    socket.current = live;
    const say = (message: ClientMessage) => live.send(JSON.stringify(message));
    live.addEventListener("open", () => {
      setConnection("open");
      say({
        type: "join",
        room: sessionId,
        client_uuid: CLIENT_UUID,
        username,
        since: lastMessageSeq.current,
      });
      // What was under way when the connection went is said again: the nonce keeps it from being said twice.
      setLines((current) => {
        for (const line of current.own.values())
          if (line.state === "pending") say({ type: "message", content: line.content, nonce: line.key });
        return current;
      });
    });
    live.addEventListener("message", (event: MessageEvent) => {
      if (typeof event.data !== "string" || !event.data.startsWith("[")) return;
      hear(JSON.parse(event.data) as Operation[]);
    });
    live.addEventListener("close", (event: { code: number }) => {
      setConnection("lost");
      if (event.code === CLOSE.notAllowed || event.code === CLOSE.unknown) live.close();
    });
    // Answered by the platform without waking the room; keeps proxies from closing a quiet line.
    const ping = setInterval(() => {
      if (live.readyState === live.OPEN) live.send(PING);
    }, PING_MS);
    return () => {
      clearInterval(ping);
      socket.current = null;
      live.close();
    };
  }, [sessionId, username, hear]);

  const send = useCallback((message: ClientMessage): boolean => {
    const live = socket.current;
    if (!live || live.readyState !== live.OPEN) return false;
    live.send(JSON.stringify(message));
    return true;
  }, []);

  const post = useCallback(
    (line: RoomLine) => {
      setLines(({ sent, own }) => ({ sent, own: new Map(own).set(line.key, { ...line, state: "pending" }) }));
      // Without a connection it stays pending and is said when that is back.
      send({ type: "message", content: line.content, nonce: line.key });
      setTimeout(() => {
        setLines(({ sent, own }) => {
          const still = own.get(line.key);
          if (still?.state !== "pending" || socket.current?.readyState !== socket.current?.OPEN)
            return { sent, own };
          return {
            sent,
            own: new Map(own).set(line.key, { ...still, state: "failed", problem: "It has not arrived." }),
          };
        });
      }, PENDING_MS);
    },
    [send],
  );

  const sendMessage = useCallback(
    (content: string) => {
      const text = content.trim();
      if (text === "") return;
      post({
        key: crypto.randomUUID(),
        username,
        content: text,
        createdAt: instant(told.current.now()),
        state: "pending",
      });
    },
    [post, username],
  );
  const retry = useCallback(
    (key: string) => {
      const line = lines.own.get(key);
      if (line) post(line);
    },
    [lines, post],
  );
  const setReady = useCallback(
    (isReady: boolean) => {
      setRoom((current) => ({
        ...current,
        participants: current.participants.map((person) =>
          person.username === username ? { ...person, isReady } : person,
        ),
      }));
      if (!send({ type: "ready", is_ready: isReady }))
        told.current.onRefused?.("SERVER_ERROR", "You are not connected. It is tried again when you are.");
    },
    [send, username],
  );
  const lastTyping = useRef(0);
  const tellTyping = useCallback(() => {
    if (Date.now() - lastTyping.current < TYPING_MS / 2) return;
    lastTyping.current = Date.now();
    send({ type: "typing" });
  }, [send]);

  const isAnyTyping = typingUntil.size > 0;
  useEffect(() => {
    if (!isAnyTyping) return;
    const sweep = setInterval(
      () => setTypingUntil((map) => new Map([...map].filter(([, until]) => until > Date.now()))),
      1000,
    );
    return () => clearInterval(sweep);
  }, [isAnyTyping]);

  const messages = useMemo<readonly RoomLine[]>(
    () => [...[...lines.sent.values()].sort((a, b) => a.seq - b.seq), ...lines.own.values()],
    [lines],
  );
  const typing = useMemo(
    () => [...typingUntil.keys()].filter((name) => name !== username),
    [typingUntil, username],
  );
  return { room, online, messages, freshLogs, typing, connection, sendMessage, retry, setReady, tellTyping };
}
