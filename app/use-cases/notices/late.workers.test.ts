// Notices that two features meet in: the checks before a message leaves, news of starts, and what never waits too long
// (N-05, N-21, R-65, R-67, R-73).
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { runBatch, schema } from "#db/connect.server";
import { recordEvent } from "#db/queries/notices/events";
import { findRoomSession } from "#db/queries/room/record";
import { callAs } from "#tests/support/ask";
import { db, makeUser, makeUsers, type TestUser, testApp } from "#tests/support/factories";
import { drain, emptySpine, spineApp } from "#tests/support/notices";
import { ROOM_NOW, useRoomClock } from "#tests/support/rooms";
import { iso } from "#tests/support/series";
import { makeSession, sessionNow } from "#tests/support/sessions";
import { writeNotice } from "~/domain/notices/texts";
import { DAY, HOUR, instant, MINUTE, SECOND } from "~/domain/time";
import { MailFailure } from "~/use-cases/ports.server";
import { hashToken } from "~/use-cases/tokens.server";
import { tidyUp } from "~/use-cases/upkeep.server";
import { newEvent } from "./events.server";

const at = useRoomClock();
const confirm = (user: TestUser, more: object = {}) =>
  db
    .update(schema.users)
    .set({ emailConfirmedAt: instant(1), ...more })
    .where(eq(schema.users.id, user.id));
/** Everything that is due at this instant; the texts of the emails to the user. */
async function mailsAt(ms: number, user: TestUser): Promise<string[]> {
  at(ms);
  const { app, mails } = await spineApp(instant(ms));
  await drain(app);
  return mails.filter(({ to }) => to === user.email).map(({ text }) => text);
}
const noticesOf = async (user: TestUser) => {
  const rows = await db.select().from(schema.notices).where(eq(schema.notices.userId, user.id));
  return rows.map((row) => writeNotice(row, "UTC").text);
};
const patch = async (host: TestUser, id: number, challenge: object) =>
  expect((await callAs(host, "PATCH", `/challenge-events/${id}/patch`, { challenge })).status).toBe(200);
/** Quiet hours of eight hours that begin ten minutes before this instant. */
const quietAround = (ms: number) => {
  const minute = Math.floor((ms % DAY) / MINUTE);
  return { quietFrom: (minute + 1430) % 1440, quietTo: (minute + 8 * 60) % 1440 };
};
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
  expect((await callAs(guest, "POST", `/challenge-events/${id}/join`, {})).status).toBe(200);
  return { host, guest, id, slug };
}

test("N-21 N-22 people with a seat hear that a session planned for tomorrow was started today", async () => {
  at(ROOM_NOW);
  await emptySpine();
  const [host, guest] = [await makeUser(), await makeUser()];
  const { id } = await makeSession(host, { is_manually_started: 0, started_at: iso(ROOM_NOW + DAY) });
  await callAs(guest, "POST", `/challenge-events/${id}/join`, {});
  await drain((await spineApp(instant(ROOM_NOW))).app);
  await db.delete(schema.notices);
  expect((await callAs(host, "POST", `/challenge-events/${id}/start`, {})).status).toBe(200);
  const later = await spineApp(instant(ROOM_NOW + 6 * MINUTE));
  await drain(later.app);
  const rows = await db.select().from(schema.notices).where(eq(schema.notices.userId, guest.id));
  expect([rows.length > 0, later.mails.length > 0]).toEqual([true, true]);
});

test("N-21 people with a seat hear that the start of their session was taken away", async () => {
  at(ROOM_NOW);
  await emptySpine();
  const [host, guest] = [await makeUser({ tokens: 5000 }), await makeUser()];
  const { id } = await makeSession(host, { is_manually_started: 0, started_at: iso(ROOM_NOW + 30 * MINUTE) });
  await callAs(guest, "POST", `/challenge-events/${id}/join`, {});
  const patched = await callAs(host, "PATCH", `/challenge-events/${id}/patch`, {
    challenge: { started_at: null, is_manually_started: 1 },
  });
  expect(patched.status).toBe(200);
  await drain((await spineApp(instant(ROOM_NOW))).app);
  const rows = await db.select().from(schema.notices).where(eq(schema.notices.userId, guest.id));
  expect(rows.length).toBeGreaterThan(0);
});

test("N-21 several small moves that add up are announced", async () => {
  at(ROOM_NOW);
  await emptySpine();
  const [host, guest] = [await makeUser(), await makeUser()];
  const start = ROOM_NOW + 3 * HOUR;
  const { id } = await makeSession(host, { is_manually_started: 0, started_at: iso(start) });
  await callAs(guest, "POST", `/challenge-events/${id}/join`, {});
  await drain((await spineApp(instant(ROOM_NOW))).app);
  await db.delete(schema.notices);
  for (let n = 1; n <= 5; n++)
    expect(
      (
        await callAs(host, "PATCH", `/challenge-events/${id}/patch`, {
          challenge: { started_at: iso(start - n * 4 * MINUTE) },
        })
      ).status,
    ).toBe(200);
  await drain((await spineApp(instant(ROOM_NOW))).app);
  const rows = await db.select().from(schema.notices).where(eq(schema.notices.userId, guest.id));
  expect({ moved: ((await sessionNow(id))?.startedAt ?? 0) - start, told: rows.length > 0 }).toEqual({
    moved: -20 * MINUTE,
    told: true,
  });
});

test("Q-11 a merged notice keeps the replies of others when its first author is blocked", async () => {
  at(ROOM_NOW);
  const [author, a, b] = await makeUsers(3);
  const session = await makeSession(author);
  for (const user of [a, b]) await callAs(user, "POST", `/challenge-events/${session.id}/join`, {});
  const write = async (user: TestUser, item: object) => {
    const { status, body } = await callAs(user, "POST", `/challenges/${session.slug}/posts`, { item });
    expect(status).toBe(201);
    return body.post.id;
  };
  const parent_id = await write(author, { content: "Hello" });
  await emptySpine();
  for (const [n, user] of [a, b].entries()) {
    const now = instant(ROOM_NOW + (n + 1) * MINUTE);
    at(now);
    await write(user, { content: `Reply ${n}`, parent_id });
    await drain((await spineApp(now)).app);
  }
  const mine = () => db.select().from(schema.notices).where(eq(schema.notices.userId, author.id));
  expect((await mine()).length).toBe(1);
  expect((await callAs(author, "PUT", `/api/blocks/${a.username}`)).status).toBe(204);
  expect((await mine()).length).toBe(1);
});

test("R-73 F-22 a cancellation leaves at once when the start is nearer than the debounce, after a mail a minute ago too", async () => {
  const { host, guest, id } = await makePlanned(4);
  expect((await mailsAt(ROOM_NOW + SECOND, guest)).length).toBe(1);
  at(ROOM_NOW + MINUTE);
  expect((await callAs(host, "POST", `/challenge-events/${id}/end`, {})).status).toBe(200);
  const [mail = ""] = await mailsAt(ROOM_NOW + MINUTE + SECOND, guest);
  expect(mail).toContain("Pages was cancelled. Your token was returned.");
});

test("R-73 F-21 a removed person hears of the lost seat at once when the start is near", async () => {
  const { host, guest, id } = await makePlanned(4);
  expect((await mailsAt(ROOM_NOW + SECOND, guest)).length).toBe(1);
  at(ROOM_NOW + MINUTE);
  const gone = await callAs(host, "DELETE", `/challenge-events/${id}/participants/${guest.username}`, {});
  expect(gone.status).toBe(204);
  const [mail = ""] = await mailsAt(ROOM_NOW + MINUTE + SECOND, guest);
  expect(mail).toContain("You have no seat in Pages any more.");
});

test("F-20 joining again says that there is a seat, before and after the removal was mailed", async () => {
  const { guest, id } = await makePlanned(600);
  const leave = async (ms: number) => {
    at(ms);
    expect((await callAs(guest, "POST", `/api/challenge-events/${id}/leave`, {})).status).toBe(200);
  };
  const join = async (ms: number) => {
    at(ms);
    expect((await callAs(guest, "POST", `/challenge-events/${id}/join`, {})).status).toBe(200);
  };
  const first = (texts: string[]) => texts.map((text) => text.split("\n")[0]);
  const seat = expect.stringContaining("You have a seat in Pages");
  expect(first(await mailsAt(ROOM_NOW + SECOND, guest))).toEqual([seat]);
  await leave(ROOM_NOW + MINUTE);
  await join(ROOM_NOW + 2 * MINUTE);
  expect(first(await mailsAt(ROOM_NOW + 8 * MINUTE, guest))).toEqual([seat]);
  await leave(ROOM_NOW + 20 * MINUTE);
  expect(first(await mailsAt(ROOM_NOW + 26 * MINUTE, guest))).toEqual([expect.stringContaining("no seat")]);
  await join(ROOM_NOW + 40 * MINUTE);
  expect(first(await mailsAt(ROOM_NOW + 46 * MINUTE, guest))).toEqual([seat]);
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

test("R-65 people hear of every change of a start: taken away, given again, and begun early", async () => {
  const { host, guest, id } = await makePlanned(24 * 60);
  await mailsAt(ROOM_NOW + SECOND, guest);
  await patch(host, id, { started_at: null, is_manually_started: 1 });
  await mailsAt(ROOM_NOW + 6 * MINUTE, guest);
  expect(await noticesOf(guest)).toEqual(["Pages has no date any more."]);
  await patch(host, id, { started_at: iso(ROOM_NOW + DAY), is_manually_started: 0 });
  await mailsAt(ROOM_NOW + 12 * MINUTE, guest);
  expect((await noticesOf(guest)).at(-1)).toMatch(/^Pages moved to /);
  await confirm(guest, quietAround(ROOM_NOW + 20 * MINUTE));
  at(ROOM_NOW + 20 * MINUTE);
  expect((await callAs(host, "POST", `/challenge-events/${id}/start`, {})).status).toBe(200);
  const mails = await mailsAt(ROOM_NOW + 20 * MINUTE + SECOND, guest);
  expect(mails.join()).toContain(`${host.username} has started Pages now instead of on `);
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
  at(ROOM_NOW);
  await emptySpine();
  const [host, guest, a, b] = (await Promise.all([1, 2, 3, 4].map(() => makeUser()))) as [
    TestUser,
    TestUser,
    TestUser,
    TestUser,
  ];
  for (const { id, loginToken } of [a, b]) {
    const browser = { loginHash: await hashToken(loginToken), endpoint: `https://fcm.googleapis.com/${id}` };
    const row = { ...browser, userId: id, p256dh: "k", auth: "k", createdAt: instant(1) };
    await db.insert(schema.pushSubscriptions).values(row);
  }
  const ttls: number[] = [];
  const leaving = async (minutes: number, waiter: TestUser) => {
    at(ROOM_NOW);
    const started_at = iso(ROOM_NOW + minutes * MINUTE);
    const { id } = await makeSession(host, { participant_limit: 2, is_manually_started: 0, started_at });
    await callAs(guest, "POST", `/challenge-events/${id}/join`, {});
    expect((await callAs(waiter, "POST", `/challenge-events/${id}/wait`, {})).status).toBe(200);
    await callAs(guest, "POST", `/api/challenge-events/${id}/leave`, {});
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
  at(ROOM_NOW);
  const [host, guest] = [await makeUser({ tokens: 5000 }), await makeUser()];
  const { id } = await makeSession(host, {
    is_free: 1,
    is_manually_started: 0,
    started_at: iso(ROOM_NOW + HOUR),
  });
  await db
    .update(schema.users)
    .set({ deletionDueAt: instant(ROOM_NOW + 10 * DAY) })
    .where(eq(schema.users.id, host.id));
  const joined = await callAs(guest, "POST", `/challenge-events/${id}/join`, {});
  expect([joined.status, joined.body.error_code]).toEqual([402, "INSUFFICIENT_TOKENS"]);
  const [row] = await findRoomSession(db, id);
  expect([row?.needsHost, (await sessionNow(id))?.needsHost]).toEqual([true, false]);
});

for (const gap of [6, 8, 60])
  test(`N-35 two permanent failures ${gap} days apart, with a night between them, stop the mail to an address`, async () => {
    at(ROOM_NOW);
    await emptySpine();
    const user = await makeUser();
    await db
      .update(schema.users)
      .set({ emailConfirmedAt: instant(1), mailFailingAt: null })
      .where(eq(schema.users.id, user.id));
    for (const day of [0, gap]) {
      const now = instant(ROOM_NOW + day * DAY);
      at(now);
      const night = await testApp({ now });
      await tidyUp(night);
      const { app } = await spineApp(now);
      app.mail = {
        send: async () => {
          throw new MailFailure("address", "550 no such user");
        },
      } as never;
      const cause = newEvent({ now, user: null } as never, {
        kind: "session-cancelled",
        subject: `session:${day + 1}`,
        body: { title: "T", path: "/my/sessions", to: [user.id] },
      });
      await runBatch(db, [recordEvent(db, cause)]);
      await drain(app);
    }
    const [row] = await db.select().from(schema.users).where(eq(schema.users.id, user.id));
    expect(row?.mailFailingAt).not.toBeNull();
  });
