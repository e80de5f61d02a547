// The frames of a room: deltas instead of rosters, one frame for simultaneous operations, a resume instead of a
// reload.
import { runInDurableObject } from "cloudflare:test";
import { eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { schema } from "#db/connect.server";
import { db, makeUser, makeUsers, type TestUser } from "#tests/support/factories";
import {
  actorOf,
  bareRoom,
  joinRoom,
  makeSession,
  ROOM_NOW as NOW,
  partsOf,
  putSeat,
  runningRoom,
  seatCrowd,
  stubOf,
  useRoomClock,
  watchRoom,
} from "#tests/support/rooms";
import type { RoomLog } from "~/domain/room/room";
import { SECOND } from "~/domain/time";
import type { Frames } from "./frames";
import type { SessionRoom } from "./session-room";
import type { Sockets } from "./sockets";

useRoomClock();

const running = (...people: TestUser[]) => runningRoom(people, partsOf(60, 60), 600);

test("L-03 R-26 the roster is sent as deltas: joined, changed, left", async () => {
  const [guest, late] = [await makeUser(), await makeUser()];
  const { id, host, room } = await running(await makeUser(), guest);
  const line = await joinRoom(host, id);
  await putSeat(id, late, NOW + 60_000);
  await room.refresh();
  const came = await line.expect("participants");
  expect(came.participants.map((one) => one.username)).toEqual([late.username]);
  expect(came.left).toEqual([]);
  await room.change({ type: "set-ready", by: actorOf(guest), isReady: true });
  const ready = await line.expect("participants", (op) => op.seq > came.seq);
  expect(ready.participants).toMatchObject([{ username: guest.username, is_ready: 1 }]);
  const guestLine = await joinRoom(guest, id);
  await line.expect("online", (op) => op.online.includes(guest.username));
  await db.delete(schema.participants).where(eq(schema.participants.userId, guest.id));
  await room.refresh();
  const left = await line.expect("participants", (op) => op.seq > ready.seq);
  expect(left).toMatchObject({ participants: [], left: [guest.username] });
  // The person who lost the seat receives the delta, and the socket closes for good.
  await guestLine.expect("participants", (op) => op.left.includes(guest.username));
  expect((await guestLine.closed).code).toBe(4403);
  await line.expect("online", (op) => op.offline.includes(guest.username));
});

test("L-04 R-26 a reconnecting client receives only what it missed, and no snapshot when the snapshot is unchanged", async () => {
  const [guest, other] = [await makeUser(), await makeUser()];
  const { id, host, room } = await running(await makeUser(), guest, other);
  const first = await joinRoom(host, id);
  const whole = await first.expect("welcome");
  expect(whole).toMatchObject({ is_whole: 1, is_page: 0, count: 3, left: [] });
  expect(whole.participants).toHaveLength(3);
  first.socket.close(1000);

  await room.change({ type: "say", by: actorOf(guest), content: "Hello", nonce: "a" });
  const back = await joinRoom(host, id, whole.seq);
  const same = await back.expect("welcome");
  expect(same).toMatchObject({ room: null, is_whole: 0, participants: [] });
  expect(await back.expect("history")).toMatchObject({ is_whole: 0, is_cut: 0, messages: [{ nonce: "a" }] });

  await room.change({ type: "set-ready", by: actorOf(guest), isReady: true });
  await db.delete(schema.participants).where(eq(schema.participants.userId, other.id));
  await room.refresh();
  const people = await (await joinRoom(host, id, same.seq)).expect("welcome");
  expect(people).toMatchObject({ room: null, left: [other.username], count: 2 });
  expect(people.participants.map((one) => one.username)).toEqual([guest.username]);

  await room.change({ type: "control-part", by: actorOf(host), partId: "p1", action: "pause" });
  const run = await (await joinRoom(host, id, people.seq)).expect("welcome");
  expect(run.room?.parts[0]?.parts[0]).toMatchObject({ state: "paused" });
  // A number the room never sent brings a full welcome.
  expect(await (await joinRoom(host, id, 1e9)).expect("welcome")).toMatchObject({ is_whole: 1 });
});

test("L-04 R-26 a client that returns before anything has happened receives no snapshot", async () => {
  const host = await makeUser();
  const { id } = await makeSession([host], { now: NOW, startedAt: null });
  const { seq } = await (await joinRoom(host, id)).expect("welcome");
  const back = await (await joinRoom(host, id, seq)).expect("welcome");
  expect(back).toMatchObject({ seq, is_whole: 0, room: null, participants: [] });
});

test("R-26 a client that missed more than 200 messages receives the newest 200, and that there were more", async () => {
  const { id, host, room } = await running(await makeUser());
  for (let i = 0; i < 205; i++)
    await room.change({ type: "say", by: actorOf(host), content: `${i}`, nonce: `${i}` });
  const line = await joinRoom(host, id, 1);
  // A long history has a frame of its own, so that it does not delay the room's state.
  const types = line.heard.map(({ type }) => type).filter((type) => type !== "online");
  expect(types).toEqual(["welcome", "history"]);
  expect(line.frames).toBeGreaterThanOrEqual(2);
  const { messages, is_cut } = await line.expect("history");
  expect([messages.length, messages[0]?.content, messages.at(-1)?.content, is_cut]).toEqual([
    200,
    "5",
    "204",
    1,
  ]);
  const earlier = await room.messages({ before: messages[0]?.seq ?? 0, limit: 3 });
  expect(earlier.map((message) => message.content)).toEqual(["2", "3", "4"]);
});

test("L-03 R-26 of a roster above a hundred a welcome brings a page with host and joiner, and the whole comes on request", async () => {
  const [host, late] = [await makeUser(), await makeUser()];
  const { id, room } = await running(host);
  await seatCrowd(id, 120);
  await putSeat(id, late, NOW + 3600_000);
  await room.refresh();
  const line = await joinRoom(late, id);
  const welcome = await line.expect("welcome");
  expect(welcome).toMatchObject({ is_whole: 1, is_page: 1, count: 122, online: [late.username] });
  expect(welcome.participants).toHaveLength(101);
  expect(welcome.participants[0]).toMatchObject({ username: host.username, is_host: 1 });
  expect(welcome.participants.at(-1)?.username).toBe(late.username);
  const watching = await watchRoom(id);
  for (const one of [line, watching]) {
    expect((await one.expect("welcome")).count).toBe(122);
    one.say({ type: "people" });
    const { participants } = await one.expect("people");
    expect(new Set(participants.map(({ username }) => username)).size).toBe(122);
  }
  // A change of somebody outside the page has the size of the roster.
  const outside = (await line.expect("people")).participants.at(-2)?.username ?? "";
  expect(welcome.participants.map(({ username }) => username)).not.toContain(outside);
  await db.delete(schema.participants).where(eq(schema.participants.username, outside));
  await room.refresh();
  expect(await line.expect("participants")).toMatchObject({ participants: [], left: [outside], count: 121 });
  // A resuming client keeps its people, and receives only the changed ones.
  const again = await (await joinRoom(late, id, welcome.seq)).expect("welcome");
  expect(again).toMatchObject({ is_whole: 0, is_page: 1, count: 121, participants: [], left: [outside] });
});

test("L-03 R-26 of a roster above a hundred everybody learns who is online, from the welcome or the next announcement", async () => {
  const people = await makeUsers(4);
  const { id, room } = await running(...people);
  await seatCrowd(id, 120);
  await room.refresh();
  const lines = await Promise.all(people.map((user) => joinRoom(user, id)));
  const names = people.map(({ username }) => username).sort();
  // A joiner is online in their own welcome, announced or not.
  for (const [n, line] of lines.entries())
    expect((await line.expect("welcome")).online).toContain(people[n]?.username);
  const known = (line: (typeof lines)[number]) => {
    const online = new Set<string>();
    for (const op of line.heard) {
      if (op.type === "welcome" || op.type === "online") for (const name of op.online) online.add(name);
      if (op.type === "online") for (const name of op.offline) online.delete(name);
    }
    return [...online].sort();
  };
  for (const line of lines) await expect.poll(() => known(line)).toEqual(names);
  lines[0]?.socket.close();
  for (const line of lines.slice(1))
    await expect.poll(() => known(line)).toEqual(names.filter((name) => name !== people[0]?.username));
  // The host is on the page of the roster that a welcome brings, the others are not.
  const [host, guest] = people;
  const again = await joinRoom(guest, id);
  expect((await again.expect("welcome")).online).toEqual([guest.username]);
  await joinRoom(host, id);
  await expect.poll(() => known(again)).toContain(host.username);
  const last = await joinRoom(guest, id);
  expect((await last.expect("welcome")).online).toEqual([host.username, guest.username]);
});

test("R2 simultaneous operations leave in few frames, the same for all, in one order", async () => {
  const people = await makeUsers(10);
  const { id } = await running(...people);
  const lines = await Promise.all(people.map((user) => joinRoom(user, id)));
  for (const [i, line] of lines.entries())
    for (let n = 0; n < 5; n++) line.say({ type: "message", content: `${i}-${n}`, nonce: `${n}` });
  const heard = (line: (typeof lines)[number]) =>
    line.heard.flatMap((op) => (op.type === "message" ? op.message.content : []));
  await expect.poll(() => Math.min(...lines.map((line) => heard(line).length))).toBe(50);
  const [first] = lines;
  for (const line of lines) expect(heard(line)).toEqual(first && heard(first));
  const seqs = first?.heard.flatMap((op) => (op.type === "message" ? op.seq : [])) ?? [];
  expect(seqs).toEqual([...seqs].sort((a, b) => a - b));
  const frames = first?.frames ?? 0;
  expect(frames).toBeLessThan(40);
});

test("L-03 typing is broadcast at most four times a second, with the names gathered", async () => {
  const [a, b] = [await makeUser(), await makeUser()];
  const { id, host } = await running(await makeUser(), a, b);
  const [one, two, listener] = [await joinRoom(a, id), await joinRoom(b, id), await joinRoom(host, id)];
  for (let i = 0; i < 15; i++) {
    one.say({ type: "typing" });
    two.say({ type: "typing" });
  }
  await expect
    .poll(() => new Set(listener.heard.flatMap((op) => (op.type === "typing" ? op.usernames : []))).size)
    .toBe(2);
  expect(listener.heard.filter((op) => op.type === "typing").length).toBeLessThanOrEqual(2);
});

/** Sockets of a room without rules: `enter` joins users, and `waits` receives the timers instead of the platform. */
async function bareSockets(
  work: (bare: {
    sockets: Sockets;
    frames: Frames;
    waits: { work: () => void; ms: number }[];
    enter: (userId: number) => WebSocket;
  }) => void,
): Promise<void> {
  const { id } = await running(await makeUser());
  await runInDurableObject(stubOf(id), (_, ctx) => {
    const { sockets, frames } = bareRoom(ctx);
    const waits: { work: () => void; ms: number }[] = [];
    const timers = vi
      .spyOn(globalThis, "setTimeout")
      .mockImplementation(((work: () => void, ms: number) => waits.push({ work, ms })) as never);
    const enter = (userId: number) => {
      const [, socket] = Object.values(new WebSocketPair()) as [WebSocket, WebSocket];
      const username = `u${userId}`;
      sockets.accept(socket, { userId, username, isSuperAdmin: false, loginHash: "", network: "" });
      sockets.join(socket, sockets.of(socket) as never, username);
      return socket;
    };
    try {
      work({ sockets, frames, waits, enter });
    } finally {
      timers.mockRestore();
      sockets.closeAll(1000, "");
    }
  });
}

test("L-03 presence is broadcast at most four times a second, and once a second above 250 people", () =>
  bareSockets(({ waits, enter }) => {
    // The shorter waits are those of frames.
    const presence = () => waits.filter(({ ms }) => ms > 16);
    for (let userId = 1; userId < 250; userId++) enter(userId);
    // The first arrival is announced at once; all the others wait for the same instant.
    expect(presence().map(({ ms }) => ms)).toEqual([250]);
    presence()[0]?.work();
    enter(250);
    presence()[1]?.work();
    enter(251);
    expect(presence().map(({ ms }) => ms)).toEqual([250, 250, 1000]);
  }));

test("R2 R3 operations share the next frame while the last is on its way to all sockets, and later leave at once", () =>
  bareSockets(({ frames, waits, enter }) => {
    const [first] = Array.from({ length: 200 }, (_, n) => enter(n + 1));
    vi.setSystemTime(Date.now() + SECOND);
    for (const { work } of waits.splice(0)) work();
    vi.setSystemTime(Date.now() + SECOND);
    const send = vi.spyOn(first as WebSocket, "send");
    const say = () => frames.broadcast([{ type: "typing", usernames: ["u1"] }]);
    say();
    expect([send.mock.calls.length, waits.length]).toEqual([1, 0]);
    // 200 sockets take 4 ms.
    for (let n = 0; n < 5; n++) say();
    expect([send.mock.calls.length, waits.map(({ ms }) => ms)]).toEqual([1, [4]]);
    vi.setSystemTime(Date.now() + 4);
    for (const { work } of waits.splice(0)) work();
    expect(send.mock.calls.map(([frame]) => JSON.parse(String(frame)).length)).toEqual([1, 5]);
    vi.setSystemTime(Date.now() + 4);
    say();
    expect([send.mock.calls.length, waits.length]).toEqual([3, 0]);
  }));

const pushUps = ({ username }: TestUser, id: number): RoomLog => ({
  id,
  username,
  goalTitle: "Push-ups",
  action: "Do",
  unit: "times",
  sessionGoalUuid: "t",
  title: "",
  amount: 12_500,
  distance: null,
  duration: 3000,
  status: 2,
  createdAt: NOW,
});

test("L-03 a recorded log reaches everybody at once, and clients that were away", async () => {
  const { id, host, room } = await running(await makeUser());
  const line = await joinRoom(host, id);
  const { seq } = await line.expect("welcome");
  await room.change({ type: "logged", userId: host.id, log: pushUps(host, 5) });
  const log = {
    id: 5,
    goal: { title: "Push-ups", action: "Do", unit: "times" },
    amount: 12.5,
    distance: null,
  };
  expect(await line.expect("logs")).toMatchObject({ log });
  expect((await (await joinRoom(host, id, seq)).expect("history")).logs).toMatchObject([log]);
  // The serialised history is shared by people who join together, and never outlives an erasure.
  await runInDurableObject(stubOf(id), (instance: SessionRoom) =>
    instance.eraseAuthor(id, { userId: host.id, username: host.username }),
  );
  const erased = await (await joinRoom(host, id, seq)).expect("history");
  expect(erased.logs).toMatchObject([{ id: 5, goal: { title: "" } }]);
});

test("L-03 the history brings the newest 20 logs", async () => {
  const { id, host, room } = await running(await makeUser());
  for (let log = 1; log <= 21; log++)
    await room.change({ type: "logged", userId: host.id, log: pushUps(host, log) });
  const { logs } = await (await joinRoom(host, id)).expect("history");
  expect(logs.map((log) => log.id)).toEqual(Array.from({ length: 20 }, (_, n) => n + 2));
});
