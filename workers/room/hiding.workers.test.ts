// Blocks in a room: two people are hidden from each other in frames, welcomes, history and pages; everybody else
// shares one frame.
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { callAs, dataOf } from "#tests/support/ask";
import { makeUser, makeUsers, type TestUser } from "#tests/support/factories";
import {
  bareRoom,
  joinRoom,
  type Line,
  openLine,
  partsOf,
  runningRoom,
  sayInRoom,
  stubOf,
  useRoomClock,
} from "#tests/support/rooms";
import { leave } from "#tests/support/sessions";
import { visit } from "#tests/support/visit";
import { type HiddenPeople, hiddenOf } from "~/domain/safety/blocks";

useRoomClock();

const turns = () => ({
  groups: partsOf(1200).groups.map((group) => ({
    ...group,
    parts: group.parts.map((part) => ({ ...part, isPerParticipant: true })),
  })),
});
const block = (user: TestUser, { username }: TestUser) => callAs(user, "PUT", `/api/blocks/${username}`);
const unblock = (user: TestUser, { username }: TestUser) => callAs(user, "DELETE", `/api/blocks/${username}`);
const isWith = (text: string) => (op: { message: { content: string } }) => op.message.content === text;
const heardOf = (line: Line): string => JSON.stringify(line.heard);
/** Everything that the room and its pages ever sent to this person. */
const expectNothingOf = (line: Line, { username }: TestUser, texts: string[]) => {
  for (const secret of [username, ...texts]) expect(heardOf(line)).not.toContain(secret);
};

test("Q-11 two people of a block receive nothing of each other, and everybody else receives both", async () => {
  const [host, a, b] = await makeUsers(3);
  const { id } = await runningRoom([host, a, b], partsOf(1200), 1200);
  expect((await block(a, b)).status).toBe(204);
  const [ofHost, ofA, ofB] = [await joinRoom(host, id), await joinRoom(a, id), await joinRoom(b, id)];
  const line = await sayInRoom(id, a, "kettle of A");
  await sayInRoom(id, b, "kettle of B");
  ofA.say({ type: "typing" });
  await ofHost.expect("typing", ({ usernames }) => usernames.includes(a.username));
  ofB.say({ type: "typing" });
  await ofHost.expect("typing", ({ usernames }) => usernames.includes(b.username));
  await callAs(a, "PATCH", `/api/sessions/${id}/messages/${line}`, { content: "kettle of A, edited" });
  await sayInRoom(id, host, "the end");
  for (const one of [ofHost, ofA, ofB]) {
    await one.expect("message", isWith("the end"));
    one.say({ type: "people" });
    await one.expect("people");
  }
  expect(heardOf(ofHost)).toContain("kettle of A, edited");
  expect(heardOf(ofHost)).toContain("kettle of B");
  expect(heardOf(ofA)).toContain("kettle of A");
  expectNothingOf(ofA, b, ["kettle of B"]);
  expectNothingOf(ofB, a, ["kettle of A"]);
});

test("Q-11 a block hides earlier lines at once in open sockets, and unblocking shows them again", async () => {
  const [host, a, b] = await makeUsers(3);
  const { id } = await runningRoom([host, a, b], partsOf(1200), 1200);
  await sayInRoom(id, a, "lamp of A");
  const last = await sayInRoom(id, b, "lamp of B");
  const [ofA, ofB] = [await joinRoom(a, id), await joinRoom(b, id)];
  expect(heardOf(ofA)).toContain("lamp of B");
  ofA.heard.length = ofB.heard.length = 0;
  await block(a, b);
  const [again] = [await ofA.expect("history"), await ofB.expect("history")];
  expect(again).toMatchObject({ is_whole: 1, messages: [{ content: "lamp of A" }] });
  expectNothingOf(ofA, b, ["lamp of B"]);
  expectNothingOf(ofB, a, ["lamp of A"]);
  ofA.heard.length = 0;
  await unblock(a, b);
  const { messages } = await ofA.expect("history");
  expect(messages.map(({ content }) => content)).toEqual(["lamp of A", "lamp of B"]);
  // The block and its end have a number each.
  expect(await sayInRoom(id, host, "the end")).toBe(last + 3);
});

test("Q-11 Q-12 a resuming client and an evicted room still hide the other person", async () => {
  const [host, a, b] = await makeUsers(3);
  const { id } = await runningRoom([host, a, b], turns(), 3600);
  await block(b, a);
  const first = await joinRoom(a, id);
  const { seq } = await first.expect("welcome");
  await sayInRoom(id, b, "rope of B");
  await evictDurableObject(stubOf(id));
  const second = await joinRoom(a, id, seq);
  const welcome = await second.expect("welcome");
  expectNothingOf(first, b, ["rope of B"]);
  expectNothingOf(second, b, ["rope of B"]);
  expect(welcome.participants.map(({ username }) => username)).toEqual([
    host.username,
    a.username,
    "Participant 3",
  ]);
  const [group] = welcome.room?.parts ?? [];
  expect(JSON.stringify(group)).toContain("Participant 3");
  await sayInRoom(id, b, "rope of B again");
  await sayInRoom(id, host, "the end");
  await second.expect("message", isWith("the end"));
  expectNothingOf(second, b, ["rope of B again"]);
});

test("Q-12 positions, turns and presence show the alias as the roster changes", async () => {
  const [host, early, a, b] = await makeUsers(4);
  const { id } = await runningRoom([host, early, a, b], turns(), 4800);
  await block(a, b);
  const ofA = await joinRoom(a, id);
  await joinRoom(b, id);
  await ofA.expect("online", ({ online }) => online.includes("Participant 4"));
  expect((await leave(early, id)).status).toBe(200);
  const told = await ofA.expect("participants", ({ left }) => left.includes("Participant 4"));
  expect(told.participants.map(({ username }) => username)).toContain("Participant 3");
  await ofA.expect("parts", ({ parts }) => JSON.stringify(parts).includes("Participant 3"));
  await ofA.expect(
    "online",
    ({ online, offline }) => online.includes("Participant 3") && offline.includes("Participant 4"),
  );
  expectNothingOf(ofA, b, []);
});

test("Q-11 a blocked person's lines stay hidden after they left, and after the session's end", async () => {
  const [host, a, b] = await makeUsers(3);
  const { id } = await runningRoom([host, a, b], partsOf(1200), 1200);
  await block(a, b);
  await sayInRoom(id, b, "stove of B");
  await leave(b, id);
  const left = await joinRoom(a, id);
  expectNothingOf(left, b, ["stove of B"]);
  await callAs(host, "POST", `/challenge-events/${id}/end`, {});
  await unblock(a, b);
  expect(heardOf(await joinRoom(a, id))).toContain("stove of B");
  await block(a, b);
  await evictDurableObject(stubOf(id));
  expectNothingOf(await joinRoom(a, id), b, ["stove of B"]);
  for (const path of [`/sessions/${id}/chat`, `/sessions/${id}`])
    expect((await visit(a, path)).html).not.toContain("stove of B");
  expect(JSON.stringify((await callAs(a, "GET", `/api/sessions/${id}/chat`)).body)).not.toContain(
    "stove of B",
  );
  expect(JSON.stringify((await callAs(host, "GET", `/api/sessions/${id}/chat`)).body)).toContain(
    "stove of B",
  );
});

test("Q-11 a log in the session reaches everybody except the people of a block", async () => {
  const [host, a, b] = await makeUsers(3);
  const { id } = await runningRoom([host, a, b], partsOf(1200), 1200);
  await block(a, b);
  const [ofHost, ofA] = [await joinRoom(host, id), await joinRoom(a, id)];
  const said = await callAs(b, "POST", `/challenge-events/${id}/logs`, {
    amount: 3,
    title: "Reps of B",
  });
  expect(said.status, JSON.stringify(said.body)).toBe(201);
  await ofHost.expect("logs");
  await sayInRoom(id, host, "the end");
  await ofA.expect("message", isWith("the end"));
  expectNothingOf(ofA, b, []);
  expectNothingOf(await joinRoom(a, id), b, []);
});

test("Q-11 viewers without a block share one serialised frame, and a room without blocks filters nothing", async () => {
  const { id } = await runningRoom([await makeUser()], partsOf(1200), 1200);
  await runInDurableObject(stubOf(id), (_, ctx) => {
    const hidden: { now: ReadonlyMap<number, HiddenPeople> | null } = { now: null };
    const { sockets, frames } = bareRoom(ctx, { hidden: () => hidden.now });
    const sent = new Map<number, string[]>();
    for (const userId of [1, 2, 3, 4]) {
      const [, server] = Object.values(new WebSocketPair()) as [WebSocket, WebSocket];
      const identity = { userId, username: `u${userId}`, isSuperAdmin: false, loginHash: "", network: "" };
      sockets.accept(server, identity);
      const listener = sockets.of(server);
      if (listener) sockets.join(server, listener, identity.username);
      sent.set(userId, []);
      vi.spyOn(server, "send").mockImplementation((frame) => void sent.get(userId)?.push(String(frame)));
    }
    frames.flush();
    for (const frames of sent.values()) frames.length = 0;
    const say = vi.fn(() => []);
    const told = { type: "summary" as const, seq: 1, summary: "Said once" };
    const words = vi.spyOn(JSON, "stringify");
    frames.broadcast([told], [told], say);
    frames.flush();
    expect(say).not.toHaveBeenCalled();
    hidden.now = new Map([[1, hiddenOf([{ userId: 2, username: "u2" }])]]);
    frames.broadcast([told], [told], say);
    frames.flush();
    expect(words).toHaveBeenCalledTimes(2);
    words.mockRestore();
    expect(say).toHaveBeenCalledTimes(1);
    const frame = JSON.stringify([told]);
    expect([...sent.values()]).toEqual([[frame], [frame, frame], [frame, frame], [frame, frame]]);
  });
});

test("Q-12 a spectator with a block gets no live chat line, and the page shows the alias", async () => {
  const [host, watcher, other] = await makeUsers(3);
  const { id } = await runningRoom([host, other], turns(), 2400);
  await block(watcher, host);
  const roster = (await dataOf(watcher, `/api/sessions/${id}`)).session;
  expect(roster.participants.map(({ username }: { username: string }) => username)).toEqual([
    "Participant 1",
    other.username,
  ]);
  expect(JSON.stringify(roster)).not.toContain(host.username);
  expect((await visit(watcher, `/sessions/${id}`)).html).not.toContain(host.username);
  await expect(openLine(watcher, id, {}, "?watch=1")).rejects.toThrow("no socket: 403");
  await unblock(watcher, host);
  expect((await openLine(watcher, id, {}, "?watch=1")).heard).toBeDefined();
});

test("Q-12 a host acts on a hidden participant of a running room by the handle that the roster brings", async () => {
  const [host, early, a, b] = await makeUsers(4);
  const { id } = await runningRoom([host, early, a, b], partsOf(1200), 1200);
  const remove = (name = "") =>
    callAs(host, "DELETE", `/challenge-events/${id}/participants/${encodeURIComponent(name)}`);
  await block(a, host);
  await block(b, host);
  const ofHost = await joinRoom(host, id);
  await leave(early, id);
  const { participants } = await ofHost.expect("participants", ({ left }) => left.includes("Participant 4"));
  expect((await remove("Participant 3")).status).toBe(404);
  const second = participants.find(({ username }) => username === "Participant 3");
  expect((await remove(second?.handle)).status).toBe(204);
  const left = await env.DB.prepare("SELECT user_id FROM participants WHERE session_id = ?").bind(id).all();
  expect(new Set(left.results.map(({ user_id }) => user_id))).toEqual(new Set([host.id, a.id]));
});
