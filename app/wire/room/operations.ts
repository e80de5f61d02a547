// The room's side of its socket: writes the state of a room, and each change of it, as operations.
import { isAlias } from "~/domain/room/aliases";
import { shownLine } from "~/domain/room/host-line";
import type { RoomMute, RoomParticipant, RoomState, RoomTopic } from "~/domain/room/room";
import type { RoomMessage } from "~/domain/sessions/chat";
import { statusAt } from "~/domain/sessions/status";
import { type Contribution, withContributions } from "~/domain/sessions/texts";
import { type Instant, isoOf } from "~/domain/time";
import { scheduleOut } from "~/wire/schedule/schedule";
import type {
  EditedWire,
  HostLineWire,
  MessageWire,
  MuteWire,
  Operation,
  ParticipantWire,
  RemovedWire,
  Snapshot,
  TextsWire,
} from "./room";

export const participantOut = (person: RoomParticipant): ParticipantWire => ({
  username: person.username,
  role: person.role,
  is_host: person.isHost ? 1 : 0,
  is_ready: person.isReady ? 1 : 0,
  joined_at: new Date(person.joinedAt).toISOString(),
  completed_at: isoOf(person.completedAt),
  ...(person.handle && isAlias(person.username) ? { handle: person.handle } : {}),
  ...(person.aim ? { aim: person.aim } : {}),
  ...(person.guestName ? { guest_name: person.guestName } : {}),
  ...(person.hand ? { hand: person.hand.place } : {}),
});

export const messageOut = (message: RoomMessage): MessageWire => ({
  seq: message.seq,
  username: message.username,
  content: message.content,
  created_at: new Date(message.createdAt).toISOString(),
  nonce: message.nonce,
  edited_at: isoOf(message.editedAt),
  is_removed: message.isRemoved ? 1 : 0,
});
export const editedOut = (change: {
  seq: number;
  line: number;
  content: string;
  at: Instant;
}): EditedWire => ({
  seq: change.seq,
  line: change.line,
  content: change.content,
  edited_at: new Date(change.at).toISOString(),
});
/** The mutes of people with a seat. */
export function mutesOut(
  people: readonly Pick<RoomParticipant, "userId" | "username">[],
  mutes: readonly RoomMute[],
): MuteWire[] {
  if (mutes.length === 0) return [];
  const names = new Map(people.map(({ userId, username }) => [userId, username]));
  return mutes.flatMap(({ userId, until }) => {
    const username = names.get(userId);
    return username === undefined ? [] : { username, until: isoOf(until) };
  });
}
export const removedOut = ({ seq, line }: RemovedWire): RemovedWire => ({ seq, line });

/** The host's text and the participants' contributions. */
export type SharedText = Pick<RoomState, "content" | "contentHtml"> & {
  /** The wire has no `guestName`; pages know it. */
  contributions: readonly (Omit<Contribution, "userId" | "uuid"> & { guestName?: string | undefined })[];
};
export function textsOut(texts: SharedText): TextsWire {
  const { content, contentHtml, contributions } = texts;
  if (contributions.length === 0) return { content, content_html: contentHtml };
  const whole = withContributions(texts);
  return {
    content: whole.content,
    content_html: whole.contentHtml,
    host_content: content,
    host_content_html: contentHtml,
    contributions: contributions.map((contribution) => ({
      seq: contribution.seq,
      username: contribution.username,
      content: contribution.content,
      content_html: contribution.contentHtml,
      created_at: new Date(contribution.createdAt).toISOString(),
    })),
  };
}

export const snapshotOut = (state: RoomState, now: Instant): Snapshot => ({
  title: state.title,
  ...textsOut(state),
  summary: state.summary,
  prompt: state.prompt,
  status: statusAt(state, now),
  started_at: isoOf(state.startedAt),
  ended_at: isoOf(state.endedAt),
  duration: state.duration,
  is_manually_started: state.isManuallyStarted ? 1 : 0,
  slow_mode: state.slowMode,
  parts: scheduleOut(state.schedule, now),
  line: lineOut(state),
  ...(state.areReactionsOff ? { reactions: 0 } : {}),
});
const lineOut = ({ line, schedule }: RoomState): HostLineWire | null => {
  const hostLine = shownLine(line, schedule);
  return hostLine && { seq: hostLine.seq, content: hostLine.content, part: hostLine.partId };
};

/** The operations that describe the change from `before` to `after`. */
export function operationsOf(
  topics: readonly RoomTopic[],
  before: RoomState,
  after: RoomState,
  now: Instant,
): Operation[] {
  return topics.flatMap((topic) => operationsOfTopic(topic, before, after, now));
}

function operationsOfTopic(topic: RoomTopic, before: RoomState, after: RoomState, now: Instant): Operation[] {
  const { seq } = after;
  switch (topic) {
    case "participants": {
      const knownPeople = new Set(before.participants);
      const names = new Set(after.participants.map((person) => person.username));
      return [
        {
          type: "participants",
          seq,
          participants: after.participants.filter((person) => !knownPeople.has(person)).map(participantOut),
          left: before.participants.flatMap(({ username }) => (names.has(username) ? [] : username)),
          count: after.participants.length,
        },
      ];
    }
    case "status":
      return [
        {
          type: "status",
          seq,
          status: statusAt(after, now),
          started_at: isoOf(after.startedAt),
          ended_at: isoOf(after.endedAt),
          duration: after.duration,
          is_manually_started: after.isManuallyStarted ? 1 : 0,
        },
        ...(after.startedAt === before.startedAt
          ? []
          : [{ type: "started_at" as const, seq, started_at: isoOf(after.startedAt) }]),
      ];
    case "parts":
      return [{ type: "parts", seq, parts: scheduleOut(after.schedule, now) }];
    case "content":
      return [
        {
          type: "content",
          seq,
          title: after.title,
          ...textsOut(after),
          prompt: after.prompt,
        },
      ];
    case "summary":
      return [{ type: "summary", seq, summary: after.summary }];
    case "slow-mode":
      return [{ type: "slow_mode", seq, slow_mode: after.slowMode }];
    case "line":
      return [{ type: "line", seq, line: lineOut(after) }];
    case "reactions":
      return [{ type: "reactions", seq, is_on: after.areReactionsOff ? 0 : 1 }];
    // The room announces a call to participants by itself.
    case "call":
    // The sockets send these to each listener separately.
    case "mutes":
    case "needs-host":
    case "facts":
    case "access":
      return [];
    default:
      return topic satisfies never;
  }
}
