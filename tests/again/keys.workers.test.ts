// The keys of repeatable calls: how long they live, whose they are, and what they store.
import { env } from "cloudflare:workers";
import { and, eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { connect, schema } from "#db/connect.server";
import { grantLotByEmail } from "#db/queries/tokens";
import { AppError } from "~/domain/errors";
import { DAY, instant, MINUTE } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import { withIdempotencyKey, withLock } from "~/use-cases/idempotency.server";
import { repeatableIds } from "~/use-cases/new-id.server";
import { callAs, dataOf, type Json } from "../support/ask";
import { appOf, db, makeUser, NOW, type TestUser } from "../support/factories";
import { failingD1 } from "../support/failing-d1";
import { makeGoal } from "../support/goals";
import { makeSeries } from "../support/series";
import { makeSession } from "../support/sessions";

const rowOf = (user: TestUser, key: string) =>
  and(eq(schema.repeatedRequests.userId, user.id), eq(schema.repeatedRequests.key, `key:${key}`));

let user: TestUser;
const note = (key: string, title = "A note") =>
  callAs(user, "POST", "/api/notes", { title }, { "Idempotency-Key": key });
beforeAll(async () => {
  user = await makeUser({ tokens: 50_000 });
});
/** An App of the user, and the end of its deferred work. */
async function deferring() {
  const works: Promise<unknown>[] = [];
  const app: App = { ...(await appOf(user)), defer: (work) => void works.push(work) };
  return { app, isDone: () => Promise.all(works) };
}

test("X-07 a join that arrives again after its leave has no second effect", async () => {
  const [host, guest] = [await makeUser({ tokens: 50_000 }), await makeUser({ tokens: 50_000 })];
  const { hut } = (await callAs(host, "POST", "/groups/store", { hut: { title: "Revolving hut" } })).body;
  const full = await makeSession(host, { participant_limit: 1 });
  const series = await makeSeries(host);
  for (const [join, path, leave, leavePath, isInside] of [
    [
      "POST",
      `/groups/${hut.slug}/join`,
      "DELETE",
      `/groups/${hut.slug}/leave`,
      async () => (await dataOf(guest, `/api/group/${hut.slug}`)).hut.is_joined === 1,
    ],
    [
      "POST",
      `/challenge-events/${full.id}/wait`,
      "DELETE",
      `/challenge-events/${full.id}/wait`,
      async () => (await dataOf(guest, `/api/sessions/${full.id}`)).session.waiters_count === 1,
    ],
    [
      "PUT",
      `/api/series/${series}/standing-seat`,
      "DELETE",
      `/api/series/${series}/standing-seat`,
      async () => (await db.$count(schema.standingSeats, eq(schema.standingSeats.userId, guest.id))) === 1,
    ],
  ] as const) {
    const send = () => callAs(guest, join, path, {}, { "Idempotency-Key": path });
    const first = await send();
    expect([path, first.status, await isInside()]).toEqual([path, 200, true]);
    await callAs(guest, leave, leavePath);
    expect([path, (await send()).body, await isInside()]).toEqual([path, first.body, false]);
  }
});

test("R-50 a key used with one call is refused with another", async () => {
  await note("one-call");
  const other = await callAs(
    user,
    "POST",
    "/api/goals/store",
    { title: "A note" },
    { "Idempotency-Key": "one-call" },
  );
  expect(other.body.error_code).toBe("CONFLICT");
});

test("X-07 a key lives 24 hours, and afterwards repeats the work", async () => {
  const first = await note("a-day");
  // The answer is stored after it is sent; a repeat waits for that.
  expect((await note("a-day")).body).toEqual(first.body);
  const aged = (ms: number) =>
    db
      .update(schema.repeatedRequests)
      .set({ createdAt: instant(Date.now() - ms) })
      .where(rowOf(user, "a-day"));
  await aged(DAY - MINUTE);
  expect((await note("a-day")).body).toEqual(first.body);
  await aged(DAY + MINUTE);
  const next = await note("a-day", "Another body is free now");
  expect(next.status).toBe(201);
});

test("X-07 the ids drawn under a key are those of its first run, and a day later others", () => {
  const request = { userId: user.id, key: "key:ids", call: "POST /x" };
  const drawn = (at: number) => {
    const newId = repeatableIds(request, instant(at));
    return [newId(), newId()];
  };
  expect(drawn(NOW)).toEqual(drawn(NOW));
  expect(new Set([...drawn(NOW), ...drawn(NOW + DAY)]).size).toBe(4);
});

test("X-07 a client's keys never collide with our locks or the keys of bodies", async () => {
  const app = await appOf(user);
  const during = await withLock(app, user.id, "subscribe", () => note("own:subscribe"));
  expect(during.status).toBe(201);
  const pair = { client_uuid: "a", request_uuid: "b" };
  const byBody = await callAs(user, "POST", "/api/notes", { title: "By body", ...pair });
  const byHeader = await note('["a","b"]');
  expect(byHeader.body.id).not.toBe(byBody.body.id);
});

test("X-07 an answer over 1 MB is not stored, and a repeat reads it again from the inserted row", async () => {
  const { app, isDone } = await deferring();
  const request = { userId: user.id, key: "key:long", call: "POST /long", bodyHash: "" };
  const long = { status: 201, body: "x".repeat(1_000_001) };
  let runs = 0;
  const work = async (inner: typeof app) => {
    runs++;
    const [row] = await inner.db
      .insert(schema.persons)
      .values({ userId: user.id, username: "long-answer", createdAt: NOW })
      .returning({ id: schema.persons.id });
    return { ...long, body: `${row?.id} ${long.body}` };
  };
  const readAgain = async (_: typeof app, made: number | null) => ({
    ...long,
    body: `${made} ${long.body}`,
  });
  const first = await withIdempotencyKey(app, request, work, readAgain);
  await isDone();
  const again = await withIdempotencyKey(app, request, work, readAgain);
  expect(again).toEqual(first);
  // The key refuses the second run's insert.
  expect(runs).toBe(2);
  const [kept] = await db
    .select()
    .from(schema.repeatedRequests)
    .where(eq(schema.repeatedRequests.key, "key:long"));
  expect([kept?.status, kept?.answer]).toEqual([201, null]);
});

test("X-07 done work is answered when its answer cannot be stored, and a repeat reads it again", async () => {
  const { app, isDone } = await deferring();
  const request = { userId: user.id, key: "key:unstored", call: "POST /unstored", bodyHash: "" };
  const answerOf = (id: number | null) => ({ status: 201, body: String(id) });
  const work = async (inner: typeof app) => {
    const [row] = await inner.db
      .insert(schema.persons)
      .values({ userId: user.id, username: "unstored-answer", createdAt: NOW })
      .returning({ id: schema.persons.id });
    return answerOf(row?.id ?? null);
  };
  const readAgain = async (_: typeof app, made: number | null) => answerOf(made);
  // After a batch of four the answer is the fifth statement.
  const failing = failingD1(env.DB, { at: 5, when: "before" });
  const first = await withIdempotencyKey({ ...app, db: connect(failing.d1) }, request, work, readAgain);
  await isDone();
  expect(failing.counter.hasFailed).toBe(true);
  const later = { ...app, now: instant(app.now + MINUTE) };
  expect(await withIdempotencyKey(later, request, work, readAgain)).toEqual(first);
});

test("X-07 work that wrote nothing repeats its first answer, whatever it would find now", async () => {
  const { app } = await deferring();
  const request = { userId: user.id, key: "key:nothing", call: "POST /nothing", bodyHash: "" };
  let found = 0;
  const work = async () => ({ status: 200, body: String(++found) });
  const first = await withIdempotencyKey(app, request, work, work);
  expect(await withIdempotencyKey(app, request, work, work)).toEqual(first);
  const other = { ...request, bodyHash: "other" };
  await expect(withIdempotencyKey(app, other, work, work)).rejects.toThrow("another request");
});

test("X-07 a repeat whose work is refused by now gets its first answer", async () => {
  const { app } = await deferring();
  const request = { userId: user.id, key: "key:refused-now", call: "POST /refused-now", bodyHash: "" };
  let isFirst = true;
  const work = async (inner: typeof app) => {
    if (!isFirst) throw new AppError("NOT_FOUND");
    isFirst = false;
    await inner.db
      .insert(schema.persons)
      .values({ userId: user.id, username: "refused-now", createdAt: NOW });
    return { status: 201, body: "done" };
  };
  const first = await withIdempotencyKey(app, request, work, work);
  expect(await withIdempotencyKey(app, request, work, work)).toEqual(first);
});

test("X-07 a key that is read first keeps a repeat from the work", async () => {
  const { app } = await deferring();
  const request = { userId: user.id, key: "key:read-first", call: "POST /read-first", bodyHash: "" };
  let runs = 0;
  const work = async () => ({ status: 200, body: String(++runs) });
  await withIdempotencyKey(app, request, work, work, { asksFirst: true });
  await withIdempotencyKey(app, request, work, work, { asksFirst: true });
  expect(runs).toBe(1);
});

test("X-07 a refused run stores no key, so the request may be corrected", async () => {
  const poor = await makeUser({ tokens: 0 });
  const ask = () => callAs(poor, "POST", "/api/notes", { title: "A note" }, { "Idempotency-Key": "poor" });
  expect((await ask()).status).toBe(402);
  await db.batch([
    grantLotByEmail(db, poor.email, {
      kind: "welcome",
      granted: 100,
      reference: `more:${poor.id}`,
      createdAt: NOW,
    }),
  ]);
  expect((await ask()).status).toBe(201);
});

/** A thing with an uuid, and the place of its id in the answer. */
const TWINS: [string, (uuid: string) => Promise<[path: string, body: object]>, (body: Json) => number][] = [
  ["goal", async (uuid) => ["/api/goals/store", { title: "Twin", uuid }], ({ goal }) => goal.id],
  ["note", async (uuid) => ["/api/notes", { title: "Twin", uuid }], ({ id }) => id],
  [
    "log",
    async (uuid) => ["/api/logs/store-quick-log", { goal_id: (await makeGoal(user)).id, uuid }],
    ({ log }) => log.id,
  ],
  [
    "session",
    async (uuid) => [
      "/challenge-events",
      { challenge: { title: "Twin", is_manually_started: 1, duration: 600, uuid } },
    ],
    (body) => body.challenge_event.id,
  ],
  [
    "post",
    async (uuid) => [
      `/challenges/${(await makeSession(user)).slug}/posts`,
      { item: { content: "Twin", uuid } },
    ],
    ({ post }) => post.id,
  ],
  [
    "log in a session",
    async (uuid) => {
      const { id } = await makeSession(user);
      await callAs(user, "POST", `/challenge-events/${id}/start`, {});
      return [`/challenge-events/${id}/logs`, { title: "Twin", uuid }];
    },
    ({ log }) => log.id,
  ],
];

test.each(TWINS)(
  "X-07 one uuid sent twice at once, and later, is one %s and three successes",
  async (_, make, idOf) => {
    const [path, body] = await make(crypto.randomUUID());
    const answers = await Promise.all([1, 2].map(() => callAs(user, "POST", path, body)));
    answers.push(await callAs(user, "POST", path, body));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map((answer) => idOf(answer.body))).size).toBe(1);
  },
);
