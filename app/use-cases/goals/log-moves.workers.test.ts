// State changes of logs through HTTP: changes, edits, permissions, repeats, races, days.
import { eq } from "drizzle-orm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { callAs, dataOf } from "#tests/support/ask";
import { appOf, db, makeUser, makeUsers, NOW, reload, type TestUser } from "#tests/support/factories";
import { goalNow, makeGoal } from "#tests/support/goals";
import "#tests/support/property-seed";
import { join, makeSession } from "#tests/support/sessions";
import { dayAt, plusDays } from "~/domain/days";
import { asAppError } from "~/domain/errors";
import { countOf, type Log } from "~/domain/goals/logs";
import { instant } from "~/domain/time";
import { viewGoal } from "~/use-cases/my.server";
import { skipDay } from "./days.server";
import { completeLog, deleteLog, startLog, stopLog, updateLog } from "./log-moves.server";
import { startProgress, storeQuickLog } from "./logs.server";

const quick = (user: TestUser | null, body: object, headers?: Record<string, string>) =>
  callAs(user, "POST", "/api/logs/store-quick-log", body, headers);
const move = (user: TestUser | null, log: number, to: string, body: object = {}) =>
  callAs(user, "POST", `/api/challenge-logs/${log}/${to}`, body);
const logsOf = (goalId: number) => db.select().from(schema.logs).where(eq(schema.logs.goalId, goalId));

test("C-38 C-39 C-40 S-11 R-06 a log is started, paused, started, stopped and done, and every answer contains log and goal", async () => {
  const user = await makeUser();
  const goal = await makeGoal(user);
  const { body: made } = await quick(user, { goal_id: goal.id, status: 3, duration: 600, title: "Later" });
  expect(made.log).toMatchObject({ status: 3, is_timed: 0, amount: null, started_at: null });
  expect(made.goal.logs_count).toBe(1);
  const { id } = made.log;
  const started = await move(user, id, "start", { started_at: new Date().toISOString(), status: 1 });
  expect([started.status, started.body.log]).toMatchObject([
    200,
    { status: 1, is_timed: 1, paused_at: null },
  ]);
  expect(started.body.goal).toMatchObject({ id: goal.id, active_log_id: id, active: 1 });
  const paused = await move(user, id, "stop", { status: 3, paused_at: new Date().toISOString() });
  expect(paused.body.log).toMatchObject({ status: 3, paused_at: expect.any(String), ended_at: null });
  expect((await move(user, id, "start")).body.log.status).toBe(1);
  const stopped = await move(user, id, "stop", {
    status: 4,
    elapsed_duration: 0,
    remaining_duration: 600_000,
  });
  expect(stopped.body.log).toMatchObject({ status: 4, ended_at: expect.any(String) });
  // a stopped log resumes counting.
  expect((await move(user, id, "start")).body.log.status).toBe(1);
  const done = await move(user, id, "complete", { amount: 2.5, content: "**Well**" });
  expect(done.body.log).toMatchObject({
    status: 2,
    amount: 2.5,
    remaining_duration: 0,
    content_html: "<p><strong>Well</strong></p>",
  });
  expect(done.body.goal).toMatchObject({ amount_elapsed: 2.5, active_log_id: null });
});

test("S-11 C-38 C-39 other changes are CONFLICT and change nothing", async () => {
  const user = await makeUser();
  const goal = await makeGoal(user);
  const { body } = await quick(user, { goal_id: goal.id });
  const [before] = await logsOf(goal.id);
  for (const [to, said, message] of [
    ["start", {}, "Only a paused, stopped or planned log can be started."],
    ["stop", { status: 3 }, "Only a running log can be paused."],
    ["stop", { status: 4 }, "Only a running log can be stopped."],
  ] as const) {
    const { status, body: refused } = await move(user, body.log.id, to, said);
    expect([status, refused.error_code, refused.message]).toEqual([409, "CONFLICT", message]);
  }
  const wrong = await move(user, body.log.id, "stop", { status: 9 });
  expect([wrong.status, wrong.body.fields.status]).toEqual([422, ["Please choose 3 (pause) or 4 (stop)."]]);
  expect((await logsOf(goal.id))[0]).toEqual(before);
});

test("C-41 R-24 V-12 a log is edited, its goal's totals follow, invalid input is reported at its field, progress never falls below 0", async () => {
  const user = await makeUser();
  const goal = await makeGoal(user);
  const { body } = await quick(user, { goal_id: goal.id, amount: 5, duration: 60 });
  const edit = (said: object) => callAs(user, "PATCH", `/api/challenge-logs/${body.log.id}/update`, said);
  const edited = await edit({
    title: "Better",
    amount: 7.125,
    distance: "1.5",
    duration: 120,
    content: "*so*",
  });
  expect(edited.body.log).toMatchObject({ title: "Better", amount: 7.125, distance: 1.5, duration: 120 });
  expect(edited.body.goal).toMatchObject({
    amount_elapsed: 7.125,
    distance_elapsed: 1.5,
    duration_elapsed: 120_000,
  });
  for (const [said, field, sentence] of [
    [{ amount: "many" }, "amount", "Please give a number."],
    [{ amount: 1e10 }, "amount", "Please give a number up to 1,000,000,000."],
    [{ distance: "x" }, "distance", "Please give a number."],
    [{ duration: -1 }, "duration", "A duration cannot be negative."],
    [{ title: "x".repeat(201) }, "title", "Please write at most 200 characters."],
  ] as const) {
    const refused = await edit(said);
    expect([refused.status, refused.body.fields[field]], field).toEqual([422, [sentence]]);
  }
  expect((await edit({})).body.log).toEqual(edited.body.log);
  // A correction reverts at most the present total.
  const back = await quick(user, { goal_id: goal.id, amount: -7 });
  expect(back.body.goal.amount_elapsed).toBe(0.125);
  const tooFar = await quick(user, { goal_id: goal.id, amount: -0.126 });
  expect([tooFar.status, tooFar.body.error_code]).toEqual([422, "INVALID"]);
  expect(tooFar.body.fields.amount).toHaveLength(1);
  expect((await goalNow(goal.id))?.amountElapsed).toBe(125);
  expect((await reload(user))?.tokens).toBe(998);
});

test("C-37 R-25 a quick log's invalid input is reported at its field and costs nothing", async () => {
  const user = await makeUser();
  const goal = await makeGoal(user);
  for (const [said, field, sentence] of [
    [{}, "goal_id", "Please give an id."],
    [{ goal_id: goal.id, status: 9 }, "status", "Please choose 1 (start), 2 (done) or 3 (to do)."],
    [{ goal_id: goal.id, amount: "1e" }, "amount", "Please give a number."],
    [{ goal_id: goal.id, day: "2026-02-30" }, "day", "Please give a day, such as 2026-11-21."],
    [{ goal_id: goal.id, day: "9999-01-01" }, "day", "You can log for today or an earlier day."],
  ] as const) {
    const { status, body } = await quick(user, said);
    expect([status, body.error_code], field).toEqual([422, "INVALID"]);
    expect(body.fields[field]).toEqual([sentence]);
  }
  expect((await quick(user, { goal_id: 999_999 })).status).toBe(404);
  expect((await reload(user))?.tokens).toBe(1000);
});

test("A-10 C-37 C-38 C-39 C-40 C-41 only its owner changes or edits a log: not a stranger, the session's host or a super admin", async () => {
  const [owner, host, stranger, admin] = [...(await makeUsers(3)), await makeUser({ roleId: 10 })];
  const session = await makeSession(host, { tasks: [{ title: "Read" }] });
  await join(owner, session.id);
  const { goals } = await dataOf(owner, `/api/sessions/${session.id}`);
  const shared = await quick(owner, { goal_id: goals[0].id, status: 3 });
  expect(shared.status, JSON.stringify(shared.body)).toBe(201);
  const { id } = shared.body.log;
  const [before] = await db.select().from(schema.logs).where(eq(schema.logs.id, id));
  const calls = [
    ["POST", `/api/challenge-logs/${id}/start`],
    ["POST", `/api/challenge-logs/${id}/stop`],
    ["POST", `/api/challenge-logs/${id}/complete`],
    ["PATCH", `/api/challenge-logs/${id}/update`],
    ["POST", `/challenge-events/logs/${id}/reset`],
    ["POST", `/challenge-events/logs/${id}`],
  ] as const;
  for (const [method, path] of calls) {
    for (const other of [stranger, host, admin])
      expect((await callAs(other, method, path, { title: "mine" })).body.error_code, `${path}`).toBe(
        "NOT_FOUND",
      );
    expect((await callAs(null, method, path, {})).body.error_code, path).toBe("UNAUTHENTICATED");
  }
  expect((await db.select().from(schema.logs).where(eq(schema.logs.id, id)))[0]).toEqual(before);
  // Only people with a seat log a session's goal: the host too, but neither a stranger nor an outside admin.
  expect((await quick(host, { goal_id: goals[0].id })).status).toBe(201);
  for (const other of [stranger, admin])
    expect((await quick(other, { goal_id: goals[0].id })).status).toBe(404);
});

test("X-07 of three tabs that start a timer at once one does", async () => {
  const user = await makeUser();
  const goal = await makeGoal(user);
  const { body } = await quick(user, { goal_id: goal.id, status: 3 });
  const race = await Promise.all([1, 2, 3].map(() => move(user, body.log.id, "start")));
  expect(race.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
});

test("C-37 B-12 without a token nothing is logged, and the error code opens the modal", async () => {
  const user = await makeUser({ tokens: 0 });
  const goal = await makeGoal(user);
  const { status, body } = await quick(user, { goal_id: goal.id });
  expect([status, body.error_code]).toEqual([402, "INSUFFICIENT_TOKENS"]);
  expect(await logsOf(goal.id)).toEqual([]);
  expect((await goalNow(goal.id))?.logsCount).toBe(0);
});

test("U-25 E-26 Start Progress runs for the goal's duration, or for one of its timers", async () => {
  const user = await makeUser();
  const timer = { uuid: "t", title: "Focus", duration: 1500, isInterval: false, sets: 1, timers: [] };
  const goal = await makeGoal(user, { actionDuration: 900 as never, timers: [timer as never] });
  const app = await appOf(user);
  const { log } = await startProgress(app, { goalId: goal.id });
  expect(log).toMatchObject({ status: 1, isTimed: true, amount: 1000, duration: 900 });
  await stopLog(app, { log: log.id, status: 4 });
  const timed = await startProgress(app, { goalId: goal.id, timerUuid: "t" });
  expect(timed.log).toMatchObject({ title: "Focus", duration: 1500, timerUuid: "t", amount: 0 });
});

test("X-17 a log counts for the local day of its person, around midnight and clock changes", async () => {
  const user = await makeUser();
  const goal = await makeGoal(user, { amount: 1000, recurrence: { every: "day" } });
  const inZone = async (iso: string, timeZone: string) => ({
    ...(await appOf(user, instant(Date.parse(iso)))),
    timeZone,
  });
  for (const [iso, zone] of [
    // The night of 25 hours in Paris: 23:30 summer time, 02:30 twice, 23:30 winter time.
    ["2026-10-24T21:30:00Z", "Europe/Paris"],
    ["2026-10-25T00:30:00Z", "Europe/Paris"],
    ["2026-10-25T01:30:00Z", "Europe/Paris"],
    ["2026-10-25T22:30:00Z", "Europe/Paris"],
    ["2026-10-25T23:30:00Z", "Europe/Paris"],
    // The same evening, seen from New York.
    ["2026-10-27T03:30:00Z", "America/New_York"],
  ] as const)
    await storeQuickLog(await inZone(iso, zone), { goalId: goal.id });
  const { days, streak, today } = await viewGoal(await inZone("2026-10-27T03:40:00Z", "America/New_York"), {
    goal: goal.id,
  });
  expect(days.map(({ day, logs }) => [day, logs])).toEqual([
    ["2026-10-24", 1],
    ["2026-10-25", 3],
    ["2026-10-26", 2],
  ]);
  expect([today, streak?.current, streak?.isDoneNow]).toEqual(["2026-10-26", 3, true]);
});

test("X-17 a backdated log counts for its day, a skipped day keeps the streak, and deletion reverts a log", async () => {
  const user = await makeUser();
  const goal = await makeGoal(user, { amount: 1000, recurrence: { every: "day" } });
  const app = await appOf(user);
  const ids: number[] = [];
  for (const day of ["2026-11-18", "2026-11-20", "2026-11-21"])
    ids.push((await storeQuickLog(app, { goalId: goal.id, day })).log.id);
  await skipDay(app, { goal: goal.id, day: "2026-11-19", isSkipped: true });
  expect((await viewGoal(app, { goal: goal.id })).streak).toMatchObject({
    current: 3,
    freezes: 1,
    frozen: [],
  });
  await deleteLog(app, { log: ids[2] ?? 0 });
  await updateLog(app, { log: ids[1] ?? 0, amount: 500 });
  const after = await viewGoal(app, { goal: goal.id });
  expect(after.streak).toMatchObject({ current: 1, isDoneNow: false });
  expect(after.goal).toMatchObject({ amountElapsed: 1500, logsCount: 2 });
  expect(after.days.map(({ day, amount }) => [day, amount])).toEqual([
    ["2026-11-18", 1000],
    ["2026-11-19", 0],
    ["2026-11-20", 500],
    ["2026-11-21", 0],
  ]);
  const far = await skipDay(app, { goal: goal.id, day: "2027-06-01", isSkipped: true }).catch(asAppError);
  expect(far).toMatchObject({ code: "INVALID" });
  const notMine = await skipDay(await appOf(await makeUser()), {
    goal: goal.id,
    day: "2026-11-21",
    isSkipped: true,
  }).catch(asAppError);
  expect(notMine).toMatchObject({ code: "NOT_FOUND" });
  expect(NOW).toBe(app.now);
});

test("S-13 startLog refuses a second running log of the same goal, and allows one of another goal", async () => {
  const user = await makeUser();
  const [a, b] = [await makeGoal(user), await makeGoal(user)];
  const app = await appOf(user);
  const { log: waiting } = await storeQuickLog(app, { goalId: a.id, status: 3 });
  await storeQuickLog(app, { goalId: a.id, status: 1 });
  await storeQuickLog(app, { goalId: b.id, status: 1 });
  expect(await startLog(app, { log: waiting.id }).catch(asAppError)).toMatchObject({
    code: "CONFLICT",
    message: "A timer is already running for this goal.",
  });
});

const days = fc.integer({ min: 0, max: 4 });
const operation = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant("log" as const),
      back: days,
      amount: fc.nat(9),
      isPlanned: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant("edit" as const), nth: fc.nat(20), amount: fc.nat(9) }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("complete" as const), nth: fc.nat(20) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("delete" as const), nth: fc.nat(20) }) },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant("skip" as const), ahead: fc.integer({ min: -5, max: 3 }) }),
  },
);

test("E-25 the totals of a personal goal are the sums of its logs, whatever happens to logs of whichever day", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 5, maxLength: 25 }), async (operations) => {
      const user = await makeUser();
      const app = await appOf(user);
      const goal = await makeGoal(user);
      const today = dayAt(app.now, app.timeZone);
      for (const op of operations) {
        const own = await logsOf(goal.id);
        const log = "nth" in op ? (own[op.nth % Math.max(1, own.length)]?.id ?? null) : null;
        if (op.type === "log")
          await storeQuickLog(app, {
            goalId: goal.id,
            amount: op.amount * 1000,
            day: plusDays(today, -op.back),
            status: op.isPlanned ? 3 : 2,
          });
        if (op.type === "skip")
          await skipDay(app, { goal: goal.id, day: plusDays(today, op.ahead), isSkipped: true });
        if (op.type === "edit" && log !== null) await updateLog(app, { log, amount: op.amount * 1000 });
        if (op.type === "complete" && log !== null) await completeLog(app, { log });
        if (op.type === "delete" && log !== null) await deleteLog(app, { log });
        const left = await logsOf(goal.id);
        const sum = left.reduce((total, each) => total + countOf(each as Log).amount, 0);
        const { amountElapsed, logsCount } = await goalNow(goal.id);
        expect([amountElapsed, logsCount]).toEqual([sum, left.length]);
      }
    }),
    { numRuns: 15 },
  );
}, 60_000);
