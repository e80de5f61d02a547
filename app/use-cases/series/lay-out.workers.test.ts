// The layout of a series whose hut, activity or people have gone (G-08, Q-25, R-67).
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { callAs } from "#tests/support/ask";
import { db, makeUser, testApp } from "#tests/support/factories";
import { ROOM_NOW, useRoomClock } from "#tests/support/rooms";
import { iso, makeSeries, nine, sessionsOf } from "#tests/support/series";
import { balanceOf, makeActivity, makeHut } from "#tests/support/sessions";
import { DAY, instant } from "~/domain/time";
import { layOutSeries } from "./lay-out.server";

const at = useRoomClock();

test("Q-25 a series loses its deleted hut and is laid out on", async () => {
  at(ROOM_NOW);
  const host = await makeUser({ tokens: 5000 });
  const hut = await makeHut(host, [host]);
  const id = await makeSeries(host, {}, { group_id: hut.id, hut_id: hut.id });
  expect((await sessionsOf(id)).length).toBe(4);
  expect((await sessionsOf(id)).map(({ hutId }) => hutId)).toEqual([hut.id, hut.id, hut.id, hut.id]);
  expect((await callAs(host, "DELETE", `/groups/${hut.slug}`, { slug: hut.slug })).status).toBe(204);
  const night = instant(ROOM_NOW + 8 * DAY);
  at(night);
  await layOutSeries(await testApp({ now: night }));
  const [series] = await db.select().from(schema.series).where(eq(schema.series.id, id));
  expect([(await sessionsOf(id)).length, series?.problem]).toEqual([5, ""]);
});

test("G-08 a series whose activity was deleted is laid out on", async () => {
  at(ROOM_NOW);
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
  const night = instant(ROOM_NOW + 8 * DAY);
  at(night);
  await layOutSeries(await testApp({ now: night }));
  const [series] = await db.select().from(schema.series).where(eq(schema.series.id, id));
  expect([series?.problem, (await sessionsOf(id)).length > 0]).toEqual(["", true]);
});

test("R-67 G-14 in the grace of a deletion no seat is laid out and charged for the person", async () => {
  at(ROOM_NOW);
  const [host, holder] = [await makeUser({ tokens: 5000 }), await makeUser()];
  const id = await makeSeries(host);
  expect((await callAs(holder, "PUT", `/api/series/${id}/standing-seat`, {})).status).toBe(200);
  await db
    .update(schema.users)
    .set({ deletionDueAt: instant(ROOM_NOW + 20 * DAY) })
    .where(eq(schema.users.id, holder.id));
  const before = await balanceOf(holder);
  const night = instant(ROOM_NOW + 8 * DAY);
  at(night);
  await layOutSeries(await testApp({ now: night }));
  expect(await balanceOf(holder)).toBe(before);
});

test("R-67 the series of a person whose account is about to be deleted rest, and go on when the account is kept", async () => {
  at(ROOM_NOW);
  const [host, ben] = [await makeUser({ tokens: 5000 }), await makeUser({ tokens: 5000 })];
  const [own, shared] = [await makeSeries(host), await makeSeries(ben)];
  await callAs(ben, "PUT", `/api/series/${shared}/hosts/${host.username}`, {});
  expect((await callAs(host, "POST", `/api/series/${shared}/accept-turn`, {})).status).toBe(200);
  const due = (at: number | null) =>
    db
      .update(schema.users)
      .set({ deletionDueAt: at as never })
      .where(eq(schema.users.id, host.id));
  await due(ROOM_NOW + 20 * DAY);
  const [before, night] = [await balanceOf(host), instant(ROOM_NOW + 8 * DAY)];
  at(night);
  await layOutSeries(await testApp({ now: night }));
  expect([await balanceOf(host), (await sessionsOf(own)).length]).toEqual([before, 4]);
  expect((await sessionsOf(shared)).map(({ ownerId }) => ownerId)).toEqual(Array(5).fill(ben.id));
  await due(null);
  await layOutSeries(await testApp({ now: night }));
  expect((await sessionsOf(own)).length).toBe(5);
});
