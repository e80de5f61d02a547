// Parts and groups of a session through HTTP: effects, sentences, permissions, and simultaneous edits.
import { describe, expect, test, vi } from "vitest";
import { callAs, dataOf } from "#tests/support/ask";
import { makeUser } from "#tests/support/factories";
import { course, makePlan, minute, START, type WirePart } from "#tests/support/parts";
import { join, makeActivity, sessionNow } from "#tests/support/sessions";
import { partsInOrder } from "~/domain/schedule/schedule";

test("C-60 a plan of 50 groups takes no further group, and one of 500 repeated parts no further part", async () => {
  const groups = Array.from({ length: 50 }, (_, n) => ({
    uuid: `g${n}`,
    parts: [{ uuid: `p${n}`, title: "A", duration: 60 }],
  }));
  const many = await makePlan({ parts: groups });
  const added = await many.ask("POST", "/events-groups", { uuid: crypto.randomUUID(), type: "event" });
  expect([added.status, added.body.error_code]).toEqual([422, "INVALID"]);
  const parts = Array.from({ length: 5 }, (_, n) => ({ uuid: `p${n}`, title: "A", duration: 1 }));
  const repeated = await makePlan({ parts: [{ uuid: "g", sets: 100, parts }] });
  const sixth = await repeated.ask("POST", "/parts", {
    type: "event",
    events_group_uuid: "g",
    title: "Sixth",
    duration: 1,
  });
  expect([sixth.status, sixth.body.error_code]).toEqual([422, "INVALID"]);
});

test("C-60 C-76 K-03 a new group is last, linked and auto-starting, and the same uuid adds it once", async () => {
  const { ask, session, host } = await makePlan();
  const uuid = crypto.randomUUID();
  const { status, body } = await ask("POST", "/events-groups", { uuid, type: "event" });
  expect(status).toBe(201);
  expect(body.group).toMatchObject({
    uuid,
    type: "event",
    linked: 1,
    auto_start: 1,
    hidden: 0,
    sets: 1,
    parts: [],
  });
  expect((await ask("POST", "/events-groups", { uuid, type: "event" })).status).toBe(201);
  const byId = await callAs(host, "POST", `/challenge-events/${session.id}/events-groups`, { type: "task" });
  expect(byId.body.group).toMatchObject({ type: "task", uuid: expect.any(String) });
  expect((await sessionNow(session.id))?.schedule.groups.map(({ type }) => type)).toEqual([
    "event",
    "event",
    "task",
  ]);
});

test("C-61 K-03 E-07 a new timer is last in its group, five minutes long, and moves the end", async () => {
  const { ask, session } = await makePlan({ duration: 1200 });
  const { status, body } = await ask("POST", "/parts", {
    events_group_uuid: "g",
    type: "event",
    uuid: "d",
    title: "D",
  });
  expect(status).toBe(201);
  expect(body.part).toMatchObject({
    uuid: "d",
    id: "d",
    title: "D",
    type: "event",
    duration: 300,
    order: 3,
    events_group_uuid: "g",
    started_at: minute(20),
    ended_at: minute(25),
    paused_at: null,
    status: 3,
    active: 0,
    per_participant: 0,
    is_interval: 0,
    sets: 1,
    setsRemaining: 1,
    elapsed_duration: 0,
    remaining_duration: 300_000,
  });
  expect(course(body.parts)).toBe("a 00-05, b 05-15, c 15-20, d 20-25");
  expect((await sessionNow(session.id))?.endedAt).toBe(Date.parse(minute(25)));
  const alone = await ask("POST", "/parts", { type: "event", title: "Alone", duration: 60 });
  expect(alone.body.parts).toHaveLength(2);
});

test("E-09 T-14 an interval timer lasts the sum of its intervals times its sets", async () => {
  const { ask } = await makePlan();
  const { body } = await ask("POST", "/parts", {
    events_group_uuid: "g",
    type: "event",
    uuid: "i",
    timers: [
      { title: "On", duration: 40 },
      { title: "Off", duration: 20 },
    ],
    sets: 5,
    duration: 7,
  });
  expect(body.part).toMatchObject({
    duration: 300,
    is_interval: 1,
    sets: 5,
    timers: [{ title: "On", duration: 40 }, { duration: 20 }],
  });
});

test("C-64 T-05 T-06 changing a timer moves the linked ones after it", async () => {
  const { ask } = await makePlan();
  const patch = async (part: string, body: object) => (await ask("PATCH", `/parts/${part}`, body)).body;
  expect(course((await patch("a", { duration: 600 })).parts)).toBe("a 00-10, b 10-20, c 20-25");
  expect(course((await patch("b", { ended_at: minute(15) })).parts)).toBe("a 00-10, b 10-15, c 15-20");
  expect(
    (await patch("b", { title: "Talk", per_participant: 1, edit_content: 1, is_focus: 1 })).part,
  ).toMatchObject({
    title: "Talk",
    per_participant: 1,
    edit_content: 1,
    is_focus: 1,
    duration: 300,
  });
  const cleared = await patch("a", { started_at: null });
  expect(cleared.parts[0].parts.map((part: WirePart) => part.started_at)).toEqual([null, null, null]);
  const moved = await patch("a", { started_at: minute(5) });
  expect(course(moved.parts)).toBe("a 05-15, b 15-20, c 20-25");
  const group = await patch("g", { auto_start: 0, sets: 2, hidden: 1 });
  expect(group.parts[0]).toMatchObject({ auto_start: 0, sets: 2, hidden: 1, linked: 1 });
  expect((await patch("g", { sets: 3 })).parts[0]).toMatchObject({ auto_start: 0, sets: 3, hidden: 1 });
});

test("C-63 U-47 a new order, full or partial, renumbers the parts and recomputes the dates", async () => {
  const { ask } = await makePlan();
  const { status, body } = await ask("PATCH", "/parts/reorder", {
    parts: { c: 0, a: 1, b: 2 },
    events_group_uuid: "g",
    type: "event",
  });
  expect(status).toBe(200);
  expect(course(body.parts)).toBe("c 00-05, a 05-10, b 10-20");
  expect(body.parts[0].parts.map(({ order }: { order: number }) => order)).toEqual([0, 1, 2]);
  const ungrouped = await ask("PATCH", "/parts/reorder", { parts: { a: 0, b: 1, c: 2 }, type: "event" });
  expect(course(ungrouped.body.parts)).toBe("a 00-05, b 05-15, c 15-20");
});

test("C-62 U-47 deleting moves later parts up, and the last part takes its group along", async () => {
  const { ask, session } = await makePlan();
  expect((await ask("DELETE", "/parts/a/event")).status).toBe(204);
  const read = async () => (await dataOf(null, `/api/sessions/${session.id}`)).session.parts;
  expect(course(await read())).toBe("b 00-10, c 10-15");
  await ask("DELETE", "/parts/b/event");
  await ask("DELETE", "/parts/c/event");
  expect(await read()).toEqual([]);
  expect((await ask("DELETE", "/parts/c/event")).status).toBe(404);
});

test("R-20 C-61 C-62 C-64 goals are parts of type task", async () => {
  const { ask, session } = await makePlan();
  const { group } = (await ask("POST", "/events-groups", { type: "task" })).body;
  const uuid = crypto.randomUUID();
  const added = await ask("POST", "/parts", {
    type: "task",
    events_group_uuid: group.uuid,
    uuid,
    title: "Read",
    amount: 3,
  });
  expect(added.status).toBe(201);
  expect(added.body.part).toMatchObject({
    uuid,
    type: "task",
    title: "Read",
    amount: 3,
    challenge_event_id: session.id,
  });
  expect(added.body.parts[1]).toMatchObject({ type: "task", parts: [{ uuid }] });
  await ask("POST", "/parts", { type: "task", events_group_uuid: group.uuid, title: "Write" });
  const changed = await ask("PATCH", `/parts/${uuid}`, { type: "task", title: "Read more", unit: "pages" });
  expect(changed.body.part).toMatchObject({ title: "Read more", unit: "pages", amount: 3 });
  const tasks = changed.body.tasks as { uuid: string }[];
  const turned = await ask("PATCH", "/parts/reorder", {
    type: "task",
    events_group_uuid: group.uuid,
    parts: Object.fromEntries(tasks.map((task, index) => [task.uuid, 1 - index])),
  });
  expect(turned.body.tasks.map(({ title }: { title: string }) => title)).toEqual(["Write", "Read more"]);
  expect((await ask("DELETE", `/parts/${uuid}/task`)).status).toBe(204);
  expect((await ask("DELETE", `/parts/${uuid}/task`)).status).toBe(404);
  const untitled = await ask("POST", "/parts", { type: "task" });
  expect([untitled.status, Object.keys(untitled.body.fields)]).toEqual([422, ["title"]]);
});

test("C-77 all parts are replaced at once, and cannot claim to have begun", async () => {
  const { session, host } = await makePlan();
  const { status, body } = await callAs(host, "POST", `/challenge-events/${session.id}/parts`, {
    challenge: {
      parts: [
        {
          uuid: "n",
          parts: [{ uuid: "z", title: "Z", duration: 120, status: 1, state: "running", paused_at: START }],
        },
      ],
    },
  });
  expect(status).toBe(200);
  expect(course(body.challenge_event.parts)).toBe("z 00-02");
  const row = await sessionNow(session.id);
  expect(row && partsInOrder(row.schedule)).toMatchObject([{ state: "waiting", pausedAt: null }]);
});

describe("errors are reported at their fields", () => {
  test.each<[string, string, string, object, string, string]>([
    ["V-22 no length", "PATCH", "/parts/b", { duration: 0 }, "parts", "The duration cannot be 0"],
    [
      "no whole seconds",
      "PATCH",
      "/parts/b",
      { duration: 1.5 },
      "duration",
      "Please give a duration in whole seconds.",
    ],
    ["negative", "PATCH", "/parts/b", { duration: -5 }, "duration", "A duration cannot be negative."],
    [
      "R-30 no such start",
      "PATCH",
      "/parts/a",
      { start_of: "whenever" },
      "start_of",
      "Please choose after_previous_ends, before_previous_ends or after_previous_starts.",
    ],
    [
      "R-30 no such distance",
      "PATCH",
      "/parts/a",
      { time_from: 7 },
      "time_from",
      "Please choose 0, 300, 1800, 3600 or 86400 seconds.",
    ],
    [
      "T-07 linked before",
      "PATCH",
      "/parts/b",
      { start_of: "before_previous_ends" },
      "parts",
      "Timer #2 starts before the previous timer ends, so it cannot be linked.",
    ],
    [
      "V-24 before the start",
      "PATCH",
      "/parts/a",
      { started_at: "2031-03-01 09:00:00" },
      "parts",
      "The start date of timer #1 must not occur before the challenge's start date.",
    ],
    ["no type", "POST", "/parts", { type: "party" }, "type", "Please choose event or task."],
    [
      "no order",
      "PATCH",
      "/parts/reorder",
      { parts: "first" },
      "parts",
      "Please send the order of each uuid.",
    ],
    [
      "an interval of no length",
      "POST",
      "/parts",
      { timers: [{ title: "On" }] },
      "timers.0.duration",
      "The duration cannot be 0",
    ],
  ])("%s", async (_, method, path, body, field, sentence) => {
    const { ask, session } = await makePlan();
    const before = (await sessionNow(session.id))?.schedule;
    const answer = await ask(method, path, body);
    expect([answer.status, answer.body.error_code]).toEqual([422, "INVALID"]);
    expect(answer.body.fields[field]).toContain(sentence);
    expect((await sessionNow(session.id))?.schedule).toEqual(before);
  });
});

test("A-05 A-06 X-08 host, admins and super admin change the parts, of a session only", async () => {
  const { host, session, as } = await makePlan();
  const [guest, admin] = [await makeUser(), await makeUser()];
  for (const user of [guest, admin]) await join(user, session.id);
  await callAs(host, "PATCH", `/challenge-events/${session.id}/participants/${admin.username}`, { role: 1 });
  const calls: [string, string, object | undefined][] = [
    ["POST", "/events-groups", { type: "event" }],
    ["POST", "/parts", { events_group_uuid: "g", type: "event" }],
    ["PATCH", "/parts/reorder", { parts: { b: 0 }, events_group_uuid: "g", type: "event" }],
    ["PATCH", "/parts/b", { title: "x" }],
    ["DELETE", "/parts/c/event", undefined],
  ];
  for (const [method, path, body] of calls) {
    expect((await as(await makeUser())(method, path, body)).status).toBe(403);
    expect((await as(guest)(method, path, body)).status).toBe(403);
    expect((await as(admin)(method, path, body)).status).toBeLessThan(300);
  }
  expect((await as(await makeUser({ roleId: 10 }))("PATCH", "/parts/b", { title: "y" })).status).toBe(200);
  const activity = await makeActivity(host);
  expect((await callAs(host, "POST", `/challenges/${activity.slug}/parts`, { type: "event" })).status).toBe(
    404,
  );
  expect((await as(host)("PATCH", "/parts/nowhere", { title: "x" })).status).toBe(404);
  expect((await as(host)("POST", "/parts", { events_group_uuid: "nowhere", type: "event" })).status).toBe(
    404,
  );
});

test("of eight simultaneous edits none overwrites another", async () => {
  const { ask, session } = await makePlan();
  const uuids = Array.from({ length: 8 }, (_, index) => `n${index}`);
  const answers = await Promise.all(
    uuids.map((uuid) => ask("POST", "/parts", { events_group_uuid: "g", type: "event", uuid, duration: 60 })),
  );
  const done = uuids.filter((_, index) => answers[index]?.status === 201);
  const row = await sessionNow(session.id);
  const there = row ? partsInOrder(row.schedule).map(({ id }) => id) : [];
  expect(done.length).toBeGreaterThan(0);
  expect(there.filter((id) => id.startsWith("n")).sort()).toEqual(done.sort());
  for (const { status, body } of answers)
    if (status !== 201) expect([status, body.error_code]).toEqual([409, "CONFLICT"]);
});

test("C-61 C-63 C-64 a goal takes its place, and an unknown group or goal is NOT_FOUND and moves nothing", async () => {
  const { ask } = await makePlan();
  const [first, last] = [crypto.randomUUID(), crypto.randomUUID()];
  await ask("POST", "/events-groups", { uuid: "t", type: "task" });
  const goal = { type: "task", events_group_uuid: "t", title: "Goal" };
  await ask("POST", "/parts", { ...goal, uuid: last });
  const added = await ask("POST", "/parts", { ...goal, uuid: first, order: 0 });
  type Goals = { tasks: { uuid: string; events_group_uuid: string | null }[] };
  const order = ({ tasks }: Goals) => tasks.map((task) => `${task.uuid} ${task.events_group_uuid}`);
  expect(order(added.body)).toEqual([`${first} t`, `${last} t`]);
  const reorder = (fields: object) => ask("PATCH", "/parts/reorder", { type: "task", ...fields });
  const noGroup = [404, "This group of timers no longer exists."];
  const noGoal = [404, "This goal no longer exists."];
  for (const [sent, answer] of [
    [() => reorder({ events_group_uuid: "nope", parts: { [first]: 1 } }), noGroup],
    [() => reorder({ parts: { [last]: 0, nope: 1 } }), noGoal],
    [() => ask("PATCH", `/parts/${first}`, { type: "task", events_group_uuid: "nope" }), noGroup],
    [() => ask("POST", "/parts", { ...goal, events_group_uuid: "nope" }), noGroup],
  ] as const) {
    const { status, body } = await sent();
    expect([status, body.message]).toEqual(answer);
  }
  const reordered = await reorder({ events_group_uuid: "t", parts: [last, first] });
  expect(order(reordered.body)).toEqual([`${last} t`, `${first} t`]);
});

test("C-64 R-69 a goal that was changed after the sent version answers CONFLICT with the newer text", async () => {
  const { ask } = await makePlan();
  const uuid = crypto.randomUUID();
  const { task } = (await ask("POST", "/parts", { type: "task", uuid, title: "Goal" })).body;
  vi.setSystemTime(Date.now() + 60_000);
  const change = (title: string, updated_at: string) =>
    ask("PATCH", `/parts/${uuid}`, { type: "task", title, updated_at });
  expect((await change("Theirs", task.updated_at)).status).toBe(200);
  const refused = await change("Mine", task.updated_at);
  expect([refused.status, refused.body.newer.texts]).toEqual([409, [{ label: "Title", text: "Theirs" }]]);
  expect((await change("Mine", new Date(refused.body.newer.updatedAt).toISOString())).status).toBe(200);
});
