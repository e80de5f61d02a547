// The lines of a session's chat that its pages load, beside those that the room sends. Pure.
import type { RoomMessage } from "~/domain/sessions/chat";
import type { ChatLine, LineChange } from "~/hooks/room/client";

const lineOf = (message: RoomMessage): ChatLine => ({
  key: message.nonce || String(message.seq),
  username: message.username,
  content: message.content,
  createdAt: message.createdAt,
  seq: message.seq,
  isEdited: message.editedAt !== null,
  isRemoved: message.isRemoved,
  state: "sent",
});

/** The lines that the room does not send, oldest first, each line once and in its present form. */
export function olderLines(
  read: readonly RoomMessage[],
  live: readonly { key: string }[],
  changes: ReadonlyMap<number, LineChange> = new Map(),
): ChatLine[] {
  const known = new Set(live.map((line) => line.key));
  const seen = new Map(read.map((message) => [message.seq, message]));
  return [...seen.values()]
    .sort((a, b) => a.seq - b.seq)
    .map((message) => ({ ...lineOf(message), ...changes.get(message.seq) }))
    .filter((line) => !known.has(line.key));
}

/** True if a line is missing from its place, because its author was blocked since. */
export function isOneMissing(
  read: readonly Pick<RoomMessage, "seq">[],
  now: readonly Pick<RoomMessage, "seq">[],
): boolean {
  const first = now[0]?.seq ?? 0;
  const there = new Set(now.map(({ seq }) => seq));
  return read.some(({ seq }) => seq >= first && !there.has(seq));
}
