// The addresses of a host who did not choose the hand-over: a donation link and a call of their own.
import { eq } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";
import { schema } from "#db/connect.server";
import { callAs } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import {
  appOf,
  db,
  errorCodeOf,
  makeUser,
  makeUsers,
  setUser,
  type TestUser,
  testApp,
} from "#tests/support/factories";
import { joinRoom } from "#tests/support/rooms";
import { layOutDays, makeSeries, openOf, restSeries, seriesNow } from "#tests/support/series";
import { join, makeHut, makeSession, seatsOf, sessionNow } from "#tests/support/sessions";
import { HOUR, instant } from "~/domain/time";
import { deleteDueAccounts } from "~/use-cases/delete-accounts.server";
import { suspendUser } from "~/use-cases/safety/suspensions.server";
import { claimSession } from "./claim.server";

const PAGE = "https://give.example/ada";
const BASE = "https://meet.example";
const CALL = `${BASE}/ada`;
const LINKS = { donation_link: PAGE, meeting_link: CALL };

beforeEach(restSeries);
keepBystanders(restSeries);

const linksOf = async (id: number) => {
  const row = await sessionNow(id);
  return [row?.donationLink, row?.meetingLink];
};
const hostOf = async (id: number) => (await seatsOf(id)).find(({ isHost }) => isHost)?.userId;
/** As the audit names that host. */
const formerHostOf = async (id: number) => {
  const acts = await db.select().from(schema.audit).where(eq(schema.audit.action, "host-changed"));
  return acts.find(({ targetKind, targetId }) => targetKind === "session" && Number(targetId) === id)
    ?.previous;
};
const start = (user: TestUser, id: number) => callAs(user, "POST", `/challenge-events/${id}/start`, {});
/** The ids of the sessions whose rooms it notified. */
async function deleteAccount(user: TestUser) {
  const at = instant(Date.now());
  await setUser(user.id, { deletionDueAt: at });
  const app = await testApp({ now: at });
  const settings = { ...app.settings, meetingBase: BASE };
  const notified: number[] = [];
  const rooms = {
    ...app.rooms,
    of: (id: number) => {
      const room = app.rooms.of(id);
      return { ...room, refresh: () => room.refresh().finally(() => notified.push(id)) };
    },
  };
  expect(await deleteDueAccounts({ ...app, rooms, settings })).toEqual({ deleted: 1, failed: 0 });
  return notified;
}

test("Q-41 R-88 the session of a deleted host passes without the donation link and the call of that host", async () => {
  const [host, heir] = await makeUsers(2);
  const own = await makeSession(host, LINKS);
  const ofSite = `${BASE}/${"a".repeat(32)}`;
  const made = await makeSession(host, { ...LINKS, meeting_link: ofSite });
  const chosen = await makeSession(heir, LINKS);
  for (const { id } of [own, made]) await join(heir, id);
  await deleteAccount(host);
  for (const { id } of [own, made]) {
    expect(await hostOf(id)).toBe(heir.id);
    expect(await formerHostOf(id)).toBe(`deleted.${host.id}`);
  }
  expect(await linksOf(own.id)).toEqual(["", ""]);
  // A call that the site made is nobody's own.
  expect(await linksOf(made.id)).toEqual(["", ofSite]);
  expect(await linksOf(chosen.id)).toEqual([PAGE, CALL]);
});

test("Q-18 R-88 the running session of a suspended host passes without the donation link, in its call", async () => {
  const [host, heir] = await makeUsers(2);
  const { id } = await makeSession(host, LINKS);
  await join(heir, id);
  await start(host, id);
  const admin = await appOf(await makeUser({ roleId: 10 }), instant(Date.now()));
  await suspendUser(admin, { username: host.username, days: 0, reason: "spam" });
  expect(await hostOf(id)).toBe(heir.id);
  expect(await formerHostOf(id)).toBe(host.username);
  expect(await linksOf(id)).toEqual(["", CALL]);
});

test("G-29 Q-41 R-67 a claimed session loses the donation link of its host, and the call of one who is leaving", async () => {
  const ofSite = `${BASE}/${"c".repeat(32)}`;
  for (const [isLeaving, call, left] of [
    [false, CALL, CALL],
    [true, CALL, ""],
    [true, ofSite, ofSite],
  ] as const) {
    const [host, admin] = await makeUsers(2);
    const { id } = await makeSession(host, { ...LINKS, meeting_link: call });
    const beside = await makeSession(host, LINKS);
    await join(admin, id);
    await callAs(host, "PATCH", `/challenge-events/${id}/participants/${admin.username}`, { role: 1 });
    await start(host, id);
    if (isLeaving) await setUser(host.id, { deletionDueAt: instant(Date.now() + 9 * HOUR) });
    await joinRoom(admin, id);
    const app = await appOf(admin, instant(Date.now()));
    app.settings = { ...app.settings, meetingBase: BASE };
    await claimSession(app, { session: id });
    expect(await hostOf(id)).toBe(admin.id);
    expect(await linksOf(id)).toEqual(["", left]);
    expect(await linksOf(beside.id)).toEqual([PAGE, CALL]);
  }
});

test("G-29 R-88 an admin who may not host the session claims nothing, and its links stay", async () => {
  const [owner, admin] = await makeUsers(2, { tokens: 9000 });
  const [first] = await openOf(await makeSeries(owner, {}, LINKS));
  const id = first?.id ?? 0;
  await join(admin, id);
  await callAs(owner, "PATCH", `/challenge-events/${id}/participants/${admin.username}`, { role: 1 });
  await start(owner, id);
  await joinRoom(admin, id);
  await callAs(admin, "PUT", `/api/blocks/${owner.username}`);
  const claim = claimSession(await appOf(admin, instant(Date.now())), { session: id });
  expect(await errorCodeOf(claim)).toBe("CONFLICT");
  expect(await hostOf(id)).toBe(owner.id);
  expect(await linksOf(id)).toEqual([PAGE, CALL]);
});

test("R-55 a session that its host hands over keeps its links", async () => {
  const [host, heir] = await makeUsers(2);
  const { id } = await makeSession(host, LINKS);
  await join(heir, id);
  await callAs(host, "PATCH", `/challenge-events/${id}/participants/${heir.username}`, { host: 1 });
  expect(await hostOf(id)).toBe(heir.id);
  expect(await linksOf(id)).toEqual([PAGE, CALL]);
});

test("R-87 the owner of a closing hut takes sessions and series over without their donation links", async () => {
  const [owner, host] = await makeUsers(2, { tokens: 9000 });
  const hut = await makeHut(owner, [owner, host]);
  const { id } = await makeSession(host, { ...LINKS, hut_id: hut.id });
  const series = await makeSeries(host, {}, { ...LINKS, hut_id: hut.id });
  const laid = await openOf(series);
  await callAs(host, "DELETE", `/groups/${hut.slug}/leave`);
  const body = { hut: { is_private: 1, take_over: 1 } };
  expect((await callAs(owner, "PATCH", `/groups/${hut.slug}/patch`, body)).status).toBe(200);
  for (const session of [id, ...laid.map((one) => one.id)]) {
    expect(await hostOf(session)).toBe(owner.id);
    expect(await linksOf(session)).toEqual(["", CALL]);
  }
  const { ownerId, template } = (await seriesNow(series)) ?? {};
  expect([ownerId, template?.donationLink, template?.meetingLink]).toEqual([owner.id, undefined, CALL]);
});

/** A series of `host` with links, and two dates that each of the two hosts. */
async function rota(host: TestUser, turn: TestUser, call = CALL) {
  const id = await makeSeries(host, {}, { ...LINKS, meeting_link: call });
  await callAs(host, "PUT", `/api/series/${id}/hosts/${turn.username}`, {});
  await callAs(turn, "POST", `/api/series/${id}/accept-turn`, { is_free: 0 });
  await layOutDays(7);
  await layOutDays(14);
  const open = await openOf(id);
  const hosts = await Promise.all(open.map((session) => hostOf(session.id)));
  expect([...new Set(hosts)].sort()).toEqual([host.id, turn.id].sort());
  for (const session of open) expect(await linksOf(session.id)).toEqual([PAGE, call]);
  return { id, open };
}

test("Q-41 R-88 the series of a deleted host and its dates pass without the links of that host", async () => {
  const [host, heir, stranger] = await makeUsers(3, { tokens: 9000 });
  const { id, open } = await rota(host, heir);
  const theirs = await makeSeries(stranger, {}, LINKS);
  vi.setSystemTime(Date.now() + HOUR);
  await deleteAccount(host);
  const { ownerId, endedAt, template } = (await seriesNow(id)) ?? {};
  expect([ownerId, endedAt]).toEqual([heir.id, null]);
  expect([template?.donationLink, template?.meetingLink]).toEqual([undefined, undefined]);
  for (const session of open) expect(await linksOf(session.id)).toEqual(["", ""]);
  expect((await seriesNow(theirs))?.template).toMatchObject({ donationLink: PAGE, meetingLink: CALL });
});

test("J-02 Q-41 R-88 a call that the site made for all dates of a series stays when its host is deleted", async () => {
  const [host, heir] = await makeUsers(2, { tokens: 9000 });
  const ofSite = `${BASE}/${"b".repeat(32)}`;
  const { id, open } = await rota(host, heir, ofSite);
  vi.setSystemTime(Date.now() + HOUR);
  await deleteAccount(host);
  const { ownerId, template } = (await seriesNow(id)) ?? {};
  expect([ownerId, template?.donationLink, template?.meetingLink]).toEqual([heir.id, undefined, ofSite]);
  // The dates of the host found no heir and are cancelled.
  const left = await openOf(id);
  expect(left.length).toBeLessThan(open.length);
  for (const session of left) expect(await linksOf(session.id)).toEqual(["", ofSite]);
  expect(left).not.toEqual([]);
});

test("Q-41 R-88 the dates of a deleted host in turn keep the links of the series", async () => {
  const [host, turn] = await makeUsers(2, { tokens: 9000 });
  const { id, open } = await rota(host, turn);
  for (const session of open) if ((await hostOf(session.id)) === turn.id) await join(host, session.id);
  await deleteAccount(turn);
  for (const session of await openOf(id)) {
    expect(await hostOf(session.id)).toBe(host.id);
    expect(await linksOf(session.id)).toEqual([PAGE, CALL]);
  }
});

/** The date of a rota that `turn` hosts. */
async function dateOf(turn: TestUser, open: { id: number }[]) {
  for (const { id } of open) if ((await hostOf(id)) === turn.id) return id;
  throw new Error("no date");
}

test("J-01 R-69 R-88 the date of another host has a newer version and a notified room once the links have gone", async () => {
  const [host, heir] = await makeUsers(2, { tokens: 9000 });
  const id = await dateOf(heir, (await rota(host, heir)).open);
  const form = (await sessionNow(id))?.updatedAt ?? 0;
  expect(await deleteAccount(host)).toContain(id);
  expect(await linksOf(id)).toEqual(["", ""]);
  expect((await sessionNow(id))?.updatedAt).toBeGreaterThan(form);
});

test("Q-41 dates that others have held in a series lose the links of its deleted host", async () => {
  const [host, heir] = await makeUsers(2, { tokens: 9000 });
  const id = await dateOf(heir, (await rota(host, heir)).open);
  await start(heir, id);
  vi.setSystemTime(Date.now() + HOUR / 2);
  await callAs(heir, "POST", `/challenge-events/${id}/end`, {});
  expect((await sessionNow(id))?.closedAt).not.toBeNull();
  expect(await linksOf(id)).toEqual([PAGE, CALL]);
  await deleteAccount(host);
  expect(await linksOf(id)).toEqual(["", ""]);
});

test.each(["goes on without an heir", "has ended"])(
  "Q-41 R-88 a running date loses the links of the deleted host of a series that %s",
  async (how) => {
    const [host, turn] = await makeUsers(2, { tokens: 9000 });
    const { id: series, open } = await rota(host, turn);
    const id = await dateOf(turn, open);
    await start(turn, id);
    if (how === "has ended") await callAs(host, "DELETE", `/api/series/${series}`);
    else await db.delete(schema.rotaHosts).where(eq(schema.rotaHosts.seriesId, series));
    expect((await seriesNow(series))?.endedAt === null).toBe(how !== "has ended");
    expect(await deleteAccount(host)).toContain(id);
    expect((await seriesNow(series))?.endedAt).not.toBeNull();
    expect((await sessionNow(id))?.closedAt).toBeNull();
    expect(await linksOf(id)).toEqual(["", ""]);
  },
);
