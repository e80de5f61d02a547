// Hands and reactions over the room's socket: their order, their rows and their frames (J-05 to J-07).
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import { callAs } from "#tests/support/ask";
import { makeUsers, type TestUser } from "#tests/support/factories";
import {
  actorOf,
  joinRoom,
  type Line,
  openLine,
  partsOf,
  ROOM_NOW,
  runningRoom,
  stubOf,
  useRoomClock,
  watchRoom,
} from "#tests/support/rooms";
import { leave, setSession } from "#tests/support/sessions";
import type { Schedule } from "~/domain/schedule/shape";
import { SECOND } from "~/domain/time";
import type { ParticipantWire } from "~/wire/room/room";

const at = useRoomClock();

const stage = async (plan: Schedule = partsOf(600, 600)) => {
  const people = (await makeUsers(4)) as [TestUser, TestUser, TestUser, TestUser];
  const { id, room } = await runningRoom(people, plan, 1200);
  const [host, a, b, c] = people;
  return { id, room, host, a, b, c };
};
const withParts = (over: object, ...spans: number[]): Schedule => ({
  groups: partsOf(...spans).groups.map((group) => ({
    ...group,
    parts: group.parts.map((part) => ({ ...part, ...over })),
  })),
});
/** The line of hands as a page builds it from what its socket received. */
function handsOf(line: Line): string[] {
  const people = new Map<string, ParticipantWire>();
  for (const op of line.heard) {
    if (op.type !== "welcome" && op.type !== "participants") continue;
    if (op.type === "welcome" && op.is_whole === 1) people.clear();
    for (const name of op.left) people.delete(name);
    for (const person of op.participants) people.set(person.username, person);
  }
  return [...people.values()]
    .filter(({ hand }) => hand !== undefined)
    .sort((x, y) => (x.hand ?? 0) - (y.hand ?? 0))
    .map(({ username }) => username);
}
const untilHands = async (line: Line, ...names: string[]): Promise<void> => {
  await line.expect("participants", () => JSON.stringify(handsOf(line)) === JSON.stringify(names));
};
const raise = (line: Line, isUp = true) => line.say({ type: "hand", is_up: isUp });
const rowsOf = (id: number) =>
  runInDurableObject(stubOf(id), (_, { storage }) =>
    ["room", "people", "lines", "debts"].map((table) => storage.sql.exec(`SELECT * FROM ${table}`).toArray()),
  );

test("J-05 the line of hands is the same on all screens, after a kill, a reconnect and a page that comes later", async () => {
  const { id, host, a, b, c } = await stage();
  const [ofHost, ofA, ofB] = [await joinRoom(host, id), await joinRoom(a, id), await joinRoom(b, id)];
  const line = [b.username, host.username, a.username];
  raise(ofB);
  await untilHands(ofHost, b.username);
  raise(ofHost);
  await untilHands(ofA, b.username, host.username);
  raise(ofA);
  for (const one of [ofHost, ofA, ofB]) await untilHands(one, ...line);
  const seen = ofB.heard.findLast((op) => op.type === "participants");
  await evictDurableObject(stubOf(id), { webSockets: "close" });
  expect(handsOf(await joinRoom(c, id))).toEqual(line);
  const again = await joinRoom(b, id, (seen as { seq: number }).seq - 1);
  expect(again.heard[0]).toMatchObject({ type: "welcome", is_whole: 0 });
  // A page that was away gets the hand that it missed, and has the others.
  expect(handsOf({ ...again, heard: [...ofB.heard, ...again.heard] })).toEqual(line);
});

test("J-05 a person has one hand in several tabs, and it is a row of the room", async () => {
  const { id, host, a } = await stage();
  const [tab, other, ofHost] = [await joinRoom(a, id), await joinRoom(a, id), await joinRoom(host, id)];
  const before = await rowsOf(id);
  raise(tab);
  await untilHands(ofHost, a.username);
  raise(other);
  raise(ofHost);
  for (const one of [tab, other]) await untilHands(one, a.username, host.username);
  const after = await rowsOf(id);
  const changed = after.flatMap((rows, at) =>
    rows.filter((row) => !(before[at] ?? []).some((old) => JSON.stringify(old) === JSON.stringify(row))),
  );
  expect(changed).toHaveLength(2);
  raise(other, false);
  for (const one of [tab, ofHost]) await untilHands(one, host.username);
});

test("J-05 leaving, a removal and a mute lower the hand on every screen", async () => {
  const { id, host, a, b, c } = await stage();
  const ofHost = await joinRoom(host, id);
  const lines = [await joinRoom(a, id), await joinRoom(b, id), await joinRoom(c, id)];
  for (const [at, line] of lines.entries()) {
    raise(line);
    await untilHands(ofHost, ...[a, b, c].slice(0, at + 1).map(({ username }) => username));
  }
  await callAs(host, "PATCH", `/challenge-events/${id}/participants/${b.username}`, { mute: 300 });
  await untilHands(ofHost, a.username, c.username);
  await callAs(host, "DELETE", `/challenge-events/${id}/participants/${a.username}`, { keep_out: 1 });
  await untilHands(ofHost, c.username);
  await leave(c, id);
  await untilHands(ofHost);
  // J-07: a muted person raises none, and has no reaction.
  lines[1]?.say({ type: "hand", is_up: true });
  expect(await lines[1]?.expect("refused")).toMatchObject({ error_code: "FORBIDDEN" });
  expect(handsOf(ofHost)).toEqual([]);
});

test("J-05 the beginning of one's own turn lowers the hand by the room's alarm", async () => {
  const { id, host, a } = await stage(withParts({ isPerParticipant: true }, 120));
  const [ofHost, ofA] = [await joinRoom(host, id), await joinRoom(a, id)];
  raise(ofA);
  await untilHands(ofHost, a.username);
  at(ROOM_NOW + 120 * SECOND);
  await runDurableObjectAlarm(stubOf(id));
  await untilHands(ofHost);
});

test("J-05 host and admins lower one hand or all, nobody else does", async () => {
  const { id, host, a, b } = await stage();
  const [ofHost, ofA, ofB] = [await joinRoom(host, id), await joinRoom(a, id), await joinRoom(b, id)];
  for (const line of [ofA, ofB, ofHost]) raise(line);
  await untilHands(ofHost, a.username, b.username, host.username);
  for (const message of [
    { type: "lower" },
    { type: "lower", username: a.username },
    { type: "reactions", is_on: false },
  ] as const)
    ofB.say(message);
  await ofB.expect("refused", ({ error_code }) => error_code === "FORBIDDEN");
  ofHost.say({ type: "lower", username: a.username });
  await untilHands(ofB, b.username, host.username);
  ofHost.say({ type: "lower" });
  await untilHands(ofB);
  expect(ofB.heard.filter(({ type }) => type === "refused")).toHaveLength(3);
});

test("Q-12 J-07 the hand of a hidden person reads Participant N, and a spectator of a session with a code sees none", async () => {
  const { id, host, a, b, room } = await stage();
  await callAs(a, "PUT", `/api/blocks/${b.username}`);
  const [ofHost, ofA, ofB] = [await joinRoom(host, id), await joinRoom(a, id), await joinRoom(b, id)];
  raise(ofB);
  await untilHands(ofA, "Participant 3");
  raise(ofA);
  await untilHands(ofA, "Participant 3", a.username);
  await untilHands(ofHost, b.username, a.username);
  expect(JSON.stringify(ofA.heard)).not.toContain(b.username);
  await setSession(id, { joinCode: "kettle" });
  await room.refresh();
  const [spectator, screen] = [await watchRoom(id), await openLine(null, id, {}, "?watch=stage")];
  for (const line of [spectator, screen]) {
    await line.expect("welcome");
    expect(JSON.stringify(line.heard)).not.toMatch(/"hand"/);
  }
});

test("J-06 the presses of a second make at most five frames a listener, no row, and every press counts", async () => {
  const { id, host, a, b, c, room } = await stage();
  const lines = [
    await joinRoom(host, id),
    await joinRoom(a, id),
    await joinRoom(b, id),
    await joinRoom(c, id),
  ];
  const spectator = await watchRoom(id);
  await spectator.expect("welcome");
  const before = await rowsOf(id);
  for (let press = 0; press < 5; press++)
    for (const line of lines) line.say({ type: "react", reaction: press % 2 === 0 ? "👏" : "🎉" });
  const sumOf = (line: Line) =>
    line.heard.flatMap((op) => (op.type === "reacted" ? [op.counts["👏"] ?? 0, op.counts["🎉"] ?? 0] : []));
  const total = (line: Line) => sumOf(line).reduce((sum, count) => sum + count, 0);
  for (const line of lines) {
    await line.expect("reacted", () => total(line) === 20);
    expect(line.heard.filter(({ type }) => type === "reacted").length).toBeLessThanOrEqual(5);
  }
  expect(await rowsOf(id)).toEqual(before);
  await room.change({ type: "set-ready", by: actorOf(a), isReady: true });
  await spectator.expect("participants");
  expect(spectator.heard.some(({ type }) => type === "reacted")).toBe(false);
});

test("J-06 one person counts five times a second, and sends the counts of nothing else", async () => {
  const { id, host, a } = await stage();
  const [ofHost, ofA] = [await joinRoom(host, id), await joinRoom(a, id)];
  for (let press = 0; press < 30; press++) ofA.say({ type: "react", reaction: "👍" });
  expect(await ofHost.expect("reacted")).toEqual({ type: "reacted", counts: { "👍": 5 } });
  ofA.socket.send(JSON.stringify({ type: "react", reaction: "🔪" }));
  expect((await ofA.closed).code).toBe(4400);
});

test("J-06 R-41 reactions rest in a focus part and where the host has switched them off, also after a restart", async () => {
  const { id, host, a } = await stage(withParts({ isFocus: true, title: "Deep work" }, 600));
  const ofA = await joinRoom(a, id);
  ofA.say({ type: "react", reaction: "❤️" });
  expect(await ofA.expect("refused")).toMatchObject({ message: "Reactions rest while Deep work runs." });
  const ofHost = await joinRoom(host, id);
  ofHost.say({ type: "react", reaction: "❤️" });
  expect(await ofA.expect("reacted")).toEqual({ type: "reacted", counts: { "❤️": 1 } });
  ofHost.say({ type: "reactions", is_on: false });
  await ofA.expect("reactions", ({ is_on }) => is_on === 0);
  await evictDurableObject(stubOf(id), { webSockets: "close" });
  const again = await joinRoom(host, id);
  expect((await again.expect("welcome")).room?.reactions).toBe(0);
  again.say({ type: "react", reaction: "❤️" });
  expect(await again.expect("refused")).toMatchObject({ message: "The host has switched reactions off." });
});
