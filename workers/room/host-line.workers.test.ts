// The host's line on all screens: who shows it, who reads it, and how it ends (J-12).
import { evictDurableObject, runDurableObjectAlarm } from "cloudflare:test";
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
  sayInRoom,
  stubOf,
  useRoomClock,
  watchRoom,
} from "#tests/support/rooms";
import { balanceOf, setSession } from "#tests/support/sessions";
import { post, visit } from "#tests/support/visit";
import { SECOND } from "~/domain/time";

const at = useRoomClock();

const show = (user: TestUser | null, id: number, content: string) =>
  callAs(user, "PUT", `/api/sessions/${id}/line`, { content });
const clear = (user: TestUser | null, id: number) => callAs(user, "DELETE", `/api/sessions/${id}/line`);
const isLine = (text: string | null) => (op: { line: { content: string } | null }) =>
  (op.line?.content ?? null) === text;
const watchStage = (id: number) => openLine(null, id, {}, "?watch=stage");
const lineIn = async (user: TestUser | null, path: string) => (await visit(user, path)).texts(".host-line");
const isIn = (line: Line, text: string) => JSON.stringify(line.heard).includes(text);
const stage = async (durations = [600, 600]) => {
  const people = (await makeUsers(3)) as [TestUser, TestUser, TestUser];
  const [host, a, b] = people;
  const { id, room } = await runningRoom(people, partsOf(...durations), 1200);
  return { id, room, host, a, b };
};

test("J-12 the host's line reaches participants, spectators, stages and pages at once, and stays after a restart", async () => {
  const { id, host, a } = await stage();
  const lines = [await joinRoom(a, id), await watchRoom(id), await watchStage(id)];
  for (const line of lines) await line.expect("welcome");
  const { status, body } = await show(host, id, "Please mute\nyourselves");
  expect([status, body]).toEqual([200, { line: { content: "Please mute yourselves" } }]);
  for (const line of lines) await line.expect("line", isLine("Please mute yourselves"));
  await evictDurableObject(stubOf(id), { webSockets: "close" });
  for (const [user, path] of [
    [a, `/sessions/${id}`],
    [a, `/sessions/${id}/chat`],
    [null, `/sessions/${id}`],
    [null, `/sessions/${id}/stage`],
  ] as const)
    expect([path, await lineIn(user, path)]).toEqual([path, ["Please mute yourselves"]]);
  expect((await (await watchStage(id)).expect("welcome")).room?.line?.content).toBe("Please mute yourselves");
});

test("J-12 the line ends with its part on every screen without another word of the host, and the next part is without it", async () => {
  const { id, host, a } = await stage();
  await show(host, id, "Ten minutes of quiet");
  at(ROOM_NOW + 599 * SECOND);
  expect(await lineIn(null, `/sessions/${id}/stage`)).toEqual(["Ten minutes of quiet"]);
  at(ROOM_NOW + 601 * SECOND);
  for (const path of [`/sessions/${id}`, `/sessions/${id}/stage`])
    expect([path, await lineIn(a, path)]).toEqual([path, [""]]);
  expect((await (await watchStage(id)).expect("welcome")).room?.line).toBeNull();
});

test("J-12 the host or an admin takes the line away, which may be repeated, and it stays in the chat", async () => {
  const { id, host, a } = await stage();
  const line = await joinRoom(a, id);
  await show(host, id, "Back at ten");
  await line.expect("line", isLine("Back at ten"));
  for (let turn = 0; turn < 2; turn++) expect((await clear(host, id)).status).toBe(204);
  await line.expect("line", isLine(null));
  expect(line.heard.filter(({ type }) => type === "line")).toHaveLength(2);
  expect((await visit(a, `/sessions/${id}/chat`)).html.includes("Back at ten")).toBe(true);
});

test("J-12 only host and admins show and clear a line, in a session in progress, of 200 characters", async () => {
  const { id, host, a, room } = await stage();
  await show(host, id, "Hello");
  for (const [user, status] of [
    [a, 403],
    [null, 401],
  ] as const) {
    expect((await show(user, id, "Mine")).status).toBe(status);
    expect((await clear(user, id)).status).toBe(status);
  }
  expect((await show(host, id, "x".repeat(201))).status).toBe(422);
  expect((await show(host, id, "  ")).status).toBe(422);
  expect((await show(host, id, "x".repeat(200))).status).toBe(200);
  await room.change({ type: "end", by: actorOf(host) });
  expect((await show(host, id, "Late")).status).toBe(409);
});

test("J-12 Q-07 Q-21 the line is a line of the chat: reported there, edited and removed there, and then on no screen", async () => {
  const { id, host, a } = await stage();
  const line = await joinRoom(a, id);
  await show(host, id, "A wrong line");
  const { line: shown } = await line.expect("line", isLine("A wrong line"));
  const seq = shown?.seq ?? 0;
  const report = { kind: "message", id: `${id}:${seq}`, reason: "spam", text: "" };
  expect((await callAs(a, "POST", "/api/reports", report)).status).toBeLessThan(300);
  await callAs(host, "PATCH", `/api/sessions/${id}/messages/${seq}`, { content: "A right line" });
  await line.expect("line", isLine("A right line"));
  expect((await callAs(host, "DELETE", `/api/sessions/${id}/messages/${seq}`)).status).toBe(204);
  await line.expect("line", isLine(null));
  expect(await lineIn(null, `/sessions/${id}/stage`)).toEqual([""]);
});

test("J-12 a line costs nothing, and a repeat adds none", async () => {
  const { id, host, a } = await stage();
  const before = await balanceOf(host);
  const line = await joinRoom(a, id);
  for (const text of ["One", "One", "Two"]) await show(host, id, text);
  await line.expect("line", isLine("Two"));
  expect(line.heard.filter(({ type }) => type === "message")).toHaveLength(2);
  expect(await balanceOf(host)).toBe(before);
  // A line of the chat does cost something.
  await sayInRoom(id, host, "Paid");
  expect(await balanceOf(host)).toBeLessThan(before);
});

test("J-12 Q-45 of a session with a code no spectator, open stage or outsider's page receives the line", async () => {
  const { id, host, a, room } = await stage();
  await setSession(id, { joinCode: "kettle" });
  await room.refresh();
  const [inside, ...outside] = [await joinRoom(a, id), await watchRoom(id), await watchStage(id)];
  for (const line of outside) await line.expect("welcome");
  await show(host, id, "For us alone");
  await inside.expect("line", isLine("For us alone"));
  await sayInRoom(id, a, "afterwards");
  outside.push(await watchRoom(id), await watchStage(id));
  for (const line of outside) {
    await line.expect("welcome");
    expect(isIn(line, "For us alone")).toBe(false);
  }
  for (const path of [`/sessions/${id}`, `/sessions/${id}/stage`])
    expect([path, (await visit(null, path)).html.includes("For us alone")]).toEqual([path, false]);
  expect(await lineIn(a, `/sessions/${id}`)).toEqual(["For us alone"]);
});

test("J-12 Q-11 a participant with a block against the host reads no line, and a stage shows it without a name", async () => {
  const { id, host, a, b } = await stage();
  await callAs(a, "PUT", `/api/blocks/${host.username}`);
  const [ofA, ofB, wall] = [await joinRoom(a, id), await joinRoom(b, id), await watchStage(id)];
  await wall.expect("welcome");
  await show(host, id, "A line of the host");
  await ofB.expect("line", isLine("A line of the host"));
  await wall.expect("line", isLine("A line of the host"));
  expect([isIn(ofA, "A line of the host"), await lineIn(a, `/sessions/${id}`)]).toEqual([false, [""]]);
  expect(isIn(wall, host.username)).toBe(false);
});

test("J-12 the recap has the lines, without removed ones", async () => {
  const { id, host, a, room } = await stage();
  await show(host, id, "First line");
  const line = await joinRoom(a, id);
  await show(host, id, "Removed line");
  const { line: shown } = await line.expect("line", isLine("Removed line"));
  await callAs(host, "DELETE", `/api/sessions/${id}/messages/${shown?.seq}`);
  at(ROOM_NOW + 60 * SECOND);
  await room.change({ type: "end", by: actorOf(host) });
  await runDurableObjectAlarm(stubOf(id));
  const recap = await visit(host, `/sessions/${id}/recap`);
  expect(await recap.texts('[aria-label="Lines on all screens"] li')).toEqual(["First line"]);
  expect((await visit(host, `/sessions/${id}/recap.markdown`)).html).toContain("- First line");
});

test("J-12 the form of the People page shows and clears a line before JavaScript", async () => {
  const { id, host, a } = await stage();
  const path = `/sessions/${id}/people`;
  await post(host, path, { intent: "line", content: "By the form" });
  expect(await lineIn(a, `/sessions/${id}`)).toEqual(["By the form"]);
  await post(host, path, { intent: "line.clear" });
  expect(await lineIn(a, `/sessions/${id}`)).toEqual([""]);
  await post(a, path, { intent: "line", content: "Not mine" });
  expect(await lineIn(a, `/sessions/${id}`)).toEqual([""]);
});
