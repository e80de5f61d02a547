// The goals of an activity, and the calls by slug that update, follow and leave activities and sessions.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { listOwnGoalsOfActivity } from "#db/queries/goals/goals";
import { callAs, dataOf } from "#tests/support/ask";
import { appOf, db, makeUser, makeUsers, reload, type TestUser } from "#tests/support/factories";
import { makeGoal } from "#tests/support/goals";
import { makeSession } from "#tests/support/sessions";
import { visit } from "#tests/support/visit";
import { formForSession } from "~/use-cases/sessions/form.server";

const create = (user: TestUser, challenge: object) => callAs(user, "POST", "/challenges", { challenge });
const make = async (user: TestUser, challenge: object): Promise<{ slug: string }> =>
  (await create(user, challenge)).body.challenge;
const patch = (user: TestUser, slug: string, challenge: object, ending = "") =>
  callAs(user, "PATCH", `/challenges/${slug}${ending}`, { challenge });
const tasksOf = async (slug: string) => (await dataOf(null, `/api/activities/${slug}`)).challenge.tasks;

test("C-51 E-05 A-05 goals and timers are sent with the activity, and copied into its sessions", async () => {
  const user = await makeUser();
  const RUN = crypto.randomUUID();
  const tokens = (await reload(user))?.tokens;
  const { status, body } = await create(user, {
    title: "Run and read",
    parts: [{ uuid: "g1", type: "event", parts: [{ uuid: "p1", title: "Run", duration: 900 }] }],
    tasks: [
      { uuid: RUN, title: "Run", amount: 3, unit: "laps", quick_log_buttons: [{ title: "A lap" }] },
      { title: "Read", content: "A *chapter*", amount: 1.5, items: [{ title: "Find the book" }] },
    ],
  });
  expect(status, JSON.stringify(body)).toBe(201);
  expect(body.challenge).toMatchObject({
    duration: 900,
    parts: [{ uuid: "g1", parts: [{ uuid: "p1", title: "Run", duration: 900 }] }],
    timers: [{ uuid: "p1" }],
    tasks: [
      { uuid: RUN, title: "Run", amount: 3, unit: "laps", action: "Do", order: 0, is_owner: 1 },
      { title: "Read", content_html: "<p>A <em>chapter</em></p>", amount: 1.5, is_list: 0, order: 1 },
    ],
    quick_log_buttons: [{ title: "A lap", amount: 1 }],
  });
  // they cost nothing.
  expect((await reload(user))?.tokens).toBe(tokens);
  expect(await tasksOf(body.challenge.slug)).toMatchObject([
    { title: "Run", is_owner: 0 },
    { title: "Read" },
  ]);

  const session = await makeSession(user, { challenge_slug: body.challenge.slug });
  const { tasks } = (await dataOf(user, `/api/sessions/${session.id}`)).session;
  expect(tasks).toMatchObject([
    { title: "Run", amount: 3, unit: "laps", quick_log_buttons: [{ title: "A lap" }] },
    { title: "Read", items: [{ title: "Find the book", x: 0 }] },
  ]);
  expect(tasks[0].uuid).not.toBe(RUN);
});

test("E-05 E-27 my_goals contains only the viewer's copies of an activity's goals and goals attached to its sessions", async () => {
  const [owner, me, other] = await makeUsers(3);
  const [one, two] = [
    await make(owner, { title: "Walk far", tasks: [{ title: "Walk" }, { title: "Rest" }] }),
    await make(owner, { title: "Another", tasks: [{ title: "Elsewhere" }] }),
  ];
  const session = await makeSession(owner, { challenge_slug: one.slug });
  const apart = await makeSession(owner, { challenge_slug: two.slug });
  const copyOf = async (user: TestUser, { id }: { id: number }, at = 0) => {
    const { tasks } = (await dataOf(user, `/api/sessions/${id}`)).session;
    const said = { challengeEventId: id, goalUuid: tasks[at].uuid };
    return (await callAs(user, "POST", "/goals/add-to-my-goals", said)).body.goal;
  };
  const walk = await copyOf(me, session);
  await copyOf(me, apart);
  await copyOf(other, session, 1);
  const own = await makeGoal(me, { title: "Shoes", amount: 2000 });
  await makeGoal(me, { title: "Beside it" });
  await callAs(me, "POST", `/challenge-events/${session.id}/join`, {});
  expect(
    (await callAs(me, "POST", `/api/challenge-events/${session.id}/${own.id}/attach-my-goal`, {})).status,
  ).toBe(200);
  await callAs(me, "POST", "/api/logs/store-quick-log", { goal_id: walk.id, amount: 1 });

  const seen = async (user: TestUser | null, { slug }: { slug: string }) =>
    (await dataOf(user, `/api/activities/${slug}`)).challenge.my_goals;
  expect(await seen(me, one)).toMatchObject([
    {
      id: own.id,
      title: "Shoes",
      amount: 2,
      is_owner: 1,
      challenge_event_id: session.id,
      username: me.username,
    },
    { id: walk.id, title: "Walk", amount_elapsed: 1, is_owner: 1 },
  ]);
  expect(await seen(me, two)).toMatchObject([{ title: "Elsewhere" }]);
  expect(await seen(other, one)).toMatchObject([{ title: "Rest" }]);
  expect(await seen(owner, one)).toEqual([]);
  expect(await seen(null, one)).toEqual([]);
  const joined = await callAs(me, "POST", `/challenges/${one.slug}/join`, {});
  expect(joined.body.challenge.my_goals).toHaveLength(2);

  const page = await visit(me, `/activities/${one.slug}`);
  const links = await page.links('[aria-label="My goals of this activity"]');
  expect(links).toEqual({ Shoes: `/my/goals/${own.id}`, Walk: `/my/goals/${walk.id}` });
  expect((await visit(other, `/activities/${one.slug}`)).html).not.toContain(`/my/goals/${walk.id}`);
});

test("D1 my_goals reads only copied or attached goals, however many the viewer has", async () => {
  const me = await makeUser();
  for (let i = 0; i < 30; i++) await makeGoal(me, { title: `Goal ${i}` });
  const { slug } = await make(me, { title: "Few of many", tasks: [{ title: "Walk" }] });
  const session = await makeSession(me, { challenge_slug: slug });
  const [goal] = (await dataOf(me, `/api/sessions/${session.id}`)).session.tasks;
  await callAs(me, "POST", "/goals/add-to-my-goals", { challengeEventId: session.id, goalUuid: goal.uuid });
  const { sql, params } = listOwnGoalsOfActivity(db, slug, me.id).toSQL();
  const { results, meta } = await env.DB.prepare(sql)
    .bind(...params)
    .run();
  expect(results).toHaveLength(1);
  expect(meta.rows_read).toBeLessThan(12);
});

test("C-52 a sent list of goals replaces that of the activity, and a missing one leaves it", async () => {
  const [user, other] = [await makeUser(), await makeUser()];
  const [RUN, READ] = [crypto.randomUUID(), crypto.randomUUID()];
  const { slug } = await make(user, {
    title: "Goals change",
    tasks: [{ uuid: RUN, title: "Run", unit: "laps" }, { title: "Goes" }],
  });
  expect((await patch(user, slug, { title: "Goals have changed" })).body.challenge.tasks).toHaveLength(2);
  const changed = await patch(user, slug, {
    tasks: [
      { uuid: READ, title: "Read" },
      { uuid: RUN, title: "Run slowly" },
    ],
  });
  expect(changed.body.challenge.tasks).toMatchObject([
    { uuid: READ, title: "Read" },
    { uuid: RUN, title: "Run slowly", unit: "laps" },
  ]);
  const bad = await patch(user, slug, { tasks: [{ title: " " }] });
  expect(bad).toMatchObject({ status: 422, body: { error_code: "INVALID" } });
  expect(Object.values(bad.body.fields)).toEqual([["Please give your goal a title."]]);
  const foreign = await create(other, { title: "Takes a goal", tasks: [{ uuid: RUN, title: "Mine" }] });
  expect(foreign).toMatchObject({ status: 409, body: { error_code: "CONFLICT" } });
  expect(await tasksOf(slug)).toHaveLength(2);
  expect((await patch(user, slug, { tasks: [] })).body.challenge.tasks).toEqual([]);
  await callAs(user, "DELETE", `/challenges/${slug}`);
});

test.each(["", "/patch"])(
  "C-52 R-22 PATCH /challenges/{challenge}%s lets its owner and super admins change the given fields",
  async (ending) => {
    const [owner, stranger, follower, host, admin] = [
      ...(await makeUsers(4)),
      await makeUser({ roleId: 10 }),
    ];
    const { slug } = await make(owner, { title: "To be changed", content: "Stays", participant_limit: 2 });
    await callAs(follower, "POST", `/challenges/${slug}/join`, {});
    const session = await makeSession(host, { challenge_slug: slug });
    for (const user of [stranger, follower, host])
      expect(await patch(user, slug, { title: "Taken" }, ending)).toMatchObject({
        status: 403,
        body: { error_code: "FORBIDDEN" },
      });
    for (const [user, title] of [
      [owner, "By its owner"],
      [admin, "By the admin"],
    ] as const) {
      const { status, body } = await patch(user, slug, { title }, ending);
      expect(status).toBe(200);
      expect(body).toMatchObject({
        path: `/activities/${slug}`,
        challenge: { slug, title, content: "Stays", participant_limit: 2, participants_count: 1 },
      });
    }
    expect((await patch(owner, slug, { title: "" }, ending)).body).toMatchObject({
      error_code: "INVALID",
      fields: { title: ["Please set the challenge title."] },
    });
    // A slug may belong to a session.
    expect((await patch(host, session.slug, { title: "Evening pages" }, ending)).body).toMatchObject({
      path: session.path,
      challenge_event: { id: session.id, title: "Evening pages" },
    });
    expect((await patch(owner, "nothing-like-it", { title: "x" }, ending)).status).toBe(404);
  },
);

test("C-54 C-55 following and leaving by slug, and refusals with error and error_code", async () => {
  const [owner, user, poor] = [
    await makeUser(),
    await makeUser({ tokens: 100 }),
    await makeUser({ tokens: 0 }),
  ];
  const { slug } = await make(owner, { title: "To be followed", participant_limit: 1 });
  const join = (who: TestUser, at = slug, more: object = {}) =>
    callAs(who, "POST", `/challenges/${at}/join`, { client_uuid: crypto.randomUUID(), ...more });
  const refused = async (who: TestUser, at?: string) => {
    const { status, body } = await join(who, at);
    expect(body.error).toBe(body.message);
    return [status, body.error_code];
  };
  expect(await refused(poor)).toEqual([402, "INSUFFICIENT_TOKENS"]);
  expect(await refused(user, "nothing-like-it")).toEqual([404, "NOT_FOUND"]);

  const again = { client_uuid: crypto.randomUUID(), request_uuid: crypto.randomUUID() };
  for (let i = 0; i < 2; i++)
    expect(await join(user, slug, again)).toMatchObject({
      status: 200,
      body: { path: `/activities/${slug}`, challenge: { is_joined: 1, participants_count: 1, can_join: 0 } },
    });
  expect((await reload(user))?.tokens).toBe(99);
  expect(await refused(await makeUser())).toEqual([409, "CONFLICT"]);

  const leave = (who: TestUser) => callAs(who, "POST", `/challenges/${slug}/leave`, {});
  for (let i = 0; i < 2; i++)
    expect(await leave(user)).toMatchObject({
      status: 200,
      body: { challenge: { is_joined: 0, participants_count: 0, can_join: 1 } },
    });
  // The same calls join and leave a session.
  const session = await makeSession(owner);
  const guest = await makeUser();
  expect((await join(guest, session.slug)).body.challenge_event).toMatchObject({ is_joined: 1 });
  expect((await callAs(guest, "POST", `/challenges/${session.slug}/leave`, {})).body).toMatchObject({
    challenge_event: { is_joined: 0, participants_count: 1 },
  });
});

test("T-07 V-26 an activity refuses a plan that none of its sessions may have, when made and when changed", async () => {
  const user = await makeUser();
  const before = { title: "Later", start_of: "before_previous_ends", time_from: 300 };
  const group = (fields: object, second: object = { title: "Later" }) => ({
    parts: [{ uuid: "g", ...fields, parts: [{ title: "First", duration: 600 }, second] }],
  });
  const linkedBefore = "Timer #2 starts before the previous timer ends, so it cannot be linked.";
  const autoUnlinked = "Auto started events must be linked.";
  const refused = [
    [{ ...group({ linked: 1 }, before) }, [linkedBefore]],
    [{ ...group({ linked: 0 }), is_manually_started: 1 }, [autoUnlinked]],
    [{ ...group({ linked: 0 }, before), is_manually_started: 1 }, [autoUnlinked, linkedBefore]],
  ] as const;
  const { slug } = await make(user, { title: "Kept", ...group({ linked: 0 }, before) });
  for (const [plan, sentences] of refused)
    for (const { status, body } of [
      await create(user, { title: "Never", ...plan }),
      await patch(user, slug, plan),
    ])
      expect([status, body.fields]).toEqual([422, { parts: sentences }]);
  const manual = await patch(user, slug, { is_manually_started: 1 });
  expect([manual.status, manual.body.fields]).toEqual([422, { parts: [autoUnlinked, linkedBefore] }]);
  expect((await patch(user, slug, { title: "Still" })).status).toBe(200);
  // Dates wait for the start of each session.
  const dated = { title: "Later", started_at: "2031-03-01T10:00:00.000Z" };
  expect((await patch(user, slug, group({ linked: 0 }, dated))).status).toBe(200);
  await makeSession(user, { challenge_slug: slug, is_manually_started: 0, started_at: dated.started_at });
});

test.each([0, 3000])(
  "V-22 T-06 a timer of %i seconds without a date is one of an activity, and has none in its sessions",
  async (duration) => {
    const user = await makeUser();
    const dateless = { title: "B", duration, relative_dates: 0, started_at: null };
    const parts = [{ uuid: "g", linked: 0, parts: [{ title: "A", duration: 1800 }, dateless] }];
    const made = await create(user, { title: "Loose", duration: 1800, parts });
    expect([made.status, made.body.fields]).toEqual([201, undefined]);
    const { slug } = made.body.challenge;
    expect((await patch(user, slug, { parts })).status).toBe(200);
    const times = { is_manually_started: 0, started_at: "2031-03-01T10:00:00.000Z" };
    const { id } = await makeSession(user, { challenge_slug: slug, duration: undefined, ...times });
    const { session } = await dataOf(user, `/api/sessions/${id}`);
    expect([session.ended_at, session.parts[0].parts[1].started_at]).toEqual([
      "2031-03-01T10:30:00.000Z",
      null,
    ]);
    const form = await formForSession(await appOf(user), { activity: slug });
    expect(form.values.schedule.groups[0]?.parts[1]?.relativeStart).toBe(null);
  },
);

test("V-22 V-25 an activity refuses what its sessions refuse, takes dates that they leave out, and stays savable", async () => {
  const user = await makeUser();
  const plan = (first: object, second: object) => ({
    parts: [
      {
        uuid: "g",
        linked: 0,
        parts: [
          { uuid: "a", ...first },
          { uuid: "b", ...second },
        ],
      },
    ],
  });
  const noLength = "The duration cannot be 0";
  const overlap = [
    "Parts cannot overlap. The start dates must not occur before the previous timer's end date.",
    "Timer #2 must not start before the previous timer's end.",
  ];
  const tooEarly = plan({ duration: 600 }, { start_of: "after_previous_starts", time_from: 300 });
  const { slug } = await make(user, { title: "Kept" });
  for (const [sent, sentences] of [
    [plan({ duration: 600 }, { duration: 0 }), [noLength]],
    [tooEarly, overlap],
  ] as const)
    for (const { status, body } of [
      await create(user, { title: "Never", ...sent }),
      await patch(user, slug, sent),
    ])
      expect([status, body.fields]).toEqual([422, { parts: sentences }]);
  // Its sessions begin without these dates, one timer after the other.
  const at = (minute: string) => ({ started_at: `2031-03-01T10:${minute}:00.000Z`, duration: 600 });
  const made = await create(user, { title: "Dated", ...plan(at("00"), at("05")) });
  expect(made.status).toBe(201);
  const session = await makeSession(user, {
    challenge_slug: made.body.challenge.slug,
    is_manually_started: 0,
    started_at: at("30").started_at,
  });
  const { parts } = (await dataOf(user, `/api/sessions/${session.id}`)).session;
  expect(parts[0].parts[1]).toMatchObject({ started_at: at("40").started_at });

  // An activity from before this rule: its own problems stay, further ones are refused.
  const { slug: old } = await make(user, { title: "Old", ...plan({ duration: 600 }, { duration: 300 }) });
  const stored = await env.DB.prepare("SELECT schedule FROM activities WHERE slug = ?")
    .bind(old)
    .first("schedule");
  const faulty = String(stored).replace('"duration":300', '"duration":0');
  await env.DB.prepare("UPDATE activities SET schedule = ? WHERE slug = ?").bind(faulty, old).run();
  const same = plan({ duration: 600 }, { duration: 0 });
  expect((await patch(user, old, { title: "Older", ...same })).status).toBe(200);
  expect((await patch(user, old, plan({ duration: 0 }, { duration: 0 }))).body.fields).toEqual({
    parts: [noLength],
  });
  const mended = await patch(user, old, plan({ duration: 600 }, { duration: 60 }));
  expect(mended.status).toBe(200);
  expect((await patch(user, old, same)).status).toBe(422);
});
