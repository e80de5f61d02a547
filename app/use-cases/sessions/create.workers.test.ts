// Creating sessions through HTTP: batch, price, slug, plan, permissions.
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { callAs } from "#tests/support/ask";
import { db, makeUser, makeUsers } from "#tests/support/factories";
import { makeGoal } from "#tests/support/goals";
import { putSeat } from "#tests/support/rooms";
import { balanceOf, makeActivity, makeHut, makeSession, seatsOf } from "#tests/support/sessions";
import { brokenConstraint } from "~/domain/errors";
import { newPart, newPartGroup } from "~/domain/schedule/schedule";

const create = (user: Parameters<typeof callAs>[0], challenge: object, headers?: Record<string, string>) =>
  callAs(user, "POST", "/challenge-events", { challenge }, headers);
const inAnHour = () => Math.ceil(Date.now() / 60_000) * 60_000 + 3_600_000;
const iso = (ms: number) => new Date(ms).toISOString();

test("C-70 E-06 B-06 A-05 a session is created with its host's seat, which costs one join", async () => {
  const host = await makeUser();
  const startedAt = inAnHour();
  const { status, body } = await create(host, {
    title: "Morning pages",
    content: "Write **three** pages.",
    started_at: iso(startedAt),
    duration: 3600,
    participant_limit: 5,
    donation_link: "example.com/thanks",
  });
  expect(status).toBe(201);
  expect(body.path).toBe(`/sessions/${body.challenge_event.id}`);
  expect(body.challenge_event).toMatchObject({
    slug: "morning-pages",
    title: "Morning pages",
    content: "Write **three** pages.",
    status: 0,
    is_joined: 1,
    started_at: iso(startedAt),
    ended_at: iso(startedAt + 3_600_000),
    duration: 3600,
    participants_count: 1,
    participant_limit: 5,
    spots_left: 4,
    donation_link: "https://example.com/thanks",
    is_free: 0,
    needs_code: 0,
    can_join: 0,
    username: host.username,
    host: host.username,
    parts: [],
    tasks: [],
    messages: [],
    logs: [],
    posts: [],
  });
  expect(body.challenge_event.content_html).toContain("<strong>three</strong>");
  expect(body.challenge_event.participants).toMatchObject([
    { username: host.username, role: 1, is_host: 1, is_builder: 1 },
  ]);
  expect(await balanceOf(host)).toBe(900);
  const [slug] = await db.select().from(schema.slugs).where(eq(schema.slugs.slug, "morning-pages"));
  expect(slug).toMatchObject({ kind: "session", targetId: body.challenge_event.id });
});

test("B-12 X-07 one of ten equal sends pays, and a deleted session's uuid makes no other", async () => {
  const host = await makeUser();
  const challenge = { title: "Sent often", is_manually_started: 1, duration: 600, uuid: crypto.randomUUID() };
  // Another title takes another slug, so that the slug refuses nothing.
  const sent = await Promise.all(
    Array.from({ length: 10 }, (_, i) => create(host, { ...challenge, title: `Sent often ${i}` })),
  );
  expect(new Set(sent.map(({ body }) => body.challenge_event.id)).size).toBe(1);
  expect(await balanceOf(host)).toBe(900);
  const { slug } = sent[0]?.body.challenge_event ?? {};
  expect((await callAs(host, "DELETE", `/challenges/${slug}`)).status).toBe(204);
  expect((await create(host, challenge)).status).toBe(409);
  expect(await balanceOf(host)).toBe(1000);
});

test("C-60 K-03 a group sent with a new session is linked, shown and auto-starting unless it says otherwise", async () => {
  const group = (uuid: string, over: object = {}) => ({
    uuid,
    type: "event",
    parts: [{ uuid: `${uuid}1` }],
    ...over,
  });
  const parts = [group("a"), group("b", { hidden: 1, auto_start: 0, sets: 2 })];
  const { body } = await create(await makeUser(), { title: "Two groups", is_manually_started: 1, parts });
  expect(body.challenge_event.parts).toMatchObject([
    { uuid: "a", linked: 1, hidden: 0, auto_start: 1, sets: 1 },
    { uuid: "b", linked: 1, hidden: 1, auto_start: 0, sets: 2 },
  ]);
});

test("X-08 no session gets the id of a deleted one", async () => {
  const host = await makeUser();
  const before = await makeSession(host);
  const last = await makeSession(host);
  expect(last.id).toBe(before.id + 1);
  for (const { slug } of [last, before])
    expect((await callAs(host, "DELETE", `/challenges/${slug}`)).status).toBe(204);
  expect((await makeSession(host)).id).toBe(last.id + 1);
});

test("R-05 the database refuses a second host", async () => {
  const [host, guest, next] = await makeUsers(3);
  const { id } = await makeSession(host);
  await putSeat(id, guest, Date.now());
  const broken = (work: Promise<unknown>) => work.then(() => "nothing", brokenConstraint);
  expect(await broken(putSeat(id, next, Date.now(), { isHost: true }))).toBe("one_host_per_session");
  const isGuest = eq(schema.participants.userId, guest.id);
  expect(await broken(db.update(schema.participants).set({ isHost: true }).where(isGuest))).toBe(
    "one_host_per_session",
  );
  await callAs(host, "PATCH", `/challenge-events/${id}/participants/${guest.username}`, { host: 1 });
  const hosts = (await seatsOf(id)).filter(({ isHost }) => isHost);
  expect(hosts.map(({ userId }) => userId)).toEqual([guest.id]);
  expect(
    await broken(
      db.update(schema.participants).set({ isHost: true }).where(eq(schema.participants.userId, host.id)),
    ),
  ).toBe("one_host_per_session");
});

test("X-08 twenty simultaneous sessions with the same title have twenty slugs", async () => {
  const hosts = await makeUsers(20);
  const made = await Promise.all(hosts.map((host) => makeSession(host, { title: "The same" })));
  expect(new Set(made.map(({ slug }) => slug)).size).toBe(20);
});

test("R-34 C-70 a session takes plan, goals, hut and count from its activity, and its parts have not begun", async () => {
  const owner = await makeUser();
  const hut = await makeHut(owner);
  const schedule = {
    groups: [newPartGroup("g1", { parts: [newPart("p1", { title: "Warm up" }), newPart("p2")] })],
  };
  const activity = await makeActivity(owner, { schedule, hutId: hut.id, difficulty: 6 });
  const perPerson = { isPerParticipant: true, mayEditContent: true, mayEditSummary: true };
  const place = { partGroupId: "g1", sharedTags: ["calm"], position: 1 };
  await makeGoal(owner, { activityId: activity.id, title: "Write", ...place, ...perPerson });
  await makeGoal(owner, { activityId: activity.id, title: "Read", position: 0 });
  const host = await makeUser();
  const startedAt = inAnHour();
  const { body } = await create(host, {
    title: "Tonight",
    challenge_slug: activity.slug,
    started_at: startedAt,
  });
  const session = body.challenge_event;
  expect(session).toMatchObject({
    challenge_id: activity.id,
    challenge_slug: activity.slug,
    hut_id: hut.id,
    difficulty: 6,
    duration: 1800,
  });
  expect(session.parts).toMatchObject([
    {
      uuid: "g1",
      linked: 1,
      auto_start: 1,
      hidden: 0,
      sets: 1,
      parts: [
        {
          uuid: "p1",
          title: "Warm up",
          started_at: iso(startedAt),
          ended_at: iso(startedAt + 300_000),
          status: 3,
        },
        { uuid: "p2", started_at: iso(startedAt + 300_000), start_of: "after_previous_ends", time_from: 0 },
      ],
    },
  ]);
  expect(session.tasks.map((task: { title: string }) => task.title)).toEqual(["Read", "Write"]);
  expect(session.tasks[0].challenge_event_id).toBe(session.id);
  expect(session.tasks[1]).toMatchObject({
    events_group_uuid: "g1",
    tags: ["calm"],
    order: 1,
    per_participant: 1,
    edit_content: 1,
    edit_summary: 1,
  });
  const [after] = await db.select().from(schema.activities).where(eq(schema.activities.id, activity.id));
  expect(after?.openSessionsCount).toBe(1);
});

test.each<[string, object, string, string]>([
  ["V-20 no title", { title: " ", duration: 600 }, "title", "Please set the challenge title."],
  ["V-20 title missing", { duration: 600 }, "title", "Please set the challenge title."],
  ["V-21 length 0", { title: "A", duration: 0 }, "duration", "Please set the challenge duration."],
  ["V-21 length missing", { title: "A" }, "duration", "Please set the challenge duration."],
  ["V-21 too short", { title: "A", duration: 299 }, "duration", "A session lasts from 5 minutes to 30 days."],
  [
    "V-21 too long",
    { title: "A", duration: 2_592_001 },
    "duration",
    "A session lasts from 5 minutes to 30 days.",
  ],
  [
    "a start that lies behind",
    { title: "A", duration: 600, started_at: "2020-01-01" },
    "started_at",
    "Please choose a start in the future.",
  ],
  [
    "no date",
    { title: "A", duration: 600, started_at: "soon" },
    "started_at",
    "Please give a date and time, such as 2026-11-21 09:30:00.",
  ],
  [
    "no address",
    { title: "A", duration: 600, donation_link: "javascript:x" },
    "donation_link",
    "Please give an address that begins with https://",
  ],
  [
    "no such activity",
    { title: "A", duration: 600, challenge_slug: "nowhere" },
    "challenge_slug",
    "We could not find this activity.",
  ],
  ["no such hut", { title: "A", duration: 600, hut_id: 4040 }, "hut_id", "We could not find this hut."],
  [
    "a template by anybody",
    { title: "A", duration: 600, is_preset: 1 },
    "is_preset",
    "Only a super admin may make a template.",
  ],
  [
    "V-23 dated parts without a start",
    {
      title: "A",
      duration: 600,
      parts: [
        { uuid: "g", linked: 0, parts: [{ uuid: "p", started_at: "2031-01-01 10:00:00", duration: 60 }] },
      ],
    },
    "started_at",
    "Please set the challenge start date. The challenge start date must be set if any timer dates are set.",
  ],
  [
    "V-24 a part before the start",
    {
      title: "A",
      duration: 600,
      started_at: "2031-01-01 10:00:00",
      parts: [
        { uuid: "g", linked: 0, parts: [{ uuid: "p", started_at: "2031-01-01 09:00:00", duration: 60 }] },
      ],
    },
    "parts",
    "The start date of timer #1 must not occur before the challenge's start date.",
  ],
  [
    "V-25 parts that overlap",
    {
      title: "A",
      duration: 900,
      started_at: "2031-01-01 10:00:00",
      parts: [
        {
          uuid: "g",
          linked: 0,
          parts: [
            { uuid: "p", started_at: "2031-01-01 10:00:00", duration: 300 },
            { uuid: "q", started_at: "2031-01-01 10:02:00", duration: 300 },
          ],
        },
      ],
    },
    "parts",
    "Parts cannot overlap. The start dates must not occur before the previous timer's end date.",
  ],
  [
    "V-26 R-38 unlinked auto-started parts with manual start",
    {
      title: "A",
      duration: 600,
      is_manually_started: 1,
      parts: [{ uuid: "g", linked: 0, auto_start: 1, parts: [{ uuid: "p", duration: 60 }] }],
    },
    "parts",
    "Auto started events must be linked.",
  ],
  [
    "V-22 a dated part of no length",
    {
      title: "A",
      duration: 600,
      started_at: "2031-01-01 10:00:00",
      parts: [{ uuid: "g", parts: [{ uuid: "p", duration: 0 }] }],
    },
    "parts",
    "The duration cannot be 0",
  ],
])("%s is reported at its field and costs nothing", async (_, challenge, field, sentence) => {
  const host = await makeUser();
  const { status, body } = await create(host, challenge);
  expect([status, body.error_code]).toEqual([422, "INVALID"]);
  expect(body.fields[field]).toContain(sentence);
  expect(body.errors).toContain(sentence);
  expect(body.message).toBe(body.error);
  expect(await balanceOf(host)).toBe(1000);
});

test("all problems of a plan are reported at once", async () => {
  const { body } = await create(await makeUser(), {
    title: "A",
    duration: 10,
    parts: [
      {
        uuid: "g",
        linked: 0,
        auto_start: 0,
        parts: [{ uuid: "p", started_at: "2031-01-01 09:00:00", duration: 60 }],
      },
    ],
  });
  expect(Object.keys(body.fields).sort()).toEqual(["duration", "started_at"]);
  expect(body.errors.length).toBe(2);
});

test("T-10 R-38 a manual start takes no date and links all groups", async () => {
  const { body } = await create(await makeUser(), {
    title: "By hand",
    is_manually_started: 1,
    started_at: inAnHour(),
    duration: 600,
    parts: [{ uuid: "g", linked: 0, auto_start: 0, parts: [{ uuid: "p", duration: 300 }] }],
  });
  expect(body.challenge_event).toMatchObject({ started_at: null, ended_at: null, is_manually_started: 1 });
  expect(body.challenge_event.parts[0]).toMatchObject({
    linked: 1,
    auto_start: 0,
    parts: [{ started_at: null }],
  });
});

test("R-04 R-30 a plan longer than the session extends it, and relative starts use the documented format", async () => {
  const startedAt = inAnHour();
  const { body } = await create(await makeUser(), {
    title: "Long",
    started_at: iso(startedAt),
    duration: 300,
    parts: [
      { uuid: "g", type: "event", parts: [{ uuid: "p", duration: 600 }] },
      {
        uuid: "h",
        type: "event",
        linked: 0,
        parts: [{ uuid: "q", duration: 60, start_of: "after_previous_starts", time_from: 1800 }],
      },
      { uuid: "t", type: "task", parts: [{ title: "Read", amount: 3 }] },
    ],
  });
  const session = body.challenge_event;
  expect(session.duration).toBe(1860);
  expect(session.ended_at).toBe(iso(startedAt + 1_860_000));
  expect(session.parts[1].parts[0]).toMatchObject({
    start_of: "after_previous_starts",
    time_from: 1800,
    started_at: iso(startedAt + 1_800_000),
  });
  expect(session.parts[2]).toMatchObject({
    uuid: "t",
    type: "task",
    parts: [{ title: "Read", amount: 3, type: "task" }],
  });
  expect(session.tasks).toMatchObject([{ title: "Read", events_group_uuid: "t" }]);
});

test("C-70 a part joins the group that it names, and other parts one group for each type", async () => {
  const user = await makeUser({ tokens: 500 });
  const { status, body } = await create(user, {
    title: "Loose parts",
    is_manually_started: 1,
    parts: [
      { uuid: "g", type: "event" },
      { uuid: "a", duration: 60, events_group_uuid: "g" },
      { uuid: "b", duration: 120 },
      { title: "Read", type: "task" },
      { uuid: "c", duration: 180 },
      { uuid: "d", duration: 240, events_group_uuid: "g" },
    ],
  });
  expect(status).toBe(201);
  const groups: { type: string; parts: { uuid: string; title: string }[] }[] = body.challenge_event.parts;
  expect(
    groups.map(({ type, parts }) => [type, parts.map(({ uuid, title }) => (type === "task" ? title : uuid))]),
  ).toEqual([
    ["event", ["a", "d"]],
    ["event", ["b", "c"]],
    ["task", ["Read"]],
  ]);
});

test("C-70 without tokens nothing is created", async () => {
  const poor = await makeUser({ tokens: 99 });
  const { status, body } = await create(poor, { title: "Poor", is_manually_started: 1, duration: 600 });
  expect([status, body.error_code]).toEqual([402, "INSUFFICIENT_TOKENS"]);
  expect(await db.select().from(schema.slugs).where(eq(schema.slugs.slug, "poor"))).toEqual([]);
  expect(await balanceOf(poor)).toBe(99);
});

test("A-09 a session can only be in a hut that its host belongs to", async () => {
  const member = await makeUser();
  const hut = await makeHut(await makeUser(), [member]);
  const challenge = { title: "In the hut", is_manually_started: 1, duration: 600, hut_id: hut.id };
  expect((await create(member, challenge)).body.challenge_event.hut_slug).toBe(hut.slug);
  const stranger = await create(await makeUser(), challenge);
  expect(stranger.body.fields.hut_id).toEqual(["Please join this hut first."]);
});

test("a session has at most a hundred goals and five hundred timers", async () => {
  const host = await makeUser();
  const tasks = (count: number) => Array.from({ length: count }, (_, index) => ({ title: `Goal ${index}` }));
  const parts = (count: number) => [
    { uuid: "g", parts: Array.from({ length: count }, (_, index) => ({ uuid: `p${index}`, duration: 60 })) },
  ];
  const most = await create(host, {
    title: "Full",
    is_manually_started: 1,
    tasks: tasks(100),
    parts: parts(500),
  });
  expect(most.status).toBe(201);
  expect(most.body.challenge_event.tasks).toHaveLength(100);
  expect(most.body.challenge_event.duration).toBe(30_000);
  const goals = await create(host, {
    title: "Too full",
    is_manually_started: 1,
    duration: 600,
    tasks: tasks(101),
  });
  expect(goals.body.fields.tasks).toEqual(["At most 100 goals, please."]);
  const timers = await create(host, {
    title: "Too full",
    is_manually_started: 1,
    duration: 600,
    parts: parts(501),
  });
  expect(timers.status).toBe(422);
});
