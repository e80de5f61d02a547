import { beforeEach, expect, test } from "vitest";
import { callAs, dataOf } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { makeUser, makeUsers, type TestUser, testApp } from "#tests/support/factories";
import {
  createSeries,
  layOutDays,
  nine,
  openOf,
  patchSeries,
  restSeries,
  sentencesOf,
  seriesNow,
} from "#tests/support/series";
import { balanceOf, seatsOf } from "#tests/support/sessions";
import { post, visit } from "#tests/support/visit";
import { formatDay } from "~/domain/days";
import { DAY, instant } from "~/domain/time";
import { layOutSeries } from "./lay-out.server";

beforeEach(restSeries);

const host = (user: TestUser, id: number, method: "PUT" | "DELETE", name: string, body: object = {}) =>
  callAs(user, method, `/api/series/${id}/hosts/${name}`, method === "PUT" ? body : undefined);
const accept = (user: TestUser, id: number) => callAs(user, "POST", `/api/series/${id}/accept-turn`, {});
const hostsOf = async (id: number) => (await openOf(id)).map(({ ownerId }) => ownerId);
const rotaOf = async (user: TestUser, id: number) =>
  (await dataOf(user, `/api/my/series/${id}`)).hosts.map((one: { username: string; is_accepted: number }) => [
    one.username,
    one.is_accepted,
  ]);

keepBystanders(restSeries);

test("G-17 invited people accept first; then each session takes the next host, who pays; one without tokens is passed over", async () => {
  const [owner, ben, cid] = [await makeUser(), await makeUser(), await makeUser({ tokens: 100 })];
  const { id } = (await createSeries(owner)).body.series;
  for (let again = 0; again < 2; again++)
    expect((await host(owner, id, "PUT", ben.username)).status).toBe(200);
  expect(await rotaOf(owner, id)).toEqual([
    [owner.username, 1],
    [ben.username, 0],
  ]);
  await host(owner, id, "PUT", cid.username);
  expect(await sentencesOf(ben)).toEqual([`${owner.username} asks you to host Morning pages in turn.`]);
  expect(await rotaOf(owner, id)).toEqual([
    [owner.username, 1],
    [ben.username, 0],
    [cid.username, 0],
  ]);
  // Without an answer the host of the series goes on.
  await layOutDays(7);
  expect(await hostsOf(id)).toEqual(Array.from({ length: 5 }, () => owner.id));
  for (let again = 0; again < 2; again++)
    for (const user of [ben, cid]) expect((await accept(user, id)).status).toBe(200);
  for (const days of [14, 21, 28, 35, 42]) await layOutDays(days);
  expect((await hostsOf(id)).slice(5)).toEqual([ben.id, cid.id, owner.id, ben.id, owner.id]);
  expect(await Promise.all([owner, ben, cid].map(balanceOf))).toEqual([1000 - 700, 800, 0]);
  const [session] = (await openOf(id)).slice(5);
  expect((await seatsOf(session?.id ?? 0)).map(({ userId, isHost }) => [userId, isHost])).toEqual([
    [ben.id, true],
  ]);
  // The host of the series still changes all of its sessions.
  const all = await callAs(owner, "PATCH", `/api/series/${id}`, {
    series: { session: { title: "Pages" } },
  });
  expect(all.status).toBe(200);
  expect(new Set((await openOf(id)).map(({ title }) => title))).toEqual(new Set(["Pages"]));
});

test("G-17 the host orders and removes; invited people decline, hosts leave, and nobody else sees the rota", async () => {
  const [owner, ben, cid, stranger] = await makeUsers(4);
  const { id } = (await createSeries(owner)).body.series;
  for (const user of [ben, cid]) await host(owner, id, "PUT", user.username);
  await host(owner, id, "PUT", cid.username, { place: 0 });
  const beside = (await createSeries(owner)).body.series.id;
  for (const user of [ben, cid]) await host(owner, beside, "PUT", user.username);
  const names = async (user = owner) => (await rotaOf(user, id)).map(([name]: [string]) => name);
  expect(await names()).toEqual([cid.username, owner.username, ben.username]);
  expect((await host(ben, id, "PUT", stranger.username)).body.error_code).toBe("FORBIDDEN");
  expect((await host(ben, id, "DELETE", cid.username)).body.error_code).toBe("FORBIDDEN");
  expect([
    (await accept(stranger, id)).status,
    (await accept(stranger, 1e9)).status,
    (await host(stranger, id, "DELETE", ben.username)).status,
  ]).toEqual([404, 404, 404]);
  const alone = (await createSeries(owner)).body.series.id;
  expect((await accept(owner, alone)).status).toBe(404);
  const page = await visit(cid, `/my/series/${id}`);
  expect(page.html).toContain(`${owner.username} asks you to host this series in turn.`);
  expect((await visit(cid, "/my/series")).html).toContain("Morning pages");
  expect((await post(cid, `/my/series/${id}`, { intent: "host.accept" })).status).toBeLessThan(400);
  expect(await names(cid)).toEqual([cid.username, owner.username, ben.username]);
  expect((await post(ben, `/my/series/${id}`, { intent: "host.leave", username: ben.username })).status).toBe(
    302,
  );
  for (let again = 0; again < 2; again++)
    expect((await host(owner, id, "DELETE", cid.username)).status).toBe(204);
  expect(await names()).toEqual([owner.username]);
  expect((await callAs(ben, "GET", `/api/my/series/${id}`)).status).toBe(404);
  expect((await rotaOf(owner, beside)).map(([name]: [string]) => name)).toEqual(
    [owner, ben, cid].map(({ username }) => username),
  );
});

test("G-10 G-17 days between others take turns after the day before them, and each host pays", async () => {
  const [owner, ben] = [await makeUser({ tokens: 5000 }), await makeUser({ tokens: 5000 })];
  const { id } = (await createSeries(owner)).body.series;
  const beside = (await createSeries(owner)).body.series.id;
  for (const series of [id, beside]) {
    await host(owner, series, "PUT", ben.username);
    await accept(ben, series);
  }
  expect((await patchSeries(owner, id, { rule: "FREQ=DAILY;COUNT=10" })).status).toBe(200);
  // The days 2 and 9 had the host of the series before.
  const turns = [0, 1, 0, 1, 0, 1, 0, 0, 1, 0].map((turn) => [owner, ben][turn]?.id);
  expect(await hostsOf(id)).toEqual(turns);
  expect([await balanceOf(owner), await balanceOf(ben)]).toEqual([5000 - 1000, 5000 - 400]);
  expect(await hostsOf(beside)).toEqual(Array(4).fill(owner.id));
});

test("G-17 G-09 when no host in turn has tokens, the host of the series reads it", async () => {
  const [owner, ben] = [await makeUser({ tokens: 400 }), await makeUser({ tokens: 0 })];
  const { id } = (await createSeries(owner)).body.series;
  await host(owner, id, "PUT", ben.username);
  await accept(ben, id);
  for (const days of [7, 8]) await layOutDays(days);
  const sentence = `Morning pages on ${formatDay(nine(30), "UTC")} was not created: no host in turn could make it.`;
  const { problem } = (await dataOf(owner, `/api/my/series/${id}`)).series;
  expect([await sentencesOf(owner), problem]).toEqual([[sentence], sentence]);
  expect((await seriesNow(id))?.stop).toEqual({ code: "no-turn", at: nine(30) });
  expect(await balanceOf(ben)).toBe(0);
});

test("G-17 a failure that is no refusal of a host passes the turn to nobody", async () => {
  const [owner, ben] = [await makeUser(), await makeUser()];
  const { id } = (await createSeries(owner)).body.series;
  await host(owner, id, "PUT", ben.username);
  await accept(ben, id);
  const newId = () => {
    throw new Error("killed");
  };
  await layOutSeries({ ...(await testApp({ now: instant(Date.now() + 7 * DAY) })), newId });
  expect((await hostsOf(id)).length).toBe(4);
  expect((await seriesNow(id))?.stop).toMatchObject({
    code: "refused",
    reason: expect.stringContaining("Something went wrong"),
  });
});

test("G-17 a rota has at most 10 people; unknown people and people with a block cannot be invited", async () => {
  const owner = await makeUser();
  const { id } = (await createSeries(owner)).body.series;
  const people = await makeUsers(11);
  const [blocking, last, ...others] = people;
  await callAs(blocking, "PUT", `/api/blocks/${owner.username}`, {});
  const invited = async (name: string) => (await host(owner, id, "PUT", name)).body.error_code;
  expect([await invited(blocking.username), await invited("nobody-at-all")]).toEqual([
    "NOT_FOUND",
    "NOT_FOUND",
  ]);
  // A refused invitation begins no rota, so the host has no turn either.
  expect(await rotaOf(owner, id)).toEqual([]);
  for (const { username } of others) expect(await invited(username)).toBeUndefined();
  expect(await invited(last.username)).toBe("CONFLICT");
});
