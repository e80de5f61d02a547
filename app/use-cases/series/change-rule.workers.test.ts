// Another rule, and the sessions of a series that it keeps, moves or cancels (G-10).
import { expect, test } from "vitest";
import { keepBystanders } from "#tests/support/bystanders";
import { appOf, makeUser, type TestUser } from "#tests/support/factories";
import { useRoomClock } from "#tests/support/rooms";
import { iso, nine, openOf, patchSeries, restSeries, sessionsOf } from "#tests/support/series";
import { balanceOf, join, sessionNow } from "#tests/support/sessions";
import { HOUR, type Instant, instant, seconds } from "~/domain/time";
import { createFromForm } from "./create-from-form.server";

useRoomClock();
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
