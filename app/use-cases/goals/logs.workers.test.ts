// Recording progress through HTTP: quick logs, timed logs and their changes, counters, prices, repeats.
import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { runBatch, schema } from "#db/connect.server";
import * as logs from "#db/queries/goals/logs";
import { grantLotByEmail } from "#db/queries/tokens";
import { callAs } from "#tests/support/ask";
import { appOf, db, makeUser, NOW, reload } from "#tests/support/factories";
import { goalNow, makeGoal } from "#tests/support/goals";
import { brokenConstraint } from "~/domain/errors";
import { plusMillis } from "~/domain/time";
import { deleteGoal } from "./goals.server";
import { completeLog, deleteLog, startLog, stopLog, updateLog } from "./log-moves.server";
import { storeQuickLog } from "./logs.server";

const isRepeat = (error: unknown) => brokenConstraint(error) === "entry_written_once";

test("C-37 E-12 E-26 S-15 a quick log without measures counts amount 1, is done, and answers log and goal", async () => {
  const user = await makeUser();
  const goal = await makeGoal(user);
  const { status, body } = await callAs(user, "POST", "/api/logs/store-quick-log", { goal_id: goal.id });
  expect(status).toBe(201);
  expect(body.log).toMatchObject({
    amount: 1,
    status: 2,
    is_timed: 0,
    goal_id: goal.id,
    username: user.username,
  });
  expect(body.goal).toMatchObject({
    id: goal.id,
    amount_elapsed: 1,
    duration_elapsed: 0,
    distance_elapsed: 0,
  });
  expect((await reload(user))?.tokens).toBe(999);
});

test("X-07 B-12 a log repeated after its deletion, or that of its goal, is refused and pays nothing", async () => {
  const user = await makeUser({ tokens: 0 });
  const goal = await makeGoal(user);
  const grant = (tokens: number, reference: string) =>
    grantLotByEmail(db, user.email, { kind: "purchased", granted: tokens, reference, createdAt: NOW });
  await db.batch([grant(1, `first:${user.id}`), grant(5, `second:${user.id}`)]);
  const app = await appOf(user);
  const ask = { goalId: goal.id, uuid: crypto.randomUUID() };
  const { log } = await storeQuickLog(app, ask);
  expect((await storeQuickLog(app, ask)).log.id).toBe(log.id);
  // Later than its price returns.
  await deleteLog(await appOf(user, plusMillis(NOW, 3_600_000)), { log: log.id });
  await expect(storeQuickLog(app, ask)).rejects.toSatisfy(isRepeat);
  const other = { goalId: goal.id, uuid: crypto.randomUUID() };
  await storeQuickLog(app, other);
  await deleteGoal(app, { goal: goal.id });
  const next = await makeGoal(user);
  await expect(storeQuickLog(app, { ...other, goalId: next.id })).rejects.toSatisfy(isRepeat);
  const lots = await db
    .select()
    .from(schema.tokenLots)
    .where(and(eq(schema.tokenLots.userId, user.id), eq(schema.tokenLots.kind, "purchased")));
  const entries = await db.select().from(schema.tokenEntries).where(eq(schema.tokenEntries.userId, user.id));
  expect(lots.map(({ remaining }) => remaining)).toEqual([0, 4]);
  expect(entries.map(({ lotId, amount, reference }) => [lotId, amount, reference])).toEqual(
    [ask, other].map(({ uuid }, n) => [lots[n]?.id, -1, `log:${uuid}`]),
  );
});

test("S-13 a second running timer of the same goal is a conflict and costs nothing", async () => {
  const user = await makeUser();
  const goal = await makeGoal(user);
  const first = await callAs(user, "POST", "/api/logs/store-quick-log", { goal_id: goal.id, status: 1 });
  expect(first.body.log).toMatchObject({ status: 1, is_timed: 1 });
  const second = await callAs(user, "POST", "/api/logs/store-quick-log", { goal_id: goal.id, status: 1 });
  expect([second.status, second.body.error_code]).toEqual([409, "CONFLICT"]);
  expect(second.body.message).toBe("A timer is already running for this goal.");
  expect((await reload(user))?.tokens).toBe(999);
  expect((await goalNow(goal.id)).logsCount).toBe(1);
});

test("R-06 R-07 R-08 a timed log counts the server's measure, over pause, stop and restart", async () => {
  const user = await makeUser();
  const goal = await makeGoal(user);
  const at = (ms: number) => appOf(user, plusMillis(NOW, ms));
  const { log } = await storeQuickLog(await at(0), { goalId: goal.id, status: 1, amount: 0 });
  const paused = await stopLog(await at(60_000), { log: log.id, status: 3 });
  expect(paused.log.updatedAt).toBe(plusMillis(NOW, 60_000));
  await startLog(await at(100_000), { log: log.id });
  // 1.5 s off is accepted, an hour is not.
  await stopLog(await at(130_000), { log: log.id, status: 4, elapsed: 91_500 });
  expect((await goalNow(goal.id)).durationElapsed).toBe(91_500);
  await startLog(await at(200_000), { log: log.id });
  const done = await completeLog(await at(210_000), { log: log.id });
  expect(done.log).toMatchObject({ status: 2, elapsedDuration: 101_500, remainingDuration: 0 });
  expect(done.goal?.durationElapsed).toBe(101_500);
});

test("R-75 B-12 a log taken back within ten minutes returns its price once, and later none", async () => {
  const user = await makeUser();
  const goal = await makeGoal(user);
  const at = (ms: number) => appOf(user, plusMillis(NOW, ms));
  const path = (id: number) => `/api/challenge-logs/${id}`;
  const undo = async (id: number, key?: string) =>
    (await callAs(user, "DELETE", path(id), undefined, key ? { "Idempotency-Key": key } : {})).status;
  const stored = await callAs(user, "POST", "/api/logs/store-quick-log", { goal_id: goal.id, amount: 10 });
  const { log } = stored.body;
  expect((await reload(user))?.tokens).toBe(999);
  expect([await undo(log.id, "once"), await undo(log.id, "once"), await undo(log.id)]).toEqual([
    204, 204, 404,
  ]);
  expect((await reload(user))?.tokens).toBe(1000);
  expect(await goalNow(goal.id)).toMatchObject({ amountElapsed: 0, logsCount: 0 });

  const late = await storeQuickLog(await at(0), { goalId: goal.id, amount: 10_000 });
  await deleteLog(await at(10 * 60_000 + 1), { log: late.log.id });
  expect((await reload(user))?.tokens).toBe(999);
  const last = await storeQuickLog(await at(0), { goalId: goal.id, amount: 10_000 });
  await deleteLog(await at(10 * 60_000), { log: last.log.id });
  expect((await reload(user))?.tokens).toBe(999);
  const entries = await db.select().from(schema.tokenEntries).where(eq(schema.tokenEntries.userId, user.id));
  expect(entries.map(({ amount, reason }) => [amount, reason])).toEqual([
    [-1, "log"],
    [1, "log_return"],
    [-1, "log"],
    [-1, "log"],
    [1, "log_return"],
  ]);
});

test("R-75 B-12 of two deletions at once, and beside a change, one deletes the log and returns its price", async () => {
  const user = await makeUser();
  const goal = await makeGoal(user);
  const app = await appOf(user);
  const { log } = await storeQuickLog(app, { goalId: goal.id });
  const { row, counters } = logs.deleteLog(db, { ...log, userId: user.id }, NOW);
  await updateLog(app, { log: log.id, title: "Kept" });
  await runBatch(db, [...counters, row]);
  expect((await reload(user))?.tokens).toBe(999);
  expect((await goalNow(goal.id)).logsCount).toBe(1);
  const done = await Promise.allSettled([deleteLog(app, { log: log.id }), deleteLog(app, { log: log.id })]);
  expect(done.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect((await reload(user))?.tokens).toBe(1000);
  expect((await goalNow(goal.id)).logsCount).toBe(0);
});
