// Goals shared with sessions: copies, attachments and ticks; and all of the user's own lists.
import { expect, test, vi } from "vitest";
import { updateGoal as updateGoalRow } from "#db/queries/goals/goals";
import { callAs, dataOf } from "#tests/support/ask";
import { appOf, db, makeUser, reload, type TestUser } from "#tests/support/factories";
import { makeGoal } from "#tests/support/goals";
import { join, makeHut, makeSession, stageSession } from "#tests/support/sessions";
import { visit } from "#tests/support/visit";
import { MINUTE } from "~/domain/time";
import { completeGoal, reopenGoal, updateGoal } from "~/use-cases/goals/goals.server";
import { viewSessionGoals } from "./views.server";

const reading = {
  title: "Read",
  unit: "pages",
  amount: 20,
  items: [{ uuid: "a", title: "Choose", x: 1 }],
  is_list: 1,
  quick_log_buttons: [{ uuid: "b", title: "A page", amount: 1, status: 2 }],
  recurrence: { every: "week", times: 3 },
  tags: ["calm", "late"],
};
async function stage(over: object = {}) {
  const [host, guest] = [await makeUser(), await makeUser()];
  const session = await makeSession(host, { tasks: [reading], ...over });
  await join(guest, session.id);
  const { goals } = await dataOf(host, `/api/sessions/${session.id}`);
  return { host, guest, session, goal: goals[0] };
}
const copy = (user: TestUser | null, body: object, headers?: Record<string, string>) =>
  callAs(user, "POST", "/goals/add-to-my-goals", body, headers);

test("C-35 E-27 R-11 a copy has everything but the progress, keeps its link, and costs a goal; a repeat creates no second copy", async () => {
  const { guest, session, goal } = await stage();
  await callAs(guest, "POST", `/challenge-events/${session.id}/logs`, { task_uuid: goal.uuid, amount: 5 });
  const ask = { challengeEventId: session.id, goalUuid: goal.uuid };
  const key = { "Idempotency-Key": crypto.randomUUID() };
  const before = (await reload(guest))?.tokens ?? 0;
  const { status, body } = await copy(guest, ask, key);
  expect(status, JSON.stringify(body)).toBe(201);
  expect(body.goal).toMatchObject({
    title: "Read",
    unit: "pages",
    amount: 20,
    amount_elapsed: 0,
    logs_count: 0,
    items: [{ uuid: "a", title: "Choose", x: 0 }],
    quick_log_buttons: [{ uuid: "b", title: "A page" }],
    recurrence: { every: "week", times: 3 },
    tags: ["calm", "late"],
    is_owner: 1,
    status: 1,
    challenge_event_id: null,
    task_uuids: [body.goal.uuid, goal.uuid],
  });
  expect(body.goal.uuid).not.toBe(goal.uuid);
  expect((await copy(guest, ask, key)).body).toEqual(body);
  expect((await reload(guest))?.tokens).toBe(before - 100);
  const { goals } = await dataOf(guest, "/api/my/goals?tag=late");
  expect(goals).toMatchObject([{ id: body.goal.id, tags: ["calm", "late"] }]);
});

test("C-35 everybody who sees the session may copy; a join code prevents it; without a token there is no copy", async () => {
  const { host, session, goal } = await stage();
  const ask = { challengeEventId: session.id, goalUuid: goal.uuid };
  expect((await copy(null, ask)).body.error_code).toBe("UNAUTHENTICATED");
  expect((await copy(await makeUser(), ask)).status).toBe(201);
  expect((await copy(await makeUser(), { ...ask, goalUuid: "none" })).status).toBe(404);
  expect((await copy(await makeUser(), {})).body.fields).toMatchObject({
    challengeEventId: ["Please give an id."],
    goalUuid: ["Which goal?"],
  });
  expect((await copy(await makeUser({ tokens: 99 }), ask)).body.error_code).toBe("INSUFFICIENT_TOKENS");
  await callAs(host, "PATCH", `/challenge-events/${session.id}/patch`, { challenge: { join_code: "lamp" } });
  expect((await copy(await makeUser(), ask)).status).toBe(404);
  const own = await makeGoal(host);
  expect((await copy(host, { ...ask, goalUuid: own.uuid })).status).toBe(404);
});

test("C-35 R-16 a super admin copies a goal of a session with a join code", async () => {
  const { session, goal } = await stage({ join_code: "hush" });
  const ask = { challengeEventId: session.id, goalUuid: goal.uuid };
  expect((await copy(await makeUser(), ask)).body.error_code).toBe("NOT_FOUND");
  expect((await copy(await makeUser({ roleId: 10 }), ask)).status).toBe(201);
});

test("E-27 a session offers the newest 100 of a participant's own goals for attaching", async () => {
  const { guest, session } = await stage();
  const ids: number[] = [];
  for (let n = 0; n < 101; n++) ids.push((await makeGoal(guest)).id);
  const { attachable } = await viewSessionGoals(await appOf(guest), { session: session.id });
  expect(attachable.map(({ id }) => id)).toEqual(ids.slice(1).reverse());
});

test("Q-13 a muted participant does not rename a goal that the session shows, and changes its other fields", async () => {
  const { host, guest, session } = await stage();
  const [attached, own] = [
    await makeGoal(guest, { title: "My own", attachedSessionId: session.id }),
    await makeGoal(guest, { title: "Beside" }),
  ];
  const seat = (name: string) => `/challenge-events/${session.id}/participants/${name}`;
  const rename = async (user: TestUser, id: number, body: object) =>
    (await callAs(user, "PATCH", `/api/goals/update/${id}`, { challenge: { tasks: [body] } })).status;
  expect((await callAs(host, "PATCH", seat(guest.username), { mute: 1 })).status).toBe(200);
  expect(await rename(guest, attached.id, { title: "Loud words" })).toBe(403);
  expect(await rename(guest, attached.id, { amount: 7 })).toBe(200);
  expect(await rename(guest, own.id, { title: "Loud words" })).toBe(200);
  expect((await callAs(host, "PATCH", seat(guest.username), { mute: 0 })).status).toBe(200);
  expect(await rename(guest, attached.id, { title: "Calm words" })).toBe(200);
});

test("C-36 E-27 a participant attaches a personal goal, and its logs appear in the session", async () => {
  const { host, guest, session } = await stage();
  const own = await makeGoal(guest, { title: "My own" });
  const attach = (user: TestUser | null, event: number, goal: number) =>
    callAs(user, "POST", `/api/challenge-events/${event}/${goal}/attach-my-goal`, {});
  expect((await attach(null, session.id, own.id)).body.error_code).toBe("UNAUTHENTICATED");
  for (const other of [host, await makeUser({ roleId: 10 })])
    expect((await attach(other, session.id, own.id)).status).toBe(404);
  const outsider = await makeUser();
  const theirs = await makeGoal(outsider);
  const noSeat = await attach(outsider, session.id, theirs.id);
  expect([noSeat.status, noSeat.body.message]).toEqual([
    403,
    "Please join the session to attach a goal to it.",
  ]);
  const { status, body } = await attach(guest, session.id, own.id);
  expect([status, body.goal.challenge_event_id]).toEqual([200, session.id]);
  await callAs(guest, "POST", "/api/logs/store-quick-log", { goal_id: own.id, amount: 2 });
  const { logs } = await dataOf(host, `/api/sessions/${session.id}/logs`);
  expect(logs).toMatchObject([{ username: guest.username, amount: 2, task_uuid: own.uuid }]);
  await callAs(host, "POST", `/challenge-events/${session.id}/end`, {});
  expect((await attach(guest, session.id, own.id)).body.error_code).toBe("CONFLICT");
  // After the session's end logs belong to the goal only.
  await callAs(guest, "POST", "/api/logs/store-quick-log", { goal_id: own.id });
  const after = await dataOf(host, `/api/sessions/${session.id}/logs`);
  expect(after.logs).toHaveLength(1);
});

test("C-83 S-16 ticks in a session belong to each participant, and those of an attached goal count for both", async () => {
  const { host, guest, session, goal } = await stage();
  const tick = (user: TestUser | null, body: object) =>
    callAs(user, "POST", "/challenge-events/logs/save-task-list-progress", body);
  const shared = { goal_id: goal.id, items: ["a"], challenge_event_id: session.id };
  expect((await tick(null, shared)).body.error_code).toBe("UNAUTHENTICATED");
  expect((await tick(await makeUser(), shared)).status).toBe(404);
  expect((await tick(guest, shared)).body.goal.items).toMatchObject([{ uuid: "a", x: 1 }]);
  const progress = async (user: TestUser) => {
    const { member_goals } = await dataOf(user, `/api/sessions/${session.id}/member-goals`);
    return Object.fromEntries(
      member_goals.map(
        (one: { username: string; task_totals: Record<string, { list_progress: string[] }> }) => [
          one.username,
          one.task_totals[goal.uuid]?.list_progress ?? [],
        ],
      ),
    );
  };
  expect(await progress(host)).toEqual({ [host.username]: [], [guest.username]: ["a"] });
  const wrong = await tick(guest, { ...shared, challenge_event_id: session.id + 1 });
  expect(wrong.body.fields).toEqual({
    challenge_event_id: ["This goal does not belong to that session."],
  });
  expect((await tick(guest, { goal_id: goal.id })).body.fields.items).toEqual([
    "Please send the uuids of what is ticked.",
  ]);
});

test("C-29 E-21 R-37 P-19 P-20 the user's own goals, logs, notes, sessions and groups, each under its key, without those of others", async () => {
  const { host, guest, session } = await stage();
  const hut = await makeHut(host, [guest]);
  await makeGoal(guest, { title: "Mine" });
  const read = (user: TestUser, what: string) => dataOf(user, `/api/my/${what}`);
  expect(await read(guest, "sessions")).toMatchObject({
    sessions: [{ id: session.id, title: "Morning pages", participants_count: 2 }],
    page: 1,
    per_page: 12,
  });
  expect(await read(guest, "groups")).toMatchObject({
    groups: [{ id: hut.id, slug: hut.slug, is_joined: 1 }],
  });
  expect(await read(guest, "goals")).toMatchObject({ goals: [{ title: "Mine", is_owner: 1 }] });
  expect((await read(guest, "logs")).logs).toEqual([]);
  expect((await read(guest, "notes")).notes).toEqual([]);
  const stranger = await makeUser();
  for (const [what, key] of [
    ["goals", "goals"],
    ["sessions", "sessions"],
    ["groups", "groups"],
  ] as const)
    expect((await read(stranger, what))[key]).toEqual([]);
  const { body } = await callAs(guest, "GET", "/get-user");
  expect(body.my_goals ?? body.user?.my_goals).toMatchObject([{ title: "Mine" }]);
});

test("C-33 C-34 each change of a session's goal notifies its room", async () => {
  const { host, session, goal } = await stage();
  const app = await appOf(host);
  const notified: number[] = [];
  const { rooms } = app;
  app.rooms = {
    ...rooms,
    of: (id) => ({ ...rooms.of(id), refresh: async () => void notified.push(id) }),
  };
  await updateGoal(app, { goal: goal.id, title: "Read on" });
  expect(notified).toEqual([session.id]);
  await completeGoal(app, { goal: goal.id });
  await reopenGoal(app, { goal: goal.id });
  expect(notified).toHaveLength(3);
});

test("A-05 the write of a session's goal asks for the role again, and goes to host, admins and super admin", async () => {
  const { host, guest, admin, view } = await stageSession({ tasks: [reading] });
  const elsewhere = await stageSession();
  const [goal] = (await view(host)).goals;
  const write = (user: TestUser, isSuperAdmin = false) =>
    updateGoalRow(db, goal.id, { userId: user.id, isSuperAdmin }, { title: `Of ${user.username}` });
  for (const user of [host, admin]) expect(await write(user)).toHaveLength(1);
  for (const user of [guest, elsewhere.host, elsewhere.admin]) expect(await write(user)).toEqual([]);
  expect(await write(await makeUser(), true)).toHaveLength(1);
});

test("A-05 permissions for a session's goal follow the present role, not its creator", async () => {
  const { host, guest, admin, session, challenge, view } = await stageSession();
  const part = { uuid: crypto.randomUUID(), title: "Made by the admin", type: "task" };
  expect((await challenge(admin, "POST", "/parts", part)).status).toBe(201);
  const made = (await view(host)).goals.find(({ title }: { title: string }) => title === "Made by the admin");
  await callAs(guest, "POST", `/challenge-events/${session.id}/logs`, {
    task_uuid: made.uuid,
    title: "Secret log",
  });
  const goal = `/api/my/goals/${made.id}`;
  const asked = async (user: TestUser) => [
    (await callAs(user, "PATCH", `/api/goals/update/${made.id}`, { title: "Renamed", tags: ["walk"] }))
      .status,
    (await callAs(user, "POST", `/api/goals/${made.id}/complete`, {})).status,
    (await callAs(user, "GET", goal)).status,
    (await callAs(user, "GET", `${goal}/logs`)).status,
    (await callAs(user, "GET", `${goal}/notes`)).status,
  ];
  const ALL = [200, 200, 200, 200, 200];
  const NONE = [404, 404, 404, 404, 404];
  // Everybody who runs the session manages its goals, regardless of their creator; a participant does not.
  for (const user of [admin, host, await makeUser({ roleId: 10 })]) expect(await asked(user)).toEqual(ALL);
  expect((await dataOf(host, `${goal}/logs`)).logs).toMatchObject([{ title: "Secret log" }]);
  expect((await view(guest)).goals).toMatchObject([{ title: "Renamed", tags: ["walk"] }]);
  expect(await asked(guest)).toEqual(NONE);
  // A note belongs to its author.
  await callAs(admin, "POST", "/api/notes", { goal_id: made.id, title: "Only mine" });
  expect(JSON.stringify((await callAs(host, "GET", `${goal}/notes`)).body)).not.toContain("Only mine");

  const seat = `/challenge-events/${session.id}/participants/${admin.username}`;
  await callAs(host, "PATCH", seat, { role: 0 });
  expect(await asked(admin)).toEqual(NONE);
  await callAs(host, "PATCH", seat, { role: 1 });
  expect(await asked(admin)).toEqual(ALL);
  await callAs(host, "DELETE", seat);
  expect(await asked(admin)).toEqual(NONE);
});

test("R-69 X-07 a save repeated with a new goal and its lines and timers is no conflict, and other new goals still are", async () => {
  const { host, session, view } = await stageSession();
  const { updated_at } = (await view(host)).session;
  const save = (tasks: object[]) =>
    callAs(host, "PATCH", `/challenge-events/${session.id}/patch`, { challenge: { tasks, updated_at } });
  const titles = async () => (await view(host)).goals.map(({ title }: { title: string }) => title);
  vi.setSystemTime(Date.now() + MINUTE);
  const pack = { title: "Pack", content: "*Light*", action: "", is_list: 1, items: [{ title: "Socks" }] };
  const run = { title: "Run", is_interval: 1, timers: [{ title: "Go", duration: 60 }], duration: 5 };
  for (const _ of [1, 2]) expect((await save([pack, run])).status).toBe(200);
  expect(await titles()).toEqual(["Pack", "Run"]);
  const other = await save([pack, { title: "Sing" }]);
  expect([other.status, other.body.newer?.texts]).toEqual([409, [{ label: "Goal", text: "Run" }]]);
  // A goal of the same title with another text is no repeat.
  expect((await save([{ ...pack, content: "" }, run])).status).toBe(409);
  expect(await titles()).toEqual(["Pack", "Run"]);
});

test("R-69 a new goal does not replace the unseen goal of a colleague with the same title", async () => {
  const { host, admin, session, view } = await stageSession();
  const { updated_at } = (await view(host)).session;
  vi.setSystemTime(Date.now() + MINUTE);
  const part = {
    uuid: crypto.randomUUID(),
    title: "Pack",
    is_list: 1,
    items: [{ title: "Socks" }],
    type: "task",
  };
  expect((await callAs(admin, "POST", `/challenges/${session.slug}/parts`, part)).status).toBe(201);
  const challenge = { tasks: [{ title: "Pack" }], updated_at };
  const saved = await callAs(host, "PATCH", `/challenge-events/${session.id}/patch`, { challenge });
  expect([saved.status, saved.body.newer?.texts]).toEqual([409, [{ label: "Goal", text: "Pack" }]]);
  expect((await view(host)).goals).toMatchObject([{ uuid: part.uuid, title: "Pack" }]);
});

test("C-71 C-77 R-69 a session's version covers its goals, so that people save the goals that they have read or saved", async () => {
  for (const isRunning of [false, true]) {
    const { host, admin, session, event, view } = await stageSession({ tasks: [{ title: "Read" }] });
    const beside = await stageSession({ tasks: [{ title: "Read" }] });
    if (isRunning) expect((await event(host, "/start")).status).toBe(200);
    const [{ uuid }] = (await view(host)).goals;
    const version = async () => (await view(host)).session.updated_at;
    const opened = await version();
    const untouched = await beside.view();
    const save = (updated_at: string, ...titles: string[]) =>
      callAs(host, "PATCH", `/challenge-events/${session.id}/patch`, {
        challenge: { tasks: titles.map((title, index) => (index ? { title } : { uuid, title })), updated_at },
      });
    let updated_at = opened;
    for (const title of ["Write", "Draw"]) {
      vi.setSystemTime(Date.now() + MINUTE);
      const saved = await save(updated_at, title);
      expect([isRunning, title, saved.status]).toEqual([isRunning, title, 200]);
      ({ updated_at } = saved.body.challenge_event);
      expect(await version()).toBe(updated_at);
    }
    vi.setSystemTime(Date.now() + MINUTE);
    const part = { type: "task", title: "Of the admin" };
    await callAs(admin, "PATCH", `/challenges/${session.slug}/parts/${uuid}`, { part, ...part });
    // Only the version from before the admin's change is refused; the form begins from the newest one too.
    expect((await save(updated_at, "Sing")).status).toBe(409);
    const form = await visit(host, `/events/${session.id}/update`);
    const [since] = await form.all('input[name="since"]');
    expect(Number(since?.attributes.value)).toBe(Date.parse(await version()));
    expect((await save(await version(), "Sing")).status).toBe(200);
    expect((await view(host)).goals.map(({ title }: { title: string }) => title)).toEqual(["Sing"]);
    expect(await beside.view()).toMatchObject({ session: untouched.session, goals: untouched.goals });
  }
});
