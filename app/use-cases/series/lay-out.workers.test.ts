// The layout of a series whose hut, activity or people have gone (G-08, Q-25, R-67).
import { expect, test } from "vitest";
import { callAs } from "#tests/support/ask";
import { makeUser, setUser } from "#tests/support/factories";
import { ROOM_NOW, useRoomClock } from "#tests/support/rooms";
import { iso, layOutDays, makeSeries, nine, seriesNow, sessionsOf } from "#tests/support/series";
import { balanceOf, makeActivity, makeHut } from "#tests/support/sessions";
import { DAY, instant } from "~/domain/time";

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
