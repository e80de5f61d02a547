// The copies of the chat: their format, and the night at which a room writes one.
import { expect, test } from "vitest";
import { HOUR, instant } from "~/domain/time";
import { type CopiedLine, chatCopyText, newestIn, nightAfter, readChatCopy } from "./chat-copy";

test("Q-43 a copy of the chat names its format, and another format is refused", () => {
  const text = chatCopyText({ sessionId: 1, seq: 0, gone: [], blocks: [], lines: [] });
  expect(JSON.parse(text)).toMatchObject({ format: 1 });
  expect(() => readChatCopy(text.replace('"format":1', '"format":2'))).toThrow("unknown format 2");
});

test("Q-43 the copies of all rooms spread over the hour after three at night", () => {
  const noon = Date.UTC(2026, 10, 23, 12);
  const after = (session: number) => nightAfter(instant(noon), session) - (noon + 12 * HOUR);
  expect([after(0), after(3599), after(3600)]).toEqual([3 * HOUR, 4 * HOUR - 1000, 3 * HOUR]);
});

test("Q-43 the newest of a copy is a line, or the edit or removal of one", () => {
  const line = (seq: number, changed_seq: number | null): CopiedLine => ({
    seq,
    user_id: 1,
    username: "ada",
    content: "Tea",
    nonce: `n${seq}`,
    block: 1,
    created_at: 0,
    changed_seq,
    edited_at: null,
    removed_at: null,
  });
  const newestOf = (...lines: CopiedLine[]) =>
    newestIn({ sessionId: 1, seq: 0, gone: [], blocks: [], lines });
  expect([newestOf(), newestOf(line(3, null), line(7, null)), newestOf(line(3, 9), line(7, null))]).toEqual([
    0, 7, 9,
  ]);
});
