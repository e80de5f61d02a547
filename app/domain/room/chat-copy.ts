// The copy of a room's chat outside the room, as text: a line of JSON for the room, then one for each chat
// line. Pure.

import { DAY, HOUR, type Instant, instant, SECOND } from "~/domain/time";
import type { RoomParticipant } from "./room";

/** A chat line as the room stores it, named by the columns of its table. */
export type CopiedLine = {
  seq: number;
  user_id: number;
  username: string;
  content: string;
  nonce: string;
  block: number;
  created_at: number;
  changed_seq: number | null;
  edited_at: number | null;
  removed_at: number | null;
};
export type CopiedBlock = {
  user_id: number;
  n: number;
  size: number;
  since: number;
  is_closed: number;
  asked_at: number | null;
};

export type ChatCopy = {
  sessionId: number;
  /** The room's last `seq` when it was copied. */
  seq: number;
  /** Paid blocks of lines (B-13). */
  blocks: CopiedBlock[];
  /** People who left. Their lines stay hidden from the people whom they blocked. */
  gone: RoomParticipant[];
  lines: CopiedLine[];
};

const FORMAT = 1;

export const chatCopyText = ({ lines, ...room }: ChatCopy): string =>
  [{ format: FORMAT, ...room, count: lines.length }, ...lines]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join("");

/** Throws for a text that is cut off, or of another format. */
export function readChatCopy(text: string): ChatCopy {
  const [first = "", ...otherLines] = text.trimEnd().split("\n");
  const { format, count, ...room } = JSON.parse(first) as Omit<ChatCopy, "lines"> & {
    format: number;
    count: number;
  };
  if (format !== FORMAT) throw new Error(`The copy of a chat has the unknown format ${format}.`);
  if (count !== otherLines.length)
    throw new Error(`The copy of the chat of session ${room.sessionId} is cut off.`);
  return { ...room, lines: otherLines.map((line) => JSON.parse(line) as CopiedLine) };
}

/** The instant of the copy in the night after a line, UTC. The rooms spread over an hour. */
export function nightAfter(at: Instant, sessionId: number): Instant {
  const from = 3 * HOUR + (sessionId % 3600) * SECOND;
  return instant((Math.floor((at - from) / DAY) + 1) * DAY + from);
}

/** The `seq` of the newest line, edit or removal; 0 without any. */
export const newestIn = ({ lines }: ChatCopy): number =>
  lines.reduce((newest, { seq, changed_seq }) => Math.max(newest, seq, changed_seq ?? 0), 0);
