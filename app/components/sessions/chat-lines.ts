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

/** Lines that the page loaded at once: all from `before`, or from the first if that is null, up to below `until`. */
export type LoadedLines = { messages: readonly RoomMessage[]; before: number | null; until: number };

/** The newest lines of a page. */
export const newestLines = ({ messages, before }: Omit<LoadedLines, "until">): LoadedLines => ({
  messages,
  before,
  until: (messages.at(-1)?.seq ?? 0) + 1,
});

/**
 * The loaded lines that adjoin those of the room, which has all from `linesFrom` on, and the number before which the page
 * loads earlier ones; null if there are none. Lines beyond a gap are left out: the page loads them again.
 */
export function linesBefore(
  loaded: readonly LoadedLines[],
  linesFrom: number,
): Pick<LoadedLines, "messages" | "before"> {
  let from = linesFrom;
  const messages: RoomMessage[] = [];
  for (const lines of [...loaded].sort((a, b) => b.until - a.until)) {
    if (lines.until < from && from !== Number.POSITIVE_INFINITY) break;
    const end = from;
    messages.push(...lines.messages.filter(({ seq }) => seq < end));
    from = Math.min(from, lines.before ?? 0);
  }
  return { messages, before: from > 0 && from !== Number.POSITIVE_INFINITY ? from : null };
}

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
