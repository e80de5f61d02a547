// The plan of a waiting session, and the order of turns, follow its participants: in the record, on pages, in lists and
// in the room.
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { connect, schema } from "#db/connect.server";
import { callAs, dataOf } from "#tests/support/ask";
import { appOf, db, makeUser, makeUsers, type TestUser } from "#tests/support/factories";
import {
  joinRoom,
  ROOM_NOW as NOW,
  putSeat,
  makeSession as putSession,
  useRoomClock,
} from "#tests/support/rooms";
import {
  balanceOf,
  join,
  leave,
  makeSession,
  seatsOf,
  sessionNow,
  stageSession,
} from "#tests/support/sessions";
import { wrappedD1 } from "#tests/support/wrapped-d1";
import { ListQuery } from "~/domain/lists";
import { newPart, newPartGroup } from "~/domain/schedule/schedule";
import { DAY, HOUR, type Instant, instant, MINUTE, plusSeconds, SECOND, seconds } from "~/domain/time";
import { listSessions } from "./list.server";
import { joinSession } from "./people.server";
import { banFromSession } from "./sanctions.server";
import { viewSession } from "./views.server";

const at = useRoomClock();

const PARTS = [
  {
    uuid: "g",
    auto_start: 1,
    parts: [
      { uuid: "turns", title: "Turns", duration: 600, per_participant: 1 },
      { uuid: "rest", title: "Rest", duration: 300 },
    ],
  },
];
const START = NOW + DAY;

/** Each part's start and end in minutes after the session's start, then the session's own end, as shown to a user. */
async function planSeen(user: TestUser | null, id: number) {
  const { session } = await dataOf(user, `/api/sessions/${id}`);
  const minutes = (at: string | null) => (at === null ? null : (Date.parse(at) - START) / 60_000);
  const [group] = session.parts;
  return [
    ...group.parts.map((part: { started_at: string; ended_at: string }) => [
      minutes(part.started_at),
      minutes(part.ended_at),
    ]),
    minutes(session.ended_at),
    session.duration / 60,
  ];
}
const scheduled = (host: TestUser) =>
  makeSession(host, {
    is_manually_started: 0,
    started_at: new Date(START).toISOString(),
    duration: 900,
    parts: PARTS,
  });
const listed = async (user: TestUser, id: number) => {
  const { sessions } = await dataOf(user, "/api/events");
  return sessions.find((card: { id: number }) => card.id === id);
};

test("T-08 T-15 R-04 a waiting plan is recomputed when somebody joins, leaves or is removed", async () => {
  const [host, guest, third] = await makeUsers(3);
  const { id } = await scheduled(host);
  const line = await joinRoom(host, id);
  const ONE = [[0, 10], [10, 15], 15, 15];
  const TWO = [[0, 20], [20, 25], 25, 25];
  const THREE = [[0, 30], [30, 35], 35, 35];
  expect(await planSeen(host, id)).toEqual(ONE);
  expect((await join(guest, id)).body.challenge_event.duration).toBe(25 * 60);
  expect(await planSeen(guest, id)).toEqual(TWO);
  expect(await listed(guest, id)).toMatchObject({
    duration: 25 * 60,
    ended_at: new Date(START + 25 * 60 * SECOND).toISOString(),
  });
  // Open pages receive the plan from the room.
  const told = await line.expect("parts");
  expect(told.parts[0]?.parts[0]?.ended_at).toBe(new Date(START + 20 * 60 * SECOND).toISOString());
  expect((await line.expect("status")).ended_at).toBe(new Date(START + 25 * 60 * SECOND).toISOString());
  await join(third, id);
  expect(await planSeen(host, id)).toEqual(THREE);
  // Parts move earlier; the end does not move by itself.
  await leave(third, id);
  expect(await planSeen(host, id)).toEqual([[0, 20], [20, 25], 35, 35]);
  await callAs(host, "PATCH", `/challenge-events/${id}/participants/${guest.username}`, { host: 1 });
  expect(await planSeen(host, id)).toEqual([[0, 20], [20, 25], 35, 35]);
  await callAs(guest, "DELETE", `/challenge-events/${id}/participants/${host.username}`);
  expect(await planSeen(guest, id)).toEqual([[0, 10], [10, 15], 35, 35]);
});

test("T-08 a join during the run leaves the record's plan as the room wrote it", async () => {
  const [host, guest] = [await makeUser(), await makeUser()];
  const { id } = await makeSession(host, { duration: 900, parts: PARTS });
  expect((await callAs(host, "POST", `/challenge-events/${id}/start`, {})).status).toBe(200);
  const begun = await sessionNow(id);
  expect((await join(guest, id)).status).toBe(200);
  const after = await sessionNow(id);
  expect(after).toMatchObject({
    participantsCount: 2,
    endedAt: begun?.endedAt,
    duration: begun?.duration,
    schedule: begun?.schedule,
  });
});

test("T-08 L-08 ten simultaneous joins compute the plan for all of them", async () => {
  const host = await makeUser();
  const { id } = await scheduled(host);
  const guests = await makeUsers(10);
  const answers = await Promise.all(guests.map((guest) => join(guest, id)));
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
  expect(await planSeen(host, id)).toEqual([[0, 110], [110, 115], 115, 115]);
});

test("T-08 before the run the room recomputes a plan that the record has for fewer people", async () => {
  const people = await makeUsers(3);
  const [host] = people;
  const parts = [newPart("turns", { duration: seconds(60), isPerParticipant: true }), newPart("rest")];
  const { id } = await putSession(people.slice(0, 1), {
    now: NOW,
    startedAt: (NOW + HOUR) as never,
    duration: 600,
    schedule: { groups: [newPartGroup("g", { parts })] },
  });
  const line = await joinRoom(host, id);
  // Two seats were taken by a process that died before it recomputed the plan.
  for (const [i, user] of people.slice(1).entries()) await putSeat(id, user, NOW + 60_000 + i);
  const second = await joinRoom(people[1], id);
  const shown = (await second.expect("welcome")).room?.parts[0]?.parts.map((part) => part.ended_at);
  const later = (span: number) => new Date(NOW + HOUR + span * SECOND).toISOString();
  expect(shown).toEqual([later(180), later(480)]);
  expect((await line.expect("parts")).parts[0]?.parts[0]?.ended_at).toBe(later(180));
});

test("T-08 Q-14 the batch of a ban recomputes the plan, so that a crash after it leaves no old plan", async () => {
  const [host, guest] = [await makeUser(), await makeUser()];
  const { id } = await scheduled(host);
  await join(guest, id);
  const orDie = async <T>(ask: () => Promise<T>): Promise<T> => {
    if ((await seatsOf(id)).length === 1) throw new Error("killed");
    return ask();
  };
  const dying = wrappedD1(env.DB, { one: (_, __, ask) => orDie(ask), batch: (_, ask) => orDie(ask) });
  const alive = await appOf(host, NOW);
  // The next step after the batch is a call of the room.
  const of = () => {
    throw new Error("killed");
  };
  const app = { ...alive, db: connect(dying), rooms: { ...alive.rooms, of } };
  await expect(banFromSession(app, { session: id, username: guest.username })).rejects.toThrow();
  const [group] = (await sessionNow(id))?.schedule.groups ?? [];
  expect(group?.parts.map(({ endedAt }) => endedAt)).toEqual([START + 10 * MINUTE, START + 15 * MINUTE]);
});

test("T-15 turns follow the record's order of joining, regardless of the order of its rows", async () => {
  const people = await makeUsers(4);
  const [host, second, third, fourth] = people;
  const { id } = await putSession(people, {
    now: NOW,
    schedule: {
      groups: [
        newPartGroup("g", { parts: [newPart("turns", { duration: seconds(60), isPerParticipant: true })] }),
      ],
    },
  });
  const joined = (user: TestUser, at: number) =>
    db
      .update(schema.participants)
      .set({ joinedAt: (NOW + at) as never })
      .where(eq(schema.participants.userId, user.id));
  await joined(host, 3000);
  await joined(second, 2000);
  await joined(third, 1000);
  await joined(fourth, 1000);
  await callAs(host, "POST", `/challenge-events/${id}/start`, {});
  const { session } = await dataOf(host, `/api/sessions/${id}`);
  // People who joined at the same instant are ordered by the age of their accounts.
  expect(session.parts[0].parts[0].turns).toEqual(
    [third, fourth, second, host].map(({ username }) => username),
  );
});

test("R-05 B-14 removal refunds the join before the start, and nothing once the session runs", async () => {
  const { host, guest, admin, session, event } = await stageSession();
  const remove = (user: TestUser) =>
    callAs(host, "DELETE", `/challenge-events/${session.id}/participants/${user.username}`);
  expect(await balanceOf(admin)).toBe(900);
  expect((await remove(admin)).status).toBe(204);
  expect(await balanceOf(admin)).toBe(1000);
  await event(host, "/start");
  expect((await remove(guest)).status).toBe(204);
  expect(await balanceOf(guest)).toBe(900);
});

test("S-04 a session is over at the millisecond of its end: in its list, on its page and for joining", async () => {
  const [host, guest, late] = await makeUsers(3);
  const end = plusSeconds(NOW, 600);
  const { id } = await putSession([host], { now: NOW, startedAt: NOW, duration: 600 });
  const before = instant(end - 1);
  const isListed = async (now: Instant) => {
    const { sessions } = await listSessions(await appOf(guest, now), ListQuery.parse({}));
    return sessions.some((card) => card.id === id);
  };
  const statusOn = async (now: Instant) => {
    at(now);
    return (await viewSession(await appOf(guest, now), { session: id })).session.status;
  };
  expect([await isListed(before), await statusOn(before)]).toEqual([true, 1]);
  expect((await joinSession(await appOf(guest, before), { session: id })).isJoined).toBe(true);
  // Before a page or list, which would close the session.
  await expect(joinSession(await appOf(late, end), { session: id })).rejects.toMatchObject({
    code: "CONFLICT",
    message: "This session has ended.",
  });
  expect([await isListed(end), await statusOn(end)]).toEqual([false, 2]);
});

test("X-02 controlling or adjusting a part that the session does not have answers 404", async () => {
  const { host, guest, event } = await stageSession();
  const asked = async (user: TestUser, path: string, body: object = {}) => {
    const answer = await event(user, path, body);
    return [answer.status, answer.body.error_code];
  };
  const NOT_FOUND = [404, "NOT_FOUND"];
  expect(await asked(host, "/parts/none/start")).toEqual(NOT_FOUND);
  await event(host, "/start");
  for (const action of ["start", "pause", "resume", "finish", "reset"])
    expect(await asked(host, `/parts/none/${action}`)).toEqual(NOT_FOUND);
  expect(await asked(host, "/parts/none/adjust", { seconds: 60 })).toEqual(NOT_FOUND);
  // An existing part that is not running is a conflict; people who may not control it do not learn that it exists.
  expect((await asked(host, "/parts/b/pause"))[0]).toBe(409);
  expect((await asked(guest, "/parts/none/start"))[0]).toBe(403);
});

test("L-07 R-26 open pages receive the ready marks that the start clears", async () => {
  const people = await makeUsers(2);
  const [host, guest] = people;
  const { id } = await putSession(people, { now: NOW });
  const lines = [await joinRoom(host, id), await joinRoom(guest, id)];
  for (const line of lines) line.say({ type: "ready", is_ready: true });
  const isMarked =
    (user: TestUser, mark: 0 | 1) => (op: { participants: { username: string; is_ready: number }[] }) =>
      op.participants.some(({ username, is_ready }) => username === user.username && is_ready === mark);
  for (const line of lines) await line.expect("participants", isMarked(guest, 1));
  await lines[0]?.expect("participants", isMarked(host, 1));
  await callAs(host, "POST", `/challenge-events/${id}/start`, {});
  for (const line of lines)
    await line.expect("participants", (op) => isMarked(host, 0)(op) && isMarked(guest, 0)(op));
});

test("X-06 the socket accepts is_ready as true, false, 1 and 0", async () => {
  const host = await makeUser();
  const { id } = await putSession([host], { now: NOW });
  const line = await joinRoom(host, id);
  let seq = 0;
  for (const [said, mark] of [
    [1, 1],
    [0, 0],
    [true, 1],
    [false, 0],
  ] as const) {
    line.socket.send(JSON.stringify({ type: "ready", is_ready: said }));
    const heard = await line.expect("participants", (op) => op.seq > seq);
    seq = heard.seq;
    expect([said, heard.participants[0]?.is_ready]).toEqual([said, mark]);
  }
  line.socket.send(JSON.stringify({ type: "ready", is_ready: 2 }));
  expect((await line.closed).code).toBe(4400);
});
