// Keys that log one goal (W-04), through the whole worker.
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { ask, callAs, ORIGIN } from "#tests/support/ask";
import { everyCall } from "#tests/support/every-call";
import { appOf, db, makeUser, type TestUser } from "#tests/support/factories";
import { goalNow, makeGoal } from "#tests/support/goals";
import { makeSession } from "#tests/support/sessions";
import { post } from "#tests/support/visit";
import { MAX_KEYS, MAX_LOG_KEYS, SCOPE_REFUSED, TOO_MANY_LOG_KEYS } from "~/domain/accounts/api-keys";
import { keyOnlyUndoes } from "~/domain/goals/refusals";
import { instant, MINUTE } from "~/domain/time";
import { createKey, createLogKey, viewKeys } from "~/use-cases/accounts/api-keys.server";
import { deleteGoal } from "~/use-cases/goals/goals.server";
import { calls } from "~/wire/calls";

const nowApp = (user: TestUser) => appOf(user, instant(Date.now()));
const keyOf = async (user: TestUser, goal: number) => (await createLogKey(await nowApp(user), { goal })).key;

async function send(key: string, method: string, path: string, body?: unknown) {
  const response = await ask(path, {
    method,
    headers: { Authorization: `Bearer ${key}`, ...(body ? { "Content-Type": "application/json" } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  return { status: response.status, body: text.startsWith("{") ? JSON.parse(text) : null };
}
const store = (key: string, goal: number) =>
  send(key, "POST", "/api/logs/store-quick-log", { goal_id: goal, amount: 2 });

const OPEN = [calls.storeQuickLog, calls.deleteLog, calls.viewGoalLogs] as unknown[];
/** These answer before they read credentials. */
const BEFORE = [everyCall.getCsrfCookie, everyCall.readTime] as unknown[];

test("W-04 a key of one goal opens store, undo and read of its logs, and no other call", async () => {
  const user = await makeUser();
  const key = await keyOf(user, (await makeGoal(user)).id);
  for (const [name, call] of Object.entries(everyCall).filter(([, one]) => !BEFORE.includes(one))) {
    const path = call.path.replace(/\{\w+\}/g, "1");
    const { status, body } = await send(key, call.method, path, call.method === "GET" ? undefined : {});
    const isRefused = status === 403 && body?.message === SCOPE_REFUSED;
    expect([name, isRefused]).toEqual([name, !OPEN.includes(call)]);
  }
});

test("O-03 W-04 a key without a goal opens the calls of goals' keys only by its own scopes", async () => {
  const user = await makeUser();
  const goal = await makeGoal(user);
  const app = await nowApp(user);
  const [reads, hosts] = [
    await createKey(app, { name: "Reads", scopes: ["read"], days: 30 }),
    await createKey(app, { name: "Hosts", scopes: ["host"], days: 30 }),
  ];
  const list = (key: string) => send(key, "GET", `/api/my/goals/${goal.id}/logs`);
  expect([(await store(reads.key, goal.id)).status, (await list(reads.key)).status]).toEqual([403, 200]);
  expect([(await store(hosts.key, goal.id)).status, (await list(hosts.key)).status]).toEqual([403, 403]);
  expect((await goalNow(goal.id)).logsCount).toBe(0);
});

test("W-04 a key of one goal opens no page and sends no form, as if it were a visitor's", async () => {
  const user = await makeUser();
  const goal = await makeGoal(user, { title: "Read the atlas" });
  const key = { Authorization: `Bearer ${await keyOf(user, goal.id)}` };
  const form = { intent: "log.quick", goal: String(goal.id), amount: "1" };
  for (const path of ["/", "/my/goals", `/my/goals/${goal.id}`, `/my/goals/${goal.id}/log`, "/account/api"]) {
    const [visitors, seen] = await Promise.all([{}, key].map((headers) => ask(path, { headers })));
    expect([path, seen?.status, seen?.headers.get("Location")]).toEqual([
      path,
      visitors?.status,
      visitors?.headers.get("Location"),
    ]);
    expect(await seen?.text()).not.toContain(goal.title);
    const posted = await ask(path, { method: "POST", headers: key, body: new URLSearchParams(form) });
    expect([path, posted.status]).toEqual([path, 404]);
  }
  expect((await goalNow(goal.id)).logsCount).toBe(0);
});

test("W-04 a key of one goal finds no other goal and no log of another", async () => {
  const user = await makeUser();
  const [goal, other] = [await makeGoal(user), await makeGoal(user)];
  const key = await keyOf(user, goal.id);
  const stored = await store(key, goal.id);
  expect([stored.status, stored.body.log.amount]).toEqual([201, 2]);
  const elsewhere = await store(await keyOf(user, other.id), other.id);
  expect((await store(key, other.id)).status).toBe(404);
  const repeated = { goal_id: goal.id, amount: 1, uuid: elsewhere.body.log.uuid };
  expect((await send(key, "POST", "/api/logs/store-quick-log", repeated)).status).toBe(404);
  expect((await send(key, "DELETE", `/api/challenge-logs/${elsewhere.body.log.id}`)).status).toBe(404);
  expect((await send(key, "GET", `/api/my/goals/${other.id}/logs`)).status).toBe(404);
  const list = await send(key, "GET", `/api/my/goals/${goal.id}/logs`);
  expect(list.body.serverData.logs).toMatchObject([{ id: stored.body.log.id }]);
  expect((await send(key, "DELETE", `/api/challenge-logs/${stored.body.log.id}`)).status).toBe(204);
  expect([(await goalNow(goal.id)).logsCount, (await goalNow(other.id)).logsCount]).toEqual([0, 1]);
});

test("W-04 a key of one goal takes back no log after ten minutes, and its owner and a key of the account do", async () => {
  const user = await makeUser();
  const goal = await makeGoal(user);
  const key = await keyOf(user, goal.id);
  const { key: full } = await createKey(await nowApp(user), { name: "All", scopes: ["write"], days: 30 });
  const made = async (age: number) => {
    const { id, uuid } = (await store(key, goal.id)).body.log;
    await db
      .update(schema.logs)
      .set({ createdAt: instant(Date.now() - age) })
      .where(eq(schema.logs.uuid, uuid));
    return `/api/challenge-logs/${id}`;
  };
  const [young, old, older] = [await made(10 * MINUTE), await made(11 * MINUTE), await made(11 * MINUTE)];
  expect((await send(key, "DELETE", young)).status).toBe(204);
  const { status, body } = await send(key, "DELETE", old);
  expect([status, body.error_code, body.message]).toEqual([409, "CONFLICT", keyOnlyUndoes]);
  expect((await goalNow(goal.id)).logsCount).toBe(2);
  expect((await callAs(user, "DELETE", old)).status).toBe(204);
  expect((await send(full, "DELETE", older)).status).toBe(204);
  expect((await goalNow(goal.id)).logsCount).toBe(0);
});

test("W-04 a key of one goal finds no log without a goal", async () => {
  const user = await makeUser();
  const key = await keyOf(user, (await makeGoal(user)).id);
  const { id } = await makeSession(user);
  const made = await callAs(user, "POST", `/challenge-events/${id}/logs`, { title: "Tea", duration: 600 });
  expect([made.status, made.body.log.goal_id]).toEqual([201, null]);
  const { uuid, id: log } = made.body.log;
  expect((await send(key, "DELETE", `/api/challenge-logs/${log}`)).status).toBe(404);
  const [kept] = await db.select().from(schema.logs).where(eq(schema.logs.id, log));
  expect(kept?.uuid).toBe(uuid);
});

test("W-04 a key ends with its goal, and a goal of somebody else gives none", async () => {
  const user = await makeUser();
  const [goal, other] = [await makeGoal(user), await makeGoal(user)];
  const [key, left] = [await keyOf(user, goal.id), await keyOf(user, other.id)];
  await deleteGoal(await nowApp(user), { goal: goal.id });
  expect((await store(key, goal.id)).status).toBe(401);
  expect((await store(left, other.id)).status).toBe(201);
  await expect(createLogKey(await nowApp(await makeUser()), { goal: other.id })).rejects.toThrow();
});

test("O-01 W-04 a hundred keys of goals count beside twenty others", async () => {
  const user = await makeUser();
  const goal = await makeGoal(user);
  const app = await nowApp(user);
  expect([MAX_LOG_KEYS, MAX_KEYS]).toEqual([100, 20]);
  for (let n = 0; n < MAX_LOG_KEYS; n++) await createLogKey(app, { goal: goal.id });
  await expect(createLogKey(app, { goal: goal.id })).rejects.toThrow(TOO_MANY_LOG_KEYS);
  for (let n = 0; n < MAX_KEYS; n++) await createKey(app, { name: `Key ${n}`, scopes: ["read"], days: 30 });
  await expect(createKey(app, { name: "One more", scopes: ["read"], days: 30 })).rejects.toThrow();
  expect((await viewKeys(app)).keys).toHaveLength(MAX_LOG_KEYS + MAX_KEYS);
});

test("W-04 the curl line of the goal's page works as it is pasted", async () => {
  const user = await makeUser();
  const goal = await makeGoal(user);
  const page = await post(user, `/my/goals/${goal.id}`, { intent: "key.log", goal: String(goal.id) });
  const line = (await page.texts("main pre code"))[0] ?? "";
  const [, method = "", url = "", authorization = "", type = "", body = ""] =
    /^curl -X (\w+) "([^"]+)" -H "Authorization: ([^"]+)" -H "Content-Type: ([^"]+)" -d '([^']+)'$/.exec(
      line,
    ) ?? [];
  expect(url.startsWith(ORIGIN)).toBe(true);
  const headers = { Authorization: authorization, "Content-Type": type };
  const answer = await ask(url.slice(ORIGIN.length), { method, headers, body });
  expect([answer.status, (await goalNow(goal.id)).amountElapsed]).toEqual([201, 1000]);
});
