// Hosts who are deleted, suspended or about to go, waiting lists, and notices of a change that another feature makes.
import { and, eq } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";
import { schema } from "#db/connect.server";
import { callAs } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import {
  appOf,
  db,
  makeUser,
  makeUsers,
  setUser,
  type TestUser,
  testApp,
  userNow,
} from "#tests/support/factories";
import { passNight } from "#tests/support/nights";
import { drain, spineApp } from "#tests/support/notices";
import { iso, layOutDays, makeSeries, openOf, restSeries, sentencesOf, stand } from "#tests/support/series";
import { join, leave, makeHut, makeSession, seatsOf, sessionNow, setSession } from "#tests/support/sessions";
import { DAY, HOUR, instant, MINUTE } from "~/domain/time";
import { createKey, revokeKey, warnOfEndingKeys } from "~/use-cases/accounts/api-keys.server";
import { deleteDueAccounts } from "~/use-cases/delete-accounts.server";
import { suspendUser } from "~/use-cases/safety/suspensions.server";

const now = () => instant(Date.now());
beforeEach(restSeries);
const dated = (over: object = {}) => ({
  is_manually_started: 0,
  started_at: iso(Date.now() + 2 * DAY),
  ...over,
});
const hostOf = async (id: number) => (await seatsOf(id)).find(({ isHost }) => isHost)?.userId;

/** A session of `host`, whose account is deleted the next night, with two guests: `gone` joined first. */
async function orphan(gone: TestUser, staying: TestUser, prepare: () => Promise<unknown>) {
  const host = await makeUser();
  const { id } = await makeSession(host, dated());
  await join(gone, id);
  vi.setSystemTime(Date.now() + MINUTE);
  await join(staying, id);
  await prepare();
  await setUser(host.id, { deletionDueAt: instant(Date.now() + HOUR) });
  const startedAt = instant(Date.now() + 5 * DAY);
  await setSession(id, { startedAt, endedAt: instant(startedAt + HOUR) });
  await passNight(now());
  return id;
}

const writesToEverybody = keepBystanders();

test("Q-18 R-05 the heir of a deleted host is nobody who is suspended", async () => {
  writesToEverybody();
  const [gone, staying] = await makeUsers(2);
  const admin = await makeUser({ roleId: 10 });
  const id = await orphan(gone, staying, async () =>
    suspendUser(await appOf(admin, now()), { username: gone.username, days: 0, reason: "spam" }),
  );
  expect(await hostOf(id)).toBe(staying.id);
});

test("R-56 Q-41 a running session of a hut whose owner deleted the account gets another host", async () => {
  writesToEverybody();
  const [owner, keeper, host, guest] = await makeUsers(4);
  const hut = await makeHut(owner, [owner, host, guest]);
  await db.insert(schema.hutMembers).values({ hutId: hut.id, userId: keeper.id, joinedAt: now(), role: 1 });
  await db.update(schema.huts).set({ isPrivate: true, userCount: 4 }).where(eq(schema.huts.id, hut.id));
  await setUser(owner.id, { deletionDueAt: instant(Date.now() + HOUR) });
  await passNight(now());
  expect((await userNow(owner.id))?.username).toMatch(/^deleted/);
  const { id } = await makeSession(host, { hut_id: hut.id });
  await join(guest, id);
  await callAs(host, "POST", `/challenge-events/${id}/start`, {});
  const ban = await callAs(keeper, "PATCH", `/groups/${hut.slug}/members/${host.username}`, { ban: 1 });
  expect(ban.status).toBe(200);
  expect(await hostOf(id)).not.toBe(owner.id);
});

const suspend = async ({ username }: TestUser) =>
  suspendUser(await appOf(await makeUser({ roleId: 10 }), now()), { username, days: 30, reason: "spam" });

test("Q-18 G-15 the dates of a suspension end no standing seat, and tell the holder nothing", async () => {
  const host = await makeUser({ tokens: 9000 });
  const [away, poor] = await makeUsers(2, { tokens: 150 });
  const id = await makeSeries(host, { rule: "FREQ=DAILY;COUNT=33" });
  for (const user of [away, poor]) await stand(user, id);
  await layOutDays(1);
  await suspend(away);
  for (const day of [2, 3, 4]) await layOutDays(day);
  const rows = await db.select().from(schema.standingSeats).where(eq(schema.standingSeats.seriesId, id));
  expect(rows.map(({ userId, skips }) => [userId, skips])).toEqual([[away.id, 0]]);
  expect(await sentencesOf(away)).toEqual([]);
  // A holder without tokens who might come has lost the seat.
  expect(await sentencesOf(poor)).toHaveLength(4);
});

test("Q-18 G-21 a suspended waiter without tokens hears of no freed seat, and others do", async () => {
  const [host, guest] = await makeUsers(2);
  const [away, poor] = await makeUsers(2, { tokens: 0 });
  const next = await makeUser();
  const { id } = await makeSession(host, dated({ participant_limit: 2 }));
  await join(guest, id);
  for (const user of [away, poor, next]) {
    expect((await callAs(user, "POST", `/challenge-events/${id}/wait`, {})).status).toBe(200);
    vi.setSystemTime(Date.now() + MINUTE);
  }
  await suspend(away);
  await leave(guest, id);
  expect((await seatsOf(id)).map(({ userId }) => userId).sort()).toEqual([host.id, next.id].sort());
  const told = async (user: TestUser) => (await sentencesOf(user, "seat-unpaid")).length;
  expect([await told(away), await told(poor)]).toEqual([0, 1]);
});

type PrivateHut = { owner: TestUser; hut: { id: number; slug: string } };
const GOING: Readonly<Record<string, (host: TestUser, place: PrivateHut) => Promise<unknown>>> = {
  "the deletion of their account": async ({ id }) => {
    writesToEverybody();
    await setUser(id, { deletionDueAt: now() });
    expect(await deleteDueAccounts(await testApp({ now: now() }))).toMatchObject({ deleted: 1 });
  },
  "their suspension": suspend,
  "a ban from its private hut": (host, { owner, hut }) =>
    callAs(owner, "PATCH", `/groups/${hut.slug}/members/${host.username}`, { ban: 1 }),
  "leaving its private hut": async (host, { hut }) =>
    expect((await callAs(host, "DELETE", `/groups/${hut.slug}/leave`)).status).toBeLessThan(300),
};
for (const [name, goes] of Object.entries(GOING))
  test(`Q-41 R-56 a template outlasts ${name}, and a session of the same host is cancelled`, async () => {
    const [owner, host] = await makeUsers(2);
    const hut = await makeHut(owner, [owner, host]);
    const links = { donation_link: "https://give.example/ada" };
    const template = await makeSession(host, { hut_id: hut.id, ...links });
    await setSession(template.id, { isTemplate: true });
    const ahead = await makeSession(host, dated({ hut_id: hut.id }));
    await db.update(schema.huts).set({ isPrivate: true, userCount: 2 }).where(eq(schema.huts.id, hut.id));
    await goes(host, { owner, hut });
    const [kept, cancelled] = [await sessionNow(template.id), await sessionNow(ahead.id)];
    expect([kept?.closedAt, await hostOf(template.id)]).toEqual([null, host.id]);
    expect(cancelled?.closedAt).not.toBeNull();
    // A template that a deleted person left keeps no address of theirs.
    const isDeleted = (await userNow(host.id))?.username.startsWith("deleted.");
    expect(kept?.donationLink).toBe(isDeleted ? "" : links.donation_link);
  });

test("R-67 nobody whose account is about to be deleted is invited into a rota or given a session", async () => {
  const [owner, gone] = await makeUsers(2);
  const id = await makeSeries(owner);
  const [first] = await openOf(id);
  await join(gone, first?.id ?? 0);
  await setUser(gone.id, { deletionDueAt: instant(Date.now() + 10 * DAY) });
  const invited = await callAs(owner, "PUT", `/api/series/${id}/hosts/${gone.username}`, {});
  const path = `/challenge-events/${first?.id}/participants/${gone.username}`;
  const given = await callAs(owner, "PATCH", path, { host: 1 });
  expect([invited.status >= 400, given.status >= 400]).toEqual([true, true]);
});

test("Q-27 G-18 a person who waits in a hut that becomes private can leave the list, or has left it", async () => {
  const [keeper, host, guest, waiter, member] = await makeUsers(5);
  const hut = await makeHut(keeper, [keeper, host, guest, member]);
  const { id } = await makeSession(host, dated({ hut_id: hut.id, participant_limit: 2 }));
  await join(guest, id);
  expect((await callAs(waiter, "POST", `/challenge-events/${id}/wait`, {})).status).toBe(200);
  await callAs(keeper, "PATCH", `/groups/${hut.slug}/patch`, { hut: { is_private: 1 } });
  await callAs(waiter, "DELETE", `/challenge-events/${id}/wait`);
  expect((await callAs(member, "POST", `/challenge-events/${id}/wait`, {})).body).toEqual({ position: 1 });
});

test("N-21 R-65 a waiter hears that the session was started two days early", async () => {
  const [host, guest, waiter] = await makeUsers(3);
  const { id } = await makeSession(host, dated({ participant_limit: 2 }));
  await join(guest, id);
  await callAs(waiter, "POST", `/challenge-events/${id}/wait`, {});
  expect((await callAs(host, "POST", `/challenge-events/${id}/start`, {})).status).toBe(200);
  const told = [await sentencesOf(guest, "session-early"), await sentencesOf(waiter, "session-early")];
  expect(told.map(({ length }) => length)).toEqual([1, 1]);
});

/** The instant of the last cause of the calendar delivery of this person. */
async function calendarOf(user: TestUser): Promise<number | undefined> {
  await drain((await spineApp(now())).app);
  const mine = and(eq(schema.deliveries.userId, user.id), eq(schema.deliveries.kind, "calendar"));
  return (await db.select().from(schema.deliveries).where(mine))[0]?.at;
}

const CHANGES = {
  "F-21 F-09 C-61 a timer that is added before the start and moves the end": (host: TestUser, slug: string) =>
    callAs(host, "POST", `/challenges/${slug}/parts`, { type: "event", title: "Long", duration: 3 * 3600 }),
  "F-21 F-10 C-68 a new title by save-content before the start": (host: TestUser, slug: string) =>
    callAs(host, "PUT", `/challenges/${slug}/save-content`, { title: "Evening pages" }),
};
for (const [name, change] of Object.entries(CHANGES))
  test(`${name} reaches people's calendars`, async () => {
    const [host, guest] = await makeUsers(2);
    const session = await makeSession(host, dated());
    await join(guest, session.id);
    const invited = await calendarOf(guest);
    expect(invited).toBeDefined();
    const was = await sessionNow(session.id);
    vi.setSystemTime(Date.now() + 20 * MINUTE);
    expect((await change(host, session.slug)).status).toBeLessThan(300);
    // The control: the calendar has another version.
    expect((await sessionNow(session.id))?.sequence).toBeGreaterThan(was?.sequence ?? 0);
    vi.setSystemTime(Date.now() + 20 * MINUTE);
    expect(await calendarOf(guest)).toBeGreaterThan(invited ?? 0);
  });

test("O-08 a key that is revoked takes its notice and its waiting email along, and those of another key stay", async () => {
  const user = await makeUser();
  const app = await appOf(user, now());
  for (const name of ["Kettle", "Lamp"]) await createKey(app, { name, scopes: ["read"], days: 30 });
  vi.setSystemTime(Date.now() + 24 * DAY);
  const later = (await spineApp(now())).app;
  await warnOfEndingKeys(later);
  const told = () => sentencesOf(user, "key-ends");
  expect(await told()).toHaveLength(2);
  const waiting = {
    subject: "",
    kind: "key-ends",
    channel: "mail",
    body: {},
    dueAt: now(),
    at: now(),
  } as const;
  const keys = await db.select().from(schema.apiKeys).where(eq(schema.apiKeys.userId, user.id));
  for (const { keyHash } of keys) {
    const subject = `key:${keyHash.slice(0, 16)}`;
    const key = `${user.id}:key-ends:${subject}:waiting`;
    await db
      .insert(schema.deliveries)
      .values({ ...waiting, key, subject, userId: user.id, state: "waiting" });
  }
  const kettle = keys.find(({ name }) => name === "Kettle");
  await revokeKey(await appOf(user, now()), { key: kettle?.keyHash ?? "" });
  expect((await told()).join()).toMatch(/Lamp(?!.*Kettle)/);
  expect((await userNow(user.id))?.unreadNotices).toBe(1);
  const left = await db.select().from(schema.deliveries).where(eq(schema.deliveries.userId, user.id));
  // Sent deliveries stay on record.
  expect(
    left
      .filter(({ kind, state }) => kind === "key-ends" && state === "sent")
      .map(({ subject }) => subject)
      .sort(),
  ).toEqual(keys.map(({ keyHash }) => `key:${keyHash.slice(0, 16)}`).sort());
  expect(left.filter(({ key }) => key.endsWith("waiting")).map(({ subject }) => subject)).toEqual([
    `key:${keys.find(({ name }) => name === "Lamp")?.keyHash.slice(0, 16)}`,
  ]);
});
