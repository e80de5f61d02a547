// Repeating a session: the next one by one press, or with changes (G-01 to G-03).
import { asc, eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { schema } from "#db/connect.server";
import { callAs } from "#tests/support/ask";
import { appOf, db, makeUser, type TestUser } from "#tests/support/factories";
import { sessionsOf } from "#tests/support/series";
import { balanceOf, makeSession, seatsOf, sessionNow, stageSession } from "#tests/support/sessions";
import { post, visit } from "#tests/support/visit";
import type { RuleTyped } from "~/domain/series/form";
import { DAY, instant } from "~/domain/time";
import { viewSeriesList } from "~/use-cases/series/view.server";
import { formForSession } from "./form.server";

const NO_RULE: RuleTyped = {
  every: "WEEKLY",
  interval: "1",
  days: [],
  monthly: "date",
  count: "",
  until: "",
  startedAt: "",
  timeZone: "UTC",
};
const inDays = (days: number) => new Date(Math.floor(Date.now() / 60_000) * 60_000 + days * DAY);
const repeat = (user: TestUser, id: number, body: object = {}) =>
  callAs(user, "POST", `/challenge-events/${id}/repeat`, body);
const goalsOf = (id: number) =>
  db.select().from(schema.goals).where(eq(schema.goals.sessionId, id)).orderBy(asc(schema.goals.position));

const PLAN = {
  content: "**Begin** here.",
  prompt: "Write.",
  participant_limit: 12,
  join_code: "quiet",
  is_free: 1,
  slow_mode: 15,
  parts: [{ uuid: "g", parts: [{ uuid: "a", title: "A", duration: 900 }] }],
  tasks: [{ title: "Pages", amount: 3, tags: ["draft"] }],
};

test("G-01 G-02 the repeat of a session is a week later, with all that the host set, for one join", async () => {
  const { host, guest, session } = await stageSession({
    ...PLAN,
    is_manually_started: 0,
    started_at: inDays(2).toISOString(),
  });
  await callAs(guest, "POST", `/challenges/${session.slug}/posts`, { item: { content: "Hello" } });
  const before = await balanceOf(host);
  const { status, body } = await repeat(host, session.id);
  expect(status).toBe(201);
  expect(body.path).toBe(`/sessions/${body.challenge_event.id}`);
  expect(await balanceOf(host)).toBe(before - 100);
  const next = await sessionNow(body.challenge_event.id);
  const first = await sessionNow(session.id);
  expect(next?.startedAt).toBe(Number(first?.startedAt) + 7 * DAY);
  const same = [
    "title",
    "content",
    "contentHtml",
    "prompt",
    "participantLimit",
    "joinCode",
    "isFree",
  ] as const;
  for (const field of [...same, "slowMode", "duration", "hutId", "activityId"] as const)
    expect(next?.[field], field).toEqual(first?.[field]);
  expect(next?.schedule.groups[0]?.parts.map(({ title, duration }) => [title, duration])).toEqual([
    ["A", 900],
  ]);
  const [goal] = await goalsOf(body.challenge_event.id);
  expect(goal).toMatchObject({ title: "Pages", amount: 3000, sharedTags: ["draft"], logsCount: 0 });
  expect((await seatsOf(body.challenge_event.id)).map(({ userId }) => userId)).toEqual([host.id]);
  const posts = await db
    .select()
    .from(schema.posts)
    .where(eq(schema.posts.sessionId, body.challenge_event.id));
  expect(posts).toEqual([]);
});

test("R-61 G-02 a repeat copies the plan, not the minutes that were added", async () => {
  const intervals = [{ uuid: "i", title: "Work", duration: 300 }];
  const { host, session, event } = await stageSession({
    ...PLAN,
    parts: [
      {
        uuid: "g",
        auto_start: 0,
        parts: [
          { uuid: "a", title: "A", duration: 900 },
          { uuid: "b", title: "B", is_interval: 1, timers: intervals, sets: 2 },
        ],
      },
    ],
  });
  await event(host, "/start");
  const answered = async (path: string, body: object = {}) => {
    const { status, body: said } = await event(host, `/parts/${path}`, body);
    expect(status, JSON.stringify(said)).toBe(200);
    return said.challenge_event.parts[0].parts;
  };
  await answered("a/start");
  expect((await answered("a/adjust", { seconds: 60 }))[0]).toMatchObject({
    duration: 960,
    planned_duration: 900,
  });
  await answered("b/start");
  const [, b] = await answered("b/adjust", { seconds: 60, all: 1 });
  expect(b).toMatchObject({ duration: 600, sets: 2, timers: intervals });
  expect(Date.parse(b.ended_at) - Date.parse(b.started_at)).toBe(720_000);
  const { body } = await repeat(host, session.id);
  const next = await sessionNow(body.challenge_event.id);
  expect(next?.schedule.groups[0]?.parts.map(({ duration, added }) => [duration, added])).toEqual([
    [900, undefined],
    [600, undefined],
  ]);
});

test("G-01 the repeat of an ended session begins in the next week ahead, or at the given start", async () => {
  const host = await makeUser();
  const { id } = await makeSession(host, { is_manually_started: 0, started_at: inDays(1).toISOString() });
  await callAs(host, "POST", `/challenge-events/${id}/start`, {});
  await callAs(host, "POST", `/challenge-events/${id}/end`, {});
  const planned = inDays(1).getTime();
  vi.setSystemTime(inDays(16));
  const { body } = await repeat(host, id);
  expect(Date.parse(body.challenge_event.started_at)).toBe(planned + 21 * DAY);
  expect(body.challenge_event.status).toBe(0);
  const at = inDays(3).toISOString();
  expect((await repeat(host, id, { started_at: at })).body.challenge_event.started_at).toBe(at);
});

test("G-01 the repeat of a manual start waits for its host again", async () => {
  const host = await makeUser();
  const { id } = await makeSession(host);
  await callAs(host, "POST", `/challenge-events/${id}/start`, {});
  await callAs(host, "POST", `/challenge-events/${id}/end`, {});
  const { body } = await repeat(host, id);
  expect(body.challenge_event).toMatchObject({ status: 0, started_at: null, is_manually_started: 1 });
});

const MINUTE = 60_000;
/** Two timers, the second of which has no date. */
const withUndated = (duration: number) => [
  {
    uuid: "g",
    linked: 0,
    parts: [
      { uuid: "a", title: "A", duration: 1800 },
      { uuid: "b", title: "B", duration, relative_dates: 0, started_at: null },
    ],
  },
];
/** The start of B, and the minutes that the session lasts. */
const shapeOf = (row: Awaited<ReturnType<typeof sessionNow>>) => [
  row?.schedule.groups[0]?.parts[1]?.startedAt,
  ((row?.endedAt ?? 0) - (row?.startedAt ?? 0)) / MINUTE,
];

test.each([0, 3000])(
  "V-22 T-06 G-01 G-04 a timer of %i seconds without a date has none in a repeat, its form and a series, before and after the end",
  async (duration) => {
    const host = await makeUser({ tokens: 9000 });
    const { id } = await makeSession(host, {
      is_manually_started: 0,
      started_at: inDays(2).toISOString(),
      duration: 1800,
      parts: withUndated(duration),
    });
    const same = [null, 30];
    expect(shapeOf(await sessionNow(id))).toEqual(same);
    for (const step of ["waiting", "ended"]) {
      if (step === "ended") {
        vi.setSystemTime(inDays(2));
        await callAs(host, "POST", `/challenge-events/${id}/start`, {});
        vi.setSystemTime(Date.now() + 10 * MINUTE);
        expect((await callAs(host, "POST", `/challenge-events/${id}/end`, {})).status).toBe(200);
      }
      const { status, body } = await repeat(host, id);
      expect([status, body.fields]).toEqual([201, undefined]);
      expect(shapeOf(await sessionNow(body.challenge_event.id))).toEqual(same);
      const form = await formForSession(await appOf(host), { repeats: id });
      expect(form.values.schedule.groups[0]?.parts[1]).toMatchObject({
        relativeStart: null,
        startedAt: null,
      });
      const made = await post(host, `/my/series?session=${id}`, {
        intent: "create",
        session: String(id),
        every: "WEEKLY",
        timeZone: "UTC",
        startedAt: inDays(9).toISOString().slice(0, 16),
      });
      const series = await sessionsOf(Number(made.location?.split("/").at(-1)));
      expect(series.length).toBeGreaterThan(2);
      for (const date of series) expect(shapeOf(date)).toEqual(same);
    }
  },
);

test("G-02 a repeat leaves contributions out of the text", async () => {
  const host = await makeUser();
  const { id, slug } = await makeSession(host, {
    content: "Begin here.",
    parts: [{ uuid: "g", parts: [{ uuid: "a", title: "A", duration: 900, edit_content: 1 }] }],
  });
  await callAs(host, "POST", `/challenge-events/${id}/start`, {});
  const said = await callAs(host, "PUT", `/challenges/${slug}/contribute-content`, {
    contribution: "And so on.",
  });
  expect(said.status).toBe(200);
  const next = (await repeat(host, id)).body.challenge_event;
  expect((await sessionNow(next.id))?.content).toBe("Begin here.");
});

test("G-03 Repeat with changes opens the form with the same values, and its session has the same goals", async () => {
  const host = await makeUser();
  const start = inDays(2);
  const { id } = await makeSession(host, {
    ...PLAN,
    is_manually_started: 0,
    started_at: start.toISOString(),
  });
  const page = await visit(host, `/challenges/events/create?session=${id}`);
  expect(page.status).toBe(200);
  expect(page.html).toContain('value="Morning pages"');
  expect(page.html).toContain('value="quiet"');
  const made = await post(host, "/challenges/events/create", {
    repeats: String(id),
    title: "Evening pages",
    startMode: "date",
    startedAt: new Date(start.getTime() + 8 * DAY).toISOString().slice(0, 16),
    timeZone: "UTC",
    duration: "1h",
    difficulty: "4",
  });
  expect(made.status).toBe(302);
  const next = Number(/\/sessions\/(\d+)/.exec(made.headers.get("Location") ?? "")?.[1]);
  expect((await sessionNow(next))?.title).toBe("Evening pages");
  expect((await goalsOf(next)).map(({ title }) => title)).toEqual(["Pages"]);
});

test("G-03 nobody but the host repeats a session", async () => {
  const { admin, session } = await stageSession();
  const refused = await repeat(admin, session.id);
  expect([refused.status, refused.body.error_code]).toEqual([403, "FORBIDDEN"]);
  expect((await visit(admin, `/challenges/events/create?session=${session.id}`)).status).toBe(403);
});

test("G-02 the buttons that repeat a session say what it costs", async () => {
  const { host, session, event } = await stageSession();
  const buttons = async () => (await visit(host, session.path)).texts("button");
  expect(await buttons()).toContain("Repeat (1 token)");
  await event(host, "/start");
  await event(host, "/end");
  expect(await buttons()).toContain("Again next week (1 token)");
});

test("G-01 R-84 the session after one that began before its planned start is a week after that start", async () => {
  const host = await makeUser();
  const planned = Math.floor(Date.now() / 60_000) * 60_000 + 8 * 60_000;
  const { id } = await makeSession(host, {
    is_manually_started: 0,
    started_at: new Date(planned).toISOString(),
  });
  expect((await callAs(host, "POST", `/challenge-events/${id}/start`, {})).status).toBe(200);
  const nextStart = async () => Date.parse((await repeat(host, id)).body.challenge_event.started_at);
  const draftStart = async () =>
    (
      await viewSeriesList(await appOf(host, instant(Date.now())), {
        session: id,
        isStartTyped: false,
        typed: NO_RULE,
      })
    ).draft?.startedAt;
  expect([await nextStart(), await draftStart()]).toEqual([planned + 7 * DAY, planned + 7 * DAY]);
  await callAs(host, "POST", `/challenge-events/${id}/end`, {});
  expect([await nextStart(), await draftStart()]).toEqual([planned + 7 * DAY, planned + 7 * DAY]);
});
