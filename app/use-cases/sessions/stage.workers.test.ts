// The stage of a session: its page, its plan without JavaScript, and what its socket hears (J-08, J-10, J-13).
import { beforeAll, expect, test, vi } from "vitest";
import { ask, callAs, ORIGIN } from "#tests/support/ask";
import { makeUsers, type TestUser } from "#tests/support/factories";
import {
  actorOf,
  joinRoom,
  openLine,
  partsOf,
  runningRoom,
  sayInRoom,
  useRoomClock,
} from "#tests/support/rooms";
import { makeHut, makeSession, setSession } from "#tests/support/sessions";
import { type Visited, visit } from "#tests/support/visit";
import type { StageData } from "~/components/room/stage-ground";
import { MINUTE } from "~/domain/time";

useRoomClock();

const stageOf = (id: number, query = "") => visit(null, `/sessions/${id}/stage${query}`);
const watchStage = (id: number, user: TestUser | null = null) => openLine(user, id, {}, "?watch=stage");
const dataOf = async (page: Visited): Promise<StageData> =>
  JSON.parse((await page.all("#stage"))[0]?.attributes["data-stage"] ?? "null");
const withTurns = () => ({
  groups: partsOf(1200).groups.map((group) => ({
    ...group,
    parts: group.parts.map((part) => ({ ...part, isPerParticipant: true })),
  })),
});

let host: TestUser;
let a: TestUser;
let b: TestUser;
beforeAll(async () => {
  [host, a, b] = (await makeUsers(3)) as [TestUser, TestUser, TestUser];
});

test("J-08 the stage fills the page: numerals, title, parts and the code of the address, without the frame of the site", async () => {
  const { id } = await runningRoom([host, a], partsOf(1200), 1200);
  const page = await stageOf(id);
  expect(page.status).toBe(200);
  expect(await page.all("header, footer, nav")).toEqual([]);
  expect(await page.texts(".timer-face-numerals")).toEqual(["20:00"]);
  expect(await page.all(".ribbon li")).not.toEqual([]);
  expect(await page.all('svg[aria-label="The address of this session"]')).toHaveLength(1);
  expect((await page.all("script[src]")).map(({ attributes }) => attributes.src)).toEqual(["/stage.js"]);
  const { view } = await dataOf(page);
  expect(view.stage?.address).toMatch(new RegExp(`/sessions/${id}$`));
});

test("J-08 the address chooses look and parts, and another word chooses none", async () => {
  const { id } = await runningRoom([host, a], partsOf(1200), 1200);
  const themeOf = async (query: string) => (await (await stageOf(id, query)).all("main"))[0]?.attributes;
  expect((await themeOf("?look=dark"))?.["data-theme"]).toBe("dark");
  expect((await themeOf("?look=light"))?.["data-theme"]).toBe("light");
  expect((await themeOf("?look=clear"))?.class).toContain("is-clear");
  expect((await themeOf("?look=pink"))?.["data-theme"]).toBe("system");
  const only = await stageOf(id, "?show=people");
  expect(await only.all(".timer-face-numerals, .ribbon, .stage-qr")).toEqual([]);
  expect(await only.texts('[aria-label="People"] li')).toEqual([host.username, a.username]);
  expect(await (await stageOf(id, "?show=nothing")).all(".timer-face-numerals, .stage-qr")).toHaveLength(2);
});

test("J-13 without JavaScript the stage shows the plan with its times, and refreshes each minute", async () => {
  const { id } = await runningRoom([host, a], partsOf(600, 300), 900);
  const page = await stageOf(id);
  expect((await page.allWithoutScripts('meta[http-equiv="refresh"]'))[0]?.attributes.content).toBe("60");
  expect(await page.all('meta[http-equiv="refresh"]')).toEqual([]);
  const plan = (await page.allWithoutScripts('[aria-label="The plan"] li')).map(({ text }) => text);
  expect(plan).toHaveLength(2);
  expect(plan[0]).toMatch(/10 minutes$/);
  expect(plan[1]).toMatch(/5 minutes$/);
});

test("J-08 a stage is the same with and without a login, and sets no cookie", async () => {
  const { id } = await runningRoom([host, a], partsOf(1200), 1200);
  const [open, own] = [await stageOf(id), await visit(host, `/sessions/${id}/stage`)];
  expect(own.html === open.html).toBe(true);
  expect([own.headers.get("Set-Cookie"), open.headers.get("Set-Cookie")]).toEqual([null, null]);
  // A bystander: the page of the session still sets it.
  expect((await visit(null, `/sessions/${id}`)).headers.get("Set-Cookie")).toContain("XSRF-TOKEN");
});

test("J-10 Q-27 the stage of a private session is NOT_FOUND for everybody, as one that does not exist", async () => {
  const hut = await makeHut(host, [a]);
  const { id } = await makeSession(host);
  await setSession(id, { isPrivate: true, hutId: hut.id });
  const missing = await stageOf(999_999_999);
  for (const user of [null, host, a]) {
    const page = await visit(user, `/sessions/${id}/stage`);
    expect(page.status).toBe(404);
    expect(page.html.replaceAll(String(id), "999999999") === missing.html).toBe(true);
    const socket = await ask(`/sessions/${id}/socket?watch=stage`, {
      headers: { Upgrade: "websocket", Origin: ORIGIN, ...(user && { Cookie: `login=${user.loginToken}` }) },
    });
    expect(socket.status).not.toBe(101);
  }
});

test("J-10 Q-45 neither page nor socket of a stage has a name or a text of a session with a code", async () => {
  const { id, room } = await runningRoom([host, a], withTurns(), 1200);
  await setSession(id, { joinCode: "kettle-code" });
  await room.refresh();
  const line = await watchStage(id);
  await line.expect("welcome");
  await sayInRoom(id, a, "secret of the chat");
  // The host has the first turn.
  await room.change({
    type: "contribute",
    by: actorOf(host),
    contribution: "secret text",
    contributionHtml: "",
  });
  const seen = (await visit(host, `/sessions/${id}`)).html;
  for (const secret of ["secret of the chat", "secret text"])
    expect([secret, seen.includes(secret)]).toEqual([secret, true]);
  (await joinRoom(a, id)).say({ type: "ready", is_ready: true });
  const page = await stageOf(id);
  const received = page.html + JSON.stringify(line.heard);
  for (const secret of [host.username, a.username, "kettle-code", "secret of the chat", "secret text"])
    expect([secret, received.includes(secret)]).toEqual([secret, false]);
  expect(received.includes("Participant 1")).toBe(true);
});

test("J-10 people with a block are numbered on every stage, at once and after a restart, and nobody else", async () => {
  const { id } = await runningRoom([host, a, b], withTurns(), 3600);
  const line = await watchStage(id);
  await line.expect("welcome");
  expect(JSON.stringify(line.heard).includes(a.username)).toBe(true);
  line.heard.length = 0;
  await callAs(a, "PUT", `/api/blocks/${b.username}`);
  await line.expect("welcome");
  const late = await watchStage(id, host);
  await late.expect("welcome");
  // A change of the roster and a line of the chat.
  (await joinRoom(a, id)).say({ type: "ready", is_ready: true });
  await line.expect("participants", ({ participants }) =>
    participants.some(({ is_ready }) => is_ready === 1),
  );
  await sayInRoom(id, a, "a line");
  const received = JSON.stringify([line.heard, late.heard]) + (await stageOf(id)).html;
  const isIn = (text: string) => [text, received.includes(text)];
  expect([a.username, b.username].map(isIn)).toEqual([
    [a.username, false],
    [b.username, false],
  ]);
  expect([host.username, "Participant 2"].map(isIn)).toEqual([
    [host.username, true],
    ["Participant 2", true],
  ]);
  line.heard.length = 0;
  await callAs(a, "DELETE", `/api/blocks/${b.username}`);
  await line.expect("welcome");
  expect((await stageOf(id)).html.includes(b.username)).toBe(true);
});

test("J-08 a stage hears a pause as it comes, and neither chat, presence nor texts", async () => {
  const { id } = await runningRoom([host, a], partsOf(1200), 1200);
  const line = await watchStage(id);
  await line.expect("welcome");
  await sayInRoom(id, a, "kettle");
  await joinRoom(a, id);
  const part = (await dataOf(await stageOf(id))).view.stage?.session.schedule.groups[0]?.parts[0];
  vi.setSystemTime(Date.now() + MINUTE);
  const paused = await callAs(host, "POST", `/challenge-events/${id}/parts/${part?.id}/pause`);
  expect(paused.status).toBeLessThan(300);
  await line.expect("parts");
  expect([...new Set(line.heard.map(({ type }) => type))].sort()).toEqual(["parts", "welcome"]);
});

test("J-08 a stage that says anything is closed", async () => {
  const { id } = await runningRoom([host, a], partsOf(1200), 1200);
  const line = await watchStage(id);
  line.say({ type: "people" });
  expect((await line.closed).code).toBe(4400);
});
