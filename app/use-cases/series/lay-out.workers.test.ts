// The layout of a series whose hut, activity or people have gone (G-08, Q-25, R-67).
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { callAs } from "#tests/support/ask";
import { db, makeUser, setUser, type TestUser, testApp } from "#tests/support/factories";
import { ROOM_NOW, useRoomClock } from "#tests/support/rooms";
import {
  iso,
  layOutDays,
  makeSeries,
  nine,
  patchSeries,
  restSeries,
  seriesNow,
  sessionsOf,
} from "#tests/support/series";
import { balanceOf, makeActivity, makeHut } from "#tests/support/sessions";
import { DAY, instant, MINUTE } from "~/domain/time";
import { layOutSeries } from "./lay-out.server";

const at = useRoomClock();

test("Q-25 a series loses its deleted hut and is laid out on", async () => {
  const host = await makeUser({ tokens: 5000 });
  const hut = await makeHut(host, [host]);
  const id = await makeSeries(host, {}, { group_id: hut.id, hut_id: hut.id });
  expect((await sessionsOf(id)).map(({ hutId }) => hutId)).toEqual([hut.id, hut.id, hut.id, hut.id]);
  expect((await callAs(host, "DELETE", `/groups/${hut.slug}`, { slug: hut.slug })).status).toBe(204);
  at(ROOM_NOW + 8 * DAY);
  await layOutDays();
  expect([(await sessionsOf(id)).length, (await seriesNow(id))?.stop]).toEqual([5, null]);
});

test("G-08 a series whose activity was deleted is laid out on", async () => {
  const host = await makeUser({ tokens: 5000 });
  const activity = await makeActivity(host);
  const id = await makeSeries(host, { started_at: iso(nine(27)) }, { challenge_id: activity.id });
  expect((await sessionsOf(id)).length).toBe(1);
  const [first] = await sessionsOf(id);
  // Paused, its only session deleted, the activity has no session ahead and may go.
  expect((await callAs(host, "PATCH", `/api/series/${id}`, { paused: 1 })).status).toBe(200);
  expect((await callAs(host, "DELETE", `/challenges/${first?.slug}`)).status).toBe(204);
  expect((await callAs(host, "DELETE", `/challenges/${activity.slug}`)).status).toBe(204);
  expect((await callAs(host, "PATCH", `/api/series/${id}`, { paused: 0 })).status).toBe(200);
  at(ROOM_NOW + 8 * DAY);
  await layOutDays();
  expect([(await seriesNow(id))?.stop, (await sessionsOf(id)).length > 0]).toEqual([null, true]);
});

test("R-67 G-14 in the grace of a deletion no seat is laid out and charged for the person", async () => {
  const [host, holder] = [await makeUser({ tokens: 5000 }), await makeUser()];
  const id = await makeSeries(host);
  expect((await callAs(holder, "PUT", `/api/series/${id}/standing-seat`, {})).status).toBe(200);
  await setUser(holder.id, { deletionDueAt: instant(ROOM_NOW + 20 * DAY) });
  const before = await balanceOf(holder);
  at(ROOM_NOW + 8 * DAY);
  await layOutDays();
  expect(await balanceOf(holder)).toBe(before);
});

test("R-67 the series of a person whose account is about to be deleted rest, and go on when the account is kept", async () => {
  const [host, ben] = [await makeUser({ tokens: 5000 }), await makeUser({ tokens: 5000 })];
  const [own, shared] = [await makeSeries(host), await makeSeries(ben)];
  await callAs(ben, "PUT", `/api/series/${shared}/hosts/${host.username}`, {});
  expect((await callAs(host, "POST", `/api/series/${shared}/accept-turn`, {})).status).toBe(200);
  const due = (at: number | null) => setUser(host.id, { deletionDueAt: at as never });
  await due(ROOM_NOW + 20 * DAY);
  const before = await balanceOf(host);
  at(ROOM_NOW + 8 * DAY);
  await layOutDays();
  expect([await balanceOf(host), (await sessionsOf(own)).length]).toEqual([before, 4]);
  expect((await sessionsOf(shared)).map(({ ownerId }) => ownerId)).toEqual(Array(5).fill(ben.id));
  await due(null);
  await layOutDays();
  expect((await sessionsOf(own)).length).toBe(5);
});

test("G-08 series that stopped and series that go on take turns when a night cannot read all of them", async () => {
  await restSeries();
  const [rich, poor] = [await makeUser({ tokens: 5000 }), await makeUser({ tokens: 0 })];
  const stopped = [await makeSeries(poor), await makeSeries(poor), await makeSeries(poor)];
  const healthy = [await makeSeries(rich), await makeSeries(rich), await makeSeries(rich)];
  const stops = await Promise.all(stopped.map(async (id) => (await seriesNow(id))?.stop?.code));
  expect(stops).toEqual(["unpaid", "unpaid", "unpaid"]);
  at(ROOM_NOW + 8 * DAY);
  expect(await layOutDays(0, 500, 2)).toEqual({ created: 1, failed: 1 });
  await layOutDays(0, 500, 2);
  await layOutDays(0, 500, 2);
  const counts = await Promise.all(healthy.map(async (id) => (await sessionsOf(id)).length));
  expect(counts).toEqual([5, 5, 5]);
});

test.each([
  ["ended", (host: TestUser, id: number) => callAs(host, "DELETE", `/api/series/${id}`), [], 8800],
  ["paused", (host: TestUser, id: number) => patchSeries(host, id, { paused: 1 }), [], 8600],
  [
    "given another rule",
    (host: TestUser, id: number) => patchSeries(host, id, { rule: "FREQ=WEEKLY;INTERVAL=2" }),
    [30],
    8600,
  ],
] as const)(
  "G-12 G-10 a series that is %s during its layout gets no further date of before",
  async (_, change, days, balance) => {
    await restSeries();
    const [host, other] = [await makeUser({ tokens: 9000 }), await makeUser({ tokens: 9000 })];
    const [id, beside] = [await makeSeries(host), await makeSeries(other)];
    const night = instant(ROOM_NOW + 15 * DAY);
    at(night + MINUTE);
    const app = await testApp({ now: night });
    let isChanged = false;
    // Each new session renders its text before its batch.
    const render = async (text: string) => {
      if (!isChanged) {
        isChanged = true;
        expect((await change(host, id)).status).toBeLessThan(300);
      }
      return app.richText.render(text);
    };
    await layOutSeries({ ...app, richText: { ...app.richText, render } });
    const newOf = async (series: number) =>
      (await sessionsOf(series)).flatMap(({ startedAt }) => ((startedAt ?? 0) > nine(29) ? [startedAt] : []));
    expect([await newOf(id), await balanceOf(host)]).toEqual([days.map(nine), balance]);
    expect([await newOf(beside), await balanceOf(other)]).toEqual([[nine(30), nine(37)], 8400]);
  },
);

const DATED = [
  {
    uuid: "g",
    parts: [{ uuid: "a", title: "A", duration: 900, started_at: iso(nine(2) + 600_000) }],
  },
];

test("G-08 G-10 a timer with a date gives the dates of its series no date of their own", async () => {
  const host = await makeUser({ tokens: 5000 });
  const id = await makeSeries(host, {}, { parts: DATED });
  expect([(await seriesNow(id))?.stop, (await sessionsOf(id)).length]).toEqual([null, 4]);
});

test("G-08 a series stored with a timer's date is laid out on", async () => {
  const host = await makeUser({ tokens: 5000 });
  const id = await makeSeries(host, {}, { parts: [{ uuid: "g", parts: [{ uuid: "a", duration: 900 }] }] });
  const template = (await seriesNow(id))?.template;
  const [group] = template?.schedule?.groups ?? [];
  const [part] = group?.parts ?? [];
  const dated = { ...part, relativeStart: null, startedAt: nine(2) };
  const schedule = { groups: [{ ...group, parts: [dated] }] };
  await db
    .update(schema.series)
    .set({ template: { ...template, schedule } as never })
    .where(eq(schema.series.id, id));
  at(ROOM_NOW + 8 * DAY);
  await layOutDays();
  expect([(await seriesNow(id))?.stop, (await sessionsOf(id)).length]).toEqual([null, 5]);
});
