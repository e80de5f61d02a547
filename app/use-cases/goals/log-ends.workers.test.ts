// Interval timers of goals end by themselves: through HTTP, at a clock that the tests set.
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { listEndedTimers } from "#db/queries/goals/logs";
import { callAs } from "#tests/support/ask";
import { db, makeUser, type TestUser, testApp } from "#tests/support/factories";
import { goalNow, makeGoal } from "#tests/support/goals";
import { ROOM_NOW, useRoomClock } from "#tests/support/rooms";
import { balanceOf, join, makeSession } from "#tests/support/sessions";
import { post, visit } from "#tests/support/visit";
import { instant, MINUTE, SECOND, seconds } from "~/domain/time";
import { endOverdueTimers } from "./log-ends.server";

const at = useRoomClock();
const HALF = [
  { title: "Work", duration: seconds(20) },
  { title: "Rest", duration: seconds(10) },
];
const INTERVALS = {
  uuid: "i",
  title: "Tabata",
  duration: seconds(60),
  isInterval: true,
  sets: 2,
  timers: HALF,
};
const PLAIN = { ...INTERVALS, uuid: "p", title: "Plain", isInterval: false, sets: 1, timers: [] };

/** A goal of the user with both timers, and a log that runs one of them since `ROOM_NOW`. */
async function begun(timer = "i", user?: TestUser) {
  at(ROOM_NOW);
  const owner = user ?? (await makeUser());
  const goal = await makeGoal(owner, { timers: [INTERVALS, PLAIN], amount: null, duration: seconds(600) });
  const { body } = await start(owner, goal.id, timer);
  return { owner, goal, id: body.log.id as number };
}
const start = (user: TestUser, goal: number, timer = "i") =>
  callAs(user, "POST", "/api/logs/store-quick-log", {
    goal_id: goal,
    status: 1,
    amount: 0,
    duration: 60,
    timer_uuid: timer,
  });
const stored = async (id: number, user: TestUser) =>
  (await db.select().from(schema.logs).where(eq(schema.logs.userId, user.id))).find((log) => log.id === id);

test.each([
  ["the goal's page", (goal: number) => `/api/my/goals/${goal}`],
  ["its logs", (goal: number) => `/api/my/goals/${goal}/logs`],
  ["the list of goals", () => "/api/my/goals"],
  ["all logs", () => "/api/my/logs"],
])("R-62 %s shows a log past its last set as Done, with the planned time", async (_, path) => {
  const { owner, goal, id } = await begun();
  at(ROOM_NOW + 59 * SECOND);
  await callAs(owner, "GET", path(goal.id));
  expect((await stored(id, owner))?.status).toBe(1);
  at(ROOM_NOW + 19 * MINUTE);
  expect((await callAs(owner, "GET", path(goal.id))).status).toBe(200);
  expect(await stored(id, owner)).toMatchObject({
    status: 2,
    elapsedDuration: 60_000,
    endedAt: ROOM_NOW + MINUTE,
  });
  expect(await goalNow(goal.id)).toMatchObject({ durationElapsed: 60_000 });
});

test("R-62 the next write finds the log Done: a timer starts again, and a pause is refused", async () => {
  const { owner, goal, id } = await begun();
  at(ROOM_NOW + 2 * MINUTE);
  const paused = await callAs(owner, "POST", `/api/challenge-logs/${id}/stop`, { status: 3 });
  expect([paused.status, paused.body.error_code]).toEqual([409, "CONFLICT"]);
  const again = await start(owner, goal.id);
  expect([again.status, again.body.log.status]).toEqual([201, 1]);
  expect(await goalNow(goal.id)).toMatchObject({ durationElapsed: 60_000 });
});

test("R-62 the minute cron stores the end, once, and the day counts it", async () => {
  const { owner, goal, id } = await begun();
  const app = await testApp({ now: instant(ROOM_NOW + MINUTE) });
  expect(await endOverdueTimers(app)).toEqual({ ended: 1, failed: 0 });
  expect(await endOverdueTimers(app)).toEqual({ ended: 0, failed: 0 });
  expect(await stored(id, owner)).toMatchObject({ status: 2, endedAt: ROOM_NOW + MINUTE });
  const days = await db.select().from(schema.goalDays).where(eq(schema.goalDays.goalId, goal.id));
  expect(days.map(({ logs, duration }) => [logs, duration])).toEqual([[1, 60_000]]);
});

test("R-62 another participant reads the log as Done before anything stores it", async () => {
  const [host, guest] = [await makeUser(), await makeUser()];
  at(ROOM_NOW);
  const { id: session } = await makeSession(host);
  await join(guest, session);
  const goal = await makeGoal(guest, { timers: [INTERVALS], attachedSessionId: session });
  const { body } = await start(guest, goal.id);
  at(ROOM_NOW + 5 * MINUTE);
  const { body: read } = await callAs(host, "GET", `/api/sessions/${session}/logs`);
  const shown = read.serverData.logs.find(({ id }: { id: number }) => id === body.log.id);
  expect(shown.status).toBe(2);
  expect((await stored(body.log.id, guest))?.status).toBe(1);
});

test("R-62 a timer with a plain duration goes on counting past it", async () => {
  const { owner, goal, id } = await begun("p");
  at(ROOM_NOW + 19 * MINUTE);
  await callAs(owner, "GET", `/api/my/goals/${goal.id}`);
  expect(await stored(id, owner)).toMatchObject({ status: 1 });
});

test("R-62 the goal's page offers Undo, and the time until now", async () => {
  const { owner, goal, id } = await begun();
  at(ROOM_NOW + 19 * MINUTE);
  const page = await visit(owner, `/my/goals/${goal.id}`);
  expect(page.html).toContain("Logged 1m");
  expect(await page.texts("button")).toEqual(expect.arrayContaining(["Undo", "It was 19m"]));
  const answered = await post(owner, `/my/goals/${goal.id}`, {
    intent: "log.span",
    log: String(id),
    duration: "19m",
  });
  expect(answered.status).toBeLessThan(400);
  expect(await stored(id, owner)).toMatchObject({ elapsedDuration: 19 * MINUTE });
  expect((await visit(owner, `/my/goals/${goal.id}`)).html).not.toContain("It was");
});

test("R-62 R-75 a corrected timer offers Undo, which takes the log back and leaves another one", async () => {
  const { owner, goal, id } = await begun();
  const other = await makeGoal(owner);
  await callAs(owner, "POST", "/api/logs/store-quick-log", { goal_id: other.id, amount: 3 });
  at(ROOM_NOW + 8 * MINUTE);
  const path = `/my/goals/${goal.id}`;
  const answered = await post(owner, path, { intent: "log.span", log: String(id), duration: "8m" });
  const landed = await visit(owner, answered.location ?? path, answered);
  const fields = (await landed.allWithoutScripts('form[aria-label="Undo the log"] input')).map(
    ({ attributes }) => [attributes.name, attributes.value],
  );
  expect(fields).toContainEqual(["log", String(id)]);
  await post(owner, path, Object.fromEntries(fields));
  expect(await stored(id, owner)).toBe(undefined);
  expect(await goalNow(goal.id)).toMatchObject({ durationElapsed: 0, logsCount: 0 });
  expect(await goalNow(other.id)).toMatchObject({ amountElapsed: 3000, logsCount: 1 });
  // Within ten minutes the price of the log returns.
  expect(await balanceOf(owner)).toBe(999);
});

test("R-62 looking for ended timers reads no other logs of the user", async () => {
  const { owner, goal } = await begun();
  for (let more = 0; more < 20; more++)
    await callAs(owner, "POST", "/api/logs/store-quick-log", { goal_id: goal.id, amount: 1 });
  const asked = listEndedTimers(db, instant(ROOM_NOW + 5 * MINUTE), { userId: owner.id, limit: 10 }).toSQL();
  const { meta } = await env.DB.prepare(asked.sql)
    .bind(...(asked.params as never[]))
    .all();
  expect(meta.rows_read).toBeLessThanOrEqual(4);
});

test("S-13 a started timer runs in the row where it was started, and the other waits there", async () => {
  const { owner, goal } = await begun("i");
  const page = await visit(owner, `/my/goals/${goal.id}`);
  const rows = await page.texts('ul[aria-label="Timers"] > li');
  expect(rows.map((row) => [row.includes("Running"), row.includes("Start")])).toEqual([
    [true, false],
    [false, true],
  ]);
});
