// Today on its pages, in the JSON, in the list of what is open and in reminders: one judge for all of them.
import { env } from "cloudflare:workers";
import { and, eq } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";
import { connect, runBatch, schema } from "#db/connect.server";
import { dataOf, type Json } from "#tests/support/ask";
import { countingD1 } from "#tests/support/counting-d1";
import { appOf, db, makeUser, setUser, type TestUser } from "#tests/support/factories";
import { makeGoal } from "#tests/support/goals";
import { emptySpine, eventRows, spineApp } from "#tests/support/notices";
import { propertySeed } from "#tests/support/property-seed";
import { visit } from "#tests/support/visit";
import { type Day, dayAt, daysFrom, plusDays } from "~/domain/days";
import type { Recurrence } from "~/domain/goals/goals";
import { ListQuery } from "~/domain/lists";
import { instantOf } from "~/domain/notices/quiet-hours";
import { DAY, type Instant, instant, MINUTE } from "~/domain/time";
import { startProgress, storeQuickLog } from "~/use-cases/goals/logs.server";
import { planGoalReminders } from "~/use-cases/goals/reminders.server";
import { viewHome } from "~/use-cases/home.server";
import { viewMyGoals } from "~/use-cases/my.server";

beforeEach(emptySpine);

const ZONES = ["Europe/Berlin", "Pacific/Auckland"];
const MONDAY: Day = "2027-03-22";

function drawnRecurrence(random: (below: number) => number): Recurrence {
  const kind = random(7);
  if (kind < 3) return { every: "day" };
  if (kind < 5) return { every: "week", times: 1 + random(6) };
  return { every: "weekdays", weekdays: [random(7), 0, 3].filter((day, at, all) => all.indexOf(day) === at) };
}

async function drawnGoals(user: TestUser, count: number, random: (below: number) => number) {
  for (let n = 0; n < count; n++) {
    // Today shows the newest five without a repetition.
    const recurrence = n % 8 === 0 ? null : drawnRecurrence(random);
    const { id } = await makeGoal(user, { title: `Goal ${n}`, amount: 2000, unit: "pages", recurrence });
    const days = daysFrom(plusDays(MONDAY, -3), plusDays(MONDAY, 7)).flatMap(
      (day): (typeof schema.goalDays.$inferInsert)[] => {
        const mark = random(5);
        const row = { goalId: id, userId: user.id, day };
        if (mark === 0) return [{ ...row, isSkipped: true }];
        return mark < 3 ? [{ ...row, amount: mark * 1000, logs: 1 }] : [];
      },
    );
    await runBatch(
      db,
      days.map((one) => db.insert(schema.goalDays).values(one)),
    );
  }
}

/** The titles that Today, its badge, the list and the reminders of this minute name. */
async function readAll(user: TestUser, now: Instant, zone: string) {
  vi.setSystemTime(now);
  await emptySpine();
  const local = new Date(now).toLocaleTimeString("en-GB", { timeZone: zone, hourCycle: "h23" });
  const minute = Number(local.slice(0, 2)) * 60 + Number(local.slice(3, 5));
  await db.update(schema.goals).set({ remindAt: null });
  await db.update(schema.goals).set({ remindAt: minute }).where(eq(schema.goals.userId, user.id));
  await db
    .insert(schema.noticeSettings)
    .values({ userId: user.id, kind: "still-open", channel: "app", value: minute + 1 });
  const { app } = await spineApp(now);
  await planGoalReminders({ ...app, now: instant(now - MINUTE) });
  await planGoalReminders(app);
  const bodies = (await eventRows()).map(({ kind, body }) => ({ kind, body: body as Json }));
  const { today } = await dataOf(user, "/api/my/goals");
  const pages = await Promise.all(["/my/goals", "/"].map((path) => visit(user, path)));
  const titlesIn = (place: string[]) =>
    today.filter((goal: Json) => place.includes(goal.place)).map(({ title }: Json) => title);
  return {
    due: titlesIn(["due"]),
    isDue: today.filter((goal: Json) => goal.is_due === 1).map(({ title }: Json) => title),
    open: titlesIn(["week", "long"]),
    badges: await Promise.all(pages.map(async (page) => (await page.texts(".badge")).filter(isCount))),
    rows: await Promise.all(pages.map((page) => page.texts("ul[aria-label='Due today'] a"))),
    list: bodies.find(({ kind }) => kind === "still-open")?.body.titles ?? [],
    reminders: bodies.filter(({ kind }) => kind === "goal-reminder").map(({ body }) => body.title),
  };
}
const isCount = (text: string) => / due$/.test(text);

test("R-85 N-23 N-24 page, home, badge, list and reminders agree, on both sides of midnight and in two zones", async () => {
  let state = propertySeed;
  const random = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return Math.floor((state / 2 ** 31) * below);
  };
  const counts = { due: 0, notDue: 0, changed: 0 };
  for (const zone of ZONES) {
    const user = await makeUser();
    await setUser(user.id, { timeZone: zone });
    await drawnGoals(user, 30, random);
    const midnight = instantOf(plusDays(MONDAY, 1 + random(5)), 0, zone);
    const seen: string[] = [];
    for (const now of [midnight - MINUTE, midnight, midnight + 12 * 60 * MINUTE, midnight + 2 * DAY].map(
      instant,
    )) {
      const { due, isDue, open, badges, rows, list, reminders } = await readAll(user, now, zone);
      const at = `${zone} ${new Date(now).toISOString()}`;
      expect(isDue, at).toEqual(due);
      expect(rows, at).toEqual([due, due]);
      const badge = due.length > 0 ? [`${due.length} due`] : [];
      expect(badges, at).toEqual([badge, badge]);
      expect(list, at).toEqual(due.slice(0, 10));
      const more = reminders.filter((title: string) => !due.includes(title));
      expect(reminders.filter((title: string) => due.includes(title)).sort(), at).toEqual([...due].sort());
      expect(
        more.filter((title: string) => !open.includes(title)),
        at,
      ).toEqual([]);
      counts.due += due.length;
      counts.notDue += 30 - due.length;
      seen.push(due.join());
    }
    // The day begins with midnight, and not at any other time.
    if (seen[0] !== seen[1]) counts.changed++;
    expect(seen[2], zone).toBe(seen[1]);
  }
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(0);
}, 240_000);

test("R-85 of thirty goals the due ones are first in Today, and the documented list stays as it is", async () => {
  const user = await makeUser();
  for (let n = 0; n < 30; n++)
    await makeGoal(user, { title: `Goal ${n}`, recurrence: n % 6 === 0 ? { every: "day" } : null });
  const page = await visit(user, "/my/goals");
  expect(await page.texts("ul[aria-label='Due today'] a")).toEqual(
    [24, 18, 12, 6, 0].map((n) => `Goal ${n}`),
  );
  expect((await page.texts("ul[aria-label='Goals'] h2")).slice(0, 3)).toEqual([
    "Goal 29",
    "Goal 28",
    "Goal 27",
  ]);
  const { goals, page: number } = await dataOf(user, "/api/my/goals");
  expect([goals[0].title, number]).toEqual(["Goal 29", 1]);
  // Other pages, and searches, are the list.
  for (const path of ["/my/goals?page=2", "/my/goals?q=Goal", "/my/goals?status=open"])
    expect(await (await visit(user, path)).texts("ul[aria-label='Due today']")).toEqual([]);
});

test("R-85 a running or paused log is first in Today with its clock, and a planned one is not", async () => {
  const user = await makeUser();
  const [last, paused] = [await makeGoal(user, { title: "Last" }), await makeGoal(user, { title: "Paused" })];
  await makeGoal(user, { title: "Due", recurrence: { every: "day" } });
  const planned = await makeGoal(user, { title: "Planned" });
  const app = await appOf(user);
  await startProgress(app, { goalId: last.id });
  const { log } = await startProgress(app, { goalId: paused.id });
  await db
    .update(schema.logs)
    .set({ status: 3, pausedAt: app.now })
    .where(and(eq(schema.logs.userId, user.id), eq(schema.logs.id, log.id)));
  await storeQuickLog(app, { goalId: planned.id, status: 3 });
  const page = await visit(user, "/");
  expect(await page.texts("ul[aria-label='Due today'] a")).toEqual(["Paused", "Last", "Due"]);
  expect(await page.texts("ul[aria-label='Due today'] [role=timer]")).toHaveLength(2);
});

test("R-85 home shows a newcomer the way to the first goal, and the next day its streak and yesterday", async () => {
  const user = await makeUser();
  const empty = await visit(user, "/");
  expect(empty.html.indexOf("Set your first goal")).toBeGreaterThan(0);
  expect(empty.html.indexOf("Set your first goal")).toBeLessThan(empty.html.indexOf("All sessions"));
  const goal = await makeGoal(user, { title: "Cello", amount: 1000, recurrence: { every: "day" } });
  const app = await appOf(user);
  await storeQuickLog(app, { goalId: goal.id });
  vi.setSystemTime(instant(app.now + DAY));
  const next = await visit(user, "/");
  expect(await next.texts("main section p")).toEqual(
    expect.arrayContaining(["1 day in a row", "Yesterday: Cello"]),
  );
  expect((await visit(await makeUser(), "/")).html).not.toContain("Cello");
});

test("R-85 every button of Today is a form that works without JavaScript", async () => {
  const user = await makeUser();
  const page = await goalInMinutes(user);
  const forms = await page.all("ul[aria-label='Due today'] form");
  expect(forms.map(({ attributes }) => [attributes.method, attributes.action])).toEqual(
    Array.from({ length: 3 }, () => ["post", "/my/goals"]),
  );
  const fields = await page.all("ul[aria-label='Due today'] input");
  expect(
    fields
      .filter(({ attributes }) => attributes.name === "duration")
      .map(({ attributes }) => attributes.value),
  ).toEqual(["15m", "20m"]);
});
async function goalInMinutes(user: TestUser) {
  await makeGoal(user, {
    title: "Sit",
    amount: null,
    actionDuration: 1200 as never,
    recurrence: { every: "day" },
  });
  return visit(user, "/");
}

test("D2 R-85 Today of thirty daily goals with a year of days is part of the page's one batch", async () => {
  const user = await makeUser();
  const day = dayAt((await appOf(user)).now, "UTC");
  for (let n = 0; n < 30; n++) {
    const { id } = await makeGoal(user, { recurrence: { every: "day" } });
    const rows = daysFrom(plusDays(day, -365), day).map((one) => [id, user.id, one, 1]);
    await env.DB.prepare(
      "INSERT INTO goal_days (goal_id, user_id, day, logs) SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?)",
    )
      .bind(JSON.stringify(rows))
      .run();
  }
  const { d1, counts } = countingD1(env.DB);
  const app = { ...(await appOf(user)), db: connect(d1) };
  for (const view of [() => viewMyGoals(app, { page: 1 }), () => viewHome(app, ListQuery.parse({}))]) {
    Object.assign(counts, { trips: 0, rowsRead: 0 });
    await view();
    expect(counts.trips).toBe(1);
    // Five to six weeks of days of each goal, and the goals themselves.
    expect(counts.rowsRead).toBeLessThan(30 * 60);
  }
});
