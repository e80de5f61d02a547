// The privacy of the page of a series: people outside it, its code, and blocks (H-13).
import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { callAs } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { nonceIn, pageUuidIn } from "#tests/support/edge";
import { appOf, db, makeUser, type TestUser } from "#tests/support/factories";
import { useRoomClock } from "#tests/support/rooms";
import {
  makeRichUser,
  makeSeries,
  openOf,
  restSeries,
  seriesNow,
  seriesPage,
  seriesPath,
} from "#tests/support/series";
import { join, makeActivity, makeHut, makePost, setSession } from "#tests/support/sessions";
import { post, visit } from "#tests/support/visit";
import { instant } from "~/domain/time";
import { viewSessionPeople } from "../sessions/people-page.server";
import { viewSession } from "../sessions/views.server";

useRoomClock();
beforeEach(restSeries);

keepBystanders(restSeries);

/** Each answer has its own nonce and uuid, and a page its address. */
const comparable = (html: string, path: string) =>
  [nonceIn(html), pageUuidIn(html), path.replace("/series/", "")].reduce(
    (bare, own) => (own === "" ? bare : bare.replaceAll(own, "")),
    html,
  );

test("H-13 R-87 a private series answers everybody outside as a missing one, in each of its doors", async () => {
  const [keeper, host, outsider, boss] = [
    await makeRichUser(),
    await makeRichUser(),
    await makeRichUser(),
    await makeUser({ roleId: 10 }),
  ];
  const hut = await makeHut(keeper, [keeper, host]);
  const id = await makeSeries(host, {}, { hut_id: hut.id });
  const path = await seriesPath(id);
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
  const [host, member, outsider] = [await makeRichUser(), await makeRichUser(), await makeRichUser()];
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
  const host = await makeRichUser();
  const [hut, another] = [await makeHut(host, [host]), await makeHut(host, [host])];
  const id = await makeSeries(host);
  const [first] = await openOf(id);
  const session = first?.id ?? 0;
  const [own, shared] = [`/sessions/${session}`, await seriesPath(id)];
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
  const [host, guest, other] = [await makeRichUser(), await makeRichUser(), await makeRichUser()];
  const id = await makeSeries(host, {}, { join_code: "owl" });
  const path = await seriesPath(id);
  const [one, two] = await openOf(id);
  await makePost(host, { sessionId: one?.id ?? 0 }, "secret one");
  await makePost(host, { sessionId: two?.id ?? 0 }, "secret two");
  await join(guest, one?.id ?? 0, "owl");
  const seen = async (user: TestUser | null) =>
    ((await seriesPage(user, id)).posts as { content: string }[]).map(({ content }) => content);
  for (const user of [other, null]) expect(await seen(user)).toEqual([]);
  expect(await seen(guest)).toEqual(["secret one"]);
  expect(await seen(host)).toEqual(["secret two", "secret one"]);
  // The code is a field before JavaScript (H-16).
  const page = await visit(other, path);
  expect((await page.allWithoutScripts('input[name="joinCode"]')).length).toBeGreaterThan(1);
  expect((await post(other, path, { intent: "standing.take", joinCode: "elk" })).status).not.toBe(302);
  expect((await post(other, path, { intent: "standing.take", joinCode: "owl" })).status).toBe(302);
  expect((await seriesPage(other, id)).series.standing_since).not.toBeNull();
});

test("H-13 Q-12 Q-15 a blocked person reads no name and no post of the other, a person who is kept out may not join", async () => {
  const [host, hidden, out] = [await makeRichUser(), await makeRichUser(), await makeRichUser()];
  const id = await makeSeries(host);
  const path = await seriesPath(id);
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
