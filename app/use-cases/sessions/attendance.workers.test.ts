// Attendance of sessions that have closed, and the history that a person reads of it. Sockets, restarts and D1 are real.
import { abortAllDurableObjects, evictDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { callAs } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { appOf, db, makeUser, makeUsers, type TestUser } from "#tests/support/factories";
import { joinRoom, ROOM_NOW, stubOf, useRoomClock } from "#tests/support/rooms";
import {
  attendanceRows,
  endSession,
  leave,
  makeSession,
  recapNow,
  runningSession,
  sayIn,
  setSession,
} from "#tests/support/sessions";
import { visit } from "#tests/support/visit";
import { instant, MINUTE, SECOND, type Seconds } from "~/domain/time";
import { viewPastSessions } from "~/use-cases/my.server";
import { viewSessionPeople } from "./people-page.server";

const at = useRoomClock();
const event = (id: number, path: string) => `/challenge-events/${id}/${path}`;

keepBystanders();

test("G-24 G-26 two tabs count once, absence of over 90 seconds does not count, and the rest is missed", async () => {
  const { id, host, ben, cas } = await runningSession();
  const first = await joinRoom(ben, id);
  at(ROOM_NOW + 2 * MINUTE);
  const second = await joinRoom(ben, id);
  at(ROOM_NOW + 3 * MINUTE);
  first.socket.close();
  await first.closed;
  at(ROOM_NOW + 5 * MINUTE);
  second.socket.close();
  await second.closed;
  at(ROOM_NOW + 6 * MINUTE);
  const third = await joinRoom(ben, id);
  at(ROOM_NOW + 7 * MINUTE);
  third.socket.close();
  await third.closed;
  at(ROOM_NOW + 30 * MINUTE);
  await joinRoom(cas, id);
  at(ROOM_NOW + 40 * MINUTE);
  await endSession(host, id);
  expect(await attendanceRows(id)).toEqual([
    [host.id, 0, false],
    [ben.id, 7 * 60, true],
    [cas.id, 10 * 60, false],
  ]);
  // A repeat of the close, and later visits, change nothing.
  await joinRoom(host, id);
  await evictDurableObject(stubOf(id));
  await callAs(host, "GET", `/api/sessions/${id}`);
  expect((await attendanceRows(id)).length).toBe(3);
});

test("G-25 a crash cuts an interval at the last stored instant, and a return within 90 seconds mends it", async () => {
  const { id, host, ben, cas } = await runningSession();
  for (const user of [ben, cas]) await joinRoom(user, id);
  at(ROOM_NOW + 10 * MINUTE);
  await sayIn(host, id);
  at(ROOM_NOW + 20 * MINUTE);
  await abortAllDurableObjects();
  const again = await joinRoom(host, id);
  at(ROOM_NOW + 20 * MINUTE + 90 * SECOND);
  await joinRoom(ben, id);
  again.socket.close();
  await again.closed;
  at(ROOM_NOW + 20 * MINUTE + 91 * SECOND);
  await joinRoom(cas, id);
  at(ROOM_NOW + 30 * MINUTE);
  await endSession(host, id);
  expect(await attendanceRows(id)).toEqual([
    [host.id, 90, false],
    [ben.id, 30 * 60, true],
    [cas.id, 10 * 60 + (10 * 60 - 91), true],
  ]);
});

test("G-25 in a room without lines a crash cuts intervals at the last arrival or departure", async () => {
  const { id, host, ben, cas } = await runningSession();
  await joinRoom(ben, id);
  at(ROOM_NOW + 10 * MINUTE);
  await joinRoom(cas, id);
  at(ROOM_NOW + 20 * MINUTE);
  await abortAllDurableObjects();
  await endSession(host, id);
  expect(await attendanceRows(id)).toEqual([
    [host.id, 0, false],
    [ben.id, 10 * 60, true],
    [cas.id, 0, true],
  ]);
});

test("G-26 a seat given up before the start is not counted, one given up after it is", async () => {
  const [host, early, late] = await makeUsers(3);
  const { id } = await makeSession(host, { duration: 3600 });
  for (const user of [early, late]) await callAs(user, "POST", event(id, "join"), {});
  await leave(early, id);
  await callAs(host, "POST", event(id, "start"), {});
  await joinRoom(host, id);
  at(ROOM_NOW + MINUTE);
  await leave(late, id);
  at(ROOM_NOW + 10 * MINUTE);
  await endSession(host, id);
  expect(await attendanceRows(id)).toEqual([
    [host.id, 600, true],
    [late.id, 0, false],
  ]);
});

test("Q-14 G-26 a participant who is removed before coming has missed nothing, and a ban of a stranger changes no row", async () => {
  const { id, host, ben, cas } = await runningSession();
  const stranger = await makeUser();
  await joinRoom(ben, id);
  at(ROOM_NOW + 2 * MINUTE);
  for (const { username } of [cas, stranger])
    expect(
      (await callAs(host, "DELETE", event(id, `participants/${username}`), { keep_out: 1 })).status,
    ).toBe(204);
  at(ROOM_NOW + 20 * MINUTE);
  await endSession(host, id);
  expect((await recapNow(id))?.people.map(({ userId }) => userId)).toEqual([host.id, ben.id]);
  expect((await attendanceRows(id)).map(([userId]) => userId)).toEqual([host.id, ben.id]);
});

test("Q-14 a removal without remove_lines keeps the lines, and a return counts from then on", async () => {
  const { id, host, ben, cas } = await runningSession();
  for (const user of [ben, cas]) await joinRoom(user, id);
  await sayIn(cas, id);
  at(ROOM_NOW + 2 * MINUTE);
  await callAs(host, "DELETE", event(id, `participants/${cas.username}`), {});
  const said = await stubOf(id).messages(id, { limit: 10 });
  expect(said.ok && said.value.map(({ isRemoved }) => isRemoved)).toEqual([false]);
  at(ROOM_NOW + 5 * MINUTE);
  expect((await callAs(cas, "POST", event(id, "join"), {})).status).toBe(200);
  await joinRoom(cas, id);
  at(ROOM_NOW + 20 * MINUTE);
  await endSession(host, id);
  expect((await attendanceRows(id)).filter(([userId]) => userId === cas.id)).toEqual([
    [cas.id, 15 * 60, true],
  ]);
});

/** Rows of attendance: `came` and `missed` sessions of `user`, each begun `days` ago. */
async function attended(user: TestUser, came: number, missed: number, days = 1) {
  const first = 1_000_000 + user.id * 1000 + days * 20;
  await db.insert(schema.attendance).values(
    Array.from({ length: came + missed }, (_, n) => ({
      userId: user.id,
      sessionId: first + n,
      startedAt: instant(ROOM_NOW - days * 24 * 60 * MINUTE),
      seconds: (n < came ? 600 : 0) as Seconds,
      hasCome: n < came,
    })),
  );
}

test("G-27 users see at /my/sessions?past=1 to which sessions they came, page by page, and nobody else's", async () => {
  const { id, host, ben } = await runningSession();
  const socket = await joinRoom(ben, id);
  at(ROOM_NOW + 10 * MINUTE);
  socket.socket.close();
  await socket.closed;
  at(ROOM_NOW + 20 * MINUTE);
  await endSession(host, id);
  const cardsOf = async (user: TestUser) =>
    (await visit(user, "/my/sessions?past=1")).texts('ul[aria-label="Past sessions"] li');
  const [card = "", ...others] = await cardsOf(ben);
  expect(others).toEqual([]);
  for (const part of ["Morning pages", "Came", "present for 10m"]) expect(card).toContain(part);
  expect((await cardsOf(host))[0]).toContain("Missed");
  expect(await cardsOf(await makeUser())).toEqual([]);
  const page = await visit(ben, "/my/sessions?past=1");
  expect(page.html).toContain(`/sessions/${id}/recap`);
  // Sessions that no longer exist, on two pages.
  await attended(ben, 13, 0);
  const first = await visit(ben, "/my/sessions?past=1");
  expect(await first.texts('ul[aria-label="Past sessions"] li')).toHaveLength(12);
  const [next] = await first.all('a[rel="next"]');
  const rest = await (await visit(ben, String(next?.attributes.href))).texts(
    'ul[aria-label="Past sessions"] li',
  );
  expect(rest).toHaveLength(2);
  expect(rest[0]).toContain("A session that you can no longer see");
  expect(rest[1]).toContain("Morning pages");
});

test("G-27 the history names no session of a private hut that the user has left", async () => {
  const { id, host, ben } = await runningSession();
  await leave(ben, id);
  at(ROOM_NOW + 10 * MINUTE);
  await endSession(host, id);
  const cards = async () =>
    (await visit(ben, "/my/sessions?past=1")).texts('ul[aria-label="Past sessions"] li');
  await setSession(id, { isPrivate: true });
  expect((await cards())[0]).toContain("A session that you can no longer see");
  await setSession(id, { isPrivate: false });
  expect((await cards())[0]).toContain("Morning pages");
});

test("G-28 the reliability counts 30 days from three sessions on, only for the user and the host of a joined session", async () => {
  const [host, admin, ben, cas] = await makeUsers(4);
  const superAdmin = await makeUser({ roleId: 10 });
  const { id } = await makeSession(host, { duration: 3600 });
  for (const user of [admin, ben, cas]) await callAs(user, "POST", event(id, "join"), {});
  await callAs(host, "PATCH", event(id, `participants/${admin.username}`), { role: 1 });
  await attended(ben, 2, 1);
  await attended(ben, 0, 5, 31);
  await attended(cas, 2, 0);
  const peopleOf = async (user: TestUser) =>
    (
      await (await visit(user, `/sessions/${id}/people`)).texts('ul[aria-label="Participants"] li span')
    ).filter((text) => text.startsWith("came to"));
  expect(await peopleOf(host)).toEqual(["came to 67% of sessions in 30 days"]);
  expect([await peopleOf(admin), await peopleOf(superAdmin)]).toEqual([[], []]);
  const { reliability } = await viewSessionPeople(await appOf(host, ROOM_NOW), { session: id });
  expect(reliability).toEqual([{ username: ben.username, percent: 67 }]);
  const ownOf = async (user: TestUser) =>
    (await viewPastSessions(await appOf(user, ROOM_NOW), { page: 1 })).reliability;
  expect([await ownOf(ben), await ownOf(cas), await ownOf(host)]).toEqual([67, null, null]);
  expect((await visit(ben, "/my/sessions?past=1")).html).toContain("You came to 67% of your sessions");
  // Without a seat there is no figure; under an alias neither.
  const stranger = await makeUser();
  await attended(stranger, 3, 0);
  await callAs(ben, "PUT", `/api/blocks/${host.username}`, {});
  expect((await viewSessionPeople(await appOf(host, ROOM_NOW), { session: id })).reliability).toEqual([]);
});
