// The room as clients and use cases meet it: real sockets, a real Durable Object, a real D1, and a clock set by
// the test.
import { abortAllDurableObjects, evictDurableObject, runDurableObjectAlarm } from "cloudflare:test";
import { expect, test } from "vitest";
import { ask, ORIGIN } from "#tests/support/ask";
import { appOf, makeUser, makeUsers, reload } from "#tests/support/factories";
import {
  actorOf as actor,
  joinRoom,
  type Line,
  makeSession,
  ROOM_NOW as NOW,
  openLine,
  partsOf,
  stubOf,
  useRoomClock,
} from "#tests/support/rooms";
import { sessionNow } from "#tests/support/sessions";
import type { RoomActor } from "~/domain/room/room";
import { MINUTE, plusSeconds, SECOND } from "~/domain/time";

const at = useRoomClock();

/** Two people in a session that has just started: three parts of a minute each. */
async function running(durations = [60, 60, 60]) {
  const [host, guest] = [await makeUser(), await makeUser()];
  const session = await makeSession([host, guest], {
    now: NOW,
    schedule: partsOf(...durations),
    duration: 600,
  });
  const room = (await appOf(host)).rooms.of(session.id);
  await room.change({ type: "start", by: actor(host) });
  return { host, guest, session, room };
}

test("L-01 L-02 L-03 R-26 joining answers with clock, seq and snapshot, and others learn who is online", async () => {
  const { host, guest, session } = await running();
  const one = await joinRoom(host, session.id);
  const welcome = await one.expect("welcome");
  expect(welcome).toMatchObject({
    now: NOW,
    room: { status: 1, started_at: new Date(NOW).toISOString() },
    is_page: 0,
    count: 2,
  });
  expect((await one.expect("history")).messages).toEqual([]);
  expect(welcome.participants.map((person) => person.username)).toEqual([host.username, guest.username]);
  expect(welcome.room?.parts[0]?.parts.map((part) => [part.title, part.status])).toEqual([
    ["Part 1", 1],
    ["Part 2", 3],
    ["Part 3", 3],
  ]);
  await joinRoom(guest, session.id);
  await one.expect("online", (op) => op.online.includes(guest.username));
});

test("R-16 M-31 a chat line reaches everybody at once, in one order, and can be read afterwards", async () => {
  const { host, guest, session, room } = await running();
  const [one, two] = [await joinRoom(host, session.id), await joinRoom(guest, session.id)];
  one.say({ type: "message", content: "  Hello there ", nonce: "n1" });
  const heard = await two.expect("message");
  expect(heard).toMatchObject({ nonce: "n1", message: { username: host.username, content: "Hello there" } });
  two.say({ type: "message", content: "Hello back", nonce: "n2" });
  expect((await one.expect("message", (op) => op.nonce === "n2")).seq).toBeGreaterThan(heard.seq);
  // A retry after a lost answer adds no second line.
  one.say({ type: "message", content: "Hello there", nonce: "n1" });
  one.say({ type: "message", content: " ", nonce: "n3" });
  expect(await one.expect("refused", (op) => op.nonce === "n3")).toMatchObject({ error_code: "INVALID" });
  expect((await room.messages({ limit: 50 })).map((message) => message.content)).toEqual([
    "Hello there",
    "Hello back",
  ]);
  await room.change({ type: "end", by: actor(host) });
  one.say({ type: "message", content: "Too late", nonce: "n4" });
  expect(await one.expect("refused", (op) => op.nonce === "n4")).toMatchObject({
    error_code: "CONFLICT",
    message: "Chat is active when the session is in progress.",
  });
});

test("U-43 L-07 ready marks are shown to everybody and cleared when the session starts", async () => {
  const [host, guest] = [await makeUser(), await makeUser()];
  const session = await makeSession([host, guest], { now: NOW, schedule: partsOf(60) });
  const [one, two] = [await joinRoom(host, session.id), await joinRoom(guest, session.id)];
  two.say({ type: "ready", is_ready: true });
  await one.expect("participants", (op) =>
    op.participants.some((person) => person.username === guest.username && person.is_ready === 1),
  );
  const room = (await appOf(host)).rooms.of(session.id);
  const view = await room.change({ type: "start", by: actor(host) });
  expect(view.state.participants.every((person) => !person.isReady)).toBe(true);
  await two.expect("status", (op) => op.status === 1);
});

test("L-09 T-11 the alarm changes parts on time; late it catches up in order, and a second alarm changes nothing", async () => {
  const { session, room } = await running();
  const states = async () => (await room.view()).state.schedule.groups[0]?.parts.map((part) => part.state);
  expect(await states()).toEqual(["running", "waiting", "waiting"]);
  at(NOW + 60 * SECOND);
  await runDurableObjectAlarm(stubOf(session.id));
  expect(await states()).toEqual(["finished", "running", "waiting"]);
  const before = (await room.view()).state;
  await runDurableObjectAlarm(stubOf(session.id));
  expect((await room.view()).state).toEqual(before);
  // Two minutes late, the parts still change at their exact instants.
  at(NOW + 240 * SECOND);
  await runDurableObjectAlarm(stubOf(session.id));
  const { state } = await room.view();
  expect(state.schedule.groups[0]?.parts.map((part) => [part.startedAt, part.endedAt])).toEqual([
    [NOW, NOW + 60_000],
    [NOW + 60_000, NOW + 120_000],
    [NOW + 120_000, NOW + 180_000],
  ]);
});

test("S-04 S-05 a scheduled session starts and ends by alarms alone, and D1 records both", async () => {
  const host = await makeUser();
  const startedAt = plusSeconds(NOW, 300);
  const session = await makeSession([host], {
    now: NOW,
    startedAt,
    duration: 600,
    schedule: partsOf(60, 60),
  });
  const room = (await appOf(host)).rooms.of(session.id);
  await room.refresh();
  at(startedAt);
  await runDurableObjectAlarm(stubOf(session.id));
  expect((await room.view()).state.schedule.groups[0]?.parts[0]?.state).toBe("running");
  at(startedAt + 10 * MINUTE);
  await runDurableObjectAlarm(stubOf(session.id));
  const record = await sessionNow(session.id);
  expect(record).toMatchObject({
    startedAt,
    endedAt: startedAt + 10 * MINUTE,
    closedAt: startedAt + 10 * MINUTE,
  });
  // The closed room has no alarm.
  expect(await runDurableObjectAlarm(stubOf(session.id))).toBe(false);
});

test("L-06 an evicted room keeps its sockets' identities, and a later message reaches everyone", async () => {
  const { host, guest, session } = await running();
  const [one, two] = [await joinRoom(host, session.id), await joinRoom(guest, session.id)];
  one.say({ type: "message", content: "before", nonce: "n1" });
  await two.expect("message", (op) => op.nonce === "n1");
  await evictDurableObject(stubOf(session.id));
  at(NOW + 30 * SECOND);
  two.say({ type: "message", content: "after", nonce: "n2" });
  expect(await one.expect("message", (op) => op.nonce === "n2")).toMatchObject({
    message: { username: guest.username, content: "after" },
  });
});

test("L-06 a crash at any instant loses nothing acknowledged: chat, roster, ready marks and timers", async () => {
  const { host, guest, session, room } = await running();
  const one = await joinRoom(host, session.id);
  for (let i = 0; i < 5; i++) {
    one.say({ type: "message", content: `line ${i}`, nonce: `n${i}` });
    await one.expect("message", (op) => op.nonce === `n${i}`);
  }
  one.say({ type: "ready", is_ready: true });
  await one.expect("participants", (op) => op.participants.some((person) => person.is_ready === 1));
  const before = await room.view();
  await abortAllDurableObjects();
  const after = await (await appOf(guest)).rooms.of(session.id).view();
  expect(after.state).toEqual(before.state);
  expect(after.messages).toEqual(before.messages);
});

test("L-04 R-26 a client that reconnects with `since` receives what it missed, without gap or duplicate", async () => {
  const { host, guest, session } = await running();
  const [one, two] = [await joinRoom(host, session.id), await joinRoom(guest, session.id)];
  one.say({ type: "message", content: "first", nonce: "a" });
  const { seq } = await two.expect("message", (op) => op.nonce === "a");
  two.socket.close(1000);
  await two.closed;
  for (const nonce of ["b", "c", "d"]) {
    one.say({ type: "message", content: nonce, nonce });
    await one.expect("message", (op) => op.nonce === nonce);
  }
  const back = await joinRoom(guest, session.id, seq);
  const { messages } = await back.expect("history");
  expect(messages.map((message) => message.nonce)).toEqual(["b", "c", "d"]);
});

test("R-26 A-01 identity is the login's: visitors, non-participants, foreign origins and forged names are refused", async () => {
  const { host, guest, session } = await running();
  const stranger = await makeUser();
  const upgrade = { Upgrade: "websocket", Origin: ORIGIN };
  expect((await ask(`/sessions/${session.id}/socket`, { headers: upgrade })).status).toBe(401);
  expect(
    (
      await ask(`/sessions/${session.id}/socket`, {
        headers: { ...upgrade, Origin: "https://evil.example", Cookie: `login=${host.loginToken}` },
      })
    ).status,
  ).toBe(419);
  expect(
    (await ask("/sessions/99999999/socket", { headers: { ...upgrade, Cookie: `login=${host.loginToken}` } }))
      .status,
  ).toBe(404);
  const spoof = {
    "X-Bothy-Entry": JSON.stringify({
      sessionId: session.id,
      identity: { userId: host.id, username: host.username, isSuperAdmin: true },
      network: "",
      ticket: null,
      isNamed: false,
    }),
  };
  const line = await openLine(stranger, session.id, spoof);
  line.say({ type: "join", room: session.id, client_uuid: "c", username: host.username });
  expect(await line.expect("refused")).toMatchObject({ error_code: "FORBIDDEN" });
  expect((await line.closed).code).toBe(4403);
  const borrowed = await openLine(guest, session.id);
  borrowed.say({ type: "join", room: session.id, client_uuid: "c", username: host.username });
  expect((await borrowed.closed).code).toBe(4403);
  const borrowedAddress = await openLine(guest, session.id, {}, `?username=${host.username}`);
  expect((await borrowedAddress.closed).code).toBe(4403);
  expect(borrowedAddress.heard.map(({ type }) => type)).toEqual(["refused"]);
});

test("R-26 R-76 L-02 an address that joins brings the welcome with the opening, and what was missed, as the message does", async () => {
  const host = await makeUser();
  const session = await makeSession([host], { now: NOW });
  const known = await (await joinRoom(host, session.id)).expect("history");
  const join = { type: "join" as const, room: session.id, client_uuid: "c", username: host.username };
  const seen = async (line: Line) => {
    await line.expect("history");
    return line.heard.flatMap((op) => ("is_whole" in op ? [[op.type, op.is_whole]] : []));
  };
  const everything = [
    ["welcome", 1],
    ["history", 1],
  ];
  for (const since of [undefined, known.seq]) {
    const line = await openLine(host, session.id);
    line.say({ ...join, ...(since === undefined ? {} : { since }) });
    const whole = await seen(line);
    expect(whole).toEqual(everything.map(([type]) => [type, since === undefined ? 1 : 0]));
    const inAddress = `?username=${host.username}${since === undefined ? "" : `&since=${since}`}`;
    expect(await seen(await openLine(host, session.id, {}, inAddress))).toEqual(whole);
  }
  for (const since of ["soon", "-1", "1e3", ""])
    expect(
      await seen(await openLine(host, session.id, {}, `?username=${host.username}&since=${since}`)),
    ).toEqual(everything);
  const documented = `?room=${session.id}&client_uuid=c&username=${host.username}&since=${known.seq}`;
  expect((await seen(await openLine(host, session.id, {}, documented)))[0]).toEqual(["welcome", 0]);
  const elsewhere = await openLine(host, session.id, {}, `?room=${session.id + 1}&username=${host.username}`);
  expect(await elsewhere.expect("refused")).toMatchObject({ error_code: "FORBIDDEN" });
  const twice = await joinRoom(host, session.id);
  twice.say(join);
  expect(await twice.expect("refused")).toMatchObject({ error_code: "CONFLICT" });
});

/** Usernames that this socket has seen online. */
const seenOnline = (line: Line): Set<string> =>
  new Set(line.heard.flatMap((op) => (op.type === "welcome" || op.type === "online" ? op.online : [])));

test("T-01 T1 a running room with fifty sockets sends nothing while nobody acts", async () => {
  const people = await makeUsers(50);
  const session = await makeSession(people, { now: NOW, schedule: partsOf(600), duration: 1200 });
  const [host] = people;
  if (!host) throw new Error("nobody");
  const room = (await appOf(host)).rooms.of(session.id);
  await room.change({ type: "start", by: actor(host) });
  const lines = await Promise.all(people.map((person) => joinRoom(person, session.id)));
  await expect.poll(() => Math.min(...lines.map((line) => seenOnline(line).size))).toBe(50);
  const before = lines.map((line) => line.frames);
  for (let second = 1; second <= 590; second += 31) {
    at(NOW + second * SECOND);
    // Only the first eviction finds a room to evict: nothing wakes it again.
    if (second === 1) await evictDurableObject(stubOf(session.id));
    else await expect(evictDurableObject(stubOf(session.id))).rejects.toThrow("not currently running");
  }
  expect(lines.map((line) => line.frames)).toEqual(before);
  at(NOW + 600 * SECOND);
  await runDurableObjectAlarm(stubOf(session.id));
  await Promise.all(
    lines.map((line) => line.expect("parts", (op) => op.parts[0]?.parts[0]?.state === "finished")),
  );
});

test("B-13 one token pays for a hundred lines, the rest returns at the end, and a crash loses nothing", async () => {
  const { host, session } = await running();
  const balance = async () => (await reload(host))?.tokens;
  const one = await joinRoom(host, session.id);
  for (let i = 0; i < 3; i++) {
    one.say({ type: "message", content: `m${i}`, nonce: `m${i}` });
    await one.expect("message", (op) => op.nonce === `m${i}`);
  }
  expect(await balance()).toBe(900);
  await abortAllDurableObjects();
  const again = await joinRoom(host, session.id);
  again.say({ type: "message", content: "m3", nonce: "m3" });
  await again.expect("message", (op) => op.nonce === "m3");
  expect(await balance()).toBe(900);
  await (await appOf(host)).rooms.of(session.id).change({ type: "end", by: actor(host) });
  expect(await balance()).toBe(996);
});

test("B-13 a participant without tokens receives an error, and the message is not sent", async () => {
  const [host, poor] = [await makeUser(), await makeUser({ tokens: 2 })];
  const session = await makeSession([host, poor], { now: NOW, schedule: partsOf(600) });
  await (await appOf(host)).rooms.of(session.id).change({ type: "start", by: actor(host) });
  const line = await joinRoom(poor, session.id);
  for (const nonce of ["a", "b"]) {
    line.say({ type: "message", content: nonce, nonce });
    await line.expect("message", (op) => op.nonce === nonce);
  }
  line.say({ type: "message", content: "c", nonce: "c" });
  expect(await line.expect("refused")).toMatchObject({ error_code: "INSUFFICIENT_TOKENS", nonce: "c" });
  expect((await reload(poor))?.tokens).toBe(0);
});

test("R-29 A-06 only host and admins control the parts; R-04 added minutes move the end", async () => {
  const { host, guest, room } = await running([60, 540]);
  const control = (by: RoomActor, action: "pause" | "resume") =>
    room.change({ type: "control-part", by, partId: "p1", action });
  await expect(control(actor(guest), "pause")).rejects.toMatchObject({ code: "FORBIDDEN" });
  at(NOW + 10 * SECOND);
  expect((await control(actor(host), "pause")).state.schedule.groups[0]?.parts[0]).toMatchObject({
    state: "paused",
    pausedAt: NOW + 10_000,
  });
  at(NOW + 40 * SECOND);
  const resumed = await control(actor(host), "resume");
  expect(resumed.state.schedule.groups[0]?.parts.map((part) => part.startedAt)).toEqual([
    NOW + 30_000,
    NOW + 90_000,
  ]);
  const added = await room.change({ type: "adjust-part", by: actor(host), partId: "p1", seconds: 60 });
  expect(added.state.endedAt).toBe(NOW + 690_000);
});
