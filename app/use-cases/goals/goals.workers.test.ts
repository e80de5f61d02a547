// Goals through HTTP: every field in and out, defaults, prices, owners, repeats.
import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { callAs } from "#tests/support/ask";
import { appOf, db, makeUser, reload } from "#tests/support/factories";
import { goalNow, makeGoal } from "#tests/support/goals";
import { visit } from "#tests/support/visit";
import { updateGoal } from "./goals.server";

const store = (goal: object) => ({ challenge: { tasks: [goal] } });

const WHOLE = {
  title: "Read twelve books",
  link: "example.org/books",
  content: "# Why\nTo *think*.",
  action: "Read",
  unit: "pages",
  amount: 300.125,
  distance: 2.5,
  action_duration: 3600,
  sets: 2,
  is_interval: 1,
  timers: [
    {
      uuid: "t1",
      title: "Focus",
      is_interval: 1,
      sets: 3,
      timers: [
        { title: "Read", duration: 1500 },
        { title: "Rest", duration: 300 },
      ],
    },
    { uuid: "t2", title: "Stretch", duration: 60 },
  ],
  items: [
    { uuid: "a", title: "Choose", link: "https://example.org/", x: 1 },
    { uuid: "b", title: "Buy" },
  ],
  is_list: 1,
  quick_log_buttons: [
    { uuid: "q2", amount: 10, status: 2, title: "Ten pages", order: 1 },
    { uuid: "q1", order: 0 },
  ],
  completions_required: 2,
  per_participant: 1,
  edit_content: true,
  edit_summary: 0,
  started_at: "2026-11-21 09:30:00",
  ended_at: 1795255800000,
  tags: ["Books ", "books", "Calm  mind"],
  recurrence: { every: "weekdays", weekdays: [5, 1, 1] },
  remind_at: "07:30",
};

test("C-32 E-09 E-10 E-11 a goal with every field is returned with every field", async () => {
  const user = await makeUser();
  const { status, body } = await callAs(user, "POST", "/api/goals/store", store(WHOLE));
  expect(status, JSON.stringify(body)).toBe(201);
  expect(body.goal).toEqual({
    id: expect.any(Number),
    uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
    title: "Read twelve books",
    link: "https://example.org/books",
    content: "# Why\nTo *think*.",
    content_html: "<h1>Why</h1>\n<p>To <em>think</em>.</p>",
    summary: "Why To think.",
    type: "task",
    action: "Read",
    unit: "pages",
    amount: 300.125,
    distance: 2.5,
    distance_mm: 4_023_360,
    duration: (3 * 1800 + 60) * 2,
    action_duration: 3600,
    amount_elapsed: 0,
    duration_elapsed: 0,
    distance_elapsed: 0,
    distance_elapsed_mm: 0,
    distance_remaining: 2.5,
    progress: 0,
    is_progress_complete: 0,
    sets: 2,
    is_interval: 1,
    timers: [
      {
        uuid: "t1",
        title: "Focus",
        duration: 5400,
        is_interval: 1,
        sets: 3,
        setsRemaining: 3,
        timers: [
          { title: "Read", duration: 1500 },
          { title: "Rest", duration: 300 },
        ],
      },
      { uuid: "t2", title: "Stretch", duration: 60, is_interval: 0, sets: 1, setsRemaining: 1, timers: [] },
    ],
    is_list: 1,
    items: [
      { uuid: "a", title: "Choose", link: "https://example.org/", x: 1 },
      { uuid: "b", title: "Buy", link: "", x: 0 },
    ],
    quick_log_buttons: [
      {
        uuid: "q1",
        amount: 1,
        distance: null,
        duration: null,
        status: 1,
        title: "",
        content: "",
        action: "",
        completions_required: 1,
        order: 0,
      },
      {
        uuid: "q2",
        amount: 10,
        distance: null,
        duration: null,
        status: 2,
        title: "Ten pages",
        content: "",
        action: "",
        completions_required: 1,
        order: 1,
      },
    ],
    completions_required: 2,
    status: 1,
    completed_at: null,
    can_complete: 1,
    is_owner: 1,
    username: user.username,
    active: 0,
    active_log_id: null,
    logs: [],
    logs_count: 0,
    tags: ["books", "calm mind"],
    recurrence: { every: "weekdays", weekdays: [1, 5] },
    remind_at: "07:30",
    challenge_event_id: null,
    task_uuids: [body.goal.uuid],
    started_at: "2026-11-21T09:30:00.000Z",
    ended_at: "2026-11-21T10:10:00.000Z",
    per_participant: 1,
    edit_content: 1,
    edit_summary: 0,
    order: 0,
    events_group_uuid: null,
    linked: 0,
    relative_dates: 0,
    time_from: 0,
    start_of: null,
    is_custom_duration: 0,
    created_at: expect.any(String),
    updated_at: expect.any(String),
  });
  expect((await reload(user))?.tokens).toBe(900);
  const edited = await visit(user, `/my/goals?edit=${body.goal.id}`);
  expect(edited.html).toMatch(/<input(?=[^>]*name="remindAt")(?=[^>]*value="07:30")/);
});

test("K-03 a new goal and a new quick-log button take the defaults", async () => {
  const user = await makeUser();
  const { body } = await callAs(
    user,
    "POST",
    "/api/goals/store",
    store({ title: "Walk", quick_log_buttons: [{}] }),
  );
  expect(body.goal).toMatchObject({ amount: 1, sets: 1, action: "Do", completions_required: 1, status: 1 });
  expect(body.goal.quick_log_buttons).toMatchObject([
    { amount: 1, completions_required: 1, status: 1, order: 0 },
  ]);
});

test("C-33 an update changes the given fields and leaves the rest", async () => {
  const user = await makeUser();
  const { body } = await callAs(user, "POST", "/api/goals/store", store(WHOLE));
  const path = `/api/goals/update/${body.goal.id}`;
  const first = await callAs(user, "PATCH", path, store({ title: "Read six books", amount: null, tags: [] }));
  expect(first.status, JSON.stringify(first.body)).toBe(200);
  const { updated_at: _, ...before } = body.goal;
  expect(first.body.goal).toMatchObject({
    ...before,
    title: "Read six books",
    amount: null,
    tags: [],
    progress: 0,
  });
  const again = await callAs(
    user,
    "PATCH",
    path,
    store({ recurrence: null, timers: [], is_interval: 0, duration: 600 }),
  );
  expect(again.body.goal).toMatchObject({
    recurrence: null,
    timers: [],
    duration: 600,
    title: "Read six books",
  });
});

test("C-32 C-33 invalid input is reported at its field, with a hint", async () => {
  const user = await makeUser();
  const goal = await makeGoal(user);
  const cases: [object, string, string][] = [
    [{ title: "  " }, "title", "Please give your goal a title."],
    [{ title: "x", link: "javascript:alert(1)" }, "link", "Please give an address that begins with https://"],
    [{ title: "x", amount: "many" }, "amount", "Please give a number."],
    [{ title: "x", amount: -1 }, "amount", "Please give a number from 0 up."],
    [{ title: "x", amount: 1e10 }, "amount", "Please give a number up to 1,000,000,000."],
    [{ title: "x", duration: 1.5 }, "duration", "Please give a duration in whole seconds."],
    [{ title: "x", timers: [{ title: "t" }] }, "timers.0.duration", "The duration cannot be 0"],
    [{ title: "x", items: [{ title: "" }] }, "items.0.title", "Please write what is to be done."],
    [
      { title: "x", quick_log_buttons: [{ status: 9 }] },
      "quick_log_buttons.0.status",
      "Please choose 1 (start), 2 (done) or 3 (to do).",
    ],
    [{ title: "x", completions_required: 0 }, "completions_required", "Please give a number from 1 up."],
    [
      { title: "x", recurrence: { every: "weekdays", weekdays: [] } },
      "recurrence.weekdays",
      "Please choose at least one day of the week.",
    ],
  ];
  for (const [input, field, sentence] of cases)
    for (const [method, path] of [
      ["POST", "/api/goals/store"],
      ["PATCH", `/api/goals/update/${goal.id}`],
    ] as const) {
      const { status, body } = await callAs(user, method, path, store(input));
      expect([status, body.error_code, body.fields[field]?.[0]], `${field} ${JSON.stringify(body)}`).toEqual([
        422,
        "INVALID",
        sentence,
      ]);
    }
  expect((await reload(user))?.tokens).toBe(1000);
});

test("C-32 B-12 without a token no goal is created, and the error code says so", async () => {
  const user = await makeUser({ tokens: 99 });
  const { status, body } = await callAs(user, "POST", "/api/goals/store", store({ title: "Too dear" }));
  expect([status, body.error_code, body.error]).toEqual([402, "INSUFFICIENT_TOKENS", "You're out of tokens"]);
  expect(await db.select().from(schema.goals).where(eq(schema.goals.userId, user.id))).toEqual([]);
});

test("A-10 C-33 C-34 only the owner sees, changes and completes a goal", async () => {
  const owner = await makeUser();
  const goal = await makeGoal(owner);
  const others = [await makeUser(), await makeUser({ roleId: 10 })];
  const calls = [
    ["GET", `/api/my/goals/${goal.id}`],
    ["GET", `/api/my/goals/${goal.id}/logs`],
    ["GET", `/api/my/goals/${goal.id}/notes`],
    ["PATCH", `/api/goals/update/${goal.id}`, store({ title: "Mine now" })],
    ["POST", `/api/goals/${goal.id}/complete`],
    ["POST", "/api/logs/store-quick-log", { goal_id: goal.id }],
    ["POST", "/challenge-events/logs/save-task-list-progress", { goal_id: goal.id, items: [] }],
  ] as const;
  for (const [method, path, body] of calls) {
    for (const other of others) {
      const answer = await callAs(other, method, path, body);
      expect([answer.status, answer.body.error_code], `${method} ${path}`).toEqual([404, "NOT_FOUND"]);
    }
  }
  const [after] = await db.select().from(schema.goals).where(eq(schema.goals.id, goal.id));
  expect(after).toEqual(goal);
});

test("C-34 S-14 completing sets status 2 and completed_at, ends the running timer, and a repeat changes nothing", async () => {
  const user = await makeUser();
  const [goal, other] = [await makeGoal(user), await makeGoal(user)];
  await callAs(user, "POST", "/api/logs/store-quick-log", { goal_id: goal.id, status: 1 });
  const { status, body } = await callAs(user, "POST", `/api/goals/${goal.id}/complete`);
  expect(status).toBe(200);
  expect(body.goal).toMatchObject({
    status: 2,
    completed_at: expect.any(String),
    active_log_id: null,
    can_complete: 0,
  });
  const logs = await db
    .select()
    .from(schema.logs)
    .where(and(eq(schema.logs.goalId, goal.id), eq(schema.logs.userId, user.id)));
  expect(logs).toMatchObject([{ status: 2, remainingDuration: 0 }]);
  const again = await callAs(user, "POST", `/api/goals/${goal.id}/complete`);
  expect(again.body.goal.completed_at).toBe(body.goal.completed_at);
  const [untouched] = await db.select().from(schema.goals).where(eq(schema.goals.id, other.id));
  expect(untouched).toMatchObject({ status: 1, completedAt: null });
});

test("C-83 R-31 exactly the sent ticks are stored, in any order of tabs", async () => {
  const user = await makeUser();
  const items = ["a", "b", "c"].map((uuid) => ({ uuid, title: uuid, link: "", isChecked: uuid === "c" }));
  const goal = await makeGoal(user, { items, isList: true });
  const save = (ticked: string[]) =>
    callAs(user, "POST", "/challenge-events/logs/save-task-list-progress", {
      goal_id: goal.id,
      items: ticked,
    });
  const { status, body } = await save(["b", "a", "unknown"]);
  expect(status).toBe(200);
  expect(body.goal.items).toEqual([
    { uuid: "a", title: "a", link: "", x: 1 },
    { uuid: "b", title: "b", link: "", x: 1 },
    { uuid: "c", title: "c", link: "", x: 0 },
  ]);
  await save([]);
  const page = await callAs(user, "GET", `/api/my/goals/${goal.id}`);
  expect(page.body.serverData.goal.items.map((item: { x: number }) => item.x)).toEqual([0, 0, 0]);
  expect((await reload(user))?.tokens).toBe(1000);
});

test("R-69 two equal saves of a goal at once leave one row and one answer, and an unequal one is a CONFLICT", async () => {
  const user = await makeUser();
  const [goal, other] = [await makeGoal(user), await makeGoal(user)];
  const [app, bystander] = [await appOf(user), await goalNow(other.id)];
  const save = (title: string) => ({ goal: goal.id, title, content: "Slowly", since: goal.updatedAt });
  /** The other save is stored between this one's read and its batch. */
  const after = async (first: string, second: string) => {
    const answers: unknown[] = [];
    const render = async (text: string) => {
      answers.push(await updateGoal(app, save(first)));
      return app.richText.render(text);
    };
    answers.push(await updateGoal({ ...app, richText: { ...app.richText, render } }, save(second)));
    return answers;
  };
  const [first, second] = await after("Walk", "Walk");
  expect(second).toEqual(first);
  expect(await goalNow(goal.id)).toMatchObject({ title: "Walk", content: "Slowly" });
  await db.update(schema.goals).set({ updatedAt: goal.updatedAt }).where(eq(schema.goals.id, goal.id));
  await expect(after("Run", "Swim")).rejects.toMatchObject({ code: "CONFLICT" });
  expect((await goalNow(goal.id))?.title).toBe("Run");
  expect(await goalNow(other.id)).toEqual(bystander);
});
