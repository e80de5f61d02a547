// During a deployment, and after a rollback of the pages, the pages of the last release call the objects of this one.
// The calls below are in the words of the last release, as literals: change one only after a release has shipped with
// the new shape, and then in a commit of its own (docs/deploying.md, Each deployment).
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { makeUser } from "#tests/support/factories";
import { makeSession, partsOf, ROOM_NOW, stubOf, useRoomClock } from "#tests/support/rooms";
import attemptsSource from "../adapters/attempts.ts?raw";
import roomsSource from "../adapters/rooms.ts?raw";

useRoomClock();

/** The fields that a value lacks, or has in another type. Of a list only the first item is compared. */
function missingIn(value: unknown, wanted: unknown, path = ""): string[] {
  if (wanted === null) return [];
  if (Array.isArray(wanted)) {
    if (!Array.isArray(value)) return [path];
    return value.length > 0 && wanted.length > 0 ? missingIn(value[0], wanted[0], `${path}[0]`) : [];
  }
  if (typeof wanted !== "object") return typeof value === wanted ? [] : [path];
  if (typeof value !== "object" || value === null) return [path];
  return Object.entries(wanted).flatMap(([name, field]) =>
    name in value
      ? missingIn((value as Record<string, unknown>)[name], field, `${path}.${name}`)
      : [`${path}.${name}`],
  );
}

type Answer = { ok: boolean; value?: unknown };
type Remote = Record<string, (...args: unknown[]) => Promise<Answer>>;

const MESSAGE = {
  seq: "number",
  userId: "number",
  username: "string",
  content: "string",
  createdAt: "number",
  nonce: "string",
  editedAt: null,
  isRemoved: "boolean",
};
const VIEW = {
  now: "number",
  online: [],
  messages: [],
  state: {
    sessionId: "number",
    seq: "number",
    title: "string",
    content: "string",
    contentHtml: "string",
    contributions: [],
    summary: "string",
    prompt: "string",
    hasCode: "boolean",
    isPrivate: "boolean",
    mutes: [],
    isManuallyStarted: "boolean",
    needsHost: "boolean",
    startedAt: "number",
    endedAt: "number",
    runBegunAt: "number",
    participants: [
      {
        userId: "number",
        username: "string",
        role: "number",
        isHost: "boolean",
        joinedAt: "number",
        isReady: "boolean",
        completedAt: null,
      },
    ],
    schedule: { groups: [{ id: "string", parts: [{ id: "string", title: "string", duration: "number" }] }] },
  },
};
const NOTHING = undefined;

/** A call of the last release's pages: method, its arguments after the session's id, and the fields that they read. */
const CALLS: [method: string, args: (host: Host) => unknown[], read: unknown][] = [
  ["refresh", () => [], NOTHING],
  ["change", ({ by }) => [{ type: "start", by }], VIEW],
  ["change", ({ by }) => [{ type: "set-ready", by, isReady: true }], VIEW],
  ["change", ({ by }) => [{ type: "control-part", by, partId: "p1", action: "pause" }], VIEW],
  ["change", ({ by }) => [{ type: "control-part", by, partId: "p1", action: "resume" }], VIEW],
  ["change", ({ by }) => [{ type: "adjust-part", by, partId: "p1", seconds: 60 }], VIEW],
  ["change", ({ by }) => [{ type: "save-content", by, content: "Tea", contentHtml: "<p>Tea</p>" }], VIEW],
  ["change", ({ by }) => [{ type: "save-prompt", by, prompt: "Why?" }], VIEW],
  ["change", () => [{ type: "set-summary", summary: "Short" }], VIEW],
  [
    "change",
    ({ by }) => [{ type: "say", by, content: "Hello", nonce: "n-1" }],
    { ...VIEW, messages: [MESSAGE] },
  ],
  ["change", ({ by, line }) => [{ type: "edit-line", by, line, content: "Hello!" }], VIEW],
  ["view", () => [], VIEW],
  ["messages", () => [{ limit: 10 }], [MESSAGE]],
  ["writtenBy", ({ id }) => [id], "number"],
  ["linesOf", ({ id }) => [{ userId: id, after: 0, limit: 10 }], [{ seq: "number", content: "string" }]],
  ["change", ({ by, line }) => [{ type: "remove-line", by, line }], VIEW],
  ["copyChat", () => [], NOTHING],
  ["followLogs", () => [], NOTHING],
  ["change", ({ by }) => [{ type: "complete", by }], VIEW],
  ["change", ({ by }) => [{ type: "end", by }], VIEW],
  ["eraseAuthor", ({ id, username }) => [{ userId: id, username }], NOTHING],
];
/** Calls without the session's id. */
const CALLS_WITHOUT_SESSION: [method: string, args: unknown[]][] = [
  ["endLogins", [["0".repeat(64)]]],
  ["closeSpectators", []],
];

/** `line`: the number of the last line in the chat. */
type Host = { id: number; username: string; by: object; line: number };

async function setUp() {
  const host = await makeUser();
  const session = await makeSession([host, await makeUser()], {
    now: ROOM_NOW,
    schedule: partsOf(60, 60),
    duration: 600,
  });
  const { id, username } = host;
  const by = { userId: id, username, isSuperAdmin: false, timeZone: "UTC" };
  const room = stubOf(session.id) as unknown as Remote;
  return { host: { id, username, by, line: 0 }, session: session.id, room };
}

test("a room answers every call of the last release's pages, with the fields that they read", async () => {
  const { host, session, room } = await setUp();
  for (const [method, args, read] of CALLS) {
    const asked = args(host);
    const answer = await room[method]?.(session, ...asked);
    expect(answer, `${method} ${JSON.stringify(asked)}`).toMatchObject({ ok: true });
    const { messages = [] } = (answer?.value ?? {}) as { messages?: { seq: number }[] };
    host.line = messages.at(-1)?.seq ?? host.line;
    if (read !== NOTHING) expect(missingIn(answer?.value, read), method).toEqual([]);
  }
  for (const [method, args] of CALLS_WITHOUT_SESSION)
    expect([method, (await room[method]?.(...args))?.ok]).toEqual([method, true]);
});

test("a room opens the socket that the last release's pages ask for", async () => {
  const { host, session } = await setUp();
  const entry = {
    sessionId: session,
    identity: {
      userId: host.id,
      username: host.username,
      isSuperAdmin: false,
      timeZone: "UTC",
      loginHash: "0".repeat(64),
      network: "local",
    },
    ticket: null,
    network: "local",
    isNamed: true,
    join: { username: host.username },
  };
  const answer = await stubOf(session).fetch("http://room/", {
    headers: { Upgrade: "websocket", "X-Bothy-Entry": JSON.stringify(entry) },
  });
  expect(answer.status).toBe(101);
  answer.webSocket?.accept();
  answer.webSocket?.close(1000);
});

test("a counter answers every call of the last release's pages", async () => {
  const counter = env.COUNTERS.get(env.COUNTERS.idFromName("last-release")) as unknown as Record<
    string,
    (...args: number[]) => Promise<number>
  >;
  expect(await counter.take?.(1, 60, ROOM_NOW)).toBe(0);
  expect(await counter.take?.(1, 60, ROOM_NOW)).toBe(60);
  expect(await counter.take?.(1, 60, ROOM_NOW + 5000, 5)).toBe(0);
  await counter.giveBack?.();
  await counter.clear?.();
  expect(await counter.take?.(1, 60, ROOM_NOW)).toBe(0);
});

test("the calls above name every call of this release's pages", () => {
  const called = (source: string, target: RegExp) => [
    ...new Set([...source.matchAll(target)].map(([, name = ""]) => name)),
  ];
  const known = [...CALLS.map(([method]) => method), ...CALLS_WITHOUT_SESSION.map(([method]) => method)];
  expect(called(roomsSource, /\broom\.(\w+)\(/g).sort()).toEqual([...new Set(known)].sort());
  expect(called(attemptsSource, /counter\(key\)\.(\w+)\(/g).sort()).toEqual(["clear", "giveBack", "take"]);
});
