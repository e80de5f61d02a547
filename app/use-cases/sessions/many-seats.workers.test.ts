// More seats than one batch passes on: all of them reach the people who wait (G-20, G-22).
import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { db, makeUser, makeUsers, type TestUser, testApp } from "#tests/support/factories";
import { ROOM_NOW, useRoomClock } from "#tests/support/rooms";
import { join, makeSession, seatsOf, sessionNow, setSession } from "#tests/support/sessions";
import { post } from "#tests/support/visit";
import { HOUR, type Instant, instant, MINUTE } from "~/domain/time";
import { passExpiredOffers, SEATS_A_BATCH } from "./waiting.server";

useRoomClock();

const MANY = SEATS_A_BATCH + 2;
const { participants, waiters } = schema;
const startsIn = (ms: number) => ({
  is_manually_started: 0,
  started_at: new Date(ROOM_NOW + ms).toISOString(),
});
/** Puts these people on the list in this order, with an offer that some have had until `offeredUntil`. */
const putOnList = async (sessionId: number, users: TestUser[], offeredUntil: Instant | null = null) => {
  for (const { id: userId, personId } of users)
    await db
      .insert(waiters)
      .values({ sessionId, since: instant(ROOM_NOW - HOUR + userId), userId, personId, offeredUntil });
};
const listOf = (sessionId: number) =>
  db.select().from(waiters).where(eq(waiters.sessionId, sessionId)).orderBy(waiters.since);

test("H-24 G-20 the seats of all guests go to the waiting list, however many they are", async () => {
  const [host, member, later] = [await makeUser({ tokens: 9000 }), await makeUser(), await makeUser()];
  const [guests, waiting] = [await makeUsers(MANY), await makeUsers(MANY)];
  const { id, path } = await makeSession(host, { participant_limit: MANY + 2, ...startsIn(30 * HOUR) });
  const beside = await makeSession(host, { participant_limit: 2, ...startsIn(30 * HOUR) });
  for (const user of [member, ...guests]) expect((await join(user, id)).status).toBe(200);
  await join(member, beside.id);
  for (const guest of guests)
    await db
      .update(participants)
      .set({ guestName: guest.username, guestLook: guest.username })
      .where(and(eq(participants.sessionId, id), eq(participants.userId, guest.id)));
  await setSession(id, { guestLimit: MANY });
  await putOnList(id, waiting);
  await putOnList(beside.id, [later]);
  expect((await post(host, `${path}/people`, { intent: "guests.remove" })).status).toBe(302);
  const seated = (await seatsOf(id)).map(({ userId }) => userId).sort((a, b) => a - b);
  expect(seated).toEqual([host, member, ...waiting].map((user) => user.id));
  expect((await sessionNow(id))?.participantsCount).toBe(MANY + 2);
  expect(await listOf(id)).toEqual([]);
  expect((await listOf(beside.id)).map(({ userId }) => userId)).toEqual([later.id]);
});

test("G-22 offers that run out together go to as many waiters, however many they are", async () => {
  const [host, member, later] = await makeUsers(3);
  const [asked, next] = [await makeUsers(MANY), await makeUsers(MANY)];
  const { id } = await makeSession(host, { participant_limit: MANY + 1, ...startsIn(40 * MINUTE) });
  const beside = await makeSession(host, { participant_limit: 2, ...startsIn(40 * MINUTE) });
  await join(member, beside.id);
  await putOnList(id, asked, instant(ROOM_NOW - MINUTE));
  await putOnList(id, next);
  await putOnList(beside.id, [later]);
  expect(await passExpiredOffers(await testApp({ now: ROOM_NOW }))).toEqual({ expired: MANY, failed: 0 });
  const until = ROOM_NOW + 10 * MINUTE;
  expect((await listOf(id)).map(({ userId, offeredUntil }) => [userId, offeredUntil])).toEqual(
    next.map((user) => [user.id, until]),
  );
  expect((await listOf(beside.id)).map(({ offeredUntil }) => offeredUntil)).toEqual([null]);
});
