// Sockets that fall silent: rosters, attendance, claims, absent hosts and the notices of a start and a mention
// follow the last ping. The test sets the clock and the pings; the platform's own pings are the last test.
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { beforeEach, expect, test, vi } from "vitest";
import { schema } from "#db/connect.server";
import { callAs } from "#tests/support/ask";
import { machineNow } from "#tests/support/clock";
import { db, makeUsers, type TestUser } from "#tests/support/factories";
import { eventRows } from "#tests/support/notices";
import {
  actorOf,
  alarmOf,
  joinRoom,
  type Line,
  ROOM_NOW as NOW,
  partsOf,
  recordOf,
  runningRoom,
  stubOf,
  useRoomClock,
} from "#tests/support/rooms";
import { join, makeSession, sessionNow } from "#tests/support/sessions";
import { HOUR, type Instant, instant, MINUTE, SECOND } from "~/domain/time";
import { PING } from "~/wire/room/room";
import { pings } from "./pings";
import type { Listener } from "./sockets";

const at = useRoomClock();

/** The last ping of the people whose pages are silent, by name; the others ping all the time. */
const silent = new Map<string, Instant | null>();
beforeEach(() => {
  silent.clear();
  vi.spyOn(pings, "lastOf").mockImplementation((_, socket) => {
    const { username } = socket.deserializeAttachment() as Listener;
    const last = silent.get(username);
    return last === undefined ? instant(Date.now()) : last;
  });
});
const fallsSilent = ({ username }: TestUser, since: number | null = Date.now()) =>
  void silent.set(username, since === null ? null : instant(since));
const pingsAgain = ({ username }: TestUser) => void silent.delete(username);

const running = async (...people: TestUser[]) => runningRoom(people, partsOf(7200), 7200);
const ring = (id: number) => runDurableObjectAlarm(stubOf(id));
const onlineIn = async (id: number) => {
  const seen = await stubOf(id).view(id);
  return seen.ok ? seen.value.online : [];
};
const offlines = (line: Line) => line.heard.flatMap((op) => (op.type === "online" ? op.offline : []));

test("R-68 rosters follow a socket that fell silent within 120 s of the 90, by the alarm alone, and its return", async () => {
  const [host, guest] = await makeUsers(2);
  const { id } = await running(host, guest);
  const line = await joinRoom(host, id);
  await joinRoom(guest, id);
  await line.expect("online", (op) => op.online.includes(guest.username));
  fallsSilent(guest);
  for (let now: number = NOW; now < NOW + 90 * SECOND + 120 * SECOND; ) {
    now = (await alarmOf(id)) ?? Number.POSITIVE_INFINITY;
    at(now);
    await ring(id);
  }
  await line.expect("online", (op) => op.offline.includes(guest.username));
  pingsAgain(guest);
  const looks = (await alarmOf(id)) ?? Number.POSITIVE_INFINITY;
  expect(looks).toBeLessThanOrEqual(NOW + 6 * MINUTE);
  at(looks);
  await ring(id);
  const returns = () => line.heard.flatMap((op) => (op.type === "online" ? op.online : []));
  await vi.waitFor(() => expect(returns().filter((name) => name === guest.username)).toHaveLength(2));
});

test("R-68 a question finds a socket away after exactly 90 s without a ping, or without any since its acceptance", async () => {
  const [host, guest, mute] = await makeUsers(3);
  const { id } = await running(host, guest, mute);
  await joinRoom(guest, id);
  fallsSilent(guest, NOW + 20 * SECOND);
  fallsSilent(mute, null);
  at(NOW + 10 * SECOND);
  const line = await joinRoom(mute, id);
  at(NOW + 100 * SECOND - 1);
  expect(await onlineIn(id)).toEqual([guest.username, mute.username]);
  at(NOW + 100 * SECOND);
  expect(await onlineIn(id)).toEqual([guest.username]);
  at(NOW + 110 * SECOND);
  expect(await onlineIn(id)).toEqual([]);
  // A message is a sign, too.
  line.say({ type: "typing" });
  await vi.waitFor(async () => expect(await onlineIn(id)).toEqual([mute.username]));
});

test("R-68 one live page is enough, and a room that slept does not announce a silent person again", async () => {
  const [host, guest] = await makeUsers(2);
  const { id } = await running(host, guest);
  const line = await joinRoom(host, id);
  await joinRoom(guest, id);
  await line.expect("online", (op) => op.online.includes(guest.username));
  fallsSilent(guest);
  at(NOW + 2 * MINUTE);
  const second = await joinRoom(guest, id);
  expect(await onlineIn(id)).toEqual([host.username, guest.username]);
  second.socket.close(1000);
  await line.expect("online", (op) => op.offline.includes(guest.username));
  await evictDurableObject(stubOf(id));
  const before = offlines(line);
  const welcome = await (await joinRoom(host, id)).expect("welcome");
  expect(welcome.online).toEqual([host.username]);
  at(NOW + 5 * MINUTE);
  expect(await onlineIn(id)).toEqual([host.username]);
  line.say({ type: "message", content: "Still here", nonce: "n" });
  await line.expect("message");
  expect(offlines(line)).toEqual(before);
  pingsAgain(guest);
  expect((await onlineIn(id)).sort()).toEqual([host.username, guest.username].sort());
});

test("R-68 G-24 attendance ends with the last ping, and goes on with the next", async () => {
  const [host, guest] = await makeUsers(2);
  const { id } = await running(host, guest);
  await joinRoom(host, id);
  await joinRoom(guest, id);
  fallsSilent(guest, NOW + 5 * MINUTE);
  at(NOW + 30 * MINUTE);
  await ring(id);
  at(NOW + 50 * MINUTE);
  pingsAgain(guest);
  await ring(id);
  at(NOW + 60 * MINUTE);
  await callAs(host, "POST", `/challenge-events/${id}/end`, {});
  const came = await db.select().from(schema.attendance);
  const secondsOf = (user: TestUser) =>
    came.find((row) => row.sessionId === id && row.userId === user.id)?.seconds;
  expect([secondsOf(host), secondsOf(guest)]).toEqual([60 * 60, 15 * 60]);
});

test("R-68 N-22 N-26 a start by hand and a mention notify a person whose page has fallen silent", async () => {
  const [host, guest, here] = await makeUsers(3);
  const { id } = await makeSession(host, { is_manually_started: 1, duration: 600 });
  for (const user of [guest, here]) await join(user, id);
  for (const user of [host, guest, here]) await joinRoom(user, id);
  fallsSilent(guest);
  at(NOW + 90 * SECOND);
  await callAs(host, "POST", `/challenge-events/${id}/start`, {});
  const causes = async (kind: string) =>
    (await eventRows()).find(
      (row) => row.kind === kind && JSON.stringify(row.body).includes(`/sessions/${id}"`),
    );
  const started = await causes("session-started");
  expect(started?.body).toMatchObject({ to: [guest.id] });
  const content = `@${guest.username} and @${here.username}`;
  await stubOf(id).change(id, { type: "say", by: actorOf(host), content, nonce: "n" });
  await vi.waitFor(async () => {
    const mention = await causes("chat-mention");
    expect(mention?.body).toMatchObject({ to: [guest.id] });
  });
});

/** A session in an hour that needs its host, with an admin. */
async function staged(): Promise<{ id: number; host: TestUser; admin: TestUser; start: number }> {
  const [host, admin] = await makeUsers(2);
  const start = NOW + HOUR;
  const started_at = new Date(start).toISOString();
  const { id } = await makeSession(host, { is_manually_started: 0, started_at, needs_host: 1 });
  await join(admin, id);
  return { id, host, admin, start };
}

test("R-68 G-29 an admin claims the session of a host whose page has fallen silent", async () => {
  const { id, host, admin, start } = await staged();
  await callAs(host, "PATCH", `/challenge-events/${id}/participants/${admin.username}`, { role: 1 });
  await joinRoom(admin, id);
  at(start - MINUTE);
  await joinRoom(host, id);
  const claim = () => callAs(admin, "POST", `/challenge-events/${id}/claim`, {});
  expect((await claim()).body.message).toBe("The host is here.");
  fallsSilent(host);
  at(start + 30 * SECOND);
  expect((await claim()).status).toBe(200);
});

test.each([
  ["before the start is cancelled", -1, true],
  ["after the start is not cancelled", 1, false],
])("R-68 G-31 a session whose host fell silent %s", async (_, seconds, isCancelled) => {
  const { id, host, start } = await staged();
  at(start - MINUTE);
  await joinRoom(host, id);
  fallsSilent(host, start + seconds * SECOND);
  // No alarm comes in between, so the room learns of the start and the silence at once.
  at(start + 15 * MINUTE);
  await ring(id);
  const { cancelledStart = null, closedAt } = await runInDurableObject(stubOf(id), async (room) => {
    const seen = await room.view(id);
    if (!seen.ok) throw new Error(seen.message);
    return seen.value.state;
  });
  expect([cancelledStart, closedAt !== null]).toEqual([isCancelled ? start : null, isCancelled]);
  expect((await sessionNow(id))?.closedAt !== null).toBe(isCancelled);
});

test("R-68 C1 a room with open sockets wakes for their pings at most every two minutes, and an empty one not at all", async () => {
  const [host, guest] = await makeUsers(2);
  const { id } = await running(host, guest);
  const line = await joinRoom(host, id);
  const sets = await runInDurableObject(stubOf(id), (_, { storage }) => vi.spyOn(storage, "setAlarm"));
  let woken = 0;
  for (let now = NOW + 1; now < NOW + HOUR; now += 20 * SECOND) {
    at(now);
    // Somebody wakes the room for half an hour; then it is quiet.
    if (now < NOW + 30 * MINUTE) await onlineIn(id);
    if (((await alarmOf(id)) ?? 0) > now) continue;
    woken++;
    await ring(id);
  }
  expect(woken).toBeGreaterThanOrEqual(14);
  expect(woken).toBeLessThanOrEqual(30);
  expect(sets.mock.calls.length).toBeLessThanOrEqual(31);
  line.socket.close(1000);
  const { endedAt } = await recordOf(id);
  await vi.waitFor(async () => expect(await alarmOf(id)).toBe(endedAt));
});

test("R-68 L-02 the platform keeps the time of a ping, and the room sleeps on", async () => {
  const [host] = await makeUsers(1);
  const { id } = await running(host);
  const line = await joinRoom(host, id);
  vi.mocked(pings.lastOf).mockRestore();
  const lastOf = () =>
    runInDurableObject(stubOf(id), (_, ctx) =>
      ctx.getWebSockets().map((socket) => pings.lastOf(ctx, socket)),
    );
  expect(await lastOf()).toEqual([null]);
  const pong = new Promise<void>((resolve) =>
    line.socket.addEventListener("message", ({ data }) => data === "pong" && resolve()),
  );
  line.socket.send(PING);
  await pong;
  const [last] = await lastOf();
  expect(Math.abs((last ?? 0) - machineNow())).toBeLessThan(MINUTE);
});
