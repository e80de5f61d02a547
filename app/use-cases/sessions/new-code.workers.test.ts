// Another join code, and the people who wait or join every time without having given it (G-18, G-22, R-95).
import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { callAs, dataOf } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { db, makeUsers, type TestUser, testApp } from "#tests/support/factories";
import { ROOM_NOW, useRoomClock } from "#tests/support/rooms";
import { layOutDays, makeSeries, openOf, restSeries, sentencesOf, stand } from "#tests/support/series";
import { join, leave, makeSession, seatsOf } from "#tests/support/sessions";
import { post, visit } from "#tests/support/visit";
import { DAY, HOUR, instant, MINUTE } from "~/domain/time";
import { deleteExpiredRows } from "~/use-cases/upkeep.server";

const at = useRoomClock();
beforeEach(restSeries);
const event = (id: number, path: string) => `/challenge-events/${id}/${path}`;
const wait = (user: TestUser, id: number, join_code = "") =>
  callAs(user, "POST", event(id, "wait"), { join_code });
const change = (host: TestUser, id: number, challenge: object, more: object = {}) =>
  callAs(host, "PATCH", event(id, "patch"), { challenge: { ...challenge, ...more } });
/** The users on the list, and whether each is asked for the code. */
const waitingIn = async (id: number) =>
  (await db.select().from(schema.waiters).where(eq(schema.waiters.sessionId, id))).map(
    ({ userId, codeAskedAt }) => [userId, codeAskedAt !== null],
  );
const idsIn = async (id: number) => (await seatsOf(id)).map(({ userId }) => userId);
const WAITING_ASKED =
  "Morning pages has another join code. Please give it to keep your place on the waiting list: without it you get no seat, and the place ends on ";

async function staged(over: object = {}) {
  at(ROOM_NOW);
  const [host, guest, waiter, other] = await makeUsers(4);
  const { id } = await makeSession(host, { participant_limit: 2, ...over });
  await join(guest, id);
  expect((await wait(waiter, id)).status).toBe(200);
  return { host, guest, waiter, other, id };
}

const writesToEverybody = keepBystanders(restSeries);

test("R-95 another code keeps the list and the seats, and asks people who wait for it", async () => {
  const { host, guest, waiter, id } = await staged();
  const bystander = await staged();
  expect((await change(host, id, { join_code: "sesame" })).status).toBe(200);
  expect(await waitingIn(id)).toEqual([[waiter.id, true]]);
  expect(await sentencesOf(waiter, "waiting-asked")).toEqual([expect.stringContaining(WAITING_ASKED)]);
  expect(await sentencesOf(guest, "waiting-asked")).toEqual([]);
  const data = await dataOf(waiter, `/api/sessions/${id}`);
  expect(JSON.stringify(data)).toContain(new Date(ROOM_NOW + 7 * DAY).toISOString());

  // Nobody is promoted without it, and the free seat needs it.
  await leave(guest, id);
  expect([await idsIn(id), await waitingIn(id)]).toEqual([[host.id], [[waiter.id, true]]]);
  expect((await join(waiter, id)).body.error_code).toBe("WRONG_CODE");
  expect((await join(waiter, id, "Sesame")).status).toBe(200);
  expect([await idsIn(id), await waitingIn(id)]).toEqual([[host.id, waiter.id], []]);

  expect(await waitingIn(bystander.id)).toEqual([[bystander.waiter.id, false]]);
  expect(await sentencesOf(bystander.waiter, "waiting-asked")).toEqual([]);
});

test("R-95 a person who gives the code keeps the place, is promoted from it, and passes over people who do not", async () => {
  const { host, guest, waiter, other, id } = await staged();
  await wait(other, id);
  await change(host, id, { join_code: "sesame" });
  expect((await wait(waiter, id)).body.error_code).toBe("WRONG_CODE");
  expect((await wait(other, id, "open")).body.error_code).toBe("WRONG_CODE");
  const given = await wait(other, id, " SESAME ");
  expect([given.status, given.body]).toEqual([200, { position: 2 }]);
  expect(await waitingIn(id)).toEqual([
    [waiter.id, true],
    [other.id, false],
  ]);
  await leave(guest, id);
  expect(await idsIn(id)).toEqual([host.id, other.id]);
  expect(await waitingIn(id)).toEqual([[waiter.id, true]]);
});

test("R-95 each other code asks again; the same one in another case, and a code that the host asks nobody for, do not", async () => {
  const { host, waiter, id } = await staged();
  const steps: [object, object, boolean][] = [
    [{ join_code: "sesame" }, { keep_waiting: 1 }, false],
    [{ join_code: "Sesame" }, {}, false],
    [{ join_code: "SES AME" }, {}, false],
    [{ title: "Evening pages" }, {}, false],
    [{ join_code: "open" }, {}, true],
    [{ join_code: "OPEN" }, {}, true],
  ];
  for (const [challenge, more, isAsked] of steps) {
    expect((await change(host, id, challenge, more)).status).toBe(200);
    expect(await waitingIn(id), JSON.stringify(challenge)).toEqual([[waiter.id, isAsked]]);
  }
  expect((await sentencesOf(waiter, "waiting-asked")).length).toBe(1);
  expect((await wait(waiter, id, "open")).status).toBe(200);
  await change(host, id, { join_code: "another" });
  expect(await waitingIn(id)).toEqual([[waiter.id, true]]);
});

test("R-95 G-20 a session that loses its code asks nobody any more, and its free seats go to people who wait", async () => {
  const { host, guest, waiter, id } = await staged();
  await change(host, id, { join_code: "sesame" });
  await leave(guest, id);
  expect(await waitingIn(id)).toEqual([[waiter.id, true]]);
  expect((await change(host, id, { join_code: "" })).status).toBe(200);
  expect([await idsIn(id), await waitingIn(id)]).toEqual([[host.id, waiter.id], []]);
});

test("R-95 G-22 an offered seat needs the other code, also while the session runs", async () => {
  const started_at = new Date(ROOM_NOW + 2 * HOUR).toISOString();
  const { host, guest, waiter, id } = await staged({ is_manually_started: 0, started_at });
  at(ROOM_NOW + 2 * HOUR + MINUTE);
  await leave(guest, id);
  const offers = await db.select().from(schema.waiters).where(eq(schema.waiters.sessionId, id));
  expect(offers[0]?.offeredUntil).not.toBe(null);
  expect((await change(host, id, { join_code: "sesame" })).status).toBe(200);
  expect(await waitingIn(id)).toEqual([[waiter.id, true]]);
  expect((await join(waiter, id)).body.error_code).toBe("WRONG_CODE");
  expect((await join(waiter, id, "sesame")).status).toBe(200);
});

test("R-95 a place without the code ends after seven days, and another one stays", async () => {
  writesToEverybody();
  const second = await staged({ title: "Evening pages" });
  await change(second.host, second.id, { join_code: "lantern" });
  const { host, waiter, other, id } = await staged();
  await change(host, id, { join_code: "sesame" });
  await wait(other, id, "sesame");
  const night = async (days: number) =>
    deleteExpiredRows(await testApp({ now: instant(ROOM_NOW + days * DAY + MINUTE) }));
  await night(6);
  expect((await waitingIn(id)).length).toBe(2);
  // Another list, asked two days before.
  const young = await staged();
  at(ROOM_NOW + 5 * DAY);
  await change(young.host, young.id, { join_code: "sesame" });
  for (const _ of [1, 2]) await night(7);
  expect(await waitingIn(id)).toEqual([[other.id, false]]);
  expect(await waitingIn(young.id)).toEqual([[young.waiter.id, true]]);
  const ended = [];
  for (const user of [waiter, other, young.waiter, second.waiter])
    ended.push(await sentencesOf(user, "waiting-ended"));
  expect(ended).toEqual([
    [
      "Morning pages has another join code, so your place on its waiting list ended. You may wait again with that code.",
    ],
    [],
    [],
    [
      "Evening pages has another join code, so your place on its waiting list ended. You may wait again with that code.",
    ],
  ]);
  expect(await sentencesOf(waiter, "seat-given")).toEqual([]);
});

test("G-18 the form asks nobody for the code when the host says so, and the page of the place asks for it", async () => {
  const { host, waiter, id } = await staged();
  const page = await visit(host, `/events/${id}/update`);
  expect(page.html).toContain("1 person waits. Otherwise they are asked for a new code");
  const fields = { intent: "update", title: "Morning pages", hasPeople: "1", participantLimit: "2" };
  const send = (more: object) =>
    post(host, `/events/${id}/update`, { ...fields, duration: "1h", startMode: "manual", ...more });
  expect((await send({ joinCode: "sesame", keepsWaiting: "on" })).status).toBe(302);
  expect(await waitingIn(id)).toEqual([[waiter.id, false]]);
  expect((await send({ joinCode: "another" })).status).toBe(302);
  expect(await waitingIn(id)).toEqual([[waiter.id, true]]);

  const path = `/sessions/${id}`;
  expect((await visit(waiter, path)).html).toContain("This session has another join code");
  expect((await post(waiter, path, { intent: "wait", joinCode: "another" })).status).toBe(302);
  expect((await visit(waiter, path)).html).not.toContain("This session has another join code");
});

// ---- standing seats

const holdersOf = async (id: number) =>
  (await db.select().from(schema.standingSeats).where(eq(schema.standingSeats.seriesId, id))).map(
    ({ userId, codeAskedAt, skips }) => [userId, codeAskedAt !== null, skips],
  );
const changeAll = (host: TestUser, id: number, session: object) =>
  callAs(host, "PATCH", `/api/series/${id}`, { series: { session } });
const lastSeats = async (id: number) => idsIn((await openOf(id)).at(-1)?.id ?? 0);

test("R-95 another code of a series keeps seats and standing seats, and lays nobody out who has not given it", async () => {
  at(ROOM_NOW);
  const [host, holder, giver] = await makeUsers(3, { tokens: 100_000 });
  const id = await makeSeries(host);
  const bystander = await makeSeries(host);
  for (const user of [holder, giver]) for (const one of [id, bystander]) await stand(user, one);
  await layOutDays(7);
  const laid = (await openOf(id)).length;
  expect(await lastSeats(id)).toEqual([host.id, holder.id, giver.id]);

  expect((await changeAll(host, id, { join_code: "sesame" })).status).toBe(200);
  expect(await lastSeats(id)).toEqual([host.id, holder.id, giver.id]);
  expect(await holdersOf(id)).toEqual([
    [holder.id, true, 0],
    [giver.id, true, 0],
  ]);
  expect(await sentencesOf(holder, "standing-asked")).toEqual([
    expect.stringContaining(
      "Morning pages has another join code. Please give it to go on joining every time",
    ),
  ]);

  expect((await stand(giver, id)).body.error_code).toBe("WRONG_CODE");
  expect((await visit(giver, `/my/series/${id}`)).html).toContain("This series has another join code");
  const given = { intent: "standing.take", series: String(id), joinCode: "Sesame" };
  expect((await post(giver, `/my/series/${id}`, given)).status).toBe(302);
  await layOutDays(14);
  expect((await openOf(id)).length).toBeGreaterThan(laid);
  expect(await lastSeats(id)).toEqual([host.id, giver.id]);
  // Nobody is out of tokens.
  expect(await holdersOf(id)).toEqual([
    [holder.id, true, 0],
    [giver.id, false, 0],
  ]);
  expect(await lastSeats(bystander)).toEqual([host.id, holder.id, giver.id]);

  await deleteExpiredRows(await testApp({ now: instant(ROOM_NOW + 7 * DAY + MINUTE) }));
  expect(await holdersOf(id)).toEqual([[giver.id, false, 0]]);
  expect((await holdersOf(bystander)).length).toBe(2);
});

test("R-95 a series asks nobody for its code in another case or without one, nor a host in turn", async () => {
  at(ROOM_NOW);
  const [host, holder, turn] = await makeUsers(3);
  const id = await makeSeries(host, {}, { join_code: "pinecone" });
  for (const user of [holder, turn])
    expect((await stand(user, id, { join_code: "pinecone" })).status).toBe(200);
  await callAs(host, "PUT", `/api/series/${id}/hosts/${turn.username}`, {});
  const asked = async () => (await holdersOf(id)).map(([, isAsked]) => isAsked);
  await changeAll(host, id, { join_code: "Pine Cone" });
  expect(await asked()).toEqual([false, false]);
  await changeAll(host, id, { join_code: "sesame" });
  expect(await asked()).toEqual([true, false]);
  await changeAll(host, id, { join_code: "" });
  expect(await asked()).toEqual([false, false]);
});
