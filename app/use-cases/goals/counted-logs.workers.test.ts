// Only what is done counts: through calls, on pages, and in stored totals.
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { callAs, dataOf } from "#tests/support/ask";
import { appOf, db, makeUser, NOW } from "#tests/support/factories";
import { goalNow, makeGoal } from "#tests/support/goals";
import { join, makeSession } from "#tests/support/sessions";
import { post } from "#tests/support/visit";
import { dayAt, plusDays } from "~/domain/days";
import { plusMillis } from "~/domain/time";
import { viewGoal } from "~/use-cases/my.server";
import { completeLog, stopLog } from "./log-moves.server";
import { startProgress, storeQuickLog } from "./logs.server";

const DAILY = { amount: 1000, recurrence: { every: "day" } } as const;

test("R-54 Start and Stop neither reach a goal nor mark its day as done; Done does both", async () => {
  const user = await makeUser();
  const goal = await makeGoal(user, DAILY);
  const at = (ms: number) => appOf(user, plusMillis(NOW, ms));
  const seen = async (ms: number) => {
    const { goal: shown, days, streak } = await viewGoal(await at(ms), { goal: goal.id });
    return [shown.amountElapsed, shown.durationElapsed, days.at(-1)?.logs ?? 0, streak?.current];
  };
  const { log } = await startProgress(await at(0), { goalId: goal.id });
  expect(log).toMatchObject({ status: 1, amount: 1000 });
  expect(await seen(1)).toEqual([0, 0, 0, 0]);
  await stopLog(await at(60_000), { log: log.id, status: 4 });
  expect(await seen(60_001)).toEqual([0, 60_000, 0, 0]);
  const { body } = await callAs(user, "GET", `/api/my/goals/${goal.id}`);
  expect(JSON.stringify(body)).toContain('"is_progress_complete":0');
  await completeLog(await at(90_000), { log: log.id });
  expect(await seen(90_001)).toEqual([1000, 60_000, 1, 1]);
});

test("R-54 S-15 a quick-log button of status 1 starts a timer, counts when done, and says so before JavaScript", async () => {
  const user = await makeUser();
  const button = { title: "", content: "", action: "", distance: null, duration: null, order: 0 };
  const buttons = [{ ...button, uuid: "a", amount: 10_000, status: 1 as const, completionsRequired: 1 }];
  const goal = await makeGoal(user, { unit: "pages", quickLogButtons: buttons });
  const path = `/my/goals/${goal.id}`;
  const answer = await post(user, path, { intent: "log.quick", goal: String(goal.id), button: "a" });
  expect(decodeURIComponent(answer.headers.get("Set-Cookie") ?? "")).toContain(
    "Started · +10 pages when done",
  );
  expect((await goalNow(goal.id)).amountElapsed).toBe(0);
});

test("R-54 the totals of goals and sessions are the sums of the logs that are done", async () => {
  const [host, guest] = [await makeUser(), await makeUser()];
  const goal = await makeGoal(host);
  const app = await appOf(host);
  const today = dayAt(app.now, app.timeZone);
  for (const [back, status, amount] of [
    [3, 2, 4000],
    [1, 2, 2500],
    [1, 3, 9000],
    [0, 4, 7000],
  ] as const)
    await storeQuickLog(app, { goalId: goal.id, amount, status, day: plusDays(today, -back) });
  const { log } = await startProgress(app, { goalId: goal.id });
  await stopLog(await appOf(host, plusMillis(NOW, 30_000)), { log: log.id, status: 4 });
  const session = await makeSession(host, { tasks: [{ title: "Read", unit: "pages", amount: 20 }] });
  await join(guest, session.id);
  const { goals } = await dataOf(host, `/api/sessions/${session.id}`);
  for (const user of [host, guest])
    for (const status of [1, 2])
      await callAs(user, "POST", `/challenge-events/${session.id}/logs`, {
        task_uuid: goals[0].uuid,
        amount: 5,
        status,
      });

  const owned = await Promise.all([goal.id, goals[0].id].map(async (id) => goalNow(id)));
  expect(owned.map(({ amountElapsed }) => amountElapsed)).toEqual([6500, 10_000]);
  const totals = await db
    .select()
    .from(schema.sessionTotals)
    .where(eq(schema.sessionTotals.sessionId, session.id));
  expect(totals.map(({ amount }) => amount)).toEqual([5000, 5000]);
});
