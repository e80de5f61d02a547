// The live room in the browser: applies the operations of the socket to its state.
import { isGuestName } from "~/domain/room/guest-names";
import type { RoomParticipant, RoomState } from "~/domain/room/room";
import type { HostLine } from "~/domain/sessions/chat";
import { type Instant, instant, type Seconds } from "~/domain/time";
import { scheduleIn } from "~/wire/schedule/schedule";
import type { SharedText } from "./operations";
import type { HostLineWire, MuteWire, ParticipantWire, RoomOperation, Snapshot, TextsWire } from "./room";

/** The room in the browser; user ids never cross the wire. */
export type LiveRoom = Omit<
  RoomState,
  | "participants"
  | "closedAt"
  | "runBegunAt"
  | "hasEnded"
  | "needsHost"
  | "hasHostCome"
  | "cancelledStart"
  | "partsEndAt"
  | "undo"
  | "sessionId"
  | "hasCode"
  | "isPrivate"
  | "mutes"
  | "line"
  | keyof SharedText
> &
  SharedText & {
    line?: LiveLine | null;
    /** Only a part of a large roster, until the page requests the whole. */
    participants: LivePerson[];
    /** The size of the whole roster. */
    count: number;
    mutes: readonly LiveMute[];
  };
/** `hand`: its number, if it is raised. */
type LivePerson = Omit<RoomParticipant, "userId" | "hand"> & { hand?: number | null };
type LiveLine = Omit<HostLine, "userId">;
/** A mute that this page may show. */
type LiveMute = { username: string; until: Instant | null };

const instantIn = (text: string | null): Instant | null => (text === null ? null : instant(Date.parse(text)));

const participantIn = (person: ParticipantWire): LivePerson => ({
  username: person.username,
  role: person.role,
  isHost: person.is_host === 1,
  isReady: person.is_ready === 1,
  joinedAt: instant(Date.parse(person.joined_at)),
  completedAt: instantIn(person.completed_at),
  handle: person.handle ?? null,
  aim: person.aim,
  guestName: person.guest_name,
  hand: person.hand ?? null,
});

const mutesIn = (mutes: readonly MuteWire[]): LiveMute[] =>
  mutes.map(({ username, until }) => ({ username, until: instantIn(until) }));

const lineIn = (line: HostLineWire | null | undefined): LiveLine | null =>
  line ? { seq: line.seq, content: line.content, partId: line.part } : null;

const textsIn = (texts: TextsWire): SharedText => ({
  content: texts.host_content ?? texts.content,
  contentHtml: texts.host_content_html ?? texts.content_html,
  contributions: (texts.contributions ?? []).map((contribution) => ({
    seq: contribution.seq,
    username: contribution.username,
    content: contribution.content,
    contentHtml: contribution.content_html,
    createdAt: instant(Date.parse(contribution.created_at)),
  })),
});

const snapshotIn = (room: Snapshot): Omit<LiveRoom, "seq" | "participants" | "count" | "mutes"> => ({
  title: room.title,
  ...textsIn(room),
  summary: room.summary,
  prompt: room.prompt,
  isManuallyStarted: room.is_manually_started === 1,
  slowMode: room.slow_mode,
  startedAt: instantIn(room.started_at),
  endedAt: instantIn(room.ended_at),
  duration: room.duration as Seconds,
  schedule: scheduleIn(room.parts),
  line: lineIn(room.line),
  areReactionsOff: room.reactions === 0,
});

/** The people in order of joining. A client that has a part of the roster may not know a changed person yet. */
function withPeople(
  { participants: people, count }: LiveRoom,
  changed: readonly ParticipantWire[],
  leftNames: readonly string[],
): LiveRoom["participants"] {
  const absentees = new Set(leftNames);
  const changedPeople = new Map(changed.map((person) => [person.username, participantIn(person)]));
  const knownNames = new Set(people.map((person) => person.username));
  const merged = [
    ...people
      .filter(({ username }) => !absentees.has(username))
      .map((person) => changedPeople.get(person.username) ?? person),
    ...[...changedPeople.values()].filter(({ username }) => !knownNames.has(username)),
  ];
  return people.length < count ? merged.sort((a, b) => a.joinedAt - b.joinedAt) : merged;
}

/** Keeps the names of guests on their contributions, because the room forgets who has left (H-23). */
export function applyOperation(room: LiveRoom, op: RoomOperation): LiveRoom {
  const next = changeRoom(room, op);
  if (!next.contributions?.some(({ username }) => username !== null && isGuestName(username))) return next;
  const people = [...next.participants, ...room.participants, ...room.contributions];
  return {
    ...next,
    contributions: next.contributions.map((contribution) => ({
      ...contribution,
      guestName: people.find((one) => one.username === contribution.username && one.guestName)?.guestName,
    })),
  };
}

function changeRoom(room: LiveRoom, op: RoomOperation): LiveRoom {
  switch (op.type) {
    case "welcome":
      return {
        ...room,
        ...(op.room ? snapshotIn(op.room) : {}),
        seq: op.seq,
        call: op.call,
        mutes: mutesIn(op.mutes),
        participants:
          op.is_whole === 1 ? op.participants.map(participantIn) : withPeople(room, op.participants, op.left),
        count: op.count,
      };
    case "people":
      return { ...room, participants: op.participants.map(participantIn), count: op.participants.length };
    case "participants":
      return {
        ...room,
        seq: op.seq,
        participants: withPeople(room, op.participants, op.left),
        count: op.count,
      };
    case "status":
      return {
        ...room,
        seq: op.seq,
        startedAt: instantIn(op.started_at),
        endedAt: instantIn(op.ended_at),
        duration: op.duration as Seconds,
        isManuallyStarted: op.is_manually_started === 1,
      };
    case "started_at":
      return { ...room, seq: op.seq, startedAt: instantIn(op.started_at) };
    case "parts":
      return { ...room, seq: op.seq, schedule: scheduleIn(op.parts) };
    case "content":
      return {
        ...room,
        seq: op.seq,
        title: op.title,
        ...textsIn(op),
        prompt: op.prompt,
      };
    case "summary":
      return { ...room, seq: op.seq, summary: op.summary };
    case "slow_mode":
      return { ...room, seq: op.seq, slowMode: op.slow_mode };
    case "line":
      return { ...room, seq: op.seq, line: lineIn(op.line) };
    case "reactions":
      return { ...room, seq: op.seq, areReactionsOff: op.is_on === 0 };
    case "call":
      return { ...room, call: op.call };
    case "mutes":
      return { ...room, mutes: mutesIn(op.mutes) };
    default:
      // A newer server may send operations that this page does not know.
      op satisfies never;
      return room;
  }
}
