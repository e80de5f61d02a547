// The public page of a series, its address, thread and feed (H-09 to H-16).

import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { ask, callAs, dataOf, ORIGIN } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { readByIcal } from "#tests/support/calendars";
import { countingD1 } from "#tests/support/counting-d1";
import { nonceIn } from "#tests/support/edge";
import { appOf, db, makeUser, makeUsers, setUser, type TestUser, testApp } from "#tests/support/factories";
import { drain, emptySpine, spineApp } from "#tests/support/notices";
import { ROOM_NOW, useRoomClock } from "#tests/support/rooms";
import {
  iso,
  layOutDays,
  makeSeries,
  nine,
  openOf,
  restSeries,
  seriesNow,
  sessionsOf,
  stand,
} from "#tests/support/series";
import {
  join,
  leave,
  makeActivity,
  makeHut,
  makePost,
  makeSession,
  setSession,
} from "#tests/support/sessions";
import { post, visit } from "#tests/support/visit";
import { DAY, HOUR, instant, MINUTE, seconds } from "~/domain/time";
import { deleteDueAccounts } from "~/use-cases/delete-accounts.server";
import { createHttp } from "../../../workers/http";
import { viewSessionPeople } from "../sessions/people-page.server";
import { viewSession } from "../sessions/views.server";
import { createSeriesWithFirst } from "./series.server";

const at = useRoomClock();
beforeEach(restSeries);

const rich = () => makeUser({ tokens: 90_000 });
const addressOf = async (id: number) => `/series/${(await seriesNow(id))?.slug}`;
const pageOf = async (user: TestUser | null, id: number) => dataOf(user, `/api${await addressOf(id)}`);
const next = (user: TestUser | null, path: string) => visit(user, `${path}/next`);
const patch = (host: TestUser, id: number, body: object) => callAs(host, "PATCH", `/api/series/${id}`, body);

keepBystanders(restSeries);

test("H-09 the page shows a visitor the rule, five dates with free places, the hosts and 'Join every time'", async () => {
  const host = await rich();
  const id = await makeSeries(host, {}, { participant_limit: 3 });
  const page = await visit(null, await addressOf(id));
  expect(page.status).toBe(200);
  expect(page.html).toContain("at 09:00, UTC");
  const rows = await page.texts('ul[aria-label="Next dates"] > li');
  expect(rows).toHaveLength(5);
  expect(rows.slice(0, 4).every((row) => row.includes("2 places free"))).toBe(true);
  expect(rows[4]).toContain("Opens 28 days before");
  expect(await page.texts('ul[aria-label="Hosts"] > li')).toEqual([host.username]);
  // A date that falls out is shown, and five others.
  const [, two] = await openOf(id);
  await callAs(host, "PATCH", `/api/series/${id}/days/${two?.seriesDay}`, { skip: 1 });
  const after = await (await visit(null, await addressOf(id))).texts('ul[aria-label="Next dates"] > li');
  expect(after).toHaveLength(6);
  expect(after[1]).toContain("Cancelled");
  expect(await page.texts("main button")).toEqual(expect.arrayContaining(["Join", "Join every time"]));
  expect(await page.texts("main a")).not.toContain("Manage this series");
  expect((await (await visit(host, await addressOf(id))).links())["Manage this series"]).toBe(
    `/my/series/${id}`,
  );
});

test("H-09 a holder skips one date by the page and keeps the others and the standing seat", async () => {
  const [host, holder, bystander] = [await rich(), await rich(), await rich()];
  const id = await makeSeries(host);
  for (const user of [holder, bystander]) expect((await stand(user, id)).status).toBe(200);
  await layOutDays(7);
  const [seat] = (await pageOf(holder, id)).dates.filter(
    ({ session }: { session: { is_joined: number } | null }) => session?.is_joined,
  );
  const address = await addressOf(id);
  expect(await (await visit(holder, address)).texts("main button")).toContain("Skip this date");
  expect(await (await visit(host, address)).texts("main button")).not.toContain("Skip this date");
  const skipped = await post(holder, address, { intent: "leave", session: String(seat.session.id) });
  expect([skipped.status, skipped.location]).toEqual([302, address]);
  const after = await pageOf(holder, id);
  expect(after.series.standing_since).not.toBeNull();
  expect(
    after.dates.some(({ session }: { session: { is_joined: number } | null }) => session?.is_joined),
  ).toBe(false);
  expect((await pageOf(bystander, id)).dates).toContainEqual(
    expect.objectContaining({ session: expect.objectContaining({ id: seat.session.id, is_joined: 1 }) }),
  );
});

test("H-09 recaps are listed for people who had a seat, and for nobody else", async () => {
  const [host, guest, other] = [await rich(), await rich(), await rich()];
  const id = await makeSeries(host);
  const [first] = await openOf(id);
  await join(guest, first?.id ?? 0);
  await callAs(host, "POST", `/challenge-events/${first?.id}/start`, {});
  at(ROOM_NOW + 10 * MINUTE);
  await callAs(host, "POST", `/challenge-events/${first?.id}/end`, {});
  const recapsOf = async (user: TestUser | null) => (await pageOf(user, id)).recaps;
  expect(await recapsOf(guest)).toMatchObject([{ session_id: first?.id }]);
  expect(await recapsOf(host)).toHaveLength(1);
  for (const user of [other, null]) expect(await recapsOf(user)).toEqual([]);
});

// ---- H-10

test("H-10 next opens the running session, otherwise the next, otherwise one without a start, otherwise the page", async () => {
  const host = await rich();
  const id = await makeSeries(host);
  const path = await addressOf(id);
  const opens = async () => {
    const answer = await next(null, path);
    expect([answer.status, answer.headers.get("Cache-Control")]).toEqual([302, "no-store"]);
    return answer.location;
  };
  const [a, b, c, d] = await openOf(id);
  // Before the first, while it runs, and after its end.
  expect(await opens()).toBe(`/sessions/${a?.id}`);
  at(nine(2) + 30 * MINUTE);
  expect(await opens()).toBe(`/sessions/${a?.id}`);
  at(nine(2) + 2 * HOUR);
  expect(await opens()).toBe(`/sessions/${b?.id}`);
  // After a cancellation of the next one, and after a move behind another.
  await callAs(host, "PATCH", `/api/series/${id}/days/${b?.seriesDay}`, { skip: 1 });
  expect(await opens()).toBe(`/sessions/${c?.id}`);
  await callAs(host, "PATCH", `/api/series/${id}/days/${c?.seriesDay}`, { started_at: iso(nine(22)) });
  expect(await opens()).toBe(`/sessions/${c?.id}`);
  await setSession(c?.id ?? 0, { startedAt: null, endedAt: null, isManuallyStarted: true });
  expect(await opens()).toBe(`/sessions/${d?.id}`);
  await setSession(d?.id ?? 0, { closedAt: instant(Date.now()) });
  expect(await opens()).toBe(`/sessions/${c?.id}`);
  await callAs(host, "DELETE", `/api/series/${id}`);
  expect(await opens()).toBe(path);
});

test("H-10 H-14 the address of week 1 opens the right session in week 12, after a move, a skip, a rota change and another rule", async () => {
  const [host, second] = [await rich(), await rich()];
  const id = await makeSeries(host);
  const bystander = await makeSeries(host, {}, { title: "Evening pages" });
  const path = await addressOf(id);
  const [, two, three] = await openOf(id);
  await callAs(host, "PATCH", `/api/series/${id}/days/${two?.seriesDay}`, { started_at: iso(nine(10)) });
  await callAs(host, "PATCH", `/api/series/${id}/days/${three?.seriesDay}`, { skip: 1 });
  await callAs(host, "PUT", `/api/series/${id}/hosts/${second.username}`, {});
  await callAs(second, "POST", `/api/series/${id}/accept-turn`, { is_free: 0 });
  expect((await patch(host, id, { started_at: iso(nine(5)), rule: "FREQ=WEEKLY" })).status).toBe(200);
  expect((await patch(host, id, { session: { title: "Noon pages" } })).status).toBe(200);
  for (let week = 1; week <= 11; week++) await layOutDays(7 * week);
  at(nine(5 + 7 * 11) - HOUR);
  const target = (await openOf(id)).find(({ startedAt }) => startedAt === nine(5 + 7 * 11));
  expect(target).toBeDefined();
  expect((await next(null, path)).location).toBe(`/sessions/${target?.id}`);
  expect((await openOf(id)).map(({ title }) => title)).toContain("Noon pages");
  expect((await next(null, await addressOf(bystander))).location).not.toBe(`/sessions/${target?.id}`);
  const hosts = new Set(
    (await pageOf(null, id)).dates.map(({ session }: never) => (session as { host: string } | null)?.host),
  );
  expect(hosts).toEqual(new Set([host.username, second.username, undefined]));
});

// ---- H-12

test("H-12 the thread has the posts of all sessions; a post goes to the session that next opens, a reply to that of its thread", async () => {
  const [host, guest] = [await rich(), await rich()];
  const id = await makeSeries(host);
  const path = await addressOf(id);
  const [one, two] = await openOf(id);
  await makePost(host, { sessionId: one?.id ?? 0 }, "first week");
  const second = await makePost(host, { sessionId: two?.id ?? 0 }, "second week");
  const told = async (user: TestUser | null) =>
    (await pageOf(user, id)).posts.map(({ content, session_path }: never) => [content, session_path]);
  expect(await told(null)).toEqual([
    ["second week", `/sessions/${two?.id}/hut`],
    ["first week", `/sessions/${one?.id}/hut`],
  ]);
  // Without a seat the box is replaced by Join.
  const outside = await visit(guest, path);
  expect(await outside.texts('form[aria-label="Edit post"], form[aria-labelledby]')).toEqual([]);
  expect(outside.html).toContain("Join the next session to write here.");
  expect((await post(guest, path, { intent: "post", content: "Hello" })).status).toBe(403);
  await join(guest, one?.id ?? 0);
  expect((await post(guest, path, { intent: "post", content: "I am in" })).status).toBe(302);
  expect((await told(null))[0]).toEqual(["I am in", `/sessions/${one?.id}/hut`]);
  // A seat in the next session gives no right in another.
  const reply = { intent: "post", content: "Me too", parentId: String(second) };
  expect((await post(guest, path, reply)).status).toBe(403);
  expect((await post(host, path, reply)).status).toBe(302);
  const [answer] = await db.select().from(schema.posts).where(eq(schema.posts.parentId, second));
  expect(answer).toMatchObject({ sessionId: two?.id, content: "Me too" });
  // The session's own forum has the same posts, and a deleted session takes only its own along.
  expect((await dataOf(null, `/api/sessions/${one?.id}/hut`)).posts).toHaveLength(2);
  await callAs(host, "DELETE", `/challenges/${two?.slug}`);
  expect((await told(null)).map(([content]: string[]) => content)).toEqual(["I am in", "first week"]);
});

test("H-12 the posts of a session that becomes the first of a series are in its thread, and leave it with the session", async () => {
  const host = await rich();
  const { id: session } = await makeSession(host, { started_at: iso(nine(2)), is_manually_started: 0 });
  const kept = await makePost(host, { sessionId: session }, "before the series");
  const form = { intent: "create", session: String(session), every: "WEEKLY", timeZone: "UTC" };
  const answer = await post(host, "/my/series", { ...form, startedAt: iso(nine(2)).slice(0, 16) });
  const id = Number(answer.location?.split("/").at(-1));
  const seriesOf = async () =>
    (await db.select().from(schema.posts).where(eq(schema.posts.id, kept)))[0]?.seriesId;
  expect(await seriesOf()).toBe(id);
  await db
    .update(schema.sessions)
    .set({ seriesId: null, seriesDay: null })
    .where(eq(schema.sessions.id, session));
  expect(await seriesOf()).toBeNull();
});

// ---- H-13

/** Each answer has its own nonces, and a page its address. */
const comparable = (html: string, path: string) => {
  const nonce = nonceIn(html);
  const bare = nonce === "" ? html : html.replaceAll(nonce, "");
  return bare.replaceAll(path.replace("/series/", ""), "");
};

test("H-13 R-87 a private series answers everybody outside as a missing one, in each of its doors", async () => {
  const [keeper, host, outsider, boss] = [
    await rich(),
    await rich(),
    await rich(),
    await makeUser({ roleId: 10 }),
  ];
  const hut = await makeHut(keeper, [keeper, host]);
  const id = await makeSeries(host, {}, { hut_id: hut.id });
  const path = await addressOf(id);
  expect((await visit(outsider, path)).status).toBe(200);
  await callAs(keeper, "PATCH", `/groups/${hut.slug}/patch`, { hut: { is_private: 1 } });
  for (const user of [outsider, null])
    for (const door of ["", "/next", "/calendar.ics"]) {
      const seen = await visit(user, `${path}${door}`);
      const missing = await visit(user, `/series/no-such-series-x${door}`);
      expect([seen.status, missing.status]).toEqual([404, 404]);
      expect(comparable(seen.html, path)).toBe(comparable(missing.html, "/series/no-such-series-x"));
    }
  const refused = await callAs(outsider, "GET", `/api${path}`);
  expect(refused.body).toEqual((await callAs(outsider, "GET", "/api/series/no-such-series-x")).body);
  expect((await post(outsider, path, { intent: "standing.take" })).status).toBe(404);
  for (const user of [host, keeper, boss]) expect((await visit(user, path)).status).toBe(200);
});

test("H-13 R-87 a public session of a private series names no address of it to people outside", async () => {
  const [host, member, outsider] = [await rich(), await rich(), await rich()];
  const hut = await makeHut(host, [host, member]);
  const id = await makeSeries(host, {}, { hut_id: hut.id, title: "Hidden heron" });
  await db.update(schema.huts).set({ isPrivate: true }).where(eq(schema.huts.id, hut.id));
  const [one] = await openOf(id);
  const session = one?.id ?? 0;
  const activity = await makeActivity(host);
  await setSession(session, { activityId: activity.id, title: "Open door" });
  const open = { challenge: { hut_id: null, is_private: 0 } };
  expect((await callAs(host, "PATCH", `/challenge-events/${session}/patch`, open)).status).toBe(200);
  const unfolded = (text: string) => text.replaceAll("\r\n ", "");
  const told = async (user: TestUser | null) => [
    (await visit(user, `/sessions/${session}`)).html,
    unfolded((await visit(user, `/sessions/${session}/calendar.ics`)).html),
  ];
  const feed = unfolded((await visit(null, `/activities/${activity.slug}/calendar.ics`)).html);
  expect(feed).toContain("Open door");
  for (const text of [feed, ...(await told(null)), ...(await told(outsider))]) {
    expect(text).toContain("Open door");
    expect(text).not.toContain("/series/hidden-heron");
  }
  for (const text of await told(member)) expect(text).toContain("/series/hidden-heron");
});

/** Everything that a host gives to others: the menu of the roster, and the link and QR code of the page of people. */
async function invitationsBy(host: TestUser, session: number) {
  const app = await appOf(host, instant(Date.now()));
  const { joinLink } = await viewSessionPeople(app, { session });
  return [(await viewSession(app, { session })).me.invitePath, new URL(joinLink.url).pathname];
}

test("H-11 H-13 an invitation leads to the series where the same people see it, with the same code, and else to its session", async () => {
  const host = await rich();
  const [hut, another] = [await makeHut(host, [host]), await makeHut(host, [host])];
  const id = await makeSeries(host);
  const [first] = await openOf(id);
  const session = first?.id ?? 0;
  const [own, shared] = [`/sessions/${session}`, await addressOf(id)];
  const { template } = (await seriesNow(id)) ?? { template: { title: "" } };
  const of = schema.series;
  const set = async (
    series: Partial<typeof of.$inferInsert>,
    one: Partial<typeof schema.sessions.$inferInsert>,
  ) => {
    await db.update(of).set(series).where(eq(of.id, id));
    await setSession(session, one);
    return new Set(await invitationsBy(host, session));
  };
  const open = { hutId: null, isPrivate: false };
  const inHut = { hutId: hut.id, isPrivate: true };
  const inAnother = { hutId: another.id, isPrivate: true };
  expect(await set(open, open)).toEqual(new Set([shared]));
  expect(await set(inHut, open)).toEqual(new Set([own]));
  expect(await set(inHut, inHut)).toEqual(new Set([shared]));
  expect(await set(inHut, inAnother)).toEqual(new Set([own]));
  expect(await set(open, { ...open, joinCode: "owl" })).toEqual(new Set([own]));
  expect(await set({ template: { ...template, joinCode: "owl" } }, { joinCode: "owl" })).toEqual(
    new Set([shared]),
  );
  expect(await set({ template: { ...template, joinCode: "elk" } }, { joinCode: "owl" })).toEqual(
    new Set([own]),
  );
  expect(await set({ template, endedAt: instant(Date.now()) }, { joinCode: "" })).toEqual(new Set([own]));
});

test("H-13 R-16 a code hides the posts of its sessions from people without a seat, and keeps the page out of every copy", async () => {
  const [host, guest, other] = [await rich(), await rich(), await rich()];
  const id = await makeSeries(host, {}, { join_code: "owl" });
  const path = await addressOf(id);
  const [one, two] = await openOf(id);
  await makePost(host, { sessionId: one?.id ?? 0 }, "secret one");
  await makePost(host, { sessionId: two?.id ?? 0 }, "secret two");
  await join(guest, one?.id ?? 0, "owl");
  const seen = async (user: TestUser | null) =>
    ((await pageOf(user, id)).posts as { content: string }[]).map(({ content }) => content);
  for (const user of [other, null]) expect(await seen(user)).toEqual([]);
  expect(await seen(guest)).toEqual(["secret one"]);
  expect(await seen(host)).toEqual(["secret two", "secret one"]);
  // The code is a field before JavaScript (H-16).
  const page = await visit(other, path);
  expect((await page.allWithoutScripts('input[name="joinCode"]')).length).toBeGreaterThan(1);
  expect((await post(other, path, { intent: "standing.take", joinCode: "elk" })).status).not.toBe(302);
  expect((await post(other, path, { intent: "standing.take", joinCode: "owl" })).status).toBe(302);
  expect((await pageOf(other, id)).series.standing_since).not.toBeNull();
});

test("H-13 Q-12 Q-15 a blocked person reads no name and no post of the other, a person who is kept out may not join", async () => {
  const [host, hidden, out] = [await rich(), await rich(), await rich()];
  const id = await makeSeries(host);
  const path = await addressOf(id);
  const [one] = await openOf(id);
  await makePost(host, { sessionId: one?.id ?? 0 }, "words of the host");
  expect((await callAs(hidden, "PUT", `/api/blocks/${host.username}`)).status).toBe(204);
  const page = await visit(hidden, path);
  expect(page.status).toBe(200);
  for (const word of [host.username, "words of the host"]) expect(page.html).not.toContain(word);
  await join(out, one?.id ?? 0);
  const gone = { keep_out: 1, series: 1 };
  await callAs(host, "DELETE", `/challenge-events/${one?.id}/participants/${out.username}`, gone);
  const kept = await visit(out, path);
  expect(kept.status).toBe(200);
  expect(await kept.texts("main button")).not.toEqual(expect.arrayContaining(["Join every time"]));
  expect((await post(out, path, { intent: "standing.take" })).status).toBe(403);
});

// ---- H-14

test("H-14 a renamed series keeps its old address by a 301, also after a second and third name", async () => {
  const host = await rich();
  const id = await makeSeries(host);
  const old = await addressOf(id);
  for (const title of ["Noon pages", "Night pages", "Morning pages"])
    expect((await patch(host, id, { session: { title } })).status).toBe(200);
  expect(await addressOf(id)).toBe(old);
  await patch(host, id, { session: { title: "Noon pages" } });
  const path = await addressOf(id);
  expect(path).toMatch(/^\/series\/noon-pages/);
  const moved = await visit(null, `${old}?page=2`);
  expect([moved.status, moved.location]).toEqual([301, `${path}?page=2`]);
  const numbered = await visit(null, `/series/${id}`);
  expect([numbered.status, numbered.location]).toEqual([301, path]);
  expect((await next(null, old)).status).toBe(302);
});

test("H-14 two series of one title have two addresses, and no title is the id of another series", async () => {
  const host = await rich();
  const [a, b] = [await makeSeries(host), await makeSeries(host)];
  expect(await addressOf(a)).not.toBe(await addressOf(b));
  const number = await makeSeries(host, {}, { title: String(a) });
  expect(await addressOf(number)).toMatch(/^\/series\/series-\d+/);
  // The address of a longer title is no address of its beginning.
  const circle = await makeSeries(host, {}, { title: "Crochet night" });
  await patch(host, circle, { session: { title: "Crochet" } });
  expect(await addressOf(circle)).toBe("/series/crochet");
  expect((await visit(null, `/series/${a}`)).location).toBe(await addressOf(a));
  // A series may not take an old address of another.
  const old = await addressOf(a);
  await patch(host, a, { session: { title: "Another name" } });
  const taker = await makeSeries(host);
  expect(await addressOf(taker)).not.toBe(old);
  expect((await visit(null, old)).location).toBe(await addressOf(a));
});

test("H-14 a series that the last release made is found by its id", async () => {
  const host = await rich();
  const id = await makeSeries(host);
  await db.update(schema.series).set({ slug: null }).where(eq(schema.series.id, id));
  await db.delete(schema.seriesSlugs).where(eq(schema.seriesSlugs.seriesId, id));
  expect((await visit(null, `/series/${id}`)).status).toBe(200);
  await patch(host, id, { session: { title: "With a name" } });
  expect((await visit(null, `/series/${id}`)).location).toMatch(/^\/series\/with-a-name/);
});

test("H-14 an ended series keeps its page and says so", async () => {
  const host = await rich();
  const id = await makeSeries(host);
  await callAs(host, "DELETE", `/api/series/${id}`);
  const page = await visit(null, await addressOf(id));
  expect(page.status).toBe(200);
  expect(page.html).toContain("This series has ended.");
  expect(await page.texts("main button")).not.toContain("Join every time");
});

test("H-14 R-88 the series of a deleted account goes to the first host of its rota, or ends and keeps its page without the name", async () => {
  const [gone, alone, heir] = [await rich(), await rich(), await rich()];
  const [passed, ended] = [await makeSeries(gone), await makeSeries(alone)];
  await callAs(gone, "PUT", `/api/series/${passed}/hosts/${heir.username}`, {});
  await callAs(heir, "POST", `/api/series/${passed}/accept-turn`, { is_free: 0 });
  const due = instant(Date.now() + 1);
  for (const { id } of [gone, alone]) await setUser(id, { deletionDueAt: due });
  await deleteDueAccounts(await testApp({ now: due }));
  expect((await pageOf(heir, passed)).series).toMatchObject({ is_mine: 1, has_ended: 0 });
  const page = await visit(null, await addressOf(ended));
  expect(page.status).toBe(200);
  expect(page.html).toContain("This series has ended.");
  expect(page.html).toContain(`deleted.${alone.id}`);
  expect(page.html).not.toContain(alone.username);
});

// ---- H-15

const http = createHttp(async () => new Response(null, { status: 418 }));
async function rowsOf(path: string) {
  const { d1, counts } = countingD1(env.DB);
  const context = createExecutionContext();
  const response = await http.fetch(new Request(ORIGIN + path), { ...env, DB: d1 }, context);
  await response.text();
  const own = { ...counts };
  await waitOnExecutionContext(context);
  return { status: response.status, ...own };
}

test("H-15 the feed has the sessions ahead and an ETag, whatever the address; ical.js reads it", async () => {
  const host = await rich();
  const id = await makeSeries(host);
  await makeSeries(host, {}, { title: "Evening pages" });
  const old = await addressOf(id);
  const text = await (await ask(`${old}/calendar.ics`)).text();
  const events = readByIcal(text);
  const open = await openOf(id);
  expect(events.map(({ start }) => start)).toEqual(open.map(({ startedAt }) => startedAt));
  expect(new Set(events.map(({ title }) => title))).toEqual(new Set(["Morning pages"]));
  await patch(host, id, { session: { title: "Noon pages" } });
  const renamed = await ask(`${old}/calendar.ics`);
  const etag = renamed.headers.get("ETag") ?? "";
  expect(etag).toMatch(/^".+"$/);
  expect(readByIcal(await renamed.text())[0]?.title).toBe("Noon pages");
  const again = await ask(`${await addressOf(id)}/calendar.ics`, { headers: { "If-None-Match": etag } });
  expect(again.status).toBe(304);
  await callAs(host, "PATCH", `/api/series/${id}/days/${open[0]?.seriesDay}`, { skip: 1 });
  expect(readByIcal(await (await ask(`${old}/calendar.ics`)).text())).toHaveLength(3);
  expect((await ask("/series/no-such-series/calendar.ics")).status).toBe(404);
});

test("H-15 a series with 300 past sessions costs one batch and few rows, with its page, next and feed", async () => {
  const host = await rich();
  const id = await makeSeries(host);
  const [first] = await sessionsOf(id);
  if (!first) throw new Error("no session");
  const { id: _, listKey: _key, ...row } = first;
  for (let past = 1; past <= 300; past += 20)
    await db.batch(
      Array.from({ length: 20 }, (_, n) => {
        const start = instant(nine(0) - (past + n) * DAY);
        const day = iso(start).slice(0, 10);
        return db.insert(schema.sessions).values({
          ...row,
          slug: `past-${id}-${past + n}`,
          seriesDay: day,
          startedAt: start,
          endedAt: instant(start + HOUR),
          closedAt: instant(start + HOUR),
        });
      }) as never,
    );
  const path = await addressOf(id);
  for (const door of [`/api${path}`, `${path}/calendar.ics`]) {
    const { status, trips, rowsRead } = await rowsOf(door);
    expect([door, status, trips]).toEqual([door, 200, 1]);
    // Five dates, none of the thread.
    expect(rowsRead, door).toBeLessThanOrEqual(10 * 5 + 80);
  }
});

test("H-16 R-71 a newcomer's press on 'Join every time' is kept over the sign-in", async () => {
  const [host, newcomer] = [await rich(), await rich()];
  const id = await makeSeries(host);
  const path = await addressOf(id);
  const refused = await post(null, path, { intent: "standing.take" });
  expect(refused.headers.getSetCookie().join()).toContain("interrupted=");
  expect((await post(newcomer, path, { intent: "standing.take" })).location).toBe(path);
  await leave(newcomer, (await openOf(id))[0]?.id ?? 0);
  expect((await pageOf(newcomer, id)).series.standing_since).not.toBeNull();
});

test("H-14 the sitemap names public series that go on by their present address", async () => {
  const [keeper, host] = await makeUsers(2);
  const hut = await makeHut(keeper, [keeper, host]);
  const [open, hidden] = [
    await makeSeries(host),
    await makeSeries(host, {}, { hut_id: hut.id, title: "Hidden" }),
  ];
  await callAs(keeper, "PATCH", `/groups/${hut.slug}/patch`, { hut: { is_private: 1 } });
  const map = await (await ask("/sitemap.xml")).text();
  expect(map).toContain(`${await addressOf(open)}<`);
  expect(map).not.toContain(`${await addressOf(hidden)}<`);
});

test("H-11 the invitation and the calendar entry of a session carry the address of its series, and of no other", async () => {
  const host = await rich();
  const id = await makeSeries(host, {}, { join_code: "owl" });
  const other = await makeSeries(host, {}, { title: "Evening pages" });
  const single = await makeSession(host, {
    title: "Alone",
    started_at: iso(nine(2)),
    is_manually_started: 0,
  });
  const [first] = await openOf(id);
  const address = `${ORIGIN}${await addressOf(id)}`;
  expect((await visit(host, `/sessions/${first?.id}/people`)).html).toContain(`${address}#code=owl`);
  const alone = await visit(host, `/sessions/${single.id}/people`);
  expect(alone.html).not.toContain("/series/");
  const [entry] = readByIcal(await (await ask(`/sessions/${first?.id}/calendar.ics`)).text());
  expect(entry?.description).toContain(address);
  const feed = readByIcal(await (await ask(`${await addressOf(other)}/calendar.ics`)).text());
  expect(feed[0]?.description).toContain(await addressOf(other));
  const [plain] = readByIcal(await (await ask(`/sessions/${single.id}/calendar.ics`)).text());
  expect(plain?.description).not.toContain("/series/");
});

test("H-09 R-86 a series that is made with its first session has an address of its own, also after a repeat", async () => {
  const host = await rich();
  const make = async (uuid: string) =>
    createSeriesWithFirst(await appOf(host, instant(Date.now())), {
      rule: "FREQ=WEEKLY",
      timeZone: "UTC",
      session: {
        title: "Morning pages",
        duration: seconds(3600),
        startedAt: nine(2),
        isManuallyStarted: false,
        uuid,
      },
    });
  const [uuid, other] = [crypto.randomUUID(), crypto.randomUUID()];
  const [a, b] = [await make(uuid), await make(other)];
  expect(a.me.series?.address).not.toBe(b.me.series?.address);
  for (const { me } of [a, b]) {
    expect(me.series?.address).toMatch(/^\/series\/morning-pages/);
    expect((await visit(null, me.series?.address ?? "")).status).toBe(200);
  }
  expect((await make(uuid)).me.series?.address).toBe(a.me.series?.address);
});

test("H-11 the mails, digests and pushes of a series and of its sessions carry its address, those of a single session do not", async () => {
  await emptySpine();
  const [host, guest] = [await rich(), await rich()];
  const id = await makeSeries(host);
  const single = await makeSession(host, {
    title: "Alone",
    started_at: iso(nine(2)),
    is_manually_started: 0,
  });
  const [first] = await openOf(id);
  for (const session of [first?.id ?? 0, single.id]) await join(guest, session);
  await callAs(host, "PUT", `/api/series/${id}/hosts/${guest.username}`, {});
  for (const session of [first?.id, single.id])
    await callAs(host, "POST", `/challenge-events/${session}/end`, {});
  const { app, mails } = await spineApp(instant(Date.now() + HOUR));
  await drain(app);
  const series = `${app.settings.origin}${await addressOf(id)}`;
  const address = `All dates of this series: ${series}`;
  const mine = mails.filter(({ to }) => to === guest.email).map(({ text }) => text);
  const about = (word: string) => mine.filter((text) => text.includes(word));
  expect(about("Morning pages").length).toBeGreaterThan(1);
  expect(about("Alone").length).toBeGreaterThan(0);
  for (const text of about("Morning pages")) expect(text).toContain(address);
  for (const text of about("Alone")) expect(text).not.toContain("All dates of this series");

  const lines = [first?.id ?? 0, single.id].map((session) => ({
    kind: "session-cancelled" as const,
    subject: `session:${session}`,
    actorId: null,
    body: { title: `Session ${session}`, path: `/sessions/${session}` },
  }));
  const due = { userId: guest.id, dueAt: app.now, state: "waiting" as const, at: app.now };
  await db
    .insert(schema.deliveries)
    .values([
      { ...due, key: "digest", kind: "digest", subject: "", channel: "mail", body: { lines } },
      ...lines.map((line, n) => ({ ...due, ...line, key: `push ${n}`, channel: "push" as const })),
    ]);
  const endpoint = "https://push.example/a";
  await db.insert(schema.pushSubscriptions).values({
    ...{
      userId: guest.id,
      loginHash: (await appOf(guest)).user?.loginHash ?? "",
      endpoint,
      p256dh: "",
      auth: "",
      createdAt: app.now,
    },
  });
  const pushes: { body: string; series?: string }[] = [];
  app.push = {
    publicKey: "",
    post: async (_browser, { payload }) => {
      pushes.push(JSON.parse(payload));
      return "sent";
    },
  };
  await drain(app);
  const digest = mails.at(-1)?.text ?? "";
  expect(digest.split("All dates of this series:")).toHaveLength(2);
  expect(digest.replaceAll(/\s+/g, " ")).toContain(`/sessions/${first?.id} ${address}`);
  expect(pushes.map((push) => [push.body.split(" was")[0], push.series])).toEqual([
    [`Session ${first?.id}`, series],
    [`Session ${single.id}`, undefined],
  ]);
});
