// View links: the host makes and ends one, and the stage behind it shows a session that others do not see (J-10).
import { evictDurableObject, runDurableObjectAlarm } from "cloudflare:test";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { ask, callAs, ORIGIN } from "#tests/support/ask";
import { db, makeUser, makeUsers, type TestUser } from "#tests/support/factories";
import {
  actorOf,
  joinRoom,
  openLine,
  partsOf,
  ROOM_NOW,
  runningRoom,
  sayInRoom,
  stubOf,
  useRoomClock,
  watchRoom,
} from "#tests/support/rooms";
import { layOutDays, makeSeries, nine, openOf, seriesNow } from "#tests/support/series";
import { makeHut, makeSession, setSession } from "#tests/support/sessions";
import { post, type Visited, visit } from "#tests/support/visit";
import type { StageData } from "~/components/room/stage-ground";
import { VIEW_LINK_ENDED } from "~/domain/sessions/stage";
import { HOUR, instant, SECOND } from "~/domain/time";

const at = useRoomClock();
const STAGE = "/sessions/view/stage";
const WATCH = "?watch=stage";

const codeIn = (page: Visited): string => {
  const [, code] = /\/sessions\/view\/stage#([\w-]{43})/.exec(page.html) ?? [];
  if (code === undefined) throw new Error(`no link: ${page.status}`);
  return code;
};
const make = async (host: TestUser, path: string) => codeIn(await post(host, path, { intent: "view-link" }));
const end = (host: TestUser, path: string) => post(host, path, { intent: "view-link.end" });
const show = (code: string) => post(null, STAGE, { code });
const viewIn = async (page: Visited): Promise<StageData["view"]> =>
  JSON.parse((await page.all("#stage"))[0]?.attributes["data-stage"] ?? "null").view;
const offering = (code: string) => ({ "Sec-WebSocket-Protocol": `bothy, ${code}` });
const listen = (id: number, code: string) => openLine(null, id, offering(code), WATCH);
const refusal = async (id: number, code?: string) => {
  const headers = { Upgrade: "websocket", Origin: ORIGIN, ...(code === undefined ? {} : offering(code)) };
  return (await ask(`/sessions/${id}/socket${WATCH}`, { headers })).status;
};
const withTurns = () => ({
  groups: partsOf(1200).groups.map((group) => ({
    ...group,
    parts: group.parts.map((part) => ({ ...part, isPerParticipant: true })),
  })),
});

/** A running session in a private hut, or with a code. */
async function hidden(kind: "private" | "coded") {
  const [host, a, b] = await makeUsers(3);
  const { id, room } = await runningRoom([host, a, b], withTurns(), 3600);
  const hut = await makeHut(host, [a, b]);
  await setSession(id, kind === "private" ? { isPrivate: true, hutId: hut.id } : { joinCode: "kettle-code" });
  await room.refresh();
  return { host, a, b, id, room, hut, people: `/sessions/${id}/people` };
}

for (const kind of ["private", "coded"] as const)
  test(`J-10 the link of a ${kind} session shows title, times, plan, face and the host's line, and of each planted secret nothing`, async () => {
    const { host, a, b, id, room, hut, people } = await hidden(kind);
    const code = await make(host, people);
    const wall = await listen(id, code);
    await wall.expect("welcome");
    const aim = await callAs(a, "POST", `/challenge-events/${id}/aim`, { aim: "secret aim" });
    expect(aim.status).toBeLessThan(300);
    await sayInRoom(id, a, "secret of the chat");
    // The host has the first turn.
    await room.change({
      type: "contribute",
      by: actorOf(host),
      contribution: "secret text",
      contributionHtml: "",
    });
    const seen = (await visit(host, `/sessions/${id}`)).html;
    for (const secret of ["secret aim", "secret of the chat", "secret text"])
      expect([secret, seen.includes(secret)]).toEqual([secret, true]);
    (await joinRoom(b, id)).say({ type: "ready", is_ready: true });
    await callAs(host, "PUT", `/api/sessions/${id}/line`, { content: "Please sit down" });
    await wall.expect("line", ({ line }) => line?.content === "Please sit down");
    const part = (await viewIn(await show(code))).stage?.session.schedule.groups[0]?.parts[0];
    const pause = await callAs(host, "POST", `/challenge-events/${id}/parts/${part?.id}/pause`);
    expect(pause.status).toBeLessThan(300);
    await wall.expect("parts");
    await evictDurableObject(stubOf(id), { webSockets: "close" });
    const late = await listen(id, code);
    await late.expect("welcome");
    const page = await show(code);
    const received = page.html + JSON.stringify([wall.heard, late.heard]);
    const { title } = (await db.select().from(schema.sessions).where(eq(schema.sessions.id, id)))[0] ?? {};
    const secrets = [host, a, b].map(({ username }) => username);
    secrets.push("kettle-code", "secret aim", "secret of the chat", "secret text", hut.slug, hut.title, code);
    for (const secret of secrets) expect([secret, received.includes(secret)]).toEqual([secret, false]);
    const types = new Set([...wall.heard, ...late.heard].map(({ type }) => type));
    expect([...types].sort()).toEqual(["content", "line", "parts", "welcome"]);
    for (const shown of [title ?? "", "Participant 1", "Please sit down"])
      expect([shown, received.includes(shown)]).toEqual([shown, true]);
    expect(await page.texts(".timer-face-numerals, .host-line")).toHaveLength(2);
    expect(await page.all(".stage-qr, a[href], [aria-label=People]")).toEqual([]);
  });

test("J-10 the code of a link is stored as a hash, and a later look at the page shows it no more", async () => {
  const { host, id, people } = await hidden("private");
  const code = await make(host, people);
  const [row] = await db.select().from(schema.viewLinks).where(eq(schema.viewLinks.sessionId, id));
  expect(row?.codeHash).toMatch(/^[\da-f]{64}$/);
  expect(JSON.stringify(row).includes(code)).toBe(false);
  expect((await visit(host, people)).html.includes(code)).toBe(false);
});

test("J-10 J-13 without scripts the stage behind a link stays, and one with an address loads again each minute", async () => {
  const { host, people } = await hidden("private");
  const page = await show(await make(host, people));
  expect(page.status).toBe(200);
  expect(await page.allWithoutScripts("meta[http-equiv=refresh]")).toEqual([]);
  expect((await page.allWithoutScripts("p.stage-plan")).map(({ text }) => text)).toEqual([
    "Reload this page to see changes.",
  ]);
  expect(await (await visit(null, STAGE)).allWithoutScripts("meta[http-equiv=refresh]")).toEqual([]);
  const open = await makeSession(await makeUser());
  const refreshes = await (await visit(null, `${open.path}/stage`)).allWithoutScripts(
    "meta[http-equiv=refresh]",
  );
  expect(refreshes.map(({ attributes }) => attributes.content)).toEqual(["60"]);
});

test("J-10 without its link the page shows nothing, Q-27 and the bare addresses of the session answer as before", async () => {
  const { host, id, people } = await hidden("private");
  const other = await hidden("private");
  await make(host, people);
  const code = await make(other.host, other.people);
  expect((await visit(null, STAGE)).status).toBe(200);
  expect((await viewIn(await visit(null, STAGE))).stage).toBeNull();
  const none = await show("x".repeat(43));
  expect([none.status, await viewIn(none)]).toMatchObject([422, { stage: null, rest: VIEW_LINK_ENDED }]);
  expect([await refusal(id), await refusal(id, code), await refusal(id, "x".repeat(43))]).toEqual([
    404, 404, 404,
  ]);
  for (const path of [`/sessions/${id}`, `/sessions/${id}/stage`])
    expect([path, (await visit(null, path)).status]).toEqual([path, 404]);
});

for (const act of ["ended", "renewed"] as const)
  test(`J-10 a link that is ${act} closes its open stage at once and shows nothing, and a bystander's listens again`, async () => {
    const { host, id, people } = await hidden("private");
    const other = await hidden("private");
    const [code, bystander] = [await make(host, people), await make(other.host, other.people)];
    const [wall, apart] = [await listen(id, code), await listen(other.id, bystander)];
    await wall.expect("welcome");
    await apart.expect("welcome");
    if (act === "ended")
      for (let turn = 0; turn < 2; turn++) expect((await end(host, people)).status).toBe(302);
    else expect(await make(host, people)).not.toBe(code);
    await wall.expect("refused");
    await wall.closed;
    expect([(await show(code)).status, await refusal(id, code)]).toEqual([422, 404]);
    await callAs(other.host, "PUT", `/api/sessions/${other.id}/line`, { content: "Still here" });
    await apart.expect("line");
    expect((await viewIn(await show(bystander))).stage?.session.id).toBe(other.id);
  });

test("J-10 the end of a link leaves the sockets of other people of the session open", async () => {
  const { host, a, id, people } = await hidden("coded");
  const code = await make(host, people);
  const wall = await listen(id, code);
  const others = [await joinRoom(a, id), await watchRoom(id), await openLine(null, id, {}, WATCH)];
  for (const line of [wall, ...others]) await line.expect("welcome");
  const part = (await viewIn(await show(code))).stage?.session.schedule.groups[0]?.parts[0]?.id;
  expect((await end(host, people)).status).toBe(302);
  await wall.closed;
  expect((await callAs(host, "POST", `/challenge-events/${id}/parts/${part}/pause`)).status).toBeLessThan(
    300,
  );
  for (const line of others) await line.expect("parts");
});

test("J-10 the end of a series' link closes its stages on all open dates", async () => {
  const host = await makeUser({ tokens: 90_000 });
  const id = await makeSeries(host, { rule: "FREQ=DAILY" }, { join_code: "kettle-code" });
  const path = `/my/series/${id}`;
  const code = await make(host, path);
  await layOutDays();
  const dates = await openOf(id);
  expect(dates.length).toBeGreaterThan(4);
  const walls = [];
  for (const date of dates) {
    // Each date in turn is the next one, as where it was moved to the front.
    await setSession(date.id, { startedAt: instant(nine(2) - HOUR), endedAt: nine(2) });
    at(nine(2) - 2 * HOUR);
    const wall = await listen(date.id, code);
    await wall.expect("welcome");
    walls.push(wall);
    await setSession(date.id, { startedAt: date.startedAt, endedAt: date.endedAt });
  }
  expect((await end(host, path)).status).toBe(302);
  for (const wall of walls) await wall.closed;
});

test("J-12 Q-11 Q-13 a linked stage shows a line without its author: nothing of an admin who is muted, all of one whom a participant has blocked", async () => {
  const { host, a, b, id, people } = await hidden("private");
  const line = (user: TestUser, content: string) =>
    callAs(user, "PUT", `/api/sessions/${id}/line`, { content });
  const seat = (over: object) =>
    callAs(host, "PATCH", `/challenge-events/${id}/participants/${a.username}`, over);
  expect((await seat({ role: 1 })).status).toBe(200);
  await callAs(b, "PUT", `/api/blocks/${a.username}`);
  const code = await make(host, people);
  const [wall, ofHost, ofB] = [await listen(id, code), await joinRoom(host, id), await joinRoom(b, id)];
  await wall.expect("welcome");
  const linesOn = async (page: Visited) => page.texts(".host-line");
  const isIn = (text: string) => [wall, ofHost, ofB].map(({ heard }) => JSON.stringify(heard).includes(text));

  expect((await line(a, "Before the mute")).status).toBe(200);
  await wall.expect("line", (op) => op.line?.content === "Before the mute");
  expect((await seat({ mute: 1 })).status).toBe(200);
  const refused = await line(a, "While muted");
  expect([refused.status, refused.body.message]).toEqual([403, expect.stringMatching(/^You are muted/)]);
  // A mute takes nothing back; host and admins remove a line.
  expect(await linesOn(await show(code))).toEqual(["Before the mute"]);
  expect((await seat({ mute: 0 })).status).toBe(200);
  expect((await line(a, "After the mute")).status).toBe(200);
  await wall.expect("line", (op) => op.line?.content === "After the mute");
  expect([isIn("Before the mute"), isIn("While muted"), isIn("After the mute")]).toEqual([
    [true, true, false],
    [false, false, false],
    [true, true, false],
  ]);
  expect(await linesOn(await show(code))).toEqual(["After the mute"]);
  expect(await linesOn(await visit(b, `/sessions/${id}`))).toEqual([""]);
  for (const { username } of [host, a, b])
    expect([username, JSON.stringify(wall.heard).includes(username)]).toEqual([username, false]);
});

test("J-10 a link ends with its session, whose stage closes", async () => {
  const { host, id, people, room } = await hidden("coded");
  const code = await make(host, people);
  const wall = await listen(id, code);
  await wall.expect("welcome");
  at(ROOM_NOW + 60 * SECOND);
  await room.change({ type: "end", by: actorOf(host) });
  await runDurableObjectAlarm(stubOf(id));
  await wall.closed;
  expect([(await show(code)).status, await refusal(id, code)]).toEqual([422, 404]);
  expect((await post(host, people, { intent: "view-link" })).status).toBe(409);
});

test("J-10 the link of a series follows to its next session, and ends with the series", async () => {
  const host = await makeUser({ tokens: 90_000 });
  const id = await makeSeries(host, { rule: "FREQ=DAILY" }, { join_code: "kettle-code" });
  const path = `/my/series/${id}`;
  const code = await make(host, path);
  const [first, second] = await openOf(id);
  const shown = async () => (await viewIn(await show(code))).stage?.session.id;
  at(nine(2) - HOUR);
  expect(await shown()).toBe(first?.id);
  const wall = await listen(first?.id ?? 0, code);
  await wall.expect("welcome");
  at(nine(2) + 2 * HOUR);
  expect(await shown()).toBe(second?.id);
  expect(await refusal(first?.id ?? 0, code)).toBe(404);
  const next = await listen(second?.id ?? 0, code);
  await next.expect("welcome");
  expect((await end(host, path)).status).toBe(302);
  await next.closed;
  expect((await show(code)).status).toBe(422);
  const again = await make(host, path);
  await callAs(host, "DELETE", `/api/series/${id}`);
  expect([(await seriesNow(id))?.endedAt === null, (await show(again)).status]).toEqual([false, 422]);
});

test("J-10 only the host makes and ends a link, and only where the stage is not open to everybody", async () => {
  const { host, a, id, people } = await hidden("private");
  const code = await make(host, people);
  for (const intent of ["view-link", "view-link.end"])
    expect([intent, (await post(a, people, { intent })).status]).toEqual([intent, 403]);
  expect((await show(code)).status).toBe(200);
  await setSession(id, { isPrivate: false, hutId: null });
  expect((await post(host, people, { intent: "view-link" })).status).toBe(409);
});
