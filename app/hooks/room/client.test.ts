// The room client: optimistic messages and marks, deduplication, and catching up after a reconnect.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { instant } from "~/domain/time";
import { CLOSE, type MessageWire, type Operation, PING, PONG, SOCKET_VERSION } from "~/wire/room/room";
import { RoomClient, type RoomEvents, type RoomOpening } from "./client";
import { NOW, room } from "./fixtures";

const at = new Date(NOW).toISOString();
const welcome = (over: Partial<Extract<Operation, { type: "welcome" }>> = {}): Operation => ({
  type: "welcome",
  now: NOW,
  seq: 1,
  version: SOCKET_VERSION,
  room: null,
  is_whole: 1,
  participants: [
    { username: "ada", role: 0 as const, is_host: 0, is_ready: 0, joined_at: at, completed_at: null },
  ],
  is_page: 0,
  count: 1,
  left: [],
  online: ["ada"],
  mutes: [],
  ...over,
});
const history = (over: Partial<Extract<Operation, { type: "history" }>> = {}): Operation => ({
  type: "history",
  seq: 1,
  is_whole: 1,
  messages: [],
  edited: [],
  removed: [],
  is_cut: 0,
  logs: [],
  ...over,
});
const person = (username: string, joined: number) => ({
  username,
  role: 0 as const,
  is_host: 0 as const,
  is_ready: 0 as const,
  joined_at: new Date(NOW + joined).toISOString(),
  completed_at: null,
});
const lineOf = (seq: number, nonce: string, username = "bo"): MessageWire => ({
  seq,
  username,
  content: `line ${nonce}`,
  created_at: at,
  nonce,
  edited_at: null,
  is_removed: 0,
});
const said = (seq: number, nonce: string, username = "ada"): Operation => ({
  type: "message",
  seq,
  nonce,
  message: lineOf(seq, nonce, username),
});

beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
});
afterEach(() => {
  vi.useRealTimers();
});

function open(username: string | null = "ada", initial = room) {
  const sent: string[] = [];
  const refused: string[] = [];
  const line = { isOpen: true, closed: 0, reconnected: 0 };
  let events: RoomEvents | undefined;
  let opening: (() => RoomOpening) | undefined;
  let nonces = 0;
  const client = new RoomClient({
    username,
    initial,
    ticket: "page",
    connect: (given, asked) => {
      events = given;
      opening = asked;
      return {
        send: (text) => sent.push(text),
        close: () => line.closed++,
        reconnect: () => line.reconnected++,
        isOpen: () => line.isOpen,
      };
    },
    now: () => Date.now(),
    makeNonce: () => `n${++nonces}`,
    onRefused: (code) => refused.push(code),
  });
  return {
    client,
    line,
    refused,
    sent: () => sent.filter((text) => text !== PING).map((text) => JSON.parse(text)),
    raw: sent,
    hear: (...ops: Operation[]) => events?.onMessage(JSON.stringify(ops)),
    say: (text: string) => events?.onMessage(text),
    events: () => events,
    opening: () => opening?.(),
    known: () => client.get(),
    lines: () => client.get().messages.map(({ key, state }) => `${key} ${state}`),
  };
}

test("L-04 each attempt carries the newest ticket: the page's, then the welcome's", () => {
  const { hear, opening } = open();
  expect(opening()?.ticket).toBe("page");
  hear(welcome({ ticket: "hour" }));
  expect(opening()?.ticket).toBe("hour");
  hear(welcome());
  expect(opening()?.ticket).toBe("hour");
});

test("B-13 opening the message box is announced to the room, but not while away or as a spectator", () => {
  const { client, hear, sent, line } = open();
  client.sendWriting();
  hear(welcome());
  client.sendWriting();
  line.isOpen = false;
  client.sendWriting();
  expect(sent().filter(({ type }) => type === "writing")).toHaveLength(1);
  const spectator = open(null);
  spectator.hear(welcome());
  spectator.client.sendWriting();
  expect(spectator.sent()).toEqual([]);
});

test("L-11 a pending line is not sent twice, neither by Retry nor by reconnecting twice", () => {
  const { client, hear, sent, lines, events, opening } = open();
  hear(welcome(), history());
  client.sendMessage("  hello  ");
  expect(lines()).toEqual(["n1 pending"]);
  client.retry("n1");
  client.sendMessage("   ");
  const messages = () => sent().filter(({ type }) => type === "message");
  expect(messages()).toEqual([{ type: "message", content: "hello", nonce: "n1" }]);
  // The connection closed before the answer, so the line is sent again with its nonce, and the room deduplicates it.
  events()?.onClose(1006);
  expect(opening()?.join).toEqual({ username: "ada", since: 1 });
  hear(welcome({ seq: 1, is_whole: 0 }), history({ is_whole: 0 }));
  expect(messages().map(({ nonce }) => nonce)).toEqual(["n1", "n1"]);
  hear(said(2, "n1"));
  expect(lines()).toEqual(["n1 sent"]);
  events()?.onClose(1006);
  hear(welcome({ seq: 2, is_whole: 0 }), history({ seq: 2, is_whole: 0 }));
  expect(messages()).toHaveLength(2);
});

test("L-11 a line that timed out or was refused fails, and only Retry sends it again", () => {
  const { client, hear, sent, known, lines } = open();
  hear(welcome());
  client.sendMessage("one");
  vi.advanceTimersByTime(12_000);
  expect(known().messages[0]).toMatchObject({ state: "failed", problem: "It was not delivered." });
  client.retry("n1");
  expect(lines()).toEqual(["n1 pending"]);
  hear({
    type: "refused",
    error_code: "INSUFFICIENT_TOKENS",
    message: "You have no tokens left.",
    nonce: "n1",
  });
  expect(known().messages[0]).toMatchObject({ state: "failed", problem: "You have no tokens left." });
  expect(sent().filter(({ type }) => type === "message")).toHaveLength(2);
});

test("L-04 an operation is applied once, and a full welcome replaces the state", () => {
  const { hear, lines } = open();
  hear(welcome({ seq: 5 }), history({ seq: 5 }));
  hear(said(6, "a", "bo"), said(7, "b", "bo"));
  hear(said(6, "a", "bo"));
  expect(lines()).toEqual(["a sent", "b sent"]);
  hear(welcome({ seq: 9, is_whole: 0 }), history({ seq: 9, is_whole: 0, is_cut: 1 }));
  expect(lines()).toEqual([]);
});

test("L-04 a connection that is lost between welcome and history asks for the history again", () => {
  const { hear, lines, events, opening } = open();
  hear(welcome({ seq: 5 }), history({ seq: 5 }));
  hear(said(6, "a", "bo"));
  const back = () => {
    events()?.onClose(1006);
    return opening()?.join?.since;
  };
  expect(back()).toBe(6);
  hear(welcome({ seq: 9, is_whole: 0 }));
  expect(back()).toBe(6);
  const missed = history({ seq: 9, is_whole: 0, messages: [8].map((seq) => lineOf(seq, "b")) });
  hear(welcome({ seq: 9, is_whole: 0 }), missed);
  expect(lines()).toEqual(["a sent", "b sent"]);
  expect(back()).toBe(9);
});

test("L-03 a page of the roster is asked to be whole once, when it is looked at, and deltas keep its count and order", () => {
  const { client, hear, known, sent, events } = open();
  const asked = () => sent().filter(({ type }) => type === "people").length;
  hear(welcome(), history());
  client.requestRoster();
  expect(asked()).toBe(0);
  const page = { is_page: 1 as const, count: 150, participants: [person("host", 0), person("ada", 900)] };
  hear(welcome(page), history());
  const names = () => known().room.participants.map(({ username }) => username);
  hear({ type: "participants", seq: 2, participants: [person("bo", 400)], left: ["unseen"], count: 149 });
  expect([names(), known().room.count, known().isPage]).toEqual([["host", "bo", "ada"], 149, true]);
  client.requestRoster();
  client.requestRoster();
  expect(asked()).toBe(1);
  const whole = [person("host", 0), person("bo", 400), person("cy", 500), person("ada", 900)];
  hear({ type: "people", participants: whole, online: ["cy"] });
  expect([names(), known().room.count, known().isPage, known().online]).toEqual([
    ["host", "bo", "cy", "ada"],
    4,
    false,
    ["cy"],
  ]);
  client.requestRoster();
  expect(asked()).toBe(1);
  // After a reconnect the presence of the others is unknown again.
  events()?.onClose(1006);
  hear(welcome({ ...page, is_whole: 0, participants: [], count: 4 }), history({ is_whole: 0 }));
  expect([names().length, known().isPage]).toEqual([4, true]);
  client.requestRoster();
  expect(asked()).toBe(2);
});

test("L-03 an event leaves every field that it does not change as it was, so that only what shows it renders", () => {
  const { hear, known } = open();
  hear(welcome(), history(), said(2, "first", "bo"));
  const before = known();
  const changedBy = (...ops: Operation[]) => {
    const last = known();
    hear(...ops);
    const now = known();
    return Object.keys(now).filter(
      (name) => now[name as keyof typeof now] !== last[name as keyof typeof last],
    );
  };
  expect(changedBy(said(3, "second", "bo"))).toEqual(["messages"]);
  expect(changedBy({ type: "online", online: ["bo"], offline: [] })).toEqual(["online"]);
  expect(changedBy({ type: "typing", usernames: ["bo"] })).toEqual(["typing"]);
  expect(changedBy({ type: "slow_mode", seq: 4, slow_mode: 15 })).toEqual(["room"]);
  expect(known().room.participants).toBe(before.room.participants);
  expect(changedBy({ type: "edited", seq: 5, line: 3, content: "Other words", edited_at: at })).toEqual([
    "messages",
    "changes",
  ]);
});

test("U-43 the user's ready mark changes at once, and reverts when the room refuses it", () => {
  const { client, hear, known, refused } = open();
  hear(welcome());
  const isReady = () => known().room.participants[0]?.isReady;
  client.setReady(true);
  expect(isReady()).toBe(true);
  hear({ type: "refused", error_code: "CONFLICT", message: "The session has started already." });
  expect([isReady(), refused]).toEqual([false, ["CONFLICT"]]);
});

test.each([
  [60_000, [{ type: "ready", is_ready: true }], true],
  [59_999, [], false],
])("L-07 a mark made without a connection counts only until the start, after %i ms", (ms, sends, isReady) => {
  const { client, hear, known, sent } = open("ada", { ...room, startedAt: instant(NOW + ms) });
  client.setReady(true);
  vi.advanceTimersByTime(59_999);
  hear(welcome());
  expect([sent(), known().room.participants[0]?.isReady]).toEqual([sends, isReady]);
});

test("J-05 J-06 a hand or reaction without a connection is not sent later", () => {
  const { client, events, hear, sent } = open();
  const signals = () => sent().filter(({ type }) => type === "hand" || type === "react");
  client.signal({ type: "hand", is_up: true });
  client.signal({ type: "react", reaction: "👏" });
  hear(welcome());
  events()?.onClose(1006);
  client.signal({ type: "hand", is_up: true });
  hear(welcome({ seq: 2 }));
  expect(signals()).toEqual([]);
  client.signal({ type: "hand", is_up: true });
  expect(signals()).toEqual([{ type: "hand", is_up: true }]);
});

test("R-16 a spectator sends nothing", () => {
  const { client, hear, known, sent } = open(null);
  hear(welcome());
  expect(known().connection).toBe("open");
  client.sendMessage("hello");
  client.setReady(true);
  client.signal({ type: "hand", is_up: true });
  client.sendTyping();
  hear(welcome({ seq: 2 }));
  expect(sent()).toEqual([]);
  expect(known().messages).toEqual([]);
});

test("L-02 L-04 R-68 a page pings every 30 seconds, a missing pong closes a dead connection, and a forbidden one is not retried", () => {
  const { line, raw, say, events, known } = open();
  vi.advanceTimersByTime(29_999);
  expect(raw).not.toContain(PING);
  vi.advanceTimersByTime(1);
  expect(raw.at(-1)).toBe(PING);
  say(PONG);
  vi.advanceTimersByTime(10_000);
  expect(line.reconnected).toBe(0);
  vi.advanceTimersByTime(30_000);
  expect(line.reconnected).toBe(1);
  events()?.onClose(1006);
  expect([line.closed, known().connection]).toEqual([0, "lost"]);
  events()?.onClose(CLOSE.notAllowed);
  expect(line.closed).toBe(1);
});

test("L-04 a page that wakes pings at once, so that a connection that died in its sleep lasts ten seconds more", () => {
  const { line, raw, say, events } = open();
  events()?.onWake();
  expect(raw).toEqual([PING]);
  say(PONG);
  vi.advanceTimersByTime(11_000);
  expect(line.reconnected).toBe(0);
  events()?.onWake();
  events()?.onWake();
  expect(raw).toEqual([PING, PING]);
  vi.advanceTimersByTime(10_000);
  expect(line.reconnected).toBe(1);
});

test.each([CLOSE.notAllowed, CLOSE.unknown])(
  "L-04 S-07 a connection closed with %i is closed for good and not lost, unlike one that the network closed",
  (code) => {
    const { events, hear, known } = open();
    hear(welcome(), history());
    events()?.onClose(1006);
    expect(known().connection).toBe("lost");
    events()?.onClose(code);
    expect(known().connection).toBe("closed");
  },
);

test("U-45 L-03 the client knows from which line on it has all, after a cut history and after a thousand lines", () => {
  const { hear, known } = open();
  expect(known().linesFrom).toBe(Number.POSITIVE_INFINITY);
  hear(welcome(), history());
  expect(known().linesFrom).toBe(0);
  hear(said(2, "a"), history({ seq: 3, is_whole: 0, messages: [lineOf(3, "b")] }));
  expect(known().linesFrom).toBe(0);
  const missed = [500, 501].map((seq) => lineOf(seq, `n${seq}`));
  hear(history({ seq: 501, is_whole: 0, is_cut: 1, messages: missed }));
  expect([known().linesFrom, known().messages.length]).toEqual([500, 2]);
  for (let seq = 502; seq <= 1499; seq++) hear(said(seq, `n${seq}`));
  expect([known().linesFrom, known().messages.length]).toEqual([500, 1000]);
  hear(said(1500, "n1500"));
  expect([known().linesFrom, known().messages[0]?.seq]).toEqual([701, 701]);
});

test("Q-22 an edited or removed line changes in place, also among the lines that the page loaded", () => {
  const { hear, known, events, opening } = open();
  hear(welcome(), history(), said(2, "a", "ben"), said(3, "b", "ben"));
  hear({ type: "edited", seq: 4, line: 2, content: "Other words", edited_at: at });
  hear({ type: "edited", seq: 4, line: 3, content: "Words to regret", edited_at: at });
  hear({ type: "removed", seq: 5, line: 3 }, { type: "removed", seq: 6, line: 1 });
  expect(known().messages).toMatchObject([
    { key: "a", content: "Other words", isEdited: true, isRemoved: false },
    { key: "b", content: "", isEdited: false, isRemoved: true },
  ]);
  expect(known().changes.get(1)).toMatchObject({ content: "", isRemoved: true });
  events()?.onClose(1006);
  expect(opening()?.join).toEqual({ username: "ada", since: 6 });
  hear(welcome({ seq: 7, is_whole: 0 }));
  hear(history({ seq: 7, is_whole: 0, removed: [{ seq: 7, line: 2 }] }));
  expect(known().messages.map(({ isRemoved }) => isRemoved)).toEqual([true, true]);
});

test("Q-23 slow mode is part of the room", () => {
  const { hear, known } = open();
  hear(welcome(), { type: "slow_mode", seq: 2, slow_mode: 15 });
  expect(known().room.slowMode).toBe(15);
});

test("R-26 a page that is older than the server asks once to be reloaded, and goes on", () => {
  const { hear, known, refused, events } = open();
  hear(welcome(), history());
  expect(refused).toEqual([]);
  for (const _ of [1, 2]) {
    events()?.onClose(1006);
    hear(welcome({ version: SOCKET_VERSION + 1 }), history());
  }
  expect(refused).toEqual(["OUTDATED"]);
  expect(known().connection).toBe("open");
});
