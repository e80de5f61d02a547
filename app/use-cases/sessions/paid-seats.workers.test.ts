// Free joining: the host pays once for the seat of an account, by whichever door it comes back (B-07).
import { eq } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";
import { schema } from "#db/connect.server";
import { callAs } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { db, makeUser, makeUsers, type TestUser } from "#tests/support/factories";
import { ROOM_NOW, useRoomClock } from "#tests/support/rooms";
import { createSeries, iso, layOutDays, openOf, restSeries, stand } from "#tests/support/series";
import { balanceOf, join, leave, makeSession, seatsOf, sessionNow } from "#tests/support/sessions";
import { post } from "#tests/support/visit";
import { DAY, HOUR, MINUTE } from "~/domain/time";

const event = (id: number, path: string) => `/challenge-events/${id}/${path}`;
const seatAt = (id: number, { username }: TestUser) => event(id, `participants/${username}`);
const wait = (user: TestUser, id: number) => callAs(user, "POST", event(id, "wait"), {});
const idsIn = async (id: number) => (await seatsOf(id)).map(({ userId }) => userId).sort((a, b) => a - b);
const idsOf = (...users: TestUser[]) => users.map(({ id }) => id).sort((a, b) => a - b);
const spent = async (user: TestUser) => 5000 - (await balanceOf(user));
/** The amounts that this person paid for others, and those that came back. */
const seatEntriesOf = async ({ id }: TestUser) => {
  const entries = await db.select().from(schema.tokenEntries).where(eq(schema.tokenEntries.userId, id));
  return entries.flatMap(({ reason, amount }) => (/host_join|refund/.test(reason) ? [amount] : []));
};
const makeHost = () => makeUser({ tokens: 5000 });
/** A free session with its host and a guest with a seat, which the host has paid for. */
async function freeSession(over: Record<string, unknown> = {}) {
  const [host, guest] = [await makeHost(), await makeUser()];
  const session = await makeSession(host, { is_free: 1, ...over });
  expect((await join(guest, session.id, String(over.join_code ?? ""))).status).toBe(200);
  expect(await spent(host)).toBe(200);
  return { host, guest, ...session };
}
const begin = (host: TestUser, id: number) => callAs(host, "POST", event(id, "start"), {});
const startsIn = (minutes: number) => ({
  is_manually_started: 0,
  started_at: iso(Date.now() + minutes * MINUTE),
});

useRoomClock();
beforeEach(restSeries);
keepBystanders(restSeries);

test("B-07 R-02 an account that leaves a running free session and comes back by any door costs its host one token", async () => {
  const { host, guest, id, slug, path } = await freeSession({ join_code: "sesame" });
  const other = await makeUser();
  await join(other, id, "sesame");
  await begin(host, id);
  const doors = [
    () => join(guest, id, "sesame"),
    () => callAs(guest, "POST", `/challenges/${slug}/join`, { join_code: "sesame" }),
    () => post(guest, path, { intent: "join", joinCode: "sesame" }),
    () => post(guest, path, { intent: "sit-in", name: "Ada", joinCode: "sesame" }),
  ];
  for (const door of doors) {
    await leave(guest, id);
    expect(await idsIn(id)).toEqual(idsOf(host, other));
    await door();
    expect(await idsIn(id)).toEqual(idsOf(host, guest, other));
  }
  expect([await spent(host), await balanceOf(guest), await balanceOf(other)]).toEqual([300, 1000, 1000]);
  expect((await sessionNow(id))?.participantsCount).toBe(3);
});

test("B-07 a host without a token left pays for nobody new, and an account with a paid seat still comes back", async () => {
  const { host, guest, id } = await freeSession();
  await begin(host, id);
  await leave(guest, id);
  await db.update(schema.tokenLots).set({ remaining: 0 }).where(eq(schema.tokenLots.userId, host.id));
  expect((await join(await makeUser(), id)).body.error_code).toBe("INSUFFICIENT_TOKENS");
  expect((await join(guest, id)).status).toBe(200);
  expect(await idsIn(id)).toEqual(idsOf(host, guest));
});

test("B-07 returns of an account at once are one seat and no second token", async () => {
  const { host, guest, id } = await freeSession();
  await begin(host, id);
  await leave(guest, id);
  const answers = await Promise.all([1, 2, 3].map(() => join(guest, id)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect([await spent(host), await idsIn(id)]).toEqual([200, idsOf(host, guest)]);
  expect((await sessionNow(id))?.participantsCount).toBe(2);
});

test("B-07 B-14 a token that a late leave kept returns once, after the return and a removal before the start", async () => {
  const { host, guest, id } = await freeSession(startsIn(30));
  for (let n = 0; n < 2; n++) {
    await leave(guest, id);
    await join(guest, id);
  }
  expect(await seatEntriesOf(host)).toEqual([-100]);
  expect((await callAs(host, "DELETE", seatAt(id, guest))).status).toBe(204);
  expect(await seatEntriesOf(host)).toEqual([-100, 100]);
  await join(guest, id);
  await leave(guest, id);
  expect(await seatEntriesOf(host)).toEqual([-100, 100, -100]);
});

test("B-07 R-55 each host pays once for an account, and an account pays each time where joining is not free", async () => {
  const { host, guest, id } = await freeSession();
  const next = await makeHost();
  await join(next, id);
  await begin(host, id);
  const comesBack = async () => {
    await leave(guest, id);
    expect((await join(guest, id)).status).toBe(200);
  };
  expect((await callAs(host, "PATCH", seatAt(id, next), { host: 1 })).status).toBe(200);
  await comesBack();
  await comesBack();
  expect([await spent(host), await spent(next), await balanceOf(guest)]).toEqual([300, 0, 800]);
  await callAs(next, "PATCH", event(id, "patch"), { challenge: { is_free: 1 } });
  await comesBack();
  await comesBack();
  expect([await spent(host), await spent(next), await balanceOf(guest)]).toEqual([300, 100, 800]);
});

test("B-07 a seat in another session of the host, or of another account, is paid for", async () => {
  const { host, guest, id } = await freeSession();
  const { id: second } = await makeSession(host, { is_free: 1 });
  await begin(host, id);
  await leave(guest, id);
  const before = await spent(host);
  await join(guest, second);
  await join(await makeUser(), id);
  expect((await spent(host)) - before).toBe(200);
});

test("B-07 G-20 a seat from the waiting list takes no second token for an account whose late leave kept the first", async () => {
  const { host, guest, id } = await freeSession({ ...startsIn(30), participant_limit: 2 });
  const [filler, next] = await makeUsers(2);
  await leave(guest, id);
  await join(filler, id);
  await callAs(host, "PATCH", event(id, "patch"), { challenge: { started_at: iso(Date.now() + DAY) } });
  expect((await wait(guest, id)).status).toBe(200);
  vi.setSystemTime(Date.now() + 1000);
  expect((await wait(next, id)).status).toBe(200);
  // The host can pay for nobody new.
  await db.update(schema.tokenLots).set({ remaining: 0 }).where(eq(schema.tokenLots.userId, host.id));
  const raised = await callAs(host, "PATCH", event(id, "patch"), { challenge: { participant_limit: 4 } });
  expect([raised.status, await idsIn(id)]).toEqual([200, idsOf(host, guest, filler)]);
  expect(await seatEntriesOf(host)).toEqual([-100, -100]);
  // The token that returns to the host pays for the next.
  expect((await callAs(host, "DELETE", seatAt(id, guest))).status).toBe(204);
  expect(await idsIn(id)).toEqual(idsOf(host, filler, next));
  expect(await seatEntriesOf(host)).toEqual([-100, -100, 100, -100]);
  expect((await sessionNow(id))?.participantsCount).toBe(3);
});

test("B-07 G-14 the holder of a standing seat who left late comes back, by joining or waiting, for no second token", async () => {
  const host = await makeHost();
  const [holder, filler] = await makeUsers(2);
  const { id: series } = (await createSeries(host, {}, { is_free: 1, participant_limit: 2 })).body.series;
  await stand(holder, series);
  await layOutDays(7);
  const session = (await openOf(series)).at(-1);
  const id = session?.id ?? 0;
  expect(await idsIn(id)).toEqual(idsOf(host, holder));
  const before = await spent(host);
  vi.setSystemTime(Number(session?.startedAt) - 5 * HOUR);
  await leave(holder, id);
  await join(holder, id);
  expect([await spent(host), await idsIn(id)]).toEqual([before, idsOf(host, holder)]);
  await leave(holder, id);
  await join(filler, id);
  await wait(holder, id);
  await leave(filler, id);
  expect([await spent(host), await idsIn(id)]).toEqual([before, idsOf(host, holder)]);
  vi.setSystemTime(ROOM_NOW);
});
