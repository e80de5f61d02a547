// Logs in a session, through HTTP: by button, manual, timed; their totals and permissions.
import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { callAs, dataOf } from "#tests/support/ask";
import { appOf, db, makeUser, type TestUser } from "#tests/support/factories";
import { goalNow, makeGoal } from "#tests/support/goals";
import { balanceOf, join, makeSession, setSession } from "#tests/support/sessions";
import { visit } from "#tests/support/visit";
import { TIMER_NEEDS_GOAL } from "~/domain/goals/logs";
import { instant, MINUTE } from "~/domain/time";
import { logInSession } from "./logs.server";

const button = { uuid: "b1", amount: 2, title: "Two pages", action: "Read", status: 2 };
const readTask = { title: "Read", action: "Read", unit: "pages", amount: 10, quick_log_buttons: [button] };

async function makeSessionWithGuest(overrides: Record<string, unknown> = {}) {
  const [host, guest] = [await makeUser(), await makeUser()];
  const session = await makeSession(host, {
    tasks: [readTask, { title: "Run", action: "Run", distance: 5 }],
    ...overrides,
  });
  await join(guest, session.id);
  const { goals } = await dataOf(guest, `/api/sessions/${session.id}`);
  const log = (user: TestUser | null, body: object, headers?: Record<string, string>) =>
    callAs(user, "POST", `/challenge-events/${session.id}/logs`, body, headers);
  return { host, guest, session, goals, log };
}

test("R-01 C-79 C-84 E-13 a quick log by button counts for the goal and the participant, and costs 0.01", async () => {
  const { guest, goals, log, session } = await makeSessionWithGuest();
  const [read] = goals;
  const { status, body } = await log(guest, { ql_button_uuid: "b1", task_uuid: read.uuid, type: "task" });
  expect(status).toBe(201);
  expect(body.log).toMatchObject({
    amount: 2,
    status: 2,
    title: "Two pages",
    action: "Read",
    task_uuid: read.uuid,
    challenge_event_id: session.id,
    username: guest.username,
    ql_button_uuid: "b1",
  });
  expect(body.challenge_user).toEqual({
    username: guest.username,
    task_totals: { [read.uuid]: { amount: 2, distance: 0, duration: 0, list_progress: [] } },
    task_action_totals: { Read: { amount: 2, distance: 0, duration: 0 } },
  });
  await log(guest, { task_uuid: read.uuid, type: "task", amount: 1.5 });
  await log(guest, { task_uuid: goals[1].uuid, distance: 1.5 });
  const run = await log(guest, { task_uuid: goals[1].uuid, distance: 2.5, duration: 600 });
  expect(run.body.challenge_user.task_totals[read.uuid].amount).toBe(3.5);
  expect(run.body.challenge_user.task_action_totals).toMatchObject({
    Read: { amount: 3.5 },
    Run: { distance: 4, duration: 600_000 },
  });
  // In hundredths: ten tokens, less one for joining and 0.01 for each of the four logs.
  expect(await balanceOf(guest)).toBe(1000 - 100 - 4);
});

test("R-01 a changed log of a session answers without a goal, although its user has goals", async () => {
  const { guest, log } = await makeSessionWithGuest();
  const own = await makeGoal(guest);
  // With the lowest id, a look-up by a default id would find this goal.
  await db.run(sql`UPDATE OR IGNORE goals SET id = 1 WHERE id = ${own.id}`);
  const { body } = await log(guest, { amount: 1 });
  const path = `/api/challenge-logs/${body.log.id}/update`;
  const changed = await callAs(guest, "PATCH", path, { amount: 2 });
  expect([changed.status, changed.body.log.amount, changed.body.goal]).toEqual([200, 2, null]);
});

test("P-34 C-05 logs of two people at the same millisecond have different ids, so that no page loses one", async () => {
  const { host, guest, session } = await makeSessionWithGuest();
  const now = instant(Date.now() + 60_000);
  const ids: number[] = [];
  for (const user of [host, guest, host]) {
    const app = { ...(await appOf(user)), now };
    const { log } = await logInSession(app, {
      session: session.id,
      title: "Tea break",
      uuid: crypto.randomUUID(),
    } as never);
    ids.push(log.id);
  }
  expect([...new Set(ids)].sort((a, b) => a - b)).toEqual(ids);
});

test("C-59 C-79 a manual log has no goal, by slug or by id", async () => {
  const { host, session } = await makeSessionWithGuest();
  const { status, body } = await callAs(host, "POST", `/challenges/${session.slug}/logs`, {
    title: "Tea break",
    content: "Ten **minutes**",
    action: "Rest",
    duration: 600,
  });
  expect(status).toBe(201);
  expect(body.log).toMatchObject({
    goal: null,
    goal_id: null,
    task_uuid: null,
    title: "Tea break",
    duration: 600,
  });
  expect(body.challenge_user.task_totals).toEqual({});
});

test("E-13 P-33 P-34 member goals show each participant's totals, and the list of logs everybody's, newest first", async () => {
  const { host, guest, goals, log, session } = await makeSessionWithGuest();
  await log(host, { task_uuid: goals[0].uuid, amount: 4 });
  await log(guest, { task_uuid: goals[0].uuid, amount: 1 });
  const members = await dataOf(null, `/api/sessions/${session.id}/member-goals`);
  expect(members.member_goals).toMatchObject([
    { username: host.username, is_host: 1, task_totals: { [goals[0].uuid]: { amount: 4 } } },
    { username: guest.username, task_totals: { [goals[0].uuid]: { amount: 1 } } },
  ]);
  expect(members.goals[0]).toMatchObject({ title: "Read", amount_elapsed: 5 });
  const { logs } = await dataOf(null, `/api/sessions/${session.id}/logs`);
  expect(logs.map(({ username }: { username: string }) => username)).toEqual([guest.username, host.username]);
  const mine = await dataOf(guest, `/api/sessions/${session.id}/goals`);
  expect(mine.goals).toMatchObject([{ amount_elapsed: 1 }, { amount_elapsed: 0, distance_elapsed: 0 }]);
  expect(mine.challenge_user.task_totals[goals[0].uuid].amount).toBe(1);
  const details = await dataOf(null, `/api/sessions/${session.id}`);
  expect(details.logs).toHaveLength(2);
  expect(details.session.logs).toEqual(details.logs);
});

test("C-80 C-81 C-82 S-12 a timed log of a task starts, pauses and resets, and one runs at a time", async () => {
  const { guest, goals, session } = await makeSessionWithGuest();
  const start = (body: object = {}) =>
    callAs(guest, "POST", `/challenge-events/${session.id}/logs/tasks/${goals[0].uuid}/start`, body);
  const { status, body } = await start({ duration: 900, action: "Read" });
  expect(status).toBe(201);
  expect(body).toMatchObject({
    id: body.log.id,
    log: { status: 1, is_timed: 1, duration: 900, task_uuid: goals[0].uuid },
    challenge_user: { username: guest.username },
  });
  expect((await start()).body.error_code).toBe("CONFLICT");
  const seen = (await dataOf(guest, `/api/sessions/${session.id}`)).goals[0];
  expect([seen.active, seen.active_log_id]).toEqual([1, body.id]);
  const paused = await callAs(guest, "POST", `/challenge-events/logs/${body.id}`, {
    paused_at: new Date().toISOString(),
  });
  expect(paused.body.log.status).toBe(3);
  const reset = await callAs(guest, "POST", `/challenge-events/logs/${body.id}/reset`, {});
  expect(reset.body.log).toMatchObject({ status: 3, elapsed_duration: 0 });
});

test("E-27 a log of an attached personal goal appears in the session under its uuid", async () => {
  const { guest, session, log } = await makeSessionWithGuest();
  const own = await makeGoal(guest, { title: "My own" });
  await callAs(guest, "POST", `/api/challenge-events/${session.id}/${own.id}/attach-my-goal`, {});
  const { status, body } = await log(guest, { task_uuid: own.uuid, amount: 3 });
  expect([status, body.challenge_user.task_totals[own.uuid].amount]).toEqual([201, 3]);
  const { my_goals } = await dataOf(guest, `/api/sessions/${session.id}/goals`);
  expect(my_goals).toMatchObject([{ title: "My own", amount_elapsed: 3, is_owner: 1 }]);
});

const BELOW_ZERO = "Progress cannot go below zero. Please correct the amount.";

test("V-12 E-25 E-13 nobody takes away what others logged on a session's goal, by a log, an edit or a deletion", async () => {
  const { host, guest, goals, log } = await makeSessionWithGuest();
  const [read, run] = goals;
  const pages = (user: TestUser, amount: number) => log(user, { task_uuid: read.uuid, type: "task", amount });
  await pages(host, 10);
  await log(host, { task_uuid: run.uuid, distance: 3 });
  const before = await balanceOf(guest);
  const refused = await pages(guest, -10);
  expect([refused.status, refused.body.fields]).toEqual([422, { amount: [BELOW_ZERO] }]);
  const farther = await log(guest, { task_uuid: run.uuid, distance: -1 });
  expect(farther.body.fields).toEqual({
    distance: ["Progress cannot go below zero. Please correct the distance."],
  });
  expect(await balanceOf(guest)).toBe(before);
  // A correction takes back at most what the same person logged.
  const own = await pages(guest, 4);
  const back = await pages(guest, -3);
  expect(back.body.challenge_user.task_totals[read.uuid].amount).toBe(1);
  expect((await pages(guest, -2)).status).toBe(422);
  const change = (method: string, { body }: typeof own, amount: number | null) =>
    callAs(
      guest,
      method,
      `/api/challenge-logs/${body.log.id}${amount === null ? "" : "/update"}`,
      amount === null ? {} : { amount },
    );
  expect((await change("PATCH", own, 2)).body.fields).toEqual({ amount: [BELOW_ZERO] });
  expect((await change("PATCH", own, 5)).body.goal.amount_elapsed).toBe(12);
  expect((await change("DELETE", own, null)).status).toBe(422);
  expect((await change("DELETE", back, null)).status).toBe(204);
  expect((await change("DELETE", own, null)).status).toBe(204);
  expect((await goalNow(read.id)).amountElapsed).toBe(10_000);
});

test("V-12 X-07 a correction that is sent twice counts once", async () => {
  const { guest, goals, log } = await makeSessionWithGuest();
  const body = { task_uuid: goals[0].uuid, type: "task" };
  await log(guest, { ...body, amount: 5 });
  const correction = { ...body, amount: -5, uuid: crypto.randomUUID() };
  const [first, second] = [await log(guest, correction), await log(guest, correction)];
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(second.body.log.id).toBe(first.body.log.id);
  expect((await goalNow(goals[0].id)).amountElapsed).toBe(0);
});

test("V-12 a manual log without a goal has nothing to correct, when it is written or edited", async () => {
  const { guest, log } = await makeSessionWithGuest();
  expect((await log(guest, { amount: -5 })).body.fields).toEqual({ amount: [BELOW_ZERO] });
  const { body } = await log(guest, { amount: 5, title: "Sang" });
  const edit = (fields: object) =>
    callAs(guest, "PATCH", `/api/challenge-logs/${body.log.id}/update`, fields);
  expect((await edit({ amount: -1 })).body.fields).toEqual({ amount: [BELOW_ZERO] });
  expect((await edit({ amount: 6, title: "Sang on" })).body.log).toMatchObject({
    amount: 6,
    title: "Sang on",
  });
});

test("V-12 E-27 an attached personal goal is corrected in the session by what was logged before it", async () => {
  const { guest, session } = await makeSessionWithGuest();
  const goal = await makeGoal(guest);
  const quick = (amount: number) =>
    callAs(guest, "POST", "/api/logs/store-quick-log", { goal_id: goal.id, amount });
  await quick(5);
  await callAs(guest, "POST", `/api/challenge-events/${session.id}/${goal.id}/attach-my-goal`, {});
  const { body } = await quick(-3);
  expect(body.log.challenge_event_id).toBe(session.id);
  expect(body.goal.amount_elapsed).toBe(2);
  expect((await quick(-3)).body.fields).toEqual({ amount: [BELOW_ZERO] });
  expect((await callAs(guest, "DELETE", `/api/challenge-logs/${body.log.id}`, {})).status).toBe(204);
  expect((await goalNow(goal.id)).amountElapsed).toBe(5000);
});

test("R-01 participants log existing goals, until the session has ended", async () => {
  const { host, guest, goals, log, session } = await makeSessionWithGuest();
  const body = { task_uuid: goals[0].uuid };
  const stranger = await log(await makeUser(), body);
  expect([stranger.status, stranger.body.message]).toEqual([
    403,
    "Please join the challenge to use that feature.",
  ]);
  expect((await log(guest, { task_uuid: "no-such-goal" })).status).toBe(404);
  expect((await log(guest, { ...body, amount: "many" })).body.fields.amount).toEqual([
    "Please give a number.",
  ]);
  await callAs(host, "POST", `/challenge-events/${session.id}/end`, {});
  expect((await log(guest, body)).body).toMatchObject({
    error_code: "CONFLICT",
    message: "This session has ended.",
  });
});

test("R-16 with a join code only participants see the logs", async () => {
  const { host, guest, goals, log, session } = await makeSessionWithGuest();
  await log(guest, { task_uuid: goals[0].uuid });
  await callAs(host, "PATCH", `/challenge-events/${session.id}/patch`, { challenge: { join_code: "lamp" } });
  const read = async (user: TestUser | null, tab: string) =>
    dataOf(user, `/api/sessions/${session.id}${tab}`);
  expect((await read(null, "/logs")).logs).toEqual([]);
  expect((await read(null, "")).logs).toEqual([]);
  expect((await read(null, "/member-goals")).member_goals).toEqual([]);
  expect((await read(null, "")).session.title).toBe("Morning pages");
  expect((await read(guest, "/logs")).logs).toHaveLength(1);
});

test("S-12 C-79 C-83 the goal of an ended session takes no log and no tick by any call, but answers a log that came in time", async () => {
  const line = { uuid: "line", title: "Pack" };
  const { host, guest, session, goals, log } = await makeSessionWithGuest({
    tasks: [{ ...readTask, items: [line] }],
  });
  const [goal] = goals;
  const own = await makeGoal(guest);
  const quick = (goalId: number, uuid = crypto.randomUUID()) =>
    callAs(guest, "POST", "/api/logs/store-quick-log", { goal_id: goalId, amount: 1, uuid });
  const uuid = crypto.randomUUID();
  const first = await quick(goal.id, uuid);
  expect(first.status).toBe(201);
  const minutesAgo = (minutes: number) => instant(Date.now() - minutes * MINUTE);
  await setSession(session.id, {
    startedAt: minutesAgo(63),
    endedAt: minutesAgo(3),
    closedAt: minutesAgo(3),
  });
  const before = [await goalNow(goal.id), await balanceOf(guest)];
  const refused = { status: 409, body: { message: "This session has ended." } };
  expect(await quick(goal.id)).toMatchObject(refused);
  const start = { goal_id: goal.id, status: 1, is_timed: 1 };
  expect(await callAs(guest, "POST", "/api/logs/store-quick-log", start)).toMatchObject(refused);
  expect(await log(guest, { task_uuid: goal.uuid, amount: 1 })).toMatchObject(refused);
  const ticks = { goal_id: goal.id, items: [line.uuid], challenge_event_id: session.id };
  expect(await callAs(guest, "POST", "/challenge-events/logs/save-task-list-progress", ticks)).toMatchObject(
    refused,
  );
  expect([await goalNow(goal.id), await balanceOf(guest)]).toEqual(before);
  const again = await quick(goal.id, uuid);
  expect([again.status, again.body.log.id]).toEqual([first.status, first.body.log.id]);
  // The session's end does not close a personal goal.
  expect((await quick(own.id)).status).toBe(201);
  expect((await dataOf(host, `/api/sessions/${session.id}`)).session.status).toBe(2);
});

test("S-12 C-59 C-79 C-80 a log that came in time is answered again after the end by each call of the session, and stored once", async () => {
  const { guest, session, goals, log } = await makeSessionWithGuest();
  const [goal, run] = goals;
  const started = (uuid: string, logUuid: string) =>
    callAs(guest, "POST", `/challenge-events/${session.id}/logs/tasks/${uuid}/start`, { log_uuid: logUuid });
  const bySlug = (body: object) => callAs(guest, "POST", `/challenges/${session.slug}/logs`, body);
  const [byTask, byHand, byStart] = [0, 1, 2].map(() => crypto.randomUUID()) as [string, string, string];
  const requests = [
    () => log(guest, { task_uuid: goal.uuid, amount: 2, uuid: byTask }),
    () => bySlug({ title: "Tea", uuid: byHand }),
    () => started(run.uuid, byStart),
  ];
  const first = [];
  for (const request of requests) first.push(await request());
  expect(first.map(({ status }) => status)).toEqual([201, 201, 201]);
  const endedAt = instant(Date.now() - 3 * MINUTE);
  await setSession(session.id, { startedAt: instant(endedAt - MINUTE), endedAt, closedAt: endedAt });
  const before = [await goalNow(goal.id), await balanceOf(guest)];
  for (const [index, request] of requests.entries()) {
    const again = await request();
    expect([again.status, again.body.log.id]).toEqual([201, first[index]?.body.log.id]);
    expect(again.body.challenge_user.task_totals[goal.uuid].amount).toBe(2);
  }
  expect([await goalNow(goal.id), await balanceOf(guest)]).toEqual(before);
  // Another uuid is a new log, and the log of another session answers nothing here.
  const elsewhere = await makeSession(guest);
  const other = await callAs(guest, "POST", `/challenge-events/${elsewhere.id}/logs`, { title: "Tea" });
  for (const uuid of [crypto.randomUUID(), other.body.log.uuid])
    expect(await log(guest, { task_uuid: goal.uuid, amount: 2, uuid })).toMatchObject({ status: 409 });
});

test("S-13 a log without a goal has no timer, when it is written or started", async () => {
  const { guest, log, session } = await makeSessionWithGuest();
  const refused = { status: 422, body: { fields: { status: [TIMER_NEEDS_GOAL] } } };
  expect(await log(guest, { title: "Tea", status: 1 })).toMatchObject(refused);
  expect(await callAs(guest, "POST", `/challenges/${session.slug}/logs`, { status: 1 })).toMatchObject(
    refused,
  );
  const { body } = await log(guest, { title: "Tea", status: 3, duration: 600 });
  const start = await callAs(guest, "POST", `/api/challenge-logs/${body.log.id}/start`, {});
  expect([start.status, start.body.message]).toEqual([409, TIMER_NEEDS_GOAL]);
  const page = await visit(guest, "/my/logs");
  const row = (await page.all("main li")).find(({ text }) => text.includes("Tea"));
  expect([row?.text.includes("Start"), row?.text.includes("Done")]).toEqual([false, true]);
});

test("S-13 a timer without a goal, from before that rule, may be paused or stopped and keeps its time", async () => {
  const user = await makeUser();
  const goal = await makeGoal(user);
  const ids: number[] = [];
  for (let minutes = 1; minutes <= 2; minutes++) {
    const { body } = await callAs(user, "POST", "/api/logs/store-quick-log", { goal_id: goal.id, status: 1 });
    const startedAt = instant(Date.now() - minutes * MINUTE);
    const set = { goalId: null, title: `Tea ${minutes}`, startedAt };
    await db.update(schema.logs).set(set).where(eq(schema.logs.uuid, body.log.uuid));
    ids.push(body.log.id);
  }
  const buttonsOfToday = async () =>
    [...(await visit(user, "/my/goals")).html.matchAll(/aria-label="((?:Pause|Resume|Done,) Tea \d)"/g)].map(
      ([, label]) => label,
    );
  const labels = ["Done, Tea 2", "Done, Tea 1"];
  expect(await buttonsOfToday()).toEqual(labels);
  const stop = (id: number | undefined, body: object) =>
    callAs(user, "POST", `/api/challenge-logs/${id}/stop`, body);
  const paused = await stop(ids[0], { status: 3 });
  expect([paused.status, paused.body.log.elapsed_duration]).toEqual([200, MINUTE]);
  expect(await buttonsOfToday()).toEqual(labels);
  const stopped = await stop(ids[1], { status: 4 });
  expect([stopped.status, stopped.body.log.elapsed_duration]).toEqual([200, 2 * MINUTE]);
  expect(await buttonsOfToday()).toEqual(["Done, Tea 1"]);
  expect((await visit(user, "/my/logs")).html).not.toContain("Reset the timer to zero");
});

test("C-36 C-37 C-83 a goal in the answer of a log or a tick has its tags and running timer", async () => {
  const user = await makeUser();
  const tags = ["green", "slow"];
  const items = [{ uuid: "line", title: "Pack" }];
  const { body } = await callAs(user, "POST", "/api/goals/store", {
    challenge: { tasks: [{ title: "Read", tags, items }] },
  });
  const goalId = body.goal.id;
  const started = await callAs(user, "POST", "/api/logs/store-quick-log", {
    goal_id: goalId,
    status: 1,
    is_timed: 1,
  });
  const running = { tags, active: 1, active_log_id: started.body.log.id };
  expect(started.body.goal).toMatchObject(running);
  const quick = { goal_id: goalId, amount: 1 };
  expect((await callAs(user, "POST", "/api/logs/store-quick-log", quick)).body.goal).toMatchObject(running);
  const ticked = await callAs(user, "POST", "/challenge-events/logs/save-task-list-progress", {
    goal_id: goalId,
    items: ["line"],
  });
  expect(ticked.body.goal).toMatchObject(running);
});
