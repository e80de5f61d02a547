// Standing seats of a series: who is seated, at whose cost, until when, and bans (G-13 to G-16, Q-15).
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";
import { connect, schema } from "#db/connect.server";
import { takeStandingSeat } from "#db/queries/series/standing";
import { grantLotByEmail } from "#db/queries/tokens";
import { callAs, dataOf } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { appOf, db, makeUser, makeUsers, type TestUser, testApp } from "#tests/support/factories";
import {
  createSeries,
  layOutDays,
  openOf,
  restSeries,
  sentencesOf,
  sessionsOf,
  stand,
} from "#tests/support/series";
import { balanceOf, seatsOf, setSession } from "#tests/support/sessions";
import { visit } from "#tests/support/visit";
import { wrappedD1 } from "#tests/support/wrapped-d1";
import { formatDay } from "~/domain/days";
import { DAY, HOUR, type Instant, instant, MINUTE, SECOND } from "~/domain/time";
import { leaveSession } from "~/use-cases/sessions/people.server";
import { layOutSeries } from "./lay-out.server";

const now = () => instant(Date.now());
beforeEach(restSeries);

const seatsIn = async (id: number) =>
  Promise.all(
    (await openOf(id)).map(async (session) => (await seatsOf(session.id)).map(({ userId }) => userId)),
  );

/** A purchased lot of so many hundredths. */
const buy = (user: TestUser, granted: number, expiresAt: Instant | null = null) =>
  grantLotByEmail(db, user.email, {
    kind: "purchased",
    granted,
    reference: `test:${crypto.randomUUID()}`,
    createdAt: now(),
    expiresAt,
  });

keepBystanders(restSeries);

test("G-13 G-14 is taken in each layout, in order of since, up to the limit, for a token each", async () => {
  const [host, ...guests] = await makeUsers(4);
  const { id } = (await createSeries(host, {}, { participant_limit: 3 })).body.series;
  for (const guest of guests) expect((await stand(guest, id)).body).toEqual({ is_standing: 1 });
  await layOutDays(7);
  const last = (await seatsIn(id)).at(-1);
  expect(last).toEqual(expect.arrayContaining([host.id, guests[0]?.id, guests[1]?.id]));
  expect(last?.length).toBe(3);
  const [a, b, c] = guests;
  expect([await balanceOf(a), await balanceOf(b), await balanceOf(c)]).toEqual([900, 900, 1000]);
  const [session] = (await openOf(id)).slice(-1);
  expect(session?.participantsCount).toBe(3);
});

test("G-13 a session and its series offer each what they may do: take a standing seat, give it up, see the dates", async () => {
  const [host, guest, other] = await makeUsers(3);
  const { id } = (await createSeries(host)).body.series;
  await stand(guest, id);
  const path = `/sessions/${(await openOf(id))[0]?.id}`;
  const offered = async (user: TestUser | null) => {
    const page = await visit(user, path);
    const shown = [...(await page.texts("main a")), ...(await page.texts("main button"))];
    return ["See the series", "Join every time", "Stop joining every time"].map((name) =>
      shown.includes(name),
    );
  };
  expect(await offered(host)).toEqual([true, false, false]);
  expect(await offered(guest)).toEqual([true, false, true]);
  expect(await offered(other)).toEqual([true, true, false]);
  expect(await offered(null)).toEqual([true, false, false]);
  const onSeries = async (user: TestUser) =>
    (await (await visit(user, `/my/series/${id}`)).texts("main button")).filter((name) =>
      /every time/.test(name),
    );
  expect([await onSeries(guest), await onSeries(host)]).toEqual([["Stop joining every time"], []]);
});

test("G-14 the host pays the standing seats of a free session, as far as the tokens reach", async () => {
  const [host, ...guests] = [await makeUser({ tokens: 640 }), ...(await makeUsers(3))];
  const { id } = (await createSeries(host, {}, { is_free: 1 })).body.series;
  for (const guest of guests) await stand(guest, id);
  // Split over two lots: 140 and 60 pay the host's own join and one seat.
  await layOutDays(7);
  expect(await balanceOf(host)).toBe(40);
  expect((await seatsIn(id)).at(-1)?.length).toBe(2);
  for (const guest of guests) expect(await balanceOf(guest)).toBe(1000);
});

test("G-14 a lot that a seat uses up takes no part in the next seat", async () => {
  const host = await makeUser({ tokens: 600 });
  await buy(host, 300);
  const { id } = (await createSeries(host, {}, { is_free: 1 })).body.series;
  for (const guest of [await makeUser(), await makeUser()]) await stand(guest, id);
  await layOutDays(7);
  expect((await seatsIn(id)).at(-1)?.length).toBe(3);
  const entries = await db.select().from(schema.tokenEntries).where(eq(schema.tokenEntries.userId, host.id));
  expect(entries.filter(({ amount }) => amount === 0)).toEqual([]);
  expect(await balanceOf(host)).toBe(900 + entries.reduce((sum, { amount }) => sum + Math.min(amount, 0), 0));
});

test("G-14 a lot that expires at the night's moment pays for no seat", async () => {
  const [host, guest] = [await makeUser(), await makeUser({ tokens: 0 })];
  const { id } = (await createSeries(host)).body.series;
  await stand(guest, id);
  const moment = instant(Date.now() + 7 * DAY);
  await buy(guest, 500, moment);
  await layOutSeries(await testApp({ now: moment }), 500);
  expect((await seatsIn(id)).at(-1)).toEqual([host.id]);
});

test("G-14 a payment over several lots adds up", async () => {
  const [host, guest] = [await makeUser(), await makeUser({ tokens: 30 })];
  for (let n = 0; n < 3; n++) await buy(guest, 45);
  const { id } = (await createSeries(host)).body.series;
  await stand(guest, id);
  await layOutDays(7);
  expect(await balanceOf(guest)).toBe(65);
  expect((await seatsIn(id)).at(-1)).toContain(guest.id);
});

test("R-44 G-14 giving up returns the token until 24 hours before the start, and later nothing", async () => {
  const [host, guest] = [await makeUser(), await makeUser()];
  const { id } = (await createSeries(host)).body.series;
  await stand(guest, id);
  await layOutDays(7);
  const [session] = (await openOf(id)).slice(-1);
  const leave = () => callAs(guest, "POST", `/api/challenge-events/${session?.id}/leave`, {});
  expect(await balanceOf(guest)).toBe(900);
  await setSession(session?.id ?? 0, {
    startedAt: instant(Date.now() + 23 * HOUR),
    endedAt: instant(Date.now() + 24 * HOUR),
  });
  await db.update(schema.series).set({ laidUntil: now() }).where(eq(schema.series.id, id));
  await leave();
  expect(await balanceOf(guest)).toBe(900);
  await layOutDays(14);
  const [next] = (await openOf(id)).slice(-1);
  expect(await balanceOf(guest)).toBe(800);
  for (let again = 0; again < 2; again++)
    await callAs(guest, "POST", `/api/challenge-events/${next?.id}/leave`, {});
  expect(await balanceOf(guest)).toBe(900);
});

test("R-44 a standing seat given up exactly 24 hours before the start returns its token, and a millisecond later nothing", async () => {
  const [host, early, late] = await makeUsers(3);
  const { id } = (await createSeries(host)).body.series;
  for (const guest of [early, late]) await stand(guest, id);
  await layOutDays(7);
  const session = (await openOf(id)).at(-1);
  const leaveBefore = async (user: TestUser, ms: number) =>
    leaveSession(await appOf(user, instant((session?.startedAt ?? 0) - ms)), { session: session?.id ?? 0 });
  await leaveBefore(early, DAY);
  await leaveBefore(late, DAY - 1);
  expect(await Promise.all([early, late].map(balanceOf))).toEqual([1000, 900]);
});

test("G-16 R-64 a start moved by more than 15 minutes asks the holders: they keep the seat, or give it up for its token", async () => {
  const [host, ...guests] = await makeUsers(4);
  const [keeper, leaver, silent] = guests;
  const { id } = (await createSeries(host)).body.series;
  for (const guest of guests) await stand(guest, id);
  await layOutDays(7);
  const session = (await openOf(id)).at(-1)?.id ?? 0;
  const path = `/challenge-events/${session}`;
  const other = await makeUser();
  await callAs(other, "POST", `${path}/join`, {});
  // Each change has an instant of its own, by which its notices are ordered.
  const startsAt = (time: number) => {
    vi.setSystemTime(Date.now() + SECOND);
    return callAs(host, "PATCH", `${path}/patch`, {
      challenge: { started_at: new Date(time).toISOString() },
    });
  };
  // Within a day of the start the rule of 24 hours returns nothing.
  const before = Date.now() + 10 * HOUR;
  await startsAt(before);
  await db.update(schema.participants).set({ askedAt: null });
  await startsAt(before + 15 * MINUTE);
  const asks = async (user: TestUser) =>
    (await visit(user, `/sessions/${session}`)).html.includes("Keep my seat");
  expect(await asks(leaver)).toBe(false);
  await startsAt(before + 30 * MINUTE + 1000);
  expect(await Promise.all([...guests, other].map(asks))).toEqual([true, true, true, false]);
  expect((await sentencesOf(leaver)).at(-1)).toMatch(
    /^Morning pages moved to .*\. You may give up your seat/,
  );
  expect((await sentencesOf(other)).at(-1)).toMatch(/^Morning pages moved to [^.]*\.$/);
  const leave = (user: TestUser) => callAs(user, "POST", `/api${path}/leave`, {});
  for (let again = 0; again < 2; again++)
    expect((await callAs(keeper, "POST", `${path}/keep-seat`, {})).status).toBe(200);
  expect((await callAs(await makeUser(), "POST", `${path}/keep-seat`, {})).body.error_code).toBe("FORBIDDEN");
  for (let again = 0; again < 2; again++) for (const user of [keeper, leaver, other]) await leave(user);
  expect(await Promise.all([keeper, leaver, silent, other].map(balanceOf))).toEqual([900, 1000, 900, 1000]);
  expect((await seatsOf(session)).map(({ userId }) => userId)).toContain(silent.id);
  // Less than an hour before the start the question is closed.
  await startsAt(Date.now() + 59 * MINUTE);
  expect(await asks(silent)).toBe(false);
  await leave(silent);
  expect(await balanceOf(silent)).toBe(900);
});

test("G-16 R-65 a reset that takes the start away asks the holders too", async () => {
  const [host, holder] = [await makeUser(), await makeUser()];
  const { id } = (await createSeries(host)).body.series;
  await stand(holder, id);
  await layOutDays(7);
  const [session] = (await openOf(id)).slice(-1);
  const admin = await makeUser({ roleId: 10 });
  expect((await callAs(admin, "POST", `/challenges/${session?.slug}/reset`, {})).status).toBe(200);
  expect((await sentencesOf(holder)).at(-1)).toMatch(/has no date any more.* give up your seat/);
});

test("G-15 three sessions in a row without tokens end the standing seat", async () => {
  const [host, guest] = [await makeUser({ tokens: 5000 }), await makeUser({ tokens: 150 })];
  const { id } = (await createSeries(host, { rule: "FREQ=DAILY;COUNT=33" })).body.series;
  await stand(guest, id);
  const held = async () =>
    (await db.select().from(schema.standingSeats).where(eq(schema.standingSeats.seriesId, id)))[0]?.skips;
  await layOutDays(1);
  expect([await held(), await balanceOf(guest)]).toEqual([0, 50]);
  await layOutDays(2);
  await layOutDays(3);
  expect(await held()).toBe(2);
  expect(await sentencesOf(guest)).toHaveLength(2);
  await layOutDays(4);
  expect(await held()).toBeUndefined();
  const notices = await sentencesOf(guest);
  expect(notices).toHaveLength(4);
  const skipped = (await sessionsOf(id)).slice(-3);
  for (const [at, { startedAt }] of skipped.entries())
    expect(notices[at]).toBe(
      `No seat in Morning pages on ${formatDay(startedAt as Instant, "UTC")}: you are out of tokens.`,
    );
  expect(notices[3]).toBe(
    "You no longer join Morning pages every time: you were out of tokens three times in a row.",
  );
  expect(await sentencesOf(host)).toEqual([]);
  expect(await balanceOf(guest)).toBe(50);
});

test("G-13 needs the join code, is kept by a retry, and ends", async () => {
  const [host, guest] = [await makeUser(), await makeUser()];
  const { id } = (await createSeries(host, {}, { join_code: "quiet" })).body.series;
  expect((await stand(guest, id)).body.error_code).toBe("WRONG_CODE");
  expect((await stand(guest, id, { join_code: "loud" })).body.error_code).toBe("WRONG_CODE");
  expect((await stand(guest, id, { join_code: "quiet" })).status).toBe(200);
  expect((await stand(guest, id)).status).toBe(200);
  expect((await stand(host, id)).body.error_code).toBe("CONFLICT");
  const holders = async (user: TestUser) => (await dataOf(user, `/api/my/series/${id}`)).holders;
  expect(await holders(guest)).toEqual([]);
  expect(await holders(host)).toMatchObject([{ username: guest.username }]);
  const drop = () => callAs(guest, "DELETE", `/api/series/${id}/standing-seat`);
  expect([(await drop()).status, (await drop()).status]).toEqual([204, 204]);
  expect((await callAs(guest, "GET", `/api/my/series/${id}`)).status).toBe(404);
});

test("Q-15 a ban from the series ends seats and standing seat, and no layout seats the person again", async () => {
  const [host, guest] = [await makeUser(), await makeUser()];
  const { id } = (await createSeries(host)).body.series;
  await stand(guest, id);
  const [first, second] = await openOf(id);
  for (const session of [first, second])
    await callAs(guest, "POST", `/challenge-events/${session?.id}/join`, {});
  const ban = await callAs(host, "DELETE", `/challenge-events/${first?.id}/participants/${guest.username}`, {
    keep_out: 1,
    series: 1,
  });
  expect(ban.status).toBe(204);
  expect(await balanceOf(guest)).toBe(1000);
  for (const session of [first, second])
    expect((await callAs(guest, "POST", `/challenge-events/${session?.id}/join`, {})).body.message).toBe(
      "The host has closed this session to you.",
    );
  expect((await stand(guest, id)).body.error_code).toBe("FORBIDDEN");
  // A standing seat taken just before the ban is not laid out either.
  await db.insert(schema.standingSeats).values({ seriesId: id, userId: guest.id, since: now() });
  await layOutDays(7);
  expect((await seatsIn(id)).flat()).not.toContain(guest.id);
  const lift = `/challenge-events/${first?.id}/bans/${guest.username}`;
  expect((await callAs(host, "DELETE", lift)).status).toBe(204);
  expect((await callAs(guest, "POST", `/challenge-events/${second?.id}/join`, {})).status).toBe(200);
});

test("C2 an occurrence writes at most 17 rows, its standing seats apart", async () => {
  const host = await makeUser();
  await createSeries(host);
  const written = { sessions: 0, marks: 0 };
  const rowsOf = (results: readonly { meta: D1Meta }[]) =>
    results.reduce((sum, { meta }) => sum + meta.rows_written, 0);
  const counting = wrappedD1(env.DB, {
    one: async (statement, asked) => {
      const all = await statement.all<Record<string, unknown>>();
      written.marks += rowsOf([all]);
      return asked === "raw" ? all.results.map((row) => Object.values(row)) : all;
    },
    batch: async (_, ask) => {
      const results = await ask();
      // The layout's batch is the one of the session; the mark is a batch of its own.
      written[results.length === 1 ? "marks" : "sessions"] += rowsOf(results);
      return results;
    },
  });
  const app = await testApp({ now: instant(Date.now() + 7 * DAY) });
  const { created } = await layOutSeries({ ...app, db: connect(counting as never) });
  expect(created).toBe(1);
  expect(written.sessions).toBeLessThanOrEqual(17);
  // Once a night for each series, with its index.
  expect(written.marks).toBeLessThanOrEqual(3);
});

test("R-95 a standing seat is taken only under the code that the series has by then", async () => {
  const [host, guest, bystander] = await makeUsers(3);
  const { id } = (await createSeries(host, {}, { join_code: "lantern" })).body.series;
  const holders = async () =>
    (await db.select().from(schema.standingSeats).where(eq(schema.standingSeats.seriesId, id))).map(
      ({ userId }) => userId,
    );
  for (const [user, code, expected] of [
    // Read before the host set the code, or another one.
    [guest, "", []],
    [guest, "candle", []],
    [guest, "lantern", [guest.id]],
    [bystander, "candle", [guest.id]],
  ] as const) {
    const { id: userId, personId } = user;
    const seat = { seriesId: id, userId, personId, now: now(), viewer: userId };
    await db.batch([takeStandingSeat(db, seat, code)]);
    expect([code, await holders()]).toEqual([code, expected]);
  }
});
