// The room under eviction, crashes, late and double alarms and D1 failures. The Durable Object and D1 are real; the
// test sets the clock.
import {
  abortAllDurableObjects,
  evictDurableObject,
  runDurableObjectAlarm,
  runInDurableObject,
} from "cloudflare:test";
import { env } from "cloudflare:workers";
import { eq, like } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { schema } from "#db/connect.server";
import { appOf, db, makeUser, makeUsers, type TestUser } from "#tests/support/factories";
import { breakD1 } from "#tests/support/failing-d1";
import {
  actorOf,
  alarmOf,
  controlOf,
  firstPartOf,
  joinRoom,
  makeSession,
  ROOM_NOW as NOW,
  partsOf,
  putSeat,
  recordOf,
  stubOf,
  useRoomClock,
} from "#tests/support/rooms";
import { setSession } from "#tests/support/sessions";
import { advanceRoom } from "~/domain/room/advance";
import type { RoomChange, RoomState } from "~/domain/room/room";
import { newPart, newPartGroup, partsInOrder, type Schedule } from "~/domain/schedule/schedule";
import { DAY, type Instant, instant, MINUTE, plusSeconds, SECOND, seconds } from "~/domain/time";

const at = useRoomClock();

const roomOf = async (user: TestUser, id: number) => (await appOf(user)).rooms.of(id);

/** Thirty parts: plain parts, interval timers, turns; linked and loose; two runs of a group. */
function longSchedule(): Schedule {
  const plain = (n: number) => newPart(`plain-${n}`, { duration: seconds(20 + n) });
  const intervals = (n: number) =>
    newPart(`interval-${n}`, {
      sets: 2,
      intervals: [
        { id: `i${n}a`, title: "Work", duration: seconds(10) },
        { id: `i${n}b`, title: "Rest", duration: seconds(5 + n) },
      ],
    });
  const turns = (n: number) => newPart(`turns-${n}`, { duration: seconds(15 + n), isPerParticipant: true });
  const numbers = [1, 2, 3, 4];
  return {
    groups: [
      newPartGroup("g1", { parts: numbers.flatMap((n) => [plain(n), intervals(n), turns(n)]) }),
      newPartGroup("g2", { sets: 2, parts: [5, 6, 7].map(intervals) }),
      newPartGroup("g3", {
        isLinked: false,
        parts: [8, 9, 10, 11].flatMap((n) => [
          { ...plain(n), relativeStart: { startOf: "after-previous-ends" as const, timeFrom: 300 as const } },
          turns(n),
          intervals(n),
        ]),
      }),
    ],
  };
}

async function scheduled(startedAt: Instant) {
  const people = await makeUsers(3);
  const session = await makeSession(people, { now: NOW, startedAt, duration: 600, schedule: longSchedule() });
  const [host] = people;
  return { people, host, id: session.id, room: await roomOf(host, session.id) };
}

async function started() {
  const host = await makeUser();
  const { id } = await makeSession([host], { now: NOW, schedule: partsOf(60), duration: 600 });
  await (await roomOf(host, id)).change({ type: "start", by: actorOf(host) });
  return { host, id };
}

/** The debts to D1 on the room's disk. */
const debtsOf = (id: number) =>
  runInDurableObject(stubOf(id), (_, { storage }) => storage.sql.exec("SELECT what FROM debts").toArray());

/** The refunds of a session's chat blocks. */
const backOf = (id: number) =>
  db
    .select({ amount: schema.tokenEntries.amount, createdAt: schema.tokenEntries.createdAt })
    .from(schema.tokenEntries)
    .where(like(schema.tokenEntries.reference, `chat_return:chat:${id}:%`));

test("L-09 L-06 T-14 T-15 thirty parts driven by alarms alone, with an eviction between any two, end as in an unbroken run", async () => {
  const startedAt = plusSeconds(NOW, 120);
  const { id, room } = await scheduled(startedAt);
  await room.refresh();
  const before = (await room.view()).state;
  let rung = 0;
  for (let due = await alarmOf(id); due !== null; due = await alarmOf(id)) {
    at(due);
    expect(await runDurableObjectAlarm(stubOf(id))).toBe(true);
    await evictDurableObject(stubOf(id));
    expect(++rung).toBeLessThan(200);
  }
  const { state } = await room.view();
  const parts = partsInOrder(state.schedule);
  expect(parts).toHaveLength(30);
  expect(parts.every((part) => part.state === "finished")).toBe(true);
  expect(state.closedAt).toBe(state.endedAt);
  // The same run without evictions and without spectators.
  const unbroken = advanceRoom(before, instant(NOW + DAY)).state;
  expect(state.schedule).toEqual(unbroken.schedule);
  expect([state.startedAt, state.endedAt]).toEqual([unbroken.startedAt, unbroken.endedAt]);
  expect(await recordOf(id)).toMatchObject({ schedule: state.schedule, endedAt: state.endedAt });
}, 60_000);

test("L-09 one alarm a day late, in the middle of a run, ends in the same state", async () => {
  const { id, room } = await scheduled(plusSeconds(NOW, 120));
  await room.refresh();
  const before = (await room.view()).state;
  at(NOW + DAY);
  await runDurableObjectAlarm(stubOf(id));
  const { state } = await room.view();
  expect(state.schedule).toEqual(advanceRoom(before, instant(NOW + DAY)).state.schedule);
  await runDurableObjectAlarm(stubOf(id));
  expect((await room.view()).state).toEqual(state);
  expect(await alarmOf(id)).toBeNull();
});

test("L-09 T-15 the alarm rings once at each change of turn, and then at the session's end", async () => {
  const people = await makeUsers(3);
  const [host] = people;
  const part = newPart("p", { duration: seconds(20), isPerParticipant: true });
  const schedule = { groups: [newPartGroup("g", { parts: [part] })] };
  const { id } = await makeSession(people, { now: NOW, schedule, duration: 600 });
  await (await roomOf(host, id)).change({ type: "start", by: actorOf(host) });
  const rung = [];
  for (let due = await alarmOf(id); due !== null && rung.length < 9; due = await alarmOf(id)) {
    rung.push((due - NOW) / SECOND);
    at(due);
    await runDurableObjectAlarm(stubOf(id));
  }
  expect(rung).toEqual([20, 40, 60, 600]);
});

test("L-06 when the room dies after every step, nothing acknowledged is lost and timers continue", async () => {
  const [host, guest] = [await makeUser(), await makeUser()];
  const { id } = await makeSession([host, guest], {
    now: NOW,
    schedule: partsOf(60, 60, 60),
    duration: 600,
  });
  const by = actorOf(host);
  const steps: [number, RoomChange][] = [
    [0, { type: "set-ready", by: actorOf(guest), isReady: true }],
    [1, { type: "save-content", by, title: "Renamed", content: "# Hi", contentHtml: "<h1>Hi</h1>" }],
    [2, { type: "start", by }],
    [3, { type: "say", by, content: "one", nonce: "n1" }],
    [20, { type: "control-part", by, partId: "p1", action: "pause" }],
    [30, { type: "say", by: actorOf(guest), content: "two", nonce: "n2" }],
    [40, { type: "control-part", by, partId: "p1", action: "resume" }],
    [50, { type: "adjust-part", by, partId: "p2", seconds: 30 }],
    [100, { type: "set-ready", by, isReady: true }],
    [105, { type: "edit", by, facts: ["participantLimit"] }],
    [110, { type: "edit", by, prompt: "Why?", facts: ["difficulty"] }],
    [120, { type: "set-summary", summary: "Short." }],
    [130, { type: "complete", by: actorOf(guest) }],
    [140, { type: "control-part", by, partId: "p2", action: "finish" }],
    [150, { type: "end", by }],
  ];
  for (const [n, change] of steps) {
    at(NOW + n * SECOND);
    const changed = await (await roomOf(host, id)).change(change);
    await abortAllDurableObjects();
    const again = await (await roomOf(host, id)).view();
    expect(again.state).toEqual(changed.state);
    expect(again.messages).toEqual(changed.messages);
  }
  const { state, messages } = await (await roomOf(host, id)).view();
  expect(messages.map((message) => message.content)).toEqual(["one", "two"]);
  expect(await recordOf(id)).toMatchObject({
    title: "Renamed",
    prompt: "Why?",
    summary: "Short.",
    schedule: state.schedule,
    endedAt: NOW + 150 * SECOND,
    closedAt: NOW + 150 * SECOND,
  });
  const seats = await db.select().from(schema.participants).where(eq(schema.participants.sessionId, id));
  expect(seats.map((seat) => seat.completedAt)).toEqual([null, NOW + 130 * SECOND]);
});

test("L-05 L-06 the room continues while D1 does not answer, and D1 has everything once it does", async () => {
  const [host, guest] = [await makeUser(), await makeUser()];
  const { id } = await makeSession([host, guest], { now: NOW, schedule: partsOf(60, 60), duration: 600 });
  const room = await roomOf(host, id);
  await room.refresh();
  const broken = breakD1();
  const errors = vi.spyOn(console, "error").mockImplementation(() => {});
  const stub = stubOf(id);
  const change = (change: RoomChange) => stub.change(id, change);
  expect(await change({ type: "start", by: actorOf(host) })).toMatchObject({ ok: true });
  expect(await alarmOf(id)).toBe(NOW + 5 * SECOND);
  at(NOW + 10 * SECOND);
  expect(
    await change({ type: "control-part", by: actorOf(host), partId: "p1", action: "pause" }),
  ).toMatchObject({
    ok: true,
  });
  await runDurableObjectAlarm(stub);
  await runDurableObjectAlarm(stub);
  expect(errors).toHaveBeenCalled();
  const wait = ((await alarmOf(id)) ?? 0) - (NOW + 10 * SECOND);
  expect(wait).toBeGreaterThan(5 * SECOND);
  expect(wait).toBeLessThanOrEqual(5 * MINUTE);
  broken.mockRestore();
  expect((await recordOf(id)).startedAt).toBeNull();
  await abortAllDurableObjects();
  await runDurableObjectAlarm(stubOf(id));
  const { state } = await (await roomOf(host, id)).view();
  expect(await recordOf(id)).toMatchObject({ startedAt: NOW, schedule: state.schedule });
});

test("C2 L-06 a restarted room owes nothing, and does not write D1 again", async () => {
  const { host, id } = await started();
  await (await roomOf(host, id)).change(controlOf(host, "pause"));
  const written = await recordOf(id);
  expect(firstPartOf(written)).toBe("paused");
  await (await roomOf(host, id)).change({ type: "say", by: actorOf(host), content: "Later", nonce: "later" });
  at(NOW + SECOND);
  await abortAllDurableObjects();
  await (await roomOf(host, id)).refresh();
  expect(await recordOf(id)).toEqual(written);
  await (await roomOf(host, id)).change(controlOf(host, "resume"));
  expect(firstPartOf(await recordOf(id))).toBe("running");
});

test.each([
  ["before D1 has its change", false],
  ["before it hears that D1 has its change", true],
])(
  "L-05 L-06 a room that dies %s owes it by a row, and its alarm pays with nobody there",
  async (_, hasIt) => {
    const { host, id } = await started();
    expect(await debtsOf(id)).toEqual([]);
    const proto = Object.getPrototypeOf(env.DB) as D1Database;
    const { withSession } = proto;
    let isAsked = false;
    const silent = vi.spyOn(proto, "withSession").mockImplementation(function (this: D1Database, mark) {
      const session = withSession.call(this, mark as string);
      vi.spyOn(session, "batch").mockImplementation(async (statements) => {
        if (hasIt) await this.batch(statements);
        isAsked = true;
        return new Promise(() => {});
      });
      return session;
    });
    void stubOf(id)
      .change(id, controlOf(host, "pause"))
      .catch(() => {});
    await vi.waitFor(() => expect(isAsked).toBe(true));
    expect(await debtsOf(id)).toEqual([{ what: "parts" }]);
    silent.mockRestore();
    const before = await recordOf(id);
    expect(firstPartOf(before)).toBe(hasIt ? "paused" : "running");
    await abortAllDurableObjects();
    const due = (await alarmOf(id)) ?? Number.POSITIVE_INFINITY;
    expect(due).toBeLessThan(NOW + 6 * SECOND);
    at(due);
    expect(await runDurableObjectAlarm(stubOf(id))).toBe(true);
    const after = await recordOf(id);
    expect(firstPartOf(after)).toBe("paused");
    if (hasIt) expect(after).toEqual(before);
    expect(await debtsOf(id)).toEqual([]);
  },
);

test("L-07 L-06 after a restart, a client that missed the start learns that the ready marks are cleared", async () => {
  const [host, guest] = [await makeUser(), await makeUser()];
  const { id } = await makeSession([host, guest], { now: NOW, schedule: partsOf(60), duration: 600 });
  const room = await roomOf(host, id);
  const ready = await room.change({ type: "set-ready", by: actorOf(guest), isReady: true });
  await room.change({ type: "start", by: actorOf(host) });
  await abortAllDurableObjects();
  const line = await joinRoom(host, id, ready.state.seq);
  const { participants } = await line.expect("welcome");
  expect(participants).toMatchObject([{ username: guest.username, is_ready: 0 }]);
});

test.each([
  ["", 0],
  [" after it has the run", 1],
])(
  "B-13 S-07 when D1 fails at the session's end%s, the room settles later, and only once",
  async (_, answered) => {
    const host = await makeUser();
    const [activity] = await db
      .insert(schema.activities)
      .values({
        slug: `walk-${crypto.randomUUID()}`,
        title: "Walk",
        ownerId: host.id,
        schedule: { groups: [] },
        duration: seconds(600),
        openSessionsCount: 2,
        createdAt: NOW,
        updatedAt: NOW,
      } as typeof schema.activities.$inferInsert)
      .returning();
    if (!activity) throw new Error("no activity");
    const { id } = await makeSession([host], { now: NOW, schedule: partsOf(60), duration: 600 });
    await setSession(id, { activityId: activity.id });
    const room = await roomOf(host, id);
    await room.change({ type: "start", by: actorOf(host) });
    await room.change({ type: "say", by: actorOf(host), content: "Hello", nonce: "n" });
    const broken = breakD1(answered);
    vi.spyOn(console, "error").mockImplementation(() => {});
    expect(await stubOf(id).change(id, { type: "end", by: actorOf(host) })).toMatchObject({ ok: true });
    broken.mockRestore();
    expect((await recordOf(id)).closedAt).toBeNull();
    await runDurableObjectAlarm(stubOf(id));
    for (let i = 0; i < 3; i++) {
      await (await roomOf(host, id)).refresh();
      await abortAllDurableObjects();
    }
    expect(await recordOf(id)).toMatchObject({ closedAt: NOW, endedAt: NOW });
    const [counted] = await db.select().from(schema.activities).where(eq(schema.activities.id, activity.id));
    expect(counted?.openSessionsCount).toBe(1);
    expect(await backOf(id)).toEqual([{ amount: 99, createdAt: NOW }]);
    expect(await alarmOf(id)).toBeNull();
  },
);

test("L-05 the plan in D1 is valid until the start, even if the room got no notice of it", async () => {
  const host = await makeUser();
  const startedAt = plusSeconds(NOW, 300);
  const { id } = await makeSession([host], { now: NOW, startedAt, schedule: partsOf(60), duration: 600 });
  const room = await roomOf(host, id);
  await room.refresh();
  const later = plusSeconds(startedAt, 600);
  await setSession(id, { startedAt: later, endedAt: plusSeconds(later, 600) });
  at(startedAt);
  await runDurableObjectAlarm(stubOf(id));
  expect((await room.view()).state).toMatchObject({ startedAt: later, runBegunAt: null });
  expect(await alarmOf(id)).toBe(later);
});

test("L-05 the room reads missed changes before it starts, and refreshes may repeat in any order", async () => {
  const [host, guest] = [await makeUser(), await makeUser()];
  const { id } = await makeSession([host, guest], { now: NOW, schedule: partsOf(60), duration: 600 });
  const room = await roomOf(host, id);
  await Promise.all([room.refresh(), room.refresh(), room.view(), room.refresh()]);
  const { seq } = (await room.view()).state;
  await room.refresh();
  expect((await room.view()).state.seq).toBe(seq);
  await setSession(id, { schedule: partsOf(90, 90) });
  const { state } = await room.change({ type: "start", by: actorOf(host) });
  expect(partsInOrder(state.schedule).map((part) => part.duration)).toEqual([90, 90]);
  // From here on only the room writes the run.
  await setSession(id, { schedule: partsOf(10) });
  await room.refresh();
  expect((await room.view()).state.schedule).toEqual(state.schedule);
});

test("S-07 B-14 a session cancelled in D1 is over in the room, and its alarm never rings", async () => {
  const host = await makeUser();
  const startedAt = plusSeconds(NOW, 300);
  const { id } = await makeSession([host], { now: NOW, startedAt, schedule: partsOf(60), duration: 600 });
  const room = await roomOf(host, id);
  await room.refresh();
  await setSession(id, { startedAt: NOW, endedAt: NOW, closedAt: NOW });
  await room.refresh();
  expect((await room.view()).state).toMatchObject({ hasEnded: true, closedAt: NOW, runBegunAt: null });
  expect(await alarmOf(id)).toBeNull();
});

test("X-02 neither a missing nor a deleted session leaves storage behind", async () => {
  const host = await makeUser();
  const tables = (id: number) =>
    runInDurableObject(stubOf(id), (_, state) =>
      state.storage.sql
        .exec("SELECT name FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\'")
        .toArray(),
    );
  const missing = await roomOf(host, 987_654);
  await expect(missing.view()).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(await tables(987_654)).toEqual([]);

  const { id } = await makeSession([host], { now: NOW, schedule: partsOf(60), duration: 600 });
  const room = await roomOf(host, id);
  await room.change({ type: "start", by: actorOf(host) });
  await room.change({ type: "say", by: actorOf(host), content: "Hello", nonce: "n" });
  const line = await joinRoom(host, id);
  await db.delete(schema.sessions).where(eq(schema.sessions.id, id));
  await expect(room.refresh()).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect((await line.closed).code).toBe(4404);
  expect(await tables(id)).toEqual([]);
  expect(await alarmOf(id)).toBeNull();
  expect(await backOf(id)).toEqual([{ amount: 99, createdAt: NOW }]);

  // Deleted while the room was dead: that D1 has no such session is an answer, not a failure.
  const other = await makeSession([host], { now: NOW, schedule: partsOf(60), duration: 600 });
  await (await roomOf(host, other.id)).change({ type: "start", by: actorOf(host) });
  await abortAllDurableObjects();
  await db.delete(schema.sessions).where(eq(schema.sessions.id, other.id));
  const errors = vi.spyOn(console, "error").mockImplementation(() => {});
  await expect((await roomOf(host, other.id)).view()).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(errors).not.toHaveBeenCalled();
});

test("X-02 a room that has erased itself announces no departure of the sockets that it closed", async () => {
  const host = await makeUser();
  const { id } = await makeSession([host], { now: NOW, schedule: partsOf(60), duration: 600 });
  const line = await joinRoom(host, id);
  await db.delete(schema.sessions).where(eq(schema.sessions.id, id));
  await runInDurableObject(stubOf(id), async (room) => {
    const waiting: (() => void)[] = [];
    vi.spyOn(globalThis, "setTimeout").mockImplementation(((work: () => void) =>
      waiting.push(work)) as never);
    expect(await room.refresh(id)).toMatchObject({ ok: false, code: "NOT_FOUND" });
    expect(waiting).toHaveLength(1);
    for (const announce of waiting) announce();
  });
  expect((await line.closed).code).toBe(4404);
});

test("L-05 a room that lost its storage continues from its copy in D1", async () => {
  const host = await makeUser();
  const { id } = await makeSession([host], { now: NOW, schedule: partsOf(60, 60), duration: 600 });
  const room = await roomOf(host, id);
  await room.change({ type: "start", by: actorOf(host) });
  await room.change({ type: "say", by: actorOf(host), content: "Hello", nonce: "n" });
  const before: RoomState = (await room.view()).state;
  await runInDurableObject(stubOf(id), (_, state) => state.storage.deleteAll());
  await abortAllDurableObjects();
  at(NOW + 70 * SECOND);
  const again = await (await roomOf(host, id)).view();
  expect(again.state.startedAt).toBe(before.startedAt);
  expect(partsInOrder(again.state.schedule).map((part) => part.state)).toEqual(["finished", "running"]);
});

test("L-06 after a restart the room reads D1 once, for a seat taken or freed during the crash", async () => {
  const [host, leaver, late] = await makeUsers(3);
  const { id } = await makeSession([host, leaver], { now: NOW, schedule: partsOf(60, 60), duration: 600 });
  const room = await roomOf(host, id);
  await room.change({ type: "start", by: actorOf(host) });
  const names = async () => (await room.view()).state.participants.map(({ username }) => username);
  expect(await names()).toEqual([host.username, leaver.username]);
  // Both batches were committed, and the process died before it notified the room.
  await db.delete(schema.participants).where(eq(schema.participants.userId, leaver.id));
  await putSeat(id, late, plusSeconds(NOW, 10));
  expect(await names()).toEqual([host.username, leaver.username]);
  await abortAllDurableObjects();
  const reads = vi.spyOn(Object.getPrototypeOf(env.DB) as D1Database, "withSession");
  expect(await names()).toEqual([host.username, late.username]);
  expect(reads).toHaveBeenCalled();
  reads.mockClear();
  expect(await names()).toEqual([host.username, late.username]);
  expect(reads).not.toHaveBeenCalled();
  // A room that hibernated with open sockets reads nothing: joins and leaves notified it.
  await joinRoom(host, id);
  reads.mockClear();
  await evictDurableObject(stubOf(id));
  expect(await names()).toEqual([host.username, late.username]);
  expect(reads).not.toHaveBeenCalled();
});

test("L-06 after a restart without D1 the room continues with its own storage, and reads D1 as soon as it answers", async () => {
  const [host, leaver] = [await makeUser(), await makeUser()];
  const { id } = await makeSession([host, leaver], { now: NOW, schedule: partsOf(60, 60), duration: 600 });
  const room = await roomOf(host, id);
  await room.change({ type: "start", by: actorOf(host) });
  await db.delete(schema.participants).where(eq(schema.participants.userId, leaver.id));
  await abortAllDurableObjects();
  const broken = breakD1();
  vi.spyOn(console, "error").mockImplementation(() => {});
  expect((await room.view()).state.participants).toHaveLength(2);
  broken.mockRestore();
  expect((await room.view()).state.participants).toHaveLength(1);
});
