// The public page of a series, its thread and feed (H-09, H-12, H-15, H-16).
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { ask, callAs, dataOf, ORIGIN } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { readByIcal } from "#tests/support/calendars";
import { countingD1 } from "#tests/support/counting-d1";
import { db, type TestUser } from "#tests/support/factories";
import { ROOM_NOW, useRoomClock } from "#tests/support/rooms";
import {
  iso,
  layOutDays,
  makeRichUser,
  makeSeries,
  nine,
  openOf,
  patchSeries,
  restSeries,
  seriesPage,
  seriesPath,
  sessionsOf,
  stand,
} from "#tests/support/series";
import { join, leave, makePost, makeSession } from "#tests/support/sessions";
import { post, visit } from "#tests/support/visit";
import { DAY, HOUR, instant, MINUTE } from "~/domain/time";
import { createHttp } from "../../../workers/http";

const at = useRoomClock();
beforeEach(restSeries);

keepBystanders(restSeries);

test("H-09 the page shows a visitor the rule, five dates with free places, the hosts and 'Join every time'", async () => {
  const host = await makeRichUser();
  const id = await makeSeries(host, {}, { participant_limit: 3 });
  const page = await visit(null, await seriesPath(id));
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
  const after = await (await visit(null, await seriesPath(id))).texts('ul[aria-label="Next dates"] > li');
  expect(after).toHaveLength(6);
  expect(after[1]).toContain("Cancelled");
  expect(await page.texts("main button")).toEqual(expect.arrayContaining(["Join", "Join every time"]));
  expect(await page.texts("main a")).not.toContain("Manage this series");
  expect((await (await visit(host, await seriesPath(id))).links())["Manage this series"]).toBe(
    `/my/series/${id}`,
  );
});

test("G-10 H-09 a date whose session was held before its time is over, and a cancelled one is shown", async () => {
  const host = await makeRichUser();
  const id = await makeSeries(host);
  const [held, off] = await openOf(id);
  await callAs(host, "POST", `/challenge-events/${held?.id}/start`, {});
  at(ROOM_NOW + 10 * MINUTE);
  await callAs(host, "POST", `/challenge-events/${held?.id}/end`, {});
  await callAs(host, "PATCH", `/api/series/${id}/days/${off?.seriesDay}`, { skip: 1 });
  const states = async (path: string, key: string) =>
    (await dataOf(host, path))[key].map(({ state }: { state: string }) => state);
  const { days } = await dataOf(host, `/api/my/series/${id}`);
  expect(days.map(({ day }: { day: string }) => day)).not.toContain(held?.seriesDay);
  expect(days).toContainEqual(expect.objectContaining({ day: off?.seriesDay, state: "cancelled" }));
  const isOff = (state: string) => state === "cancelled";
  expect((await states(`/api${await seriesPath(id)}`, "dates")).filter(isOff)).toHaveLength(1);
});

test("H-09 a holder skips one date by the page and keeps the others and the standing seat", async () => {
  const [host, holder, bystander] = [await makeRichUser(), await makeRichUser(), await makeRichUser()];
  const id = await makeSeries(host);
  for (const user of [holder, bystander]) expect((await stand(user, id)).status).toBe(200);
  await layOutDays(7);
  const [seat] = (await seriesPage(holder, id)).dates.filter(
    ({ session }: { session: { is_joined: number } | null }) => session?.is_joined,
  );
  const address = await seriesPath(id);
  expect(await (await visit(holder, address)).texts("main button")).toContain("Skip this date");
  expect(await (await visit(host, address)).texts("main button")).not.toContain("Skip this date");
  const skipped = await post(holder, address, { intent: "leave", session: String(seat.session.id) });
  expect([skipped.status, skipped.location]).toEqual([302, address]);
  const after = await seriesPage(holder, id);
  expect(after.series.standing_since).not.toBeNull();
  expect(
    after.dates.some(({ session }: { session: { is_joined: number } | null }) => session?.is_joined),
  ).toBe(false);
  expect((await seriesPage(bystander, id)).dates).toContainEqual(
    expect.objectContaining({ session: expect.objectContaining({ id: seat.session.id, is_joined: 1 }) }),
  );
});

test("H-09 recaps are listed for people who had a seat, and for nobody else", async () => {
  const [host, guest, other] = [await makeRichUser(), await makeRichUser(), await makeRichUser()];
  const id = await makeSeries(host);
  const [first] = await openOf(id);
  await join(guest, first?.id ?? 0);
  await callAs(host, "POST", `/challenge-events/${first?.id}/start`, {});
  at(ROOM_NOW + 10 * MINUTE);
  await callAs(host, "POST", `/challenge-events/${first?.id}/end`, {});
  const recapsOf = async (user: TestUser | null) => (await seriesPage(user, id)).recaps;
  expect(await recapsOf(guest)).toMatchObject([{ session_id: first?.id }]);
  expect(await recapsOf(host)).toHaveLength(1);
  for (const user of [other, null]) expect(await recapsOf(user)).toEqual([]);
});

test("H-12 the thread has the posts of all sessions; a post goes to the session that next opens, a reply to that of its thread", async () => {
  const [host, guest] = [await makeRichUser(), await makeRichUser()];
  const id = await makeSeries(host);
  const path = await seriesPath(id);
  const [one, two] = await openOf(id);
  await makePost(host, { sessionId: one?.id ?? 0 }, "first week");
  const second = await makePost(host, { sessionId: two?.id ?? 0 }, "second week");
  const told = async (user: TestUser | null) =>
    (await seriesPage(user, id)).posts.map(({ content, session_path }: never) => [content, session_path]);
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
  const host = await makeRichUser();
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
  const host = await makeRichUser();
  const id = await makeSeries(host);
  await makeSeries(host, {}, { title: "Evening pages" });
  const old = await seriesPath(id);
  const text = await (await ask(`${old}/calendar.ics`)).text();
  const events = readByIcal(text);
  const open = await openOf(id);
  expect(events.map(({ start }) => start)).toEqual(open.map(({ startedAt }) => startedAt));
  expect(new Set(events.map(({ title }) => title))).toEqual(new Set(["Morning pages"]));
  await patchSeries(host, id, { session: { title: "Noon pages" } });
  const renamed = await ask(`${old}/calendar.ics`);
  const etag = renamed.headers.get("ETag") ?? "";
  expect(etag).toMatch(/^".+"$/);
  expect(readByIcal(await renamed.text())[0]?.title).toBe("Noon pages");
  const again = await ask(`${await seriesPath(id)}/calendar.ics`, { headers: { "If-None-Match": etag } });
  expect(again.status).toBe(304);
  await callAs(host, "PATCH", `/api/series/${id}/days/${open[0]?.seriesDay}`, { skip: 1 });
  expect(readByIcal(await (await ask(`${old}/calendar.ics`)).text())).toHaveLength(3);
  expect((await ask("/series/no-such-series/calendar.ics")).status).toBe(404);
});

test("H-15 a series with 300 past sessions costs one batch and few rows, with its page, next and feed", async () => {
  const host = await makeRichUser();
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
  const path = await seriesPath(id);
  for (const door of [`/api${path}`, `${path}/calendar.ics`]) {
    const { status, trips, rowsRead } = await rowsOf(door);
    expect([door, status, trips]).toEqual([door, 200, 1]);
    // Five dates, none of the thread.
    expect(rowsRead, door).toBeLessThanOrEqual(10 * 5 + 80);
  }
});

test("H-16 R-71 a newcomer's press on 'Join every time' is kept over the sign-in", async () => {
  const [host, newcomer] = [await makeRichUser(), await makeRichUser()];
  const id = await makeSeries(host);
  const path = await seriesPath(id);
  const refused = await post(null, path, { intent: "standing.take" });
  expect(refused.headers.getSetCookie().join()).toContain("interrupted=");
  expect((await post(newcomer, path, { intent: "standing.take" })).location).toBe(path);
  await leave(newcomer, (await openOf(id))[0]?.id ?? 0);
  expect((await seriesPage(newcomer, id)).series.standing_since).not.toBeNull();
});
