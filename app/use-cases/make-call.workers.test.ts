// The call of a session: its host makes it, people with a seat have its address, and nobody else (J-01 to J-04).
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { asDeployed } from "#tests/support/as-deployed";
import { ask, callAs } from "#tests/support/ask";
import { appOf, errorCodeOf, makeUsers, type TestUser, testApp } from "#tests/support/factories";
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
import { createSeries, openOf, restSeries, seriesNow } from "#tests/support/series";
import { join, leave, makeSession, sessionNow } from "#tests/support/sessions";
import { visit } from "#tests/support/visit";
import { callMark } from "~/domain/sessions/call";
import { DAY, instant, MINUTE } from "~/domain/time";
import { layOutSeries } from "~/use-cases/series/lay-out.server";
import { viewDetails } from "~/use-cases/sessions/views.server";
import { makeCall } from "./make-call.server";

const at = useRoomClock();
asDeployed();
beforeEach(restSeries);
afterEach(() => void vi.restoreAllMocks());

const BASE = "https://meet.example/bothy";
const ADDRESS = /^https:\/\/meet\.example\/bothy\/[a-z2-7]{32}$/;

/** The App of this user on an installation that names a site of calls. */
const appWith = async (user: TestUser, meetingBase: string | null = BASE) => {
  const app = await appOf(user, instant(Date.now()));
  return { ...app, settings: { ...app.settings, meetingBase } };
};
const make = async (user: TestUser, session: number, dates?: "this" | "all" | "each") =>
  makeCall(await appWith(user), { session, dates });
const linkOf = async (id: number) => (await sessionNow(id))?.meetingLink ?? "";
const stage = async () => {
  const people = await makeUsers(4);
  const { id, room, host } = await runningRoom(people.slice(0, 3), partsOf(600, 600), 1200);
  const [, a, b, outsider] = people as [TestUser, TestUser, TestUser, TestUser];
  return { id, room, host, a, b, outsider };
};
const markOf = (line: Line): string | null | undefined =>
  line.heard.reduce<string | null | undefined>(
    (mark, op) => (op.type === "call" || op.type === "welcome" ? op.call : mark),
    undefined,
  );

test("J-01 only the host makes a call, of 160 random bits on the installation's site, and another press makes another", async () => {
  const [host, admin, guest] = await makeUsers(3);
  const { id } = await makeSession(host);
  for (const user of [admin, guest]) await join(user, id);
  await callAs(host, "PATCH", `/challenge-events/${id}/participants/${admin.username}`, { role: 1 });
  for (const user of [admin, guest]) expect(await errorCodeOf(make(user, id))).toBe("FORBIDDEN");
  expect(await make(host, id)).toEqual({ isFirst: true });
  const first = await linkOf(id);
  expect(first).toMatch(ADDRESS);
  expect(await make(host, id)).toEqual({ isFirst: false });
  expect(await linkOf(id)).toMatch(ADDRESS);
  expect(await linkOf(id)).not.toBe(first);
});

test("J-01 without a site there is no button and no call, and the typed link stays", async () => {
  const [host] = await makeUsers(1);
  const { id } = await makeSession(host, { meeting_link: "https://typed.example/x" });
  expect(await errorCodeOf(makeCall(await appWith(host, null), { session: id }))).toBe("CONFLICT");
  expect(await linkOf(id)).toBe("https://typed.example/x");
  const canMake = async (base: string | null) =>
    (await viewDetails(await appWith(host, base), { session: id })).me.canMakeCall;
  expect([await canMake(null), await canMake(BASE)]).toEqual([false, true]);
  await callAs(host, "POST", `/challenge-events/${id}/end`, {});
  expect(await canMake(BASE)).toBe(false);
  expect(await errorCodeOf(make(host, id))).toBe("CONFLICT");
});

test("J-01 in a series the host chooses one call for all dates or one a date, and new dates follow", async () => {
  const [host] = await makeUsers(1);
  const { id } = (await createSeries(host)).body.series;
  const [first] = await openOf(id);
  const links = async () => (await openOf(id)).map(({ meetingLink }) => meetingLink);
  const layOut = async (days: number) => {
    const app = await testApp({ now: instant(Date.now() + days * DAY) });
    await layOutSeries({ ...app, settings: { ...app.settings, meetingBase: BASE } }, 500);
  };
  await make(host, first?.id ?? 0);
  expect((await links()).filter((link) => link !== "")).toHaveLength(1);
  await make(host, first?.id ?? 0, "all");
  await layOut(7);
  expect((await links()).length).toBeGreaterThan(4);
  expect(new Set(await links()).size).toBe(1);
  expect((await links())[0]).toMatch(ADDRESS);
  await make(host, first?.id ?? 0, "each");
  await layOut(14);
  const each = await links();
  expect(new Set(each).size).toBe(each.length);
  for (const link of each) expect(link).toMatch(ADDRESS);
  expect((await seriesNow(id))?.template.meetingLink).toBe(BASE);
});

test("J-01 a new date has a call of its own where the operator names another site, and none without a site", async () => {
  const [host, other] = await makeUsers(2);
  const { id } = (await createSeries(host)).body.series;
  const typed = (await createSeries(other, {}, { meeting_link: BASE })).body.series.id;
  const [first] = await openOf(id);
  await make(host, first?.id ?? 0, "each");
  const layOut = async (days: number, meetingBase: string | null) => {
    const app = await testApp({ now: instant(Date.now() + days * DAY) });
    await layOutSeries({ ...app, settings: { ...app.settings, meetingBase } }, 500);
    return (await openOf(id)).map(({ meetingLink }) => meetingLink);
  };
  const before = (await openOf(id)).length;
  const without = await layOut(7, null);
  expect(without.slice(before)).toEqual([""]);
  const elsewhere = await layOut(14, "https://other.example");
  expect(elsewhere.slice(before)).toEqual([
    "",
    expect.stringMatching(/^https:\/\/other\.example\/[a-z2-7]{32}$/),
  ]);
  // A link that the host typed stays what it is.
  expect((await openOf(typed)).map(({ meetingLink }) => meetingLink).at(-1)).toBe(BASE);

  // One call for all dates takes the place of a call for each.
  await make(host, first?.id ?? 0, "all");
  const all = await layOut(21, "https://other.example");
  expect(new Set(all).size).toBe(1);
  expect(all[0]).toMatch(ADDRESS);
  const change = { challenge: { meeting_link: "https://typed.example/x" }, scope: "all" };
  await make(host, first?.id ?? 0, "each");
  expect((await callAs(host, "PATCH", `/challenge-events/${first?.id}/patch`, change)).status).toBe(200);
  expect(new Set(await layOut(28, BASE))).toEqual(new Set(["https://typed.example/x"]));
});

test("J-03 a new call tells those present by a mark that does not name it, and pages have only the new address", async () => {
  const { id, room, host, a } = await stage();
  await make(host, id);
  await room.refresh();
  const old = await linkOf(id);
  const line = await joinRoom(a, id);
  expect(markOf(line)).toBe(callMark(old));
  expect((await visit(a, `/sessions/${id}`)).html).toContain(old);
  await make(host, id);
  const fresh = await linkOf(id);
  await line.expect("call", ({ call }) => call === callMark(fresh));
  const { html } = await visit(a, `/sessions/${id}`);
  expect([html.includes(old), html.includes(fresh)]).toEqual([false, true]);
  expect(JSON.stringify(line.heard)).not.toContain("meet.example");
  expect(markOf(await joinRoom(a, id))).toBe(callMark(fresh));
});

test("J-02 people who pressed are marked for participants until they leave or the call changes; hidden people are numbered", async () => {
  const { id, host, a, b } = await stage();
  await make(host, id);
  await callAs(a, "PUT", `/api/blocks/${b.username}`);
  const [ofHost, ofA] = [await joinRoom(host, id), await joinRoom(a, id)];
  const tabs = [await joinRoom(b, id), await joinRoom(b, id)];
  for (const tab of tabs) tab.say({ type: "call" });
  await ofHost.expect("in_call", ({ joined }) => joined.includes(b.username));
  await ofA.expect("in_call", ({ joined }) => joined.includes("Participant 3"));
  expect(JSON.stringify(ofA.heard)).not.toContain(b.username);
  expect((await joinRoom(host, id)).heard[0]).toMatchObject({ in_call: [b.username] });
  tabs[0]?.socket.close();
  ofHost.say({ type: "call" });
  await ofA.expect("in_call", ({ joined }) => joined.includes(host.username));
  expect(ofHost.heard.filter((op) => op.type === "in_call" && op.left.length > 0)).toEqual([]);
  tabs[1]?.socket.close();
  await ofHost.expect("in_call", ({ left }) => left.includes(b.username));
  await make(host, id);
  await ofA.expect("in_call", ({ left }) => left.includes(host.username));
});

test("J-04 the headers of those who get the address are byte for byte those of the others, and of a session without a call", async () => {
  const { id, host, a, outsider } = await stage();
  const headersOf = async (user: TestUser) => {
    const places = ["", "/goals", "/chat"].flatMap((tab) => [
      `/sessions/${id}${tab}`,
      `/api/sessions/${id}${tab}`,
    ]);
    const all = [];
    for (const place of places) {
      const { status, headers } = await ask(place, { headers: { Cookie: `login=${user.loginToken}` } });
      const lines = [...headers]
        .filter(([name]) => !["content-length", "set-cookie", "x-request-id"].includes(name))
        .map(([name, value]) => `${name}: ${value.replace(/'nonce-[^']+'/g, "nonce")}`);
      all.push([place, status, lines]);
    }
    return JSON.stringify(all);
  };
  const before = [await headersOf(a), await headersOf(outsider)];
  await make(host, id);
  expect((await visit(a, `/sessions/${id}`)).html).toContain(await linkOf(id));
  const after = [await headersOf(a), await headersOf(outsider)];
  expect(after).toEqual(before);
  expect(after[0]).toBe(after[1]);
  expect(after[0]).toContain("content-security-policy");
  expect(after[0]).toContain("permissions-policy");
});

test("J-04 the address and its mark reach no visitor, waiter, spectator, stage, and nobody who left, was removed or banned", async () => {
  const logged: string[] = [];
  for (const level of ["log", "info", "warn", "error"] as const)
    vi.spyOn(console, level).mockImplementation((...words) => void logged.push(words.join(" ")));
  const { id, room, host, a, b, outsider } = await stage();
  const own = await joinRoom(a, id);
  await make(host, id);
  await room.refresh();
  const link = await linkOf(id);
  await own.expect("call", ({ call }) => call === callMark(link));
  const mark = `"${callMark(link)}"`;
  const outside = [
    await watchRoom(id),
    await watchRoom(id, outsider),
    await openLine(null, id, {}, "?watch=stage"),
  ];
  for (const line of outside) await line.expect("welcome");
  await leave(a, id);
  await callAs(host, "DELETE", `/challenge-events/${id}/participants/${b.username}`, { keep_out: 1 });
  await make(host, id);
  await room.refresh();
  await room.change({ type: "set-ready", by: actorOf(host), isReady: true });
  await outside[0]?.expect("participants");
  const secrets = [link, await linkOf(id), mark, `"${callMark(await linkOf(id))}"`];
  const found: string[] = [];
  const look = (where: string, text: string) => {
    for (const secret of secrets) if (text.includes(secret)) found.push(`${where}: ${secret}`);
  };
  for (const [index, line] of outside.entries()) look(`socket ${index}`, JSON.stringify(line.heard));
  const { slug } = (await sessionNow(id)) ?? { slug: "" };
  const places = ["", "/people", "/goals", "/hut", "/chat", "/recap", "/stage", "/calendar.ics"];
  for (const user of [null, outsider, a, b]) {
    for (const place of places) {
      const headers: HeadersInit = user ? { Cookie: `login=${user.loginToken}` } : {};
      const answer = await ask(`/sessions/${id}${place}`, { headers });
      look(`${user?.username} ${place}`, `${await answer.text()}${JSON.stringify([...answer.headers])}`);
    }
    for (const path of [`/api/sessions/${id}`, `/api/challenges/${slug}`, `/api/sessions/${id}/chat`])
      look(`${user?.username} ${path}`, JSON.stringify((await callAs(user, "GET", path)).body));
  }
  const ofHost = await ask(`/sessions/${id}/calendar.ics`, {
    headers: { Cookie: `login=${host.loginToken}` },
  });
  look("the host's calendar entry", await ofHost.text());
  at(ROOM_NOW + 30 * MINUTE);
  await callAs(host, "POST", `/challenge-events/${id}/end`, {});
  for (const table of ["events", "notices", "deliveries", "mailbox"])
    look(table, JSON.stringify((await env.DB.prepare(`SELECT * FROM ${table}`).all()).results));
  look("recap", (await visit(host, `/sessions/${id}/recap`)).html);
  look(
    "room",
    JSON.stringify(
      await runInDurableObject(stubOf(id), (_, { storage }) =>
        ["people", "lines"].map((table) => storage.sql.exec(`SELECT * FROM ${table}`).toArray()),
      ),
    ),
  );
  look("log lines", logged.join("\n"));
  expect(found).toEqual([]);
});
