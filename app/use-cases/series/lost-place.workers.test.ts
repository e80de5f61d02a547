// Series whose hut, host or turn is lost (R-87, R-88, G-12), and days that a rule leaves out.
import { eq } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";
import { schema } from "#db/connect.server";
import { callAs, dataOf } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { db, makeUser, makeUsers, setUser, type TestUser, testApp } from "#tests/support/factories";
import { iso, layOutDays, makeSeries, openOf, restSeries, seriesNow } from "#tests/support/series";
import { join, makeHut, seatsOf } from "#tests/support/sessions";
import { DAY, HOUR, instant } from "~/domain/time";
import { deleteDueAccounts } from "~/use-cases/delete-accounts.server";

beforeEach(restSeries);

const hostsOf = async (id: number) =>
  Promise.all(
    (await openOf(id)).map(async (session) => ({
      session: session.id,
      host: (await seatsOf(session.id)).find(({ isHost }) => isHost)?.userId,
    })),
  );
const makeHost = (by: Parameters<typeof callAs>[0], session: number | undefined, username: string) =>
  callAs(by, "PATCH", `/challenge-events/${session}/participants/${username}`, { host: 1 });

keepBystanders(restSeries);

test("G-12 Q-27 the owner of a series reads and ends it also after its hut has become private without the owner", async () => {
  const [keeper, host] = await makeUsers(2);
  const hut = await makeHut(keeper, [keeper, host]);
  const id = await makeSeries(host, {}, { hut_id: hut.id });
  expect((await callAs(host, "DELETE", `/groups/${hut.slug}/leave`)).status).toBe(200);
  await callAs(keeper, "PATCH", `/groups/${hut.slug}/patch`, { hut: { is_private: 1 } });
  const [first] = await openOf(id);
  // Control: the sessions are still the host's.
  expect((await callAs(host, "GET", `/api/sessions/${first?.id}`)).status).toBe(200);
  expect((await callAs(host, "GET", `/api/my/series/${id}`)).status).toBe(200);
  expect((await callAs(host, "DELETE", `/api/series/${id}`)).status).toBe(204);
  expect(await openOf(id)).toEqual([]);
});

test("G-17 Q-15 a host in turn who is kept out of the series hosts no session of it that has not begun", async () => {
  const [owner, other] = await makeUsers(2);
  const id = await makeSeries(owner);
  await callAs(owner, "PUT", `/api/series/${id}/hosts/${other.username}`, {});
  await callAs(other, "POST", `/api/series/${id}/accept-turn`, { is_free: 0 });
  await layOutDays(7);
  await layOutDays(14);
  const before = await hostsOf(id);
  expect(before.map(({ host }) => host)).toContain(other.id);
  const mine = before.find(({ host }) => host === owner.id);
  const out = { keep_out: 1, series: 1 };
  await callAs(owner, "DELETE", `/challenge-events/${mine?.session}/participants/${other.username}`, out);
  expect((await hostsOf(id)).map(({ host }) => host)).not.toContain(other.id);
});

test("G-10 Q-13 R-55 a mute in one session that another hosts does not close the series to its owner", async () => {
  const [owner, other] = await makeUsers(2);
  const id = await makeSeries(owner);
  const [first] = await openOf(id);
  await join(other, first?.id ?? 0);
  await makeHost(owner, first?.id, other.username);
  await callAs(other, "PATCH", `/challenge-events/${first?.id}/participants/${owner.username}`, { mute: 1 });
  const changed = await callAs(owner, "PATCH", `/api/series/${id}`, { session: { title: "New title" } });
  expect(changed.status).toBe(200);
});

test("G-10 Q-15 R-55 a ban from one session that another hosts does not close the series to its owner", async () => {
  const [owner, other] = await makeUsers(2);
  const id = await makeSeries(owner);
  const [first] = await openOf(id);
  await join(other, first?.id ?? 0);
  await makeHost(owner, first?.id, other.username);
  await callAs(other, "DELETE", `/challenge-events/${first?.id}/participants/${owner.username}`, {
    keep_out: 1,
  });
  const changed = await callAs(owner, "PATCH", `/api/series/${id}`, { session: { title: "New title" } });
  expect(changed.status).toBe(200);
});

test("R-98 G-10 a day that a new rule leaves out keeps no move when a later rule names it again", async () => {
  const host = await makeUser();
  const id = await makeSeries(host);
  const [, second] = await openOf(id);
  const day = second?.seriesDay ?? "";
  const to = (second?.startedAt ?? 0) + 2 * DAY + 3 * HOUR;
  await callAs(host, "PATCH", `/api/series/${id}/days/${day}`, { started_at: iso(to) });
  const names = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"];
  const own = new Date(`${day}T12:00:00Z`).getUTCDay();
  await callAs(host, "PATCH", `/api/series/${id}`, { rule: `FREQ=WEEKLY;BYDAY=${names[(own + 1) % 7]}` });
  expect((await openOf(id)).some(({ seriesDay }) => seriesDay === day)).toBe(false);
  await callAs(host, "PATCH", `/api/series/${id}`, { rule: `FREQ=WEEKLY;BYDAY=${names[own]}` });
  const again = (await openOf(id)).find(({ seriesDay }) => seriesDay === day);
  expect(again?.startedAt).toBe(Date.parse(`${day}T09:00:00Z`));
});

test("R-98 G-11 a day that a new rule leaves out keeps no skip, and a session that was held stays in its series", async () => {
  const host = await makeUser();
  const id = await makeSeries(host);
  const [held, second] = await openOf(id);
  const day = second?.seriesDay ?? "";
  for (const step of ["start", "end"]) {
    expect((await callAs(host, "POST", `/challenge-events/${held?.id}/${step}`, {})).status).toBe(200);
    vi.setSystemTime(Date.now() + HOUR / 2);
  }
  expect((await callAs(host, "PATCH", `/api/series/${id}/days/${day}`, { skip: 1 })).status).toBe(200);
  expect((await openOf(id)).some(({ seriesDay }) => seriesDay === day)).toBe(false);
  const names = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"];
  const own = new Date(`${day}T12:00:00Z`).getUTCDay();
  // The rule as it is keeps the skip.
  for (const [rule, isLaid] of [
    [`FREQ=WEEKLY;BYDAY=${names[own]}`, false],
    [`FREQ=WEEKLY;BYDAY=${names[(own + 1) % 7]}`, false],
    [`FREQ=WEEKLY;BYDAY=${names[own]}`, true],
  ] as const) {
    expect((await callAs(host, "PATCH", `/api/series/${id}`, { rule })).status).toBe(200);
    expect((await openOf(id)).some(({ seriesDay }) => seriesDay === day)).toBe(isLaid);
  }
  const again = (await openOf(id)).find(({ seriesDay }) => seriesDay === day);
  expect(again?.startedAt).toBe(Date.parse(`${day}T09:00:00Z`));
  const { days } = await dataOf(host, `/api/my/series/${id}`);
  expect(days.find((shown: { day: string }) => shown.day === day)?.state).toBe("laid");
  const [kept] = await db
    .select()
    .from(schema.sessions)
    .where(eq(schema.sessions.id, held?.id ?? 0));
  expect(kept).toMatchObject({ seriesId: id, seriesDay: held?.seriesDay });
  // The skipped session itself is over.
  const [gone] = await db
    .select()
    .from(schema.sessions)
    .where(eq(schema.sessions.id, second?.id ?? 0));
  expect([gone?.seriesId, gone?.closedAt === null]).toEqual([null, false]);
});

test("R-56 G-12 a series that ended with its host's stay in a private hut has no open session left", async () => {
  const [owner, host, turn] = await makeUsers(3);
  const hut = await makeHut(owner, [owner, host, turn]);
  await db.update(schema.huts).set({ isPrivate: true, userCount: 3 }).where(eq(schema.huts.id, hut.id));
  const id = await makeSeries(host, {}, { hut_id: hut.id });
  await callAs(host, "PUT", `/api/series/${id}/hosts/${turn.username}`, {});
  await callAs(turn, "POST", `/api/series/${id}/accept-turn`, { is_free: 0 });
  await layOutDays(7);
  await layOutDays(14);
  expect((await callAs(host, "DELETE", `/groups/${hut.slug}/leave`)).status).toBe(200);
  expect((await seriesNow(id))?.endedAt).not.toBeNull();
  expect(await openOf(id)).toEqual([]);
});

test("R-88 H-14 the series of a deleted account goes to a host of its own rota, without a block between them", async () => {
  const [stranger, turn, owner, blocked, heir] = await makeUsers(5);
  const withHosts = async (host: TestUser, ...hosts: TestUser[]) => {
    const id = await makeSeries(host);
    for (const user of hosts) {
      await callAs(host, "PUT", `/api/series/${id}/hosts/${user.username}`, {});
      await callAs(user, "POST", `/api/series/${id}/accept-turn`, { is_free: 0 });
    }
    return id;
  };
  const theirs = await withHosts(stranger, turn);
  const alone = await withHosts(owner, blocked);
  const shared = await withHosts(owner, blocked, heir);
  await callAs(blocked, "PUT", `/api/blocks/${owner.username}`);
  const at = instant(Date.now());
  await setUser(owner.id, { deletionDueAt: at });
  expect(await deleteDueAccounts(await testApp({ now: at }))).toEqual({ deleted: 1, failed: 0 });
  expect(await seriesNow(shared)).toMatchObject({ ownerId: heir.id, endedAt: null });
  expect((await seriesNow(alone))?.endedAt).not.toBeNull();
  // The bystander.
  expect(await seriesNow(theirs)).toMatchObject({ ownerId: stranger.id, endedAt: null });
});

test("R-88 R-55 a free series of a deleted account stays free with an heir who has accepted its price", async () => {
  const [owner, heir, stranger] = await makeUsers(3);
  const [id, beside] = [await makeSeries(owner, {}, { is_free: 1 }), await makeSeries(stranger)];
  await callAs(owner, "PUT", `/api/series/${id}/hosts/${heir.username}`, {});
  expect((await callAs(heir, "POST", `/api/series/${id}/accept-turn`, { is_free: 1 })).status).toBe(200);
  const at = instant(Date.now());
  await setUser(owner.id, { deletionDueAt: at });
  expect(await deleteDueAccounts(await testApp({ now: at }))).toEqual({ deleted: 1, failed: 0 });
  expect(await seriesNow(id)).toMatchObject({ ownerId: heir.id, template: { isFree: true } });
  expect((await seriesNow(beside))?.template.isFree ?? false).toBe(false);
});
