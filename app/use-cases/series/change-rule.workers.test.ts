// Another rule, and the sessions of a series that it keeps, moves or cancels (G-10).
import { expect, test } from "vitest";
import { callAs } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { appOf, makeUser, type TestUser } from "#tests/support/factories";
import { useRoomClock } from "#tests/support/rooms";
import {
  iso,
  makeSeries,
  nine,
  openOf,
  patchSeries,
  restSeries,
  seriesNow,
  sessionsOf,
} from "#tests/support/series";
import { balanceOf, join, makeSession, sessionNow } from "#tests/support/sessions";
import { post } from "#tests/support/visit";
import { HOUR, type Instant, instant, SECOND, seconds } from "~/domain/time";
import { createFromForm } from "./create-from-form.server";

const at = useRoomClock();
keepBystanders(restSeries);

/** A weekly series whose first session is made at once, however far ahead; the ids of both. */
async function makeSeriesFrom(host: TestUser, startedAt: Instant) {
  const app = await appOf(host, instant(Date.now()));
  const series = { rule: "FREQ=WEEKLY", timeZone: "UTC" };
  const made = await createFromForm(app, { title: "Tea", duration: seconds(3600), startedAt, series });
  return { id: made.me.series?.id ?? 0, first: made.session.id };
}

test.each([
  ["sent as it is", { rule: "FREQ=WEEKLY" }],
  ["with an end", { rule: "FREQ=WEEKLY;COUNT=9" }],
  ["from an earlier start", { started_at: iso(nine(2)) }],
])("G-10 R-86 a rule %s keeps a first session that is far ahead", async (_, change) => {
  const [host, guest] = [await makeUser({ tokens: 9000 }), await makeUser()];
  const [{ id, first }, beside] = [
    await makeSeriesFrom(host, nine(65)),
    await makeSeriesFrom(host, nine(65)),
  ];
  await join(guest, first);
  const paid = await balanceOf(guest);
  expect((await patchSeries(host, id, change)).status).toBe(200);
  expect(await sessionNow(first)).toMatchObject({ closedAt: null, startedAt: nine(65), seriesId: id });
  expect(await balanceOf(guest)).toBe(paid);
  expect((await sessionsOf(beside.id)).map((row) => [row.id, row.closedAt])).toEqual([[beside.first, null]]);
});

test("G-10 another time moves a session that is far ahead, and another day cancels it with refunds", async () => {
  const [host, guest] = [await makeUser({ tokens: 9000 }), await makeUser()];
  const { id, first } = await makeSeriesFrom(host, nine(65));
  await join(guest, first);
  expect((await patchSeries(host, id, { started_at: iso(nine(65) + HOUR) })).status).toBe(200);
  expect(await sessionNow(first)).toMatchObject({ closedAt: null, startedAt: nine(65) + HOUR });
  expect((await patchSeries(host, id, { started_at: iso(nine(3)) })).status).toBe(200);
  expect((await sessionNow(first))?.closedAt).not.toBe(null);
  expect(await balanceOf(guest)).toBe(1000);
  expect((await openOf(id)).map(({ startedAt }) => startedAt)).toEqual([3, 10, 17, 24].map(nine));
});

test.each([
  ["moved again", { started_at: iso(nine(6)) }, nine(6), null],
  ["skipped", { skip: 1 }, nine(4), nine(3)],
] as const)(
  "G-11 G-10 a session moved past a day that the rule no longer names is %s",
  async (_, change, startedAt, closedAt) => {
    const host = await makeUser({ tokens: 9000 });
    const [id, beside] = [await makeSeries(host), await makeSeries(host)];
    const day = (series: number, days: number) =>
      `/api/series/${series}/days/${iso(nine(days)).slice(0, 10)}`;
    for (const series of [id, beside])
      expect((await callAs(host, "PATCH", day(series, 2), { started_at: iso(nine(4)) })).status).toBe(200);
    const [[first], [other]] = [await sessionsOf(id), await sessionsOf(beside)];
    at(nine(3));
    for (const series of [id, beside])
      expect((await patchSeries(host, series, { started_at: iso(nine(5)) })).status).toBe(200);
    expect((await callAs(host, "PATCH", day(id, 2), change)).status).toBe(200);
    expect(await sessionNow(first?.id ?? 0)).toMatchObject({ closedAt, ...(closedAt ? {} : { startedAt }) });
    expect(await sessionNow(other?.id ?? 0)).toMatchObject({ closedAt: null, startedAt: nine(4) });
    // A day that neither the rule nor a session has.
    expect((await callAs(host, "PATCH", day(id, 8), change)).status).toBe(404);
  },
);

test("G-04 R-86 a session whose start has seconds becomes the first of the series made from it", async () => {
  const host = await makeUser({ tokens: 9000 });
  const started_at = iso(nine(2) + 30 * SECOND);
  const own = await makeSession(host, { started_at, is_manually_started: 0 });
  const beside = await makeSession(host, { started_at, is_manually_started: 0 });
  const form = { intent: "create", session: String(own.id), every: "WEEKLY", timeZone: "UTC" };
  const { location } = await post(host, "/my/series", { ...form, startedAt: started_at.slice(0, 16) });
  const id = Number(location?.split("/").at(-1));
  expect((await sessionsOf(id)).map((row) => [row.id === own.id, row.startedAt])).toEqual([
    [true, nine(2) + 30 * SECOND],
    ...[9, 16, 23].map((days) => [false, nine(days)]),
  ]);
  expect(await balanceOf(host)).toBe(9000 - 500);
  expect((await sessionNow(beside.id))?.seriesId).toBe(null);
});

const timer = (over: object) => [{ uuid: "g", linked: 0, parts: [{ uuid: "a", duration: 900, ...over }] }];

test("G-10 a rule whose time a dated timer of one session refuses changes nothing", async () => {
  const host = await makeUser({ tokens: 9000 });
  const [id, beside] = [await makeSeries(host, {}, { parts: timer({}) }), await makeSeries(host)];
  const second = (await sessionsOf(id))[1];
  const dated = { challenge: { parts: timer({ started_at: iso(nine(9)) }) }, scope: "this" };
  expect((await callAs(host, "PATCH", `/challenge-events/${second?.id}/patch`, dated)).status).toBe(200);
  const [before, rule] = [await sessionsOf(id), await seriesNow(id)];
  const started_at = iso(nine(2) + HOUR);
  const early = "The start date of timer #1 must not occur before the challenge's start date.";
  for (const change of [{ started_at }, { started_at, session: { title: "Evening pages" } }]) {
    const { status, body } = await patchSeries(host, id, change);
    expect([status, Object.values(body.fields)]).toEqual([422, [[early]]]);
  }
  const typed = { intent: "rule", every: "WEEKLY", interval: "1", timeZone: "UTC" };
  const form = { ...typed, startedAt: started_at.slice(0, 16) };
  const { status, html } = await post(host, `/my/series/${id}`, form);
  expect([status, html.includes("The start date of timer #1 must not occur before")]).toEqual([422, true]);
  expect([await sessionsOf(id), await seriesNow(id)]).toEqual([before, rule]);
  // The same request may take the date away.
  const undated = await patchSeries(host, id, { started_at, session: { parts: timer({}) } });
  expect(undated.status).toBe(200);
  expect((await openOf(id)).map((row) => row.startedAt)).toEqual(
    [2, 9, 16, 23].map((day) => nine(day) + HOUR),
  );
  expect((await openOf(beside)).map(({ startedAt }) => startedAt)).toEqual([2, 9, 16, 23].map(nine));
});
