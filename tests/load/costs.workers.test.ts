// The cost of actions in rows, nearly the whole bill of a hosted Bothy: counted by the real D1 and rooms, at list
// prices. Index rows count too, as on the bill.
import {
  createExecutionContext,
  evictDurableObject,
  runInDurableObject,
  waitOnExecutionContext,
} from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { connect, runBatch, schema } from "#db/connect.server";
import { insertConfirmation } from "#db/queries/accounts/confirmations";
import { recordEvent } from "#db/queries/notices/events";
import { callAs, dataOf, ORIGIN } from "#tests/support/ask";
import { makeUser, makeUsers, type TestUser, testApp } from "#tests/support/factories";
import { makeGoal } from "#tests/support/goals";
import { spineApp } from "#tests/support/notices";
import { pages } from "#tests/support/pages";
import { joinRoom, seatCrowd, stubOf } from "#tests/support/rooms";
import { makeActivity, makeHut, makeSession, seatsOf, setSession } from "#tests/support/sessions";
import { post, visit } from "#tests/support/visit";
import { wrappedD1 } from "#tests/support/wrapped-d1";
import type { AttemptCounter } from "#workers/attempts/attempt-counter";
import { createHttp } from "#workers/http";
import { bytesOf } from "~/domain/row-size";
import { HOUR, instant } from "~/domain/time";
import { newConfirmation } from "~/use-cases/accounts/confirmations.server";
import { deliver } from "~/use-cases/deliveries.server";
import { fanOut, newEvent } from "~/use-cases/notices/events.server";
import { calendarSite } from "~/use-cases/sessions/calendar-site.server";

/** Dollars per million at the list prices of the paid plan. Twenty incoming socket messages count as one request. */
const PRICE = { d1Written: 1, d1Read: 0.001, roomWritten: 1, roomRequest: 0.15, request: 0.3 };
const dollars = (millionths: number): number => millionths / 1e6;
const d1Of = ({ written, read }: Bill): number => written * PRICE.d1Written + read * PRICE.d1Read;

/**
 * The most D1 rows and room rows of each action, and how often it moves the room's alarm, which is billed as a row. A
 * paid action also writes its entry, the entry's reference and its lot.
 */
const MOST: Record<string, [number, number, number?]> = {
  join: [7, 0],
  // A mark that changes nothing: the room hears of the seat by its first act.
  firstAct: [0, 1],
  ready: [0, 1],
  // Including the cause of the notices, because a participant has no socket. The session moves in each of its lists. In
  // the room: the run, the mark that it clears, and the debts until D1 has answered, which the alarm covers.
  start: [7, 6, 2],
  pause: [1, 3, 2],
  // The block's entry is also in the index that finds a reserve (B-13).
  firstLine: [4, 2],
  line: [0, 1],
  quickLog: [8, 0],
  // The number of migrations is a further room row.
  makeSession: [12, 5],
  confirm: [2, 0],
  editPost: [1, 0],
  removePost: [1, 0],
  // Including the row of the audit.
  moderatePost: [2, 0],
  editLine: [0, 2],
  // The line and the row of its change.
  removeLine: [1, 2],
  // A block in a room that neither user is in.
  block: [2, 0],
  mute: [3, 1],
  liftMute: [2, 1],
  ban: [3, 0],
  report: [3, 0],
  home: [0, 0],
  sessionPage: [0, 0],
};
const PRINTS = env.BENCH_PRINTS === "1";

/** `room` and `roomRead` are rows of the room's own storage, written and read; `alarms`: how often an alarm was moved. */
type Bill = {
  trips: number;
  changed: number;
  written: number;
  read: number;
  room: number;
  roomRead: number;
  alarms: number;
};
const bill: Bill = { trips: 0, changed: 0, written: 0, read: 0, room: 0, roomRead: 0, alarms: 0 };
const cursors: SqlStorageCursor<never>[] = [];

type Metered = { results?: unknown[]; meta: D1Meta };
function note(results: Metered[]): void {
  bill.trips++;
  for (const { meta } of results) {
    bill.written += meta.rows_written;
    bill.read += meta.rows_read;
    bill.changed += meta.changes;
  }
}

beforeAll(async () => {
  const host = await makeUser();
  const { id } = await makeSession(host);
  await callAs(host, "POST", `/challenge-events/${id}/start`, {});
  await runInDurableObject(stubOf(id), (_, { storage }) => {
    const sql = Object.getPrototypeOf(storage.sql) as SqlStorage;
    const { exec } = sql;
    sql.exec = function (this: SqlStorage, ...asked: Parameters<typeof exec>) {
      const cursor = exec.apply(this, asked);
      cursors.push(cursor as never);
      return cursor;
    } as typeof exec;
    const kept = Object.getPrototypeOf(storage) as DurableObjectStorage;
    for (const move of ["setAlarm", "deleteAlarm"] as const) {
      const moved = kept[move] as (...asked: unknown[]) => Promise<void>;
      kept[move] = function (this: DurableObjectStorage, ...asked: unknown[]) {
        bill.alarms++;
        return moved.apply(this, asked);
      };
    }
  });
});
afterEach(() => vi.restoreAllMocks());

/** Starts counting for D1 and all rooms. */
function count(): void {
  Object.assign(bill, { trips: 0, changed: 0, written: 0, read: 0, alarms: 0 });
  cursors.length = 0;
  const proto = Object.getPrototypeOf(env.DB) as D1Database;
  const { withSession } = proto;
  vi.spyOn(proto, "withSession").mockImplementation(function (this: D1Database, mark) {
    const session = withSession.call(this, mark as string);
    return wrappedD1(session as unknown as D1Database, {
      one: async (statement, asked) => {
        const all = (await statement.all()) as D1Result<Record<string, unknown>>;
        note([all]);
        if (asked === "raw") return all.results.map((row) => Object.values(row));
        return asked === "first" ? (all.results[0] ?? null) : all;
      },
      batch: async (_, ask) => {
        const results = await ask();
        note(results);
        return results;
      },
    }) as unknown as D1DatabaseSession;
  });
}
function counted(): Bill {
  vi.restoreAllMocks();
  const sum = (of: "rowsWritten" | "rowsRead") => cursors.reduce((total, cursor) => total + cursor[of], 0);
  return { ...bill, room: sum("rowsWritten"), roomRead: sum("rowsRead") };
}
/** The secret of a link that confirms this user's email. */
async function confirmationOf({ id, email, username }: TestUser): Promise<string> {
  const app = await testApp({ now: instant(Date.now()) });
  const { record, send } = await newConfirmation(app, { email, username });
  await insertConfirmation(app.db, { ...record, userId: id });
  await send();
  const mail = await env.DB.prepare("SELECT text FROM mailbox WHERE recipient = ?")
    .bind(email)
    .first<{ text: string }>();
  return /token=([\w-]+)/.exec(mail?.text ?? "")?.[1] ?? "";
}
async function costOf(work: () => Promise<{ status: number }>): Promise<Bill> {
  count();
  const { status } = await work();
  const cost = counted();
  expect(status).toBeLessThan(300);
  return cost;
}

test("C2 each action writes at most its rows", async () => {
  const host = await makeUser();
  const guest = await makeUser();
  const goal = await makeGoal(host);
  const session = await makeSession(host, {
    parts: [{ uuid: "g", parts: [{ uuid: "a", title: "A", duration: 600 }] }],
  });
  const of = (user: TestUser, method: string, path: string, body: object = {}) =>
    costOf(() =>
      callAs(user, method, path, method === "DELETE" && Object.keys(body).length === 0 ? undefined : body),
    );
  const event = `/challenge-events/${session.id}`;
  const said = await callAs(host, "POST", `/challenges/${session.slug}/posts`, {
    item: { content: "Words" },
  });
  const postId = said.body.post.id;
  const stranger = await makeUser();
  const guestPost = async () =>
    (await callAs(guest, "POST", `/challenges/${session.slug}/posts`, { item: { content: "Words" } })).body
      .post.id;
  const lastLine = async () => (await dataOf(guest, `/api/sessions/${session.id}/chat`)).messages.at(-1).seq;
  const token = await confirmationOf(await makeUser({ isConfirmed: false }));
  const costs = {
    join: await of(guest, "POST", `${event}/join`),
    firstAct: await of(guest, "POST", `/challenges/${session.slug}/user-is-ready`, { is_ready: 0 }),
    ready: await of(guest, "POST", `/challenges/${session.slug}/user-is-ready`, { is_ready: 1 }),
    start: await of(host, "POST", `${event}/start`),
    pause: await of(host, "POST", `${event}/parts/a/pause`),
    firstLine: await of(guest, "POST", "/messages", {
      messageable_type: "challenge_event",
      messageable_id: session.id,
      content: "Hello",
    }),
    line: await of(guest, "POST", "/messages", {
      messageable_type: "challenge_event",
      messageable_id: session.id,
      content: "Hello again",
    }),
    editPost: await of(host, "PATCH", `/api/posts/${postId}`, { content: "Other words" }),
    removePost: await of(host, "DELETE", `/api/posts/${postId}`),
    editLine: await of(guest, "PATCH", `/api/sessions/${session.id}/messages/${await lastLine()}`, {
      content: "Other words",
    }),
    removeLine: await of(host, "DELETE", `/api/sessions/${session.id}/messages/${await lastLine()}`),
    moderatePost: await of(host, "DELETE", `/api/posts/${await guestPost()}`),
    mute: await of(host, "PATCH", `${event}/participants/${guest.username}`, { mute: 300 }),
    liftMute: await of(host, "PATCH", `${event}/participants/${guest.username}`, { mute: 0 }),
    ban: await of(host, "DELETE", `${event}/participants/${stranger.username}`, { keep_out: 1 }),
    quickLog: await of(host, "POST", "/api/logs/store-quick-log", { goal_id: goal.id }),
    makeSession: await of(host, "POST", "/challenge-events", {
      challenge: { title: "Another", is_manually_started: 1, duration: 600 },
    }),
    confirm: await costOf(() => post(null, "/account/confirm-email", { intent: "confirm", token })),
    report: await of(host, "POST", "/api/reports", {
      kind: "person",
      id: guest.username,
      reason: "spam",
    }),
    block: await of(await makeUser(), "PUT", `/api/blocks/${(await makeUser()).username}`),
    home: await costOf(() => visit(host, "/")),
    sessionPage: await costOf(() => visit(guest, `/sessions/${session.id}`)),
  };
  const rows = Object.fromEntries(
    Object.entries(costs).map(([action, { changed, written, room, alarms }]) => [
      action,
      { changed, written, room, alarms },
    ]),
  );
  if (PRINTS) console.log(JSON.stringify(rows));
  for (const [action, [written, room, alarms = 0]] of Object.entries(MOST)) {
    expect(rows[action]?.written, `D1 rows of ${action}`).toBeLessThanOrEqual(written);
    expect(rows[action]?.room, `room rows of ${action}`).toBeLessThanOrEqual(room);
    expect(rows[action]?.alarms, `alarms of ${action}`).toBeLessThanOrEqual(alarms);
  }
});

test("C2 H-20 a guest who sits down costs at most 20 rows and none in the room", async () => {
  const host = await makeUser({ tokens: 5000 });
  const { id, path } = await makeSession(host);
  await setSession(id, { guestLimit: 5 });
  const cost = await costOf(async () => {
    const { headers } = await post(null, path, { intent: "sit-in", name: "Wilma" });
    return { status: headers.getSetCookie().some((one) => one.startsWith("login=")) ? 200 : 500 };
  });
  if (PRINTS) console.log(JSON.stringify(cost));
  expect([cost.written <= 20, cost.room]).toEqual([true, 0]);
});

test("G-18 G-20 a waiter costs 2 rows and a promotion at most 9, on top of the leave that frees the seat", async () => {
  const [host, guest, next] = await makeUsers(3);
  const { id } = await makeSession(host, { participant_limit: 2 });
  const event = `/challenge-events/${id}`;
  const act = (user: TestUser, method: string, path: string) => costOf(() => callAs(user, method, path, {}));
  await callAs(guest, "POST", `${event}/join`, {});
  const plain = await act(guest, "POST", `/api${event}/leave`);
  await callAs(guest, "POST", `${event}/join`, {});
  const waiter = await act(next, "POST", `${event}/wait`);
  const again = await act(next, "POST", `${event}/wait`);
  const passed = await act(guest, "POST", `/api${event}/leave`);
  expect((await seatsOf(id)).map(({ userId }) => userId)).toContain(next.id);
  expect([waiter.written, again.written]).toEqual([2, 0]);
  expect(passed.written - plain.written).toBeLessThanOrEqual(9);
});

test("N-01 N-05 a cause writes 2 rows, a notice 2, a delivery at most 5, and reminders add none to a seat", async () => {
  const host = await makeUser();
  const { id } = await makeSession(host);
  await seatCrowd(id, 100);
  const { app } = await spineApp(instant(Date.now()));
  const rowsOf = async (work: () => Promise<unknown>) => {
    count();
    await work();
    return counted().written;
  };
  const db = () => connect(env.DB.withSession());
  const outcome = (to: number[]) =>
    newEvent(app, { kind: "hut-deleted", subject: "hut:1", body: { title: "Hut", to } });
  // Without a recipient.
  expect(await rowsOf(() => runBatch(db(), [recordEvent(db(), outcome([]))]))).toBe(0);
  const single = outcome([host.id]);
  const recorded = await rowsOf(() => runBatch(db(), [recordEvent(db(), single)]));
  const served = await rowsOf(() => fanOut({ ...app, db: db() }, single.id));
  // The event and its deletion; the notice and its counter.
  expect([recorded, served]).toEqual([1, 3]);
  const startedAt = instant(Date.now() + HOUR);
  const body = { title: "A", path: "/a", startedAt };
  const many = newEvent(app, { kind: "session-moved", subject: `session:${id}`, body });
  await runBatch(app.db, [recordEvent(app.db, many)]);
  await app.db.update(schema.users).set({ emailConfirmedAt: app.now });
  await setSession(id, { startedAt });
  let due: string[] = [];
  const fanned = await rowsOf(async () => {
    ({ due } = await fanOut({ ...app, db: db() }, many.id));
  });
  const sent = await rowsOf(() => deliver({ ...app, db: db() }, due));
  if (PRINTS) console.log(JSON.stringify({ recorded, served, fanned, sent, due: due.length }));
  expect(due.length).toBe(101);
  expect(fanned).toBe(1 + due.length * (2 + 2));
  expect(sent).toBeLessThanOrEqual(due.length * 3);
});

test("E-25 among 10,000 logs and notes an insert or delete writes as few rows as the first", async () => {
  const user = await makeUser();
  const goal = await makeGoal(user);
  const many = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)";
  await env.DB.batch([
    env.DB.prepare(
      `${many} INSERT INTO logs (id, uuid, goal_id, user_id, username, status, amount, day, created_at, updated_at) SELECT i, 'many-' || i, ?, ?, 'm', 2, 1000, '2026-11-21', 1, 1 FROM n`,
    ).bind(goal.id, user.id),
    env.DB.prepare(
      `${many} INSERT INTO notes (id, user_id, goal_id, title, created_at, updated_at) SELECT i, ?, ?, 'n', 1, 1 FROM n`,
    ).bind(user.id, goal.id),
    env.DB.prepare("UPDATE goals SET amount_elapsed = 10000000, logs_count = 10000 WHERE id = ?").bind(
      goal.id,
    ),
  ]);
  const ofUser = async (which: "min" | "max", table: "logs" | "notes") =>
    (
      await env.DB.prepare(`SELECT ${which}(id) AS id FROM ${table} WHERE user_id = ?`)
        .bind(user.id)
        .first<{ id: number }>()
    )?.id;
  // A form without JavaScript is answered by a redirect.
  const asked = ({ status }: { status: number }) => ({ status: status === 302 ? 200 : status });
  const deleted = async (what: "log" | "note", which: "min" | "max") => {
    const id = String(await ofUser(which, `${what}s`));
    return costOf(async () =>
      asked(await post(user, `/my/${what}s`, { intent: `${what}.delete`, [what]: id })),
    );
  };
  const costs = {
    createNote: await costOf(() => callAs(user, "POST", "/api/notes", { title: "New", goal_id: goal.id })),
    deleteNote: await deleted("note", "max"),
    deleteOldestNote: await deleted("note", "min"),
    createLog: await costOf(() => callAs(user, "POST", "/api/logs/store-quick-log", { goal_id: goal.id })),
    deleteLog: await deleted("log", "max"),
    deleteOldestLog: await deleted("log", "min"),
  };
  const written = Object.fromEntries(Object.entries(costs).map(([name, bill]) => [name, bill.written]));
  if (PRINTS) console.log(JSON.stringify(written));
  // The row, its uuid, its place at the goal, and the words of a text in the index; a log also moves its goal and its day. An insert pays with three rows,
  // and a log that is taken back soon returns them.
  expect(written).toEqual({
    createNote: 7,
    deleteNote: 2,
    deleteOldestNote: 1,
    createLog: 8,
    deleteLog: 6,
    deleteOldestLog: 3,
  });
});

test("D2 a page queries the database once, and once more for the login", async () => {
  const user = await makeUser();
  const { id } = await makeSession(user);
  const activity = await makeActivity(user);
  const hut = await makeHut(user);
  const pages = [
    "/",
    "/events",
    "/activities",
    "/groups",
    `/sessions/${id}`,
    `/activities/${activity.slug}`,
    `/group/${hut.slug}`,
    `/group/${hut.slug}/sessions`,
    `/group/${hut.slug}/activities`,
    "/pricing",
    "/my/goals",
    "/my/logs",
    "/tokens",
  ];
  const trips: Record<string, [number, number]> = {};
  for (const page of pages) {
    const { trips: visitors } = await costOf(() => visit(null, page));
    const { trips: own } = await costOf(() => visit(user, page));
    trips[page] = [visitors, own];
    expect(visitors, `${page} of a visitor`).toBeLessThanOrEqual(1);
    expect(own, `${page} signed in`).toBeLessThanOrEqual(2);
  }
  if (PRINTS) console.log(JSON.stringify(trips));
});

test("L-03 R-26 E-22 among 10,000 people a welcome and the roster's pages read and send bounded amounts", async () => {
  const host = await makeUser();
  const guest = await makeUser();
  const session = await makeSession(host);
  await callAs(guest, "POST", `/challenge-events/${session.id}/join`, {});
  await seatCrowd(session.id, 9998);
  const welcome = async () => {
    count();
    const line = await joinRoom(guest, session.id);
    const { read, written, room, roomRead } = counted();
    const bytes = bytesOf(JSON.stringify(await line.expect("welcome")));
    line.socket.close();
    await line.closed;
    return { bytes, read, written, room, roomRead };
  };
  const page = async (path: string) => {
    count();
    const { status, html } = await visit(guest, path);
    const { read, written, room, roomRead } = counted();
    expect(status, path).toBe(200);
    return { bytes: bytesOf(html), read, written, room, roomRead };
  };
  await callAs(host, "POST", `/challenge-events/${session.id}/start`, {});
  // The first page waits for the build of the pages, during which the room falls asleep.
  await visit(guest, `/sessions/${session.id}`);
  const costs: Record<string, Awaited<ReturnType<typeof welcome>>> = {
    welcome: await welcome(),
    page: await page(`/sessions/${session.id}`),
    memberGoals: await page(`/sessions/${session.id}/member-goals`),
  };
  await evictDurableObject(stubOf(session.id));
  costs.welcomeOfAColdRoom = await welcome();
  if (PRINTS) console.log(JSON.stringify(costs));
  const most: typeof costs = {
    // An arrival writes one room row (G-24).
    welcome: { bytes: 20_000, read: 10, written: 0, room: 1, roomRead: 10 },
    // The page shows 500 people, twice: as HTML and as data for the browser.
    page: { bytes: 650_000, read: 20, written: 0, room: 0, roomRead: 10 },
    memberGoals: { bytes: 130_000, read: 60, written: 0, room: 0, roomRead: 10 },
    // The room's own rows and D1's rows, one per person each.
    welcomeOfAColdRoom: { bytes: 20_000, read: 10_020, written: 0, room: 1, roomRead: 10_020 },
  };
  for (const [action, ceiling] of Object.entries(most))
    for (const [of, limit] of Object.entries(ceiling))
      expect(costs[action]?.[of as keyof typeof ceiling], `${of} of ${action}`).toBeLessThanOrEqual(limit);
}, 90_000);

const limited = createHttp(pages);
/** Asks with rate limits on. Answers how many attempts were counted: each is a request and a row. */
async function attemptsOf(user: TestUser, method: string, path: string, body?: object): Promise<number> {
  let attempts = 0;
  const COUNTERS = {
    idFromName: (name: string) => env.COUNTERS.idFromName(name),
    get(id: DurableObjectId) {
      const counter = env.COUNTERS.get(id) as DurableObjectStub<AttemptCounter>;
      return {
        take(...asked: Parameters<AttemptCounter["take"]>) {
          attempts++;
          return counter.take(...asked);
        },
      };
    },
  };
  const context = createExecutionContext();
  const answer = await limited.fetch(
    new Request(ORIGIN + path, {
      method,
      redirect: "manual",
      headers: {
        Cookie: `XSRF-TOKEN=a-token-of-a-test-0123456789; login=${user.loginToken}`,
        Origin: ORIGIN,
        "X-XSRF-TOKEN": "a-token-of-a-test-0123456789",
        "Content-Type": "application/json",
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    }),
    { ...env, RATE_LIMITS: "on", COUNTERS },
    context,
  );
  await answer.text();
  await waitOnExecutionContext(context);
  expect(answer.status, path).toBeLessThan(300);
  return attempts;
}

test("C1 R-25 a seat, a log, a page and the host's commands count no attempt", async () => {
  const [host, guest] = [await makeUser(), await makeUser()];
  const goal = await makeGoal(host);
  const session = await makeSession(host, {
    parts: [{ uuid: "g", parts: [{ uuid: "a", title: "A", duration: 600 }] }],
  });
  const event = `/challenge-events/${session.id}`;
  const log = ["/api/logs/store-quick-log", { goal_id: goal.id }] as const;
  const costs = {
    join: await attemptsOf(guest, "POST", `${event}/join`, {}),
    page: await attemptsOf(guest, "GET", `/sessions/${session.id}`),
    start: await attemptsOf(host, "POST", `${event}/start`, {}),
    pause: await attemptsOf(host, "POST", `${event}/parts/a/pause`, {}),
    quickLog: await attemptsOf(host, "POST", ...log),
    end: await attemptsOf(host, "POST", `${event}/end`, {}),
  };
  if (PRINTS) console.log(JSON.stringify(costs));
  for (const [action, counted] of Object.entries(costs)) expect(counted, action).toBe(0);
  // The counters are on: a post counts.
  expect(
    await attemptsOf(host, "POST", `/challenges/${session.slug}/posts`, { item: { content: "W" } }),
  ).toBe(1);
});

/**
 * The events of a fifth of an hour, six a person: only lines, or lines and the typing before each. A page tells of
 * typing at most every other second, so a line comes with at least one such event.
 */
test.each([
  // A line is a row; besides, each person has a block and an arrival, and the room the date of the alarm.
  { events: "only lines", typings: 0, rounds: 6, rowsBeside: 1 + 1, most: 0.045 },
  // The first typing asks for the block that the first line pays with.
  { events: "lines and typing", typings: 1, rounds: 3, rowsBeside: 2 + 1, most: 0.033 },
])(
  "C1 1,000 participant-hours of $events cost at most $most dollars for rooms and 0.008 for pages",
  async ({ typings, rounds, rowsBeside, most }) => {
    const people: TestUser[] = [];
    for (let n = 0; n < 25; n++) people.push(await makeUser());
    const [host] = people as [TestUser];
    const parts = [1, 2, 3, 4].map((n) => ({ uuid: `p${n}`, title: `Part ${n}`, duration: 300 }));
    const session = await makeSession(host, { parts: [{ uuid: "g", parts }] });
    count();
    for (const person of people.slice(1))
      await callAs(person, "POST", `/challenge-events/${session.id}/join`, {});
    for (const person of people) await visit(person, `/sessions/${session.id}`);
    const joining = counted();
    await callAs(host, "POST", `/challenge-events/${session.id}/start`, {});
    count();
    const lines = await Promise.all(people.map((person) => joinRoom(person, session.id)));
    for (let round = 0; round < rounds; round++)
      for (const [n, line] of lines.entries()) {
        const nonce = `${n}-${round}`;
        for (let typed = 0; typed < typings; typed++) line.say({ type: "typing" });
        line.say({ type: "message", content: `Line ${round} of ${n}`, nonce });
        await line.expect("message", (heard) => heard.nonce === nonce);
      }
    const talking = counted();
    count();
    await callAs(host, "POST", `/challenge-events/${session.id}/end`, {});
    const ending = counted();
    for (const { socket } of lines) socket.close();

    // A thousand participant-hours are forty such rooms; each person reserves a chat block per hundred lines.
    const rooms = 40;
    const said = 5 * rounds * people.length;
    const sent = said * (1 + typings);
    const alarms = joining.alarms + talking.alarms + ending.alarms;
    const roomRows = joining.room + talking.room + (said - rounds * people.length) + ending.room + alarms;
    const room =
      roomRows * PRICE.roomWritten + (sent / 20) * PRICE.roomRequest + d1Of(talking) + d1Of(ending);
    const page = d1Of(joining) + 3 * people.length * PRICE.request;
    const cost = { rooms: dollars(rooms * room), pages: dollars(rooms * page) };
    if (PRINTS) console.log(JSON.stringify({ joining, talking, ending, cost }));
    expect(talking.room).toBeLessThanOrEqual((rounds + rowsBeside) * people.length + 2);
    // Each block closes, beside the rows of the run, its debt, the close and the copy.
    expect(ending.room).toBeLessThanOrEqual(people.length + 8);
    // Presence and attendance are 0.0006 of it, and arrivals 0.001 (G-24, G-26).
    expect(cost.rooms).toBeLessThan(most);
    expect(cost.pages).toBeLessThan(0.008);
  },
);

test("N-01 F-20 calendar mail adds a cause of 2 rows to a seat and a delivery of 5, and nothing when it is off", async () => {
  const [host, guest, off] = await makeUsers(3);
  const started_at = new Date(Date.now() + 24 * HOUR).toISOString();
  const dated = { is_manually_started: 0, started_at };
  const [first, second] = [await makeSession(host, dated), await makeSession(host, dated)];
  await callAs(off, "PATCH", "/account/notifications", {
    settings: [{ kind: "calendar", channel: "mail", value: 0 }],
  });
  const join = (user: TestUser, { id }: { id: number }) =>
    costOf(() => callAs(user, "POST", `/challenge-events/${id}/join`, {}));
  const plain = await join(off, first);
  await connect(env.DB).delete(schema.events);
  const invited = await join(guest, second);
  expect(plain.written).toBeLessThanOrEqual(7);
  expect(invited.written - plain.written).toBe(1);
  const { app } = await spineApp(instant(Date.now()));
  // An installation writes the name of its calendars once (F-07).
  await calendarSite(app, []);
  const [event] = await connect(env.DB).select().from(schema.events);
  const db = () => connect(env.DB.withSession());
  count();
  const { due } = await fanOut({ ...app, db: db() }, event?.id ?? "");
  await deliver({ ...app, db: db() }, due);
  // The event's deletion, and the delivery with its entry in the index, claim, version and mark.
  expect(counted().written).toBeLessThanOrEqual(1 + 5);
  expect(due).toHaveLength(1);
});
