// Recent progress and older chat lines: without duplicates, in order.
import { expect, test } from "vitest";
import type { LogShown } from "~/domain/goals/logs";
import { progressLine } from "~/domain/goals/progress-line";
import { ANY_READER } from "~/domain/numbers";
import type { RoomLog } from "~/domain/room/room";
import { instant } from "~/domain/time";
import { hasMissingLine, type LoadedLines, linesBefore, newestLines, olderLines } from "./chat-lines";
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

const message = (seq: number, nonce = "") => ({
  seq,
  username: "ann",
  content: `m${seq}`,
  createdAt: instant(seq),
  nonce,
  editedAt: null,
  isRemoved: false,
});

test("older chat lines appear once, and not beside the room's own", () => {
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

const NOTHING_SENT = Number.POSITIVE_INFINITY;
const newest = newestLines({ messages: [11, 12, 14].map((seq) => message(seq)), before: 11 });
const earlier: LoadedLines = { messages: [5, 7, 9].map((seq) => message(seq)), before: 5, until: 11 };
const shown = (loaded: readonly LoadedLines[], linesFrom: number) => {
  const { messages, before } = linesBefore(loaded, linesFrom);
  return [messages.map(({ seq }) => seq).sort((a, b) => a - b), before];
};

test("U-45 loaded lines are shown where they adjoin each other, and earlier ones follow them", () => {
  expect(shown([newest], NOTHING_SENT)).toEqual([[11, 12, 14], 11]);
  expect(shown([newest, earlier], NOTHING_SENT)).toEqual([[5, 7, 9, 11, 12, 14], 5]);
  expect(shown([{ ...newest, before: null }], NOTHING_SENT)).toEqual([[11, 12, 14], null]);
  // The page reloads its newest lines, and between them and the loaded ones there are others.
  const later = newestLines({ messages: [message(40), message(41)], before: 40 });
  expect(shown([newest, earlier, later], NOTHING_SENT)).toEqual([[40, 41], 40]);
});

test("Q-11 from the room's first line on, a loaded line that the room does not send is not shown", () => {
  expect(shown([newest, earlier], 12)).toEqual([[5, 7, 9, 11], 5]);
  expect(shown([newest, earlier], 0)).toEqual([[], null]);
});

test("U-45 L-03 the first press on Earlier messages loads lines that the room has not sent", () => {
  expect(shown([newest], 8)).toEqual([[], 8]);
  const pressed: LoadedLines = { messages: [message(5), message(7)], before: 5, until: 8 };
  expect(shown([newest, pressed], 8)).toEqual([[5, 7], 5]);
});

test("U-45 L-03 loaded lines beyond a gap before the room's are left out, and Earlier messages fills it", () => {
  expect(shown([newest, earlier], 60)).toEqual([[], 60]);
  const pressed: LoadedLines = { messages: [message(13), message(14), message(50)], before: 13, until: 60 };
  expect(shown([newest, earlier, pressed], 60)).toEqual([[5, 7, 9, 11, 12, 13, 14, 50], 5]);
});
