// The copies of the chat: their format, and the night at which a room writes one.
import { expect, test } from "vitest";
import { HOUR, instant } from "~/domain/time";
import { chatCopyText, nightAfter, readChatCopy } from "./chat-copy";

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
