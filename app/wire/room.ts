// The messages of the room's socket. Client to room: one JSON object a message. Room to client: one JSON array
// of operations a frame. What carries a `seq` is durable. Plain functions: the browser imports this file.
import type { ErrorCode } from "~/domain/errors";
import type { RoomLog, RoomMessage, RoomParticipant, RoomState } from "~/domain/room";
import { roomStatus } from "~/domain/room-change";
import { type Instant, instant, type Seconds } from "~/domain/time";
import { type GroupWire, scheduleIn, scheduleOut } from "./schedule";

export const SOCKET_VERSION = 1;
export const CLOSE = { notAllowed: 4403, unknown: 4404, tooMuch: 4429, badMessage: 4400 } as const;
/** Bytes of one client message. */
export const MESSAGE_LIMIT = 16 * 1024;
export const CHAT_LENGTH = 2000;
export const PING = "ping";
export const PONG = "pong";

export type ClientMessage =
  | { type: "join"; room: number | string; client_uuid: string; username: string; since?: number }
  | { type: "message"; content: string; nonce: string }
  | { type: "ready"; is_ready: boolean }
  | { type: "typing" };

export type ParticipantWire = {
  username: string;
  role: number;
  is_host: 0 | 1;
  is_ready: 0 | 1;
  joined_at: string;
  completed_at: string | null;
};
export type MessageWire = {
  seq: number;
  username: string;
  content: string;
  created_at: string;
  nonce: string;
};
export type LogWire = ReturnType<typeof roomLogOut>;

export type Snapshot = {
  participants: ParticipantWire[];
  title: string;
  content: string;
  content_html: string;
  summary: string;
  prompt: string;
  status: number;
  started_at: string | null;
  ended_at: string | null;
  duration: number;
  is_manually_started: 0 | 1;
  parts: GroupWire[];
};

export type Operation =
  | {
      type: "welcome";
      now: number;
      seq: number;
      version: number;
      room: Snapshot;
      messages: MessageWire[];
      online: string[];
    }
  | { type: "participants"; seq: number; participants: ParticipantWire[] }
  | { type: "online"; online: string[] }
  | { type: "message"; seq: number; message: MessageWire; nonce: string }
  | { type: "status"; seq: number; status: number; started_at: string | null; ended_at: string | null }
  | { type: "parts"; seq: number; parts: GroupWire[] }
  | { type: "content"; seq: number; title: string; content: string; content_html: string; prompt: string }
  | { type: "summary"; seq: number; summary: string }
  | { type: "logs"; seq: number; log: LogWire }
  | { type: "typing"; username: string }
  | { type: "refused"; error_code: ErrorCode; message: string; nonce?: string };

const iso = (at: Instant | null): string | null => (at === null ? null : new Date(at).toISOString());
const from = (text: string | null): Instant | null => (text === null ? null : instant(Date.parse(text)));

export const participantOut = (person: RoomParticipant): ParticipantWire => ({
  username: person.username,
  role: person.role,
  is_host: person.isHost ? 1 : 0,
  is_ready: person.isReady ? 1 : 0,
  joined_at: new Date(person.joinedAt).toISOString(),
  completed_at: iso(person.completedAt),
});

export const messageOut = (message: RoomMessage): MessageWire => ({
  seq: message.seq,
  username: message.username,
  content: message.content,
  created_at: new Date(message.createdAt).toISOString(),
  nonce: message.nonce,
});

export const roomLogOut = (log: RoomLog) => ({
  id: log.id,
  username: log.username,
  goal: { title: log.goalTitle, action: log.action, unit: log.unit },
  task_uuid: log.taskUuid,
  title: log.title,
  amount: log.amount === null ? null : log.amount / 1000,
  distance: log.distance === null ? null : log.distance / 1000,
  duration_elapsed: log.duration,
  status: log.status,
  created_at: new Date(log.createdAt).toISOString(),
});

export const snapshotOut = (state: RoomState, now: Instant): Snapshot => ({
  participants: state.participants.map(participantOut),
  title: state.title,
  content: state.content,
  content_html: state.contentHtml,
  summary: state.summary,
  prompt: state.prompt,
  status: roomStatus(state, now),
  started_at: iso(state.startedAt),
  ended_at: iso(state.endedAt),
  duration: state.duration,
  is_manually_started: state.isManuallyStarted ? 1 : 0,
  parts: scheduleOut(state.schedule, now),
});

export const participantIn = (person: ParticipantWire): Omit<RoomParticipant, "userId"> => ({
  username: person.username,
  role: person.role === 1 ? 1 : 0,
  isHost: person.is_host === 1,
  isReady: person.is_ready === 1,
  joinedAt: instant(Date.parse(person.joined_at)),
  completedAt: from(person.completed_at),
});

/** The room as the browser keeps it: no ids of users cross the wire. */
export type LiveRoom = Omit<
  RoomState,
  "participants" | "closedAt" | "runBegunAt" | "hasEnded" | "sessionId"
> & {
  participants: Omit<RoomParticipant, "userId">[];
};

export const snapshotIn = (room: Snapshot, seq: number): LiveRoom => ({
  seq,
  title: room.title,
  content: room.content,
  contentHtml: room.content_html,
  summary: room.summary,
  prompt: room.prompt,
  isManuallyStarted: room.is_manually_started === 1,
  startedAt: from(room.started_at),
  endedAt: from(room.ended_at),
  duration: room.duration as Seconds,
  schedule: scheduleIn(room.parts),
  participants: room.participants.map(participantIn),
});

/** One durable or passing operation applied to what the browser keeps; messages, logs and presence are kept beside. */
export function applyOperation(room: LiveRoom, op: Operation): LiveRoom {
  switch (op.type) {
    case "welcome":
      return snapshotIn(op.room, op.seq);
    case "participants":
      return { ...room, seq: op.seq, participants: op.participants.map(participantIn) };
    case "status":
      return { ...room, seq: op.seq, startedAt: from(op.started_at), endedAt: from(op.ended_at) };
    case "parts":
      return { ...room, seq: op.seq, schedule: scheduleIn(op.parts) };
    case "content":
      return {
        ...room,
        seq: op.seq,
        title: op.title,
        content: op.content,
        contentHtml: op.content_html,
        prompt: op.prompt,
      };
    case "summary":
      return { ...room, seq: op.seq, summary: op.summary };
    case "message":
    case "logs":
      return { ...room, seq: op.seq };
    default:
      return room;
  }
}
