// Recent progress and older chat lines: without duplicates, in order.
import { expect, test } from "vitest";
import type { LogShown } from "~/domain/goals/logs";
import { progressLine } from "~/domain/goals/progress-line";
import { ANY_READER } from "~/domain/numbers";
import type { RoomLog } from "~/domain/room/room";
import { instant } from "~/domain/time";
import { hasMissingLine, olderLines } from "./chat-lines";
import { recentLines } from "./fresh-progress";
import { addsText } from "./texts";

const fresh = (id: number, at: number): RoomLog => ({
  id,
  username: "ann",
  goalTitle: "Run",
  action: "Do",
  unit: "",
  sessionGoalUuid: null,
  title: "",
  amount: 2000,
  distance: null,
  duration: 0,
  status: 2,
  createdAt: instant(at),
});
const kept = (id: number, at: number) =>
  ({
    id,
    username: "bob",
    title: "",
    action: "Read",
    goal: { id: 1, uuid: "g", title: "Book", action: "Read", unit: "pages" },
    amount: 3000,
    distance: null,
    duration: null,
    isTimed: false,
    elapsedDuration: 0,
    status: 2,
    createdAt: instant(at),
  }) as unknown as LogShown;

test("recent progress is newest first, with each log once, the room's data before the page's", () => {
  const lines = recentLines(
    [fresh(3, 30), fresh(2, 20)],
    [kept(2, 20), kept(1, 10)].map((log) => progressLine(log, ANY_READER)),
    8,
    ANY_READER,
  );
  expect(lines.map(({ id, username, words }) => `${id} ${username} ${words}`)).toEqual([
    "3 ann 2 times",
    "2 ann 2 times",
    "1 bob 3 pages",
  ]);
  expect(recentLines([fresh(3, 30)], [progressLine(kept(1, 10), ANY_READER)], 1, ANY_READER)).toHaveLength(1);
});

test("H-23 M-40 the name that a guest has stays on their logs when the room announces them", () => {
  const pageLines = [kept(2, 20), kept(1, 10)].map((log) =>
    progressLine({ ...log, username: "~Rudeword", guestName: "Ann" }, ANY_READER),
  );
  const lines = recentLines([{ ...fresh(2, 20), username: "~Rudeword" }], pageLines, 8, ANY_READER);
  expect(lines.map(({ id, guestName }) => [id, guestName])).toEqual([
    [2, "Ann"],
    [1, "Ann"],
  ]);
});

test("older chat lines appear once, and not beside the room's own", () => {
  const message = (seq: number, nonce = "") => ({
    seq,
    username: "ann",
    content: `m${seq}`,
    createdAt: instant(seq),
    nonce,
    editedAt: null,
    isRemoved: false,
  });
  const lines = olderLines([message(3, "n3"), message(1), message(2), message(1)], [{ key: "n3" }]);
  expect(lines.map(({ key, content }) => `${key} ${content}`)).toEqual(["1 m1", "2 m2"]);
});

test("a short content is its own summary", () => {
  expect(addsText("Run with us.", "**Run** with us.")).toBe(false);
  expect(addsText("", "Run")).toBe(false);
  expect(addsText("Ann ran, Bob walked.", "Run with us.")).toBe(true);
});

test("Q-11 a line that is missing from its place is noticed, older and newer ones are not", () => {
  const read = [{ seq: 3 }, { seq: 7 }, { seq: 9 }];
  expect(hasMissingLine(read, [{ seq: 7 }, { seq: 9 }, { seq: 12 }])).toBe(false);
  expect(hasMissingLine(read, [{ seq: 3 }, { seq: 9 }])).toBe(true);
  expect(hasMissingLine([], [])).toBe(false);
});
