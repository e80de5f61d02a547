// Notices that two features meet in: the checks before a message leaves, news of starts, and what never waits too long
// (N-05, N-21, R-65, R-67, R-73).
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { findRoomSession } from "#db/queries/room/record";
import { callAs } from "#tests/support/ask";
import { db, makeUser, makeUsers, setUser, type TestUser, testApp } from "#tests/support/factories";
import { deliveryRows, drain, emptySpine, spineApp } from "#tests/support/notices";
import { subscribeBrowser } from "#tests/support/push";
import { ROOM_NOW, useRoomClock } from "#tests/support/rooms";
import { iso } from "#tests/support/series";
import { join, leave, makeSession, sessionNow } from "#tests/support/sessions";
import { writeNotice } from "~/domain/notices/texts";
import { DAY, HOUR, instant, MINUTE, SECOND } from "~/domain/time";

import { deleteExpiredRows } from "~/use-cases/upkeep.server";

const at = useRoomClock();
const confirm = (user: TestUser, more: object = {}) =>
  setUser(user.id, { emailConfirmedAt: instant(1), ...more });
/** Everything that is due at this instant; the texts of the emails to the user. */
async function mailsAt(ms: number, user: TestUser): Promise<string[]> {
  at(ms);
  const { app, mails } = await spineApp(instant(ms));
  await drain(app);
  return mails.filter(({ to }) => to === user.email).map(({ text }) => text);
}
const noticesOf = async (user: TestUser) => {
  const rows = await db.select().from(schema.notices).where(eq(schema.notices.userId, user.id));
  return rows.map((row) => writeNotice(row, { timeZone: "UTC", locale: "en-GB" }).text);
};
const patch = async (host: TestUser, id: number, challenge: object) =>
  expect((await callAs(host, "PATCH", `/challenge-events/${id}/patch`, { challenge })).status).toBe(200);
const minuteOf = (ms: number) => Math.floor((ms % DAY) / MINUTE);
/** Quiet hours of eight hours that begin ten minutes before this instant. */
const quietAround = (ms: number) => ({
  quietFrom: minuteOf(ms - 10 * MINUTE),
  quietTo: minuteOf(ms + 8 * HOUR),
});
async function makePlanned(inMinutes: number) {
  at(ROOM_NOW);
  await emptySpine();
  const [host, guest] = [await makeUser({ tokens: 5000 }), await makeUser()];
  await confirm(guest);
  const { id, slug } = await makeSession(host, {
    title: "Pages",
    is_manually_started: 0,
    started_at: iso(ROOM_NOW + inMinutes * MINUTE),
  });
  expect((await join(guest, id)).status).toBe(200);
  return { host, guest, id, slug };
}

test("N-21 several small moves that add up are announced", async () => {
  await emptySpine();
  const [host, guest] = [await makeUser(), await makeUser()];
  const start = ROOM_NOW + 3 * HOUR;
  const { id } = await makeSession(host, { is_manually_started: 0, started_at: iso(start) });
  await join(guest, id);
  await drain((await spineApp(instant(ROOM_NOW))).app);
  await db.delete(schema.notices);
  for (let n = 1; n <= 5; n++) await patch(host, id, { started_at: iso(start - n * 4 * MINUTE) });
  await drain((await spineApp(instant(ROOM_NOW))).app);
  expect((await noticesOf(guest)).at(-1)).toMatch(/ moved to /);
});

test.each([
  ["F-22 a cancellation", "POST", () => "end", "Pages was cancelled. Your token was returned."],
  [
    "F-21 a removal",
    "DELETE",
    (name: string) => `participants/${name}`,
    "You have no seat in Pages any more.",
  ],
] as const)(
  "R-73 %s near the start is mailed at once, a minute after another mail",
  async (_, method, act, text) => {
    const { host, guest, id } = await makePlanned(4);
    expect((await mailsAt(ROOM_NOW + SECOND, guest)).length).toBe(1);
    at(ROOM_NOW + MINUTE);
    const { status } = await callAs(host, method, `/challenge-events/${id}/${act(guest.username)}`, {});
    expect(status).toBeLessThan(300);
    const [mail = ""] = await mailsAt(ROOM_NOW + MINUTE + SECOND, guest);
    expect(mail).toContain(text);
  },
);

test("F-20 joining again says that there is a seat, before and after the removal was mailed", async () => {
  const { guest, id } = await makePlanned(600);
  const act = async (what: typeof join, ms: number) => {
    at(ms);
    expect((await what(guest, id)).status).toBe(200);
  };
  const first = (texts: string[]) => texts.map((text) => text.split("\n")[0]);
  const seat = expect.stringContaining("You have a seat in Pages");
  expect(first(await mailsAt(ROOM_NOW + SECOND, guest))).toEqual([seat]);
  await act(leave, ROOM_NOW + MINUTE);
  await act(join, ROOM_NOW + 2 * MINUTE);
  expect(first(await mailsAt(ROOM_NOW + 8 * MINUTE, guest))).toEqual([seat]);
  await act(leave, ROOM_NOW + 20 * MINUTE);
  expect(first(await mailsAt(ROOM_NOW + 26 * MINUTE, guest))).toEqual([expect.stringContaining("no seat")]);
  await act(join, ROOM_NOW + 40 * MINUTE);
  expect(first(await mailsAt(ROOM_NOW + 46 * MINUTE, guest))).toEqual([seat]);
});

test("R-65 N-15 quiet hours do not hold the news that a session begins early", async () => {
  const { host, guest, id } = await makePlanned(24 * 60);
  await mailsAt(ROOM_NOW + SECOND, guest);
  await confirm(guest, quietAround(ROOM_NOW + 20 * MINUTE));
  at(ROOM_NOW + 20 * MINUTE);
  expect((await callAs(host, "POST", `/challenge-events/${id}/start`, {})).status).toBe(200);
  const mails = await mailsAt(ROOM_NOW + 20 * MINUTE + SECOND, guest);
  expect(mails.join()).toContain(`${host.username} has started Pages now instead of on `);
});

for (const [hours, isHeld] of [
  [2, false],
  [20, true],
] as const)
  test(`R-73 N-15 quiet hours ${isHeld ? "hold" : "do not hold"} a cancellation of a session in ${hours} hours`, async () => {
    const { host, guest, id } = await makePlanned(hours * 60);
    await confirm(guest, quietAround(ROOM_NOW));
    at(ROOM_NOW + MINUTE);
    expect((await callAs(host, "POST", `/challenge-events/${id}/end`, {})).status).toBe(200);
    const isCancelled = (text: string) => text.includes("Pages was cancelled");
    expect((await mailsAt(ROOM_NOW + 10 * MINUTE, guest)).some(isCancelled)).toBe(!isHeld);
    expect((await mailsAt(ROOM_NOW + 9 * HOUR, guest)).some(isCancelled)).toBe(isHeld);
  });

for (const [name, quietHours, sentAt] of [
  ["outlast the start do not hold", quietAround(ROOM_NOW), 0],
  ["end before it hold", { ...quietAround(ROOM_NOW), quietTo: minuteOf(ROOM_NOW + 5 * MINUTE) }, 5],
] as const)
  test(`R-73 N-15 quiet hours that ${name} the offer of a seat`, async () => {
    const { host, guest, id } = await makePlanned(30);
    await patch(host, id, { participant_limit: 2 });
    const [waiter, next] = await makeUsers(2);
    for (const user of [waiter, next]) {
      await confirm(user, quietHours);
      expect((await callAs(user, "POST", `/challenge-events/${id}/wait`, {})).status).toBe(200);
    }
    await leave(guest, id);
    const isOffered = (text: string) => text.includes("A seat in Pages is free.");
    const offersAt = async (minutes: number, user = waiter) =>
      (await mailsAt(ROOM_NOW + minutes * MINUTE, user)).filter(isOffered).length;
    expect(await offersAt(0)).toBe(sentAt === 0 ? 1 : 0);
    expect(await offersAt(5)).toBe(sentAt === 0 ? 0 : 1);
    expect(await offersAt(6, next)).toBe(0);
  });

test("N-22 R-73 quiet hours do not hold the push that an undated session has started", async () => {
  at(ROOM_NOW);
  await emptySpine();
  const [host, guest, elsewhere] = await makeUsers(3);
  const [{ id }, other] = [await makeSession(host), await makeSession(host)];
  for (const [user, session] of [
    [guest, id],
    [elsewhere, other.id],
  ] as const) {
    await join(user, session);
    await subscribeBrowser(user);
    await confirm(user, quietAround(ROOM_NOW));
  }
  await drain((await spineApp(instant(ROOM_NOW))).app);
  expect((await callAs(host, "POST", `/challenge-events/${id}/start`, {})).status).toBe(200);
  const { app } = await spineApp(instant(ROOM_NOW));
  app.push = { publicKey: "k", post: async () => "sent" };
  await drain(app);
  const pushes = (await deliveryRows()).filter(({ channel }) => channel === "push");
  expect(pushes).toMatchObject([{ userId: guest.id, kind: "session-started", state: "sent" }]);
});

test("R-65 a start within two minutes of the planned one is no news, and small moves count into it", async () => {
  const { host, guest, id } = await makePlanned(120);
  await patch(host, id, { started_at: iso(ROOM_NOW + 118 * MINUTE) });
  at(ROOM_NOW + 116.5 * MINUTE);
  expect((await callAs(host, "POST", `/challenge-events/${id}/start`, {})).status).toBe(200);
  await mailsAt(ROOM_NOW + 117 * MINUTE, guest);
  expect((await noticesOf(guest)).at(-1)).toContain("now instead of on");
  const other = await makePlanned(120);
  at(ROOM_NOW + 118.5 * MINUTE);
  expect((await callAs(other.host, "POST", `/challenge-events/${other.id}/start`, {})).status).toBe(200);
  await mailsAt(ROOM_NOW + 119 * MINUTE, other.guest);
  expect((await noticesOf(other.guest)).filter((text) => text.includes("started"))).toEqual([]);
});

test("N-39 the push of a seat expires at the start, and that of an offer with the offer", async () => {
  await emptySpine();
  const [host, guest, a, b] = await makeUsers(4);
  for (const user of [a, b]) await subscribeBrowser(user);
  const ttls: number[] = [];
  const leaving = async (minutes: number, waiter: TestUser) => {
    at(ROOM_NOW);
    const started_at = iso(ROOM_NOW + minutes * MINUTE);
    const { id } = await makeSession(host, { participant_limit: 2, is_manually_started: 0, started_at });
    await join(guest, id);
    expect((await callAs(waiter, "POST", `/challenge-events/${id}/wait`, {})).status).toBe(200);
    await leave(guest, id);
    const { app } = await spineApp(instant(ROOM_NOW));
    const post = async (_browser: unknown, { ttl }: { ttl: number }) => {
      ttls.push(ttl);
      return "sent" as const;
    };
    app.push = { publicKey: "k", post };
    await drain(app);
  };
  await leaving(90, a);
  await leaving(30, b);
  expect(ttls).toEqual([90 * 60, 10 * 60]);
});

test("R-67 nobody pays with the tokens of a person whose account is about to be deleted, and their sessions need a host", async () => {
  const [host, guest] = [await makeUser({ tokens: 5000 }), await makeUser()];
  const { id } = await makeSession(host, {
    is_free: 1,
    is_manually_started: 0,
    started_at: iso(ROOM_NOW + HOUR),
  });
  await setUser(host.id, { deletionDueAt: instant(ROOM_NOW + 10 * DAY) });
  const joined = await join(guest, id);
  expect([joined.status, joined.body.error_code]).toEqual([402, "INSUFFICIENT_TOKENS"]);
  const [row] = await findRoomSession(db, id);
  expect([row?.needsHost, (await sessionNow(id))?.needsHost]).toEqual([true, false]);
});

test("F-22 a night keeps only the decided calendar mail of open sessions, which the next mail follows", async () => {
  at(ROOM_NOW);
  await emptySpine();
  const host = await makeUser();
  const [open, ended] = [await makeSession(host), await makeSession(host)];
  await db
    .update(schema.sessions)
    .set({ closedAt: instant(ROOM_NOW) })
    .where(eq(schema.sessions.id, ended.id));
  const decided = (kind: string, id: number, state: "sent" | "waiting" = "sent") => ({
    key: `${host.id}:${kind}:session:${id}:${state}`,
    userId: host.id,
    kind,
    subject: `session:${id}`,
    channel: "mail" as const,
    body: {},
    dueAt: instant(ROOM_NOW),
    state,
    at: instant(ROOM_NOW),
  });
  const rows = [
    decided("calendar", open.id),
    decided("calendar", ended.id),
    decided("session-moved", open.id),
    decided("session-moved", ended.id),
    decided("session-moved", ended.id, "waiting"),
  ];
  await db.insert(schema.deliveries).values(rows as (typeof schema.deliveries.$inferInsert)[]);
  const left = async (now: number) => {
    await deleteExpiredRows(await testApp({ now: instant(now) }));
    return (await db.select().from(schema.deliveries)).map(({ key }) => key).sort();
  };
  expect(await left(ROOM_NOW + 7 * DAY)).toHaveLength(5);
  const [calendar, , , , waiting] = rows;
  expect(await left(ROOM_NOW + 7 * DAY + 1)).toEqual([calendar?.key, waiting?.key].sort());
});
