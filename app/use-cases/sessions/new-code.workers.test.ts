// A new join code and the people who wait without having given it (G-18, G-22).
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { callAs } from "#tests/support/ask";
import { db, makeUsers, type TestUser } from "#tests/support/factories";
import { ROOM_NOW, useRoomClock } from "#tests/support/rooms";
import { sentencesOf } from "#tests/support/series";
import { join, leave, makeSession, seatsOf } from "#tests/support/sessions";
import { post, visit } from "#tests/support/visit";
import { HOUR, MINUTE } from "~/domain/time";

const at = useRoomClock();
const event = (id: number, path: string) => `/challenge-events/${id}/${path}`;
const wait = (user: TestUser, id: number, join_code = "") =>
  callAs(user, "POST", event(id, "wait"), { join_code });
const change = (host: TestUser, id: number, challenge: object, more: object = {}) =>
  callAs(host, "PATCH", event(id, "patch"), { challenge: { ...challenge, ...more } });
const waitingIn = async (id: number) =>
  (await db.select().from(schema.waiters).where(eq(schema.waiters.sessionId, id))).map(
    ({ userId }) => userId,
  );
const toldOf = (user: TestUser) => sentencesOf(user, "waiting-ended");

async function staged(over: object = {}) {
  at(ROOM_NOW);
  const [host, guest, waiter] = await makeUsers(3);
  const { id } = await makeSession(host, { participant_limit: 2, ...over });
  await join(guest, id);
  expect((await wait(waiter, id)).status).toBe(200);
  return { host, guest, waiter, id };
}

test("G-18 a code that is set while people wait empties the list, tells them, and their seat needs the code", async () => {
  const { host, guest, waiter, id } = await staged();
  expect((await change(host, id, { join_code: "sesame" })).status).toBe(200);
  expect([await waitingIn(id), await toldOf(waiter), await toldOf(guest)]).toEqual([
    [],
    [
      "Morning pages has another join code, so its waiting list was emptied. You may wait again with that code.",
    ],
    [],
  ]);
  await leave(guest, id);
  expect((await seatsOf(id)).map(({ userId }) => userId)).toEqual([host.id]);
  expect((await join(waiter, id)).body.error_code).toBe("WRONG_CODE");
  expect((await join(waiter, id, "sesame")).status).toBe(200);
});

test("G-18 the list stays with the same code, without a code, and when the host keeps it", async () => {
  const { host, waiter, id } = await staged();
  for (const [challenge, more] of [
    [{ join_code: "sesame" }, { keep_waiting: 1 }],
    [{ join_code: "sesame" }, {}],
    [{ title: "Evening pages" }, {}],
    [{ join_code: "" }, {}],
  ] as const) {
    expect((await change(host, id, challenge, more)).status).toBe(200);
    expect(await waitingIn(id)).toEqual([waiter.id]);
  }
  expect(await toldOf(waiter)).toEqual([]);
});

test("G-18 G-22 an offered seat ends with the list, also while the session runs", async () => {
  const started_at = new Date(ROOM_NOW + 2 * HOUR).toISOString();
  const { host, guest, waiter, id } = await staged({ is_manually_started: 0, started_at });
  at(ROOM_NOW + 2 * HOUR + MINUTE);
  await leave(guest, id);
  const offers = await db.select().from(schema.waiters).where(eq(schema.waiters.sessionId, id));
  expect(offers[0]?.offeredUntil).not.toBe(null);
  expect((await change(host, id, { join_code: "sesame" })).status).toBe(200);
  expect([await waitingIn(id), (await toldOf(waiter)).length]).toEqual([[], 1]);
  expect((await join(waiter, id)).body.error_code).toBe("WRONG_CODE");
});

test("G-18 the form keeps the list when the host says so", async () => {
  const { host, waiter, id } = await staged();
  const page = await visit(host, `/events/${id}/update`);
  expect(page.html).toContain("1 person waits. Otherwise a new code empties the list");
  const fields = { intent: "update", title: "Morning pages", hasPeople: "1", participantLimit: "2" };
  const send = (more: object) =>
    post(host, `/events/${id}/update`, { ...fields, duration: "1h", startMode: "manual", ...more });
  expect((await send({ joinCode: "sesame", keepsWaiting: "on" })).status).toBe(302);
  expect(await waitingIn(id)).toEqual([waiter.id]);
  expect((await send({ joinCode: "another" })).status).toBe(302);
  expect(await waitingIn(id)).toEqual([]);
});
