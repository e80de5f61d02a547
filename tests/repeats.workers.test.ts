// Every repeatable call, sent again under its key: after a crash, during the first run, with another body, and a day
// later (X-07).
import { env } from "cloudflare:workers";
import { and, eq, sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { connect, schema } from "#db/connect.server";
import { grantLotByEmail } from "#db/queries/payments/tokens";
import { api } from "#workers/api";
import { DAY, instant, MINUTE } from "~/domain/time";
import { importBook } from "~/use-cases/items/books.server";
import { repeatableIds } from "~/use-cases/new-id.server";
import { alone, once } from "~/use-cases/repeat.server";
import { callAs } from "./support/ask";
import { appOf, makeUser, NOW, type TestUser } from "./support/factories";
import { failingD1 } from "./support/failing-d1";
import { makeActivity, makeSession } from "./support/sessions";

const db = connect(env.DB);
const CARD = { number: "4242 4242 4242 4242", exp_month: 12, exp_year: 2030, cvc: "123" };
const made = async (asked: ReturnType<typeof callAs>) => {
  const { status, body } = await asked;
  if (status >= 300) throw new Error(JSON.stringify(body));
  return body;
};

type RepeatedCall = { path: string; body: object; by?: TestUser };
type Make = (user: TestUser) => Promise<RepeatedCall>;

const goalOf = async (user: TestUser) =>
  (await made(callAs(user, "POST", "/api/goals/store", { title: "Read" }))).goal;
const logOf = async (user: TestUser, isRunning = false): Promise<number> => {
  const goal_id = (await goalOf(user)).id;
  const status = isRunning ? { status: 1 } : {};
  return (await made(callAs(user, "POST", "/api/logs/store-quick-log", { goal_id, duration: 60, ...status })))
    .log.id;
};
const PARTS = [{ uuid: "g", parts: [{ uuid: "a", title: "A", duration: 300 }] }];
const sessionOf = (user: TestUser, over = {}) => makeSession(user, { parts: PARTS, ...over });
const withTask = async (user: TestUser) => {
  const session = await sessionOf(user);
  const body = { type: "task", uuid: crypto.randomUUID(), title: "Write" };
  await made(callAs(user, "POST", `/challenges/${session.slug}/parts`, body));
  return { ...session, task: body.uuid };
};
const paidFor = async (user: TestUser): Promise<string> => {
  const { client_secret } = await made(callAs(user, "GET", "/tokens/get-payment-intent"));
  await made(callAs(user, "POST", "/practice/confirm", { client_secret, card: CARD }));
  return client_secret.split("_secret_")[0];
};
const running = async (user: TestUser) => {
  const session = await sessionOf(user);
  await made(callAs(user, "POST", `/challenge-events/${session.id}/start`, {}));
  return session;
};

/** The request of each call, by its method and path. */
const ASKED: Record<string, Make> = {
  "POST /me/persons": async () => ({
    path: "/me/persons",
    body: { username: `p-${crypto.randomUUID().slice(0, 8)}` },
  }),
  "POST /challenges": async () => ({ path: "/challenges", body: { challenge: { title: "A walk" } } }),
  "POST /challenges/{challenge}/join": async () => {
    const { slug } = await makeActivity(await makeUser());
    return { path: `/challenges/${slug}/join`, body: {} };
  },
  "POST /api/goals/store": async () => ({ path: "/api/goals/store", body: { title: "Read" } }),
  "PATCH /api/goals/update/{goal}": async (user) => ({
    path: `/api/goals/update/${(await goalOf(user)).id}`,
    body: { title: "Read more" },
  }),
  "POST /goals/add-to-my-goals": async (user) => {
    const { id, task } = await withTask(user);
    return { path: "/goals/add-to-my-goals", body: { challengeEventId: id, goalUuid: task } };
  },
  "POST /groups/store": async () => ({ path: "/groups/store", body: { hut: { title: "A hut" } } }),
  "POST /items": async () => ({ path: "/items", body: { itemData: { title: "An item" } } }),
  "POST /api/paraphrases": async (user) => {
    await importBook(await appOf(user), { title: "Of Huts", text: "Words that stay. ".repeat(20) });
    const { serverData } = await made(callAs(user, "GET", "/api/snippets/random"));
    return {
      path: "/api/paraphrases",
      body: { snippet_id: serverData.snippet.id, title: "x", content: "y" },
    };
  },
  "POST /api/logs/store-quick-log": async (user) => ({
    path: "/api/logs/store-quick-log",
    body: { goal_id: (await goalOf(user)).id, amount: 1 },
  }),
  "POST /api/challenge-logs/{log}/start": async (user) => {
    const log = await logOf(user, true);
    await made(callAs(user, "POST", `/challenge-events/logs/${log}`, {}));
    return { path: `/api/challenge-logs/${log}/start`, body: {} };
  },
  "POST /api/challenge-logs/{log}/stop": async (user) => ({
    path: `/api/challenge-logs/${await logOf(user, true)}/stop`,
    body: {},
  }),
  "POST /api/challenge-logs/{log}/complete": async (user) => ({
    path: `/api/challenge-logs/${await logOf(user, true)}/complete`,
    body: { amount: 2 },
  }),
  "PATCH /api/challenge-logs/{log}/update": async (user) => ({
    path: `/api/challenge-logs/${await logOf(user)}/update`,
    body: { title: "Again" },
  }),
  "DELETE /api/challenge-logs/{log}": async (user) => ({
    path: `/api/challenge-logs/${await logOf(user)}`,
    body: {},
  }),
  "POST /challenge-events/logs/{log}/reset": async (user) => ({
    path: `/challenge-events/logs/${await logOf(user, true)}/reset`,
    body: {},
  }),
  "POST /challenge-events/logs/{log}": async (user) => ({
    path: `/challenge-events/logs/${await logOf(user, true)}`,
    body: {},
  }),
  "POST /api/notes": async () => ({ path: "/api/notes", body: { title: "A note" } }),
  "PATCH /api/notes/{note}": async (user) => ({
    path: `/api/notes/${(await made(callAs(user, "POST", "/api/notes", { title: "A note" }))).id}`,
    body: { title: "Another" },
  }),
  "POST /tokens/purchase": async (user) => ({
    path: "/tokens/purchase",
    body: { paymentIntent: await paidFor(user), token_pool: 0 },
  }),
  "POST /tokens/tokens/add-free": async () => {
    const by = await makeUser({ roleId: 10 });
    return { path: "/tokens/tokens/add-free", body: { amount: 600 }, by };
  },
  "POST /tokens/tokens/redeem-available": async () => {
    await made(callAs(await makeUser({ roleId: 10 }), "POST", "/tokens/tokens/add-free", { amount: 600 }));
    return { path: "/tokens/tokens/redeem-available", body: {} };
  },
  "POST /api/subscriptions/create/{product}": async () => ({
    path: "/api/subscriptions/create/goals_sub",
    body: {},
  }),
  "POST /api/subscriptions/add-payment-method": async (user) => {
    const { client_secret } = await made(callAs(user, "GET", "/tokens/get-payment-intent"));
    const { payment_intent } = await made(
      callAs(user, "POST", "/practice/confirm", { client_secret, card: CARD }),
    );
    return {
      path: "/api/subscriptions/add-payment-method",
      body: { payment_method: payment_intent.payment_method },
    };
  },
  "POST /challenges/{challenge}/posts": async (user) => ({
    path: `/challenges/${(await sessionOf(user)).slug}/posts`,
    body: { content: "A question" },
  }),
  "POST /messages": async (user) => ({
    path: "/messages",
    body: { content: "Hello", messageable_type: "challenge_event", messageable_id: (await running(user)).id },
  }),
  "POST /challenge-events/{event}/logs": async (user) => {
    const { id, task } = await withTask(user);
    return { path: `/challenge-events/${id}/logs`, body: { task_uuid: task, amount: 1 } };
  },
  "POST /challenges/{challenge}/logs": async (user) => {
    const { slug, task } = await withTask(user);
    return { path: `/challenges/${slug}/logs`, body: { task_uuid: task, amount: 1 } };
  },
  "POST /challenge-events/{event}/logs/tasks/{uuid}/start": async (user) => {
    const { id, task } = await withTask(user);
    return { path: `/challenge-events/${id}/logs/tasks/${task}/start`, body: {} };
  },
  "POST /challenge-events/{event}/events-groups": async (user) => ({
    path: `/challenge-events/${(await running(user)).id}/events-groups`,
    body: { type: "event" },
  }),
  "POST /challenges/{challenge}/events-groups": async (user) => ({
    path: `/challenges/${(await sessionOf(user)).slug}/events-groups`,
    body: { type: "event" },
  }),
  "POST /challenges/{challenge}/parts": async (user) => ({
    path: `/challenges/${(await running(user)).slug}/parts`,
    body: { type: "event", title: "B", duration: 60 },
  }),
  "POST /challenge-events": async () => ({
    path: "/challenge-events",
    body: { challenge: { title: "Tonight", is_manually_started: 1, duration: 3600 } },
  }),
  "POST /challenge-events/{event}/notify": async (user) => ({
    path: `/challenge-events/${(await sessionOf(user)).id}/notify`,
    body: { content: "Hello" },
  }),
  "POST /challenge-events/{event}/repeat": async (user) => ({
    path: `/challenge-events/${(await sessionOf(user)).id}/repeat`,
    body: {},
  }),
  "POST /api/series": async () => ({
    path: "/api/series",
    body: {
      series: {
        rule: "FREQ=WEEKLY;COUNT=2",
        time_zone: "UTC",
        started_at: Date.now() + 86_400_000,
        session: { title: "Weekly", duration: 3600 },
      },
    },
  }),
  "POST /challenge-events/{event}/join": async () => ({
    path: `/challenge-events/${(await sessionOf(await makeUser())).id}/join`,
    body: {},
  }),
};

const repeatable = api
  .filter(({ call }) => call.isRepeatable)
  .map(({ call }) => `${call.method} ${call.path}`);

/** Row counts of the user and of all tables: a repeat must add no row anywhere. */
async function countsOf(user: TestUser) {
  const tables = [
    "goals",
    "logs",
    "notes",
    "items",
    "huts",
    "activities",
    "sessions",
    "series",
    "participants",
    "posts",
  ];
  const more = [
    "persons",
    "paraphrases",
    "token_entries",
    "token_lots",
    "pool_entries",
    "purchases",
    "slugs",
  ];
  const counts = [...tables, ...more, "payment_methods", "subscriptions", "followers"].map(
    (table) => sql`(SELECT count(*) FROM ${sql.identifier(table)})`,
  );
  const plans = sql`(SELECT group_concat(length(schedule)) FROM sessions WHERE owner_id = ${user.id})`;
  const [row] = await db.all<Record<string, unknown>>(
    sql`SELECT json_array(${sql.join([...counts, plans], sql`, `)}) AS counts`,
  );
  return row?.counts;
}

/** An answer without the readings of running clocks. */
const standing = (body: unknown): unknown =>
  JSON.parse(
    JSON.stringify(body, (name, value) => (/^(elapsed|remaining)_duration$/.test(name) ? null : value)),
  );

const rowOf = (user: TestUser, key: string) =>
  and(eq(schema.repeatedRequests.userId, user.id), eq(schema.repeatedRequests.key, `key:${key}`));

async function ready(line: string) {
  const user = await makeUser({ tokens: 50_000 });
  const asked = await ASKED[line]?.(user);
  if (!asked) throw new Error(`no example of ${line}`);
  const by = asked.by ?? user;
  const key = crypto.randomUUID();
  const send = (body: object = asked.body) =>
    callAs(by, line.split(" ")[0] ?? "", asked.path, body, { "Idempotency-Key": key });
  return { by, key, send, body: asked.body };
}

test("X-07 every repeatable call has an example here", () => {
  expect(Object.keys(ASKED).sort()).toEqual([...repeatable].sort());
});

describe.each(repeatable)("X-07 %s", (line) => {
  test("gives the same answer without a second effect when its run died before the answer was stored", async () => {
    const { by, key, send } = await ready(line);
    const first = await send();
    expect(first.status, JSON.stringify(first.body)).toBeLessThan(300);
    const before = await countsOf(by);
    const [kept] = await db.select().from(schema.repeatedRequests).where(rowOf(by, key));
    // A write to D1 stores the key with it; a write to the room alone stores no key.
    const isInRecord = !/messages|events-groups|\/parts$|\/join$/.test(line);
    if (kept && isInRecord)
      await db
        .update(schema.repeatedRequests)
        .set({ status: null, answer: null, createdAt: instant(Date.now() - MINUTE) })
        .where(rowOf(by, key));
    else await db.delete(schema.repeatedRequests).where(rowOf(by, key));
    const again = await send();
    expect([again.status, standing(again.body)]).toEqual([first.status, standing(first.body)]);
    expect(await countsOf(by)).toEqual(before);
    const [stored] = await db.select().from(schema.repeatedRequests).where(rowOf(by, key));
    expect(stored?.status).toBe(first.status);
  });

  test("gives the same answer to six simultaneous requests, and acts once", async () => {
    const { by, send, key } = await ready(line);
    const answers = await Promise.all(Array.from({ length: 6 }, () => send()));
    expect(answers.map(({ status, body }) => [status, body])).toEqual(
      answers.map(() => [answers[0]?.status, answers[0]?.body]),
    );
    expect(answers[0]?.status, JSON.stringify(answers[0]?.body)).toBeLessThan(300);
    const before = await countsOf(by);
    expect((await send()).body).toEqual(answers[0]?.body);
    expect(await countsOf(by)).toEqual(before);
    expect(await db.select().from(schema.repeatedRequests).where(rowOf(by, key))).toHaveLength(1);
  });

  test("R-50 refuses the same key with another body", async () => {
    const { send, body } = await ready(line);
    await send();
    const other = await send({ ...body, another: "body" });
    expect([other.status, other.body.error_code]).toEqual([409, "CONFLICT"]);
  });
});

describe("X-07 keys", () => {
  let user: TestUser;
  const note = (key: string, title = "A note") =>
    callAs(user, "POST", "/api/notes", { title }, { "Idempotency-Key": key });
  beforeAll(async () => {
    user = await makeUser({ tokens: 50_000 });
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
    const during = await alone(app, user.id, "subscribe", () => note("own:subscribe"));
    expect(during.status).toBe(201);
    const pair = { client_uuid: "a", request_uuid: "b" };
    const byBody = await callAs(user, "POST", "/api/notes", { title: "By body", ...pair });
    const byHeader = await note('["a","b"]');
    expect(byHeader.body.id).not.toBe(byBody.body.id);
  });

  test("X-07 an answer over 1 MB is not stored, and a repeat reads it again from the inserted row", async () => {
    const app = await appOf(user);
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
    const first = await once(app, request, work, readAgain);
    const again = await once(app, request, work, readAgain);
    expect(again).toEqual(first);
    expect(runs).toBe(1);
    const [kept] = await db
      .select()
      .from(schema.repeatedRequests)
      .where(eq(schema.repeatedRequests.key, "key:long"));
    expect(kept?.answer).toBeNull();
  });

  test("X-07 done work is answered when its answer cannot be stored, and a repeat reads it again", async () => {
    const app = await appOf(user);
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
    // The look for the key, and a batch of four: the answer is the sixth statement.
    const failing = failingD1(env.DB, { at: 6, when: "before" });
    const first = await once({ ...app, db: connect(failing.d1) }, request, work, readAgain);
    expect(failing.counter.hasFailed).toBe(true);
    const later = { ...app, now: instant(app.now + MINUTE) };
    expect(await once(later, request, work, readAgain)).toEqual(first);
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
});
