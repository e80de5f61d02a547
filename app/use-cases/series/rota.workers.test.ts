// The rota of a series whose hosts pay for everybody, and its bans (G-17, R-55, Q-15).
import { beforeEach, expect, test } from "vitest";
import { callAs, dataOf } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { makeUser, setUser, type TestUser } from "#tests/support/factories";
import { drain, noticeRows, spineApp } from "#tests/support/notices";
import { layOutDays, makeSeries, restSeries, seriesNow, sessionsOf } from "#tests/support/series";
import { makeHut } from "#tests/support/sessions";
import { post, visit } from "#tests/support/visit";
import { writeNotice } from "~/domain/notices/texts";
import { instant } from "~/domain/time";

const invite = (owner: TestUser, id: number, user: TestUser) =>
  callAs(owner, "PUT", `/api/series/${id}/hosts/${user.username}`, {});
const accept = (user: TestUser, id: number, body: object = {}) =>
  callAs(user, "POST", `/api/series/${id}/accept-turn`, body);
const change = (owner: TestUser, id: number, session: object) =>
  callAs(owner, "PATCH", `/api/series/${id}`, { series: { session } });
const turnOf = async (user: TestUser, id: number) =>
  (await dataOf(user, `/api/my/series/${id}`))?.series.turn ?? null;
const noticesOf = async (user: TestUser) => {
  await drain((await spineApp(instant(Date.now()))).app);
  const rows = (await noticeRows()).filter(({ userId }) => userId === user.id);
  return rows.map((row) => [row.kind, writeNotice(row, { timeZone: "UTC", locale: "en-GB" }).text]);
};

beforeEach(restSeries);

keepBystanders(restSeries);

test("G-17 the list of series holds those of the invited host, and no series of other people", async () => {
  const [owner, ben, other] = [await makeUser({ tokens: 3000 }), await makeUser(), await makeUser()];
  const id = await makeSeries(owner, {}, { is_free: 1 });
  await invite(owner, id, ben);
  const listed = async (user: TestUser): Promise<number[]> =>
    (await dataOf(user, "/api/my/series")).series.map((row: { id: number }) => row.id);
  expect([await listed(owner), await listed(ben), await listed(other)]).toEqual([[id], [id], []]);
  await callAs(owner, "DELETE", `/api/series/${id}`);
  expect([await listed(owner), await listed(ben)]).toEqual([[id], []]);
});

test("R-55 hosts in turn are invited again when the series becomes free, and their sessions stay as they are", async () => {
  const [owner, ben] = [await makeUser({ tokens: 3000 }), await makeUser()];
  const id = await makeSeries(owner);
  await invite(owner, id, ben);
  await accept(ben, id);
  await layOutDays(7);
  const laid = (await sessionsOf(id)).filter(({ ownerId }) => ownerId === ben.id);
  expect(laid.length).toBe(1);
  expect((await noticesOf(ben)).map(([kind]) => kind).sort()).toEqual(["rota-invited", "turn-given"]);
  // Neither another change nor a repeat of this one asks anybody again.
  expect((await change(owner, id, { prompt: "Write." })).status).toBe(200);
  expect(await turnOf(ben, id)).toBe("host");
  for (let again = 0; again < 2; again++) expect((await change(owner, id, { is_free: 1 })).status).toBe(200);
  expect([await turnOf(ben, id), await turnOf(owner, id)]).toEqual(["invited", "host"]);
  const free = (await sessionsOf(id)).map(({ ownerId, isFree }) => [ownerId === ben.id, isFree]);
  expect(free).toEqual([...Array.from({ length: 4 }, () => [false, true]), [true, false]]);
  expect((await noticesOf(ben)).filter(([kind]) => kind === "rota-asked-again")).toEqual([
    [
      "rota-asked-again",
      "Joining Morning pages is free from now on, and its hosts pay for everybody. Please accept again to go on hosting in turn.",
    ],
  ]);
  // Until then the host of the series hosts, and pays.
  await layOutDays(14);
  expect((await sessionsOf(id)).at(-1)?.ownerId).toBe(owner.id);
});

test("R-55 accepting a turn names the price, and a page from before joining was free accepts nothing", async () => {
  const [owner, ben] = [await makeUser({ tokens: 3000 }), await makeUser()];
  const id = await makeSeries(owner);
  await invite(owner, id, ben);
  expect((await visit(ben, `/my/series/${id}`)).html).not.toContain("because joining is free");
  await change(owner, id, { is_free: 1 });
  const late = await accept(ben, id, { is_free: 0 });
  expect([late.status, late.body.error_code, await turnOf(ben, id)]).toEqual([409, "CONFLICT", "invited"]);
  const typed = await post(ben, `/my/series/${id}`, { intent: "host.accept", isFree: "0" });
  expect([typed.status, await turnOf(ben, id)]).toEqual([409, "invited"]);
  const page = await visit(ben, `/my/series/${id}`);
  expect(page.html).toContain("1 token for everybody who joins it, because joining is free");
  expect((await post(ben, `/my/series/${id}`, { intent: "host.accept", isFree: "1" })).status).toBe(302);
  expect(await turnOf(ben, id)).toBe("host");
  for (let again = 0; again < 2; again++) expect((await accept(ben, id)).status).toBe(200);
});

test("H-17 R-55 each host in turn answers whether their sessions take guests, and for nobody else's", async () => {
  const [owner, ben, cid] = [await makeUser({ tokens: 3000 }), await makeUser(), await makeUser()];
  const id = await makeSeries(owner, {}, { participant_limit: 4 });
  for (const user of [ben, cid]) await invite(owner, id, user);
  expect((await visit(ben, `/my/series/${id}`)).html).toContain("People with the link may sit in as guests");
  expect((await accept(ben, id, { guest_limit: 5 })).status).toBe(422);
  const form = { intent: "host.accept", isFree: "0", takesGuests: "on", guestLimit: "many" };
  expect([(await post(ben, `/my/series/${id}`, form)).status, await turnOf(ben, id)]).toEqual([
    422,
    "invited",
  ]);
  expect((await post(ben, `/my/series/${id}`, { ...form, guestLimit: "3" })).status).toBe(302);
  await accept(cid, id, { guest_limit: 2 });
  await setUser(cid.id, { emailConfirmedAt: null });
  await layOutDays(14);
  const limits = (await sessionsOf(id)).map(({ ownerId, guestLimit }) => [ownerId, guestLimit]);
  expect(new Set(limits.map(([ownerId]) => ownerId)).size).toBe(3);
  for (const [ownerId, guestLimit] of limits) expect(guestLimit).toBe(ownerId === ben.id ? 3 : 0);
});

test("Q-15 a person who is banned from the series is not invited, and hosts none of its sessions", async () => {
  const [owner, ben, cid] = [await makeUser({ tokens: 3000 }), await makeUser(), await makeUser()];
  const id = await makeSeries(owner);
  const [session] = await sessionsOf(id);
  const ban = async (user: TestUser) => {
    await callAs(user, "POST", `/challenge-events/${session?.id}/join`, {});
    const body = { keep_out: 1, series: 1 };
    const path = `/challenge-events/${session?.id}/participants/${user.username}`;
    expect((await callAs(owner, "DELETE", path, body)).status).toBeLessThan(300);
  };
  await invite(owner, id, cid);
  await accept(cid, id);
  await ban(ben);
  await ban(cid);
  expect((await invite(owner, id, ben)).body.error_code).toBe("NOT_FOUND");
  await layOutDays(7);
  expect((await sessionsOf(id)).map(({ ownerId }) => ownerId)).not.toContain(cid.id);
});

test("G-17 R-88 a host in turn need be no member of the public hut, into which a member puts the series", async () => {
  const [keeper, owner, ben] = [await makeUser(), await makeUser({ tokens: 3000 }), await makeUser()];
  const hut = await makeHut(keeper, [keeper, owner]);
  const id = await makeSeries(owner, {}, { group_id: hut.id, hut_id: hut.id });
  expect((await invite(owner, id, ben)).status).toBe(200);
  expect((await accept(ben, id)).status).toBe(200);
  await layOutDays(7);
  await layOutDays(14);
  const dates = (await sessionsOf(id)).slice(-2).map(({ ownerId, hutId }) => [ownerId, hutId]);
  expect(new Set(dates.map(([ownerId]) => ownerId))).toEqual(new Set([owner.id, ben.id]));
  expect(dates.map(([, hutId]) => hutId)).toEqual([hut.id, hut.id]);
  expect((await callAs(owner, "DELETE", `/groups/${hut.slug}/leave`)).status).toBeLessThan(300);
  await layOutDays(21);
  expect([(await seriesNow(id))?.stop?.code, (await sessionsOf(id)).length]).toEqual(["no-turn", 6]);
});
