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
  loaded: readonly RoomMessage[],
  live: readonly { key: string }[],
  changes: ReadonlyMap<number, LineChange> = new Map(),
): ChatLine[] {
  const liveKeys = new Set(live.map((line) => line.key));
  const bySeq = new Map(loaded.map((message) => [message.seq, message]));
  return [...bySeq.values()]
    .sort((a, b) => a.seq - b.seq)
    .map((message) => ({ ...lineOf(message), ...changes.get(message.seq) }))
    .filter((line) => !liveKeys.has(line.key));
}

/** True if `newest` lacks a loaded line of its range, because its author has been blocked since. */
export function hasMissingLine(
  loaded: readonly Pick<RoomMessage, "seq">[],
  newest: readonly Pick<RoomMessage, "seq">[],
): boolean {
  const firstSeq = newest[0]?.seq ?? 0;
  const seqs = new Set(newest.map(({ seq }) => seq));
  return loaded.some(({ seq }) => seq >= firstSeq && !seqs.has(seq));
}
