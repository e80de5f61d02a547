// The data of the My pages: visibility, paging, and rows read from a long history.
import { env } from "cloudflare:workers";
import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { connect, schema } from "#db/connect.server";
import { listGoalDays } from "#db/queries/goals/days";
import { findGoal, listGoals } from "#db/queries/goals/goals";
import { listGoalLogs, listOpenLogs, listSessionLogs, listUserLogs } from "#db/queries/goals/logs";
import { listGoalNotes, listUserNotes } from "#db/queries/goals/notes";
import { callAs, dataOf } from "#tests/support/ask";
import { countingD1 } from "#tests/support/counting-d1";
import { appOf, db, makeUser, NOW, type TestUser } from "#tests/support/factories";
import { goalNow, makeGoal } from "#tests/support/goals";
import { makeHut, makeSession, setSession } from "#tests/support/sessions";
import type { PageQuery } from "~/domain/list-pages";
import { instant } from "~/domain/time";
import { deleteGoal } from "~/use-cases/goals/goals.server";
import { deleteLog } from "~/use-cases/goals/log-moves.server";
import { startProgress, storeQuickLog } from "~/use-cases/goals/logs.server";
import { createNote, deleteNote } from "~/use-cases/goals/notes.server";
import { viewGoal, viewGoalLogs, viewGoalNotes, viewMyGoals, viewMyLogs, viewMySessions } from "./my.server";

const PER_PAGE = 12;
type Answer = { body: { serverData: { logs: { id: number; amount: number }[] } } };

test("C-29 C-05 the lists contain page and per_page, newest first, one row more than a page, and only the user's rows", async () => {
  const user = await makeUser();
  const other = await makeUser();
  const goal = await makeGoal(user);
  const app = await appOf(user);
  for (let n = 1; n <= PER_PAGE + 3; n++) await storeQuickLog(app, { goalId: goal.id, amount: n * 1000 });
  await storeQuickLog(await appOf(other), { goalId: (await makeGoal(other)).id });
  const amounts = ({ body }: Answer) => body.serverData.logs.map(({ amount }) => amount);
  const first = await callAs(user, "GET", "/api/my/logs");
  expect(first.body.serverData).toMatchObject({ page: 1, per_page: PER_PAGE });
  expect(amounts(first)).toEqual([15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
  expect(amounts(await callAs(user, "GET", "/api/my/logs?page=2"))).toEqual([3, 2, 1]);
  expect(amounts(await callAs(user, "GET", "/api/my/logs?page=0"))).toEqual(amounts(first));
  expect(amounts(await callAs(user, "GET", "/api/my/logs?page=x"))).toEqual(amounts(first));
  expect(amounts(await callAs(user, "GET", "/api/my/logs?page=99"))).toEqual([]);
  expect(amounts(await callAs(user, "GET", `/api/my/goals/${goal.id}/logs?page=2`))).toEqual([3, 2, 1]);
});

test("P-19 my sessions are ordered: running, upcoming, waiting for their host, then the last ended", async () => {
  const user = await makeUser();
  const minutes = (count: number) => instant(NOW + count * 60_000);
  for (const [title, startedAt, endedAt] of [
    ["over long ago", minutes(-300), minutes(-240)],
    ["tomorrow", minutes(1440), minutes(1500)],
    ["by hand", null, null],
    ["running", minutes(-10), minutes(50)],
    ["over just now", minutes(-90), minutes(-30)],
    ["soon", minutes(20), minutes(80)],
  ] as const) {
    const { id } = await makeSession(user, { title });
    await setSession(id, { startedAt, endedAt });
  }
  const { rows } = await viewMySessions(await appOf(user), { page: 1 });
  expect(rows.map(({ title }) => title)).toEqual([
    "running",
    "soon",
    "tomorrow",
    "by hand",
    "over just now",
    "over long ago",
  ]);
});

test("P-16 a goal's page lists only the open logs of that goal", async () => {
  const user = await makeUser();
  const app = await appOf(user);
  const [timed, other] = [await makeGoal(user), await makeGoal(user)];
  const { log } = await storeQuickLog(app, { goalId: timed.id, amount: 1000 });
  await db.update(schema.logs).set({ status: 1 }).where(eq(schema.logs.id, log.id));
  const openOf = async (goal: { id: number }) =>
    (await viewGoal(app, { goal: goal.id })).openLogs.map(({ id }) => id);
  expect([await openOf(timed), await openOf(other)]).toEqual([[log.id], []]);
});

test("C-29 the list of my huts goes on at its second page", async () => {
  const user = await makeUser();
  const slugs: string[] = [];
  for (let n = 0; n < PER_PAGE + 2; n++) slugs.unshift((await makeHut(user, [user])).slug);
  const page = async (query: string) =>
    (await dataOf(user, `/api/my/groups${query}`)).groups.map(({ slug }: { slug: string }) => slug);
  expect(await page("")).toEqual(slugs.slice(0, PER_PAGE + 1));
  expect(await page("?page=2")).toEqual(slugs.slice(PER_PAGE));
});

test("C-31 with-parent includes the goal, without it only the list is returned", async () => {
  const user = await makeUser();
  const goal = await makeGoal(user, { title: "Paint" });
  for (const list of ["logs", "notes"]) {
    const bare = await callAs(user, "GET", `/api/my/goals/${goal.id}/${list}`);
    expect(bare.body.serverData).toEqual({ [list]: [], page: 1, per_page: PER_PAGE });
    const whole = await callAs(user, "GET", `/api/my/goals/${goal.id}/${list}?with-parent=1`);
    expect(whole.body.serverData.goal).toMatchObject({ id: goal.id, title: "Paint", is_owner: 1 });
  }
});

test("C-29 search and tags find the user's goals, regardless of case and accents", async () => {
  const user = await makeUser();
  const make = (goal: object) => callAs(user, "POST", "/api/goals/store", { challenge: { tasks: [goal] } });
  await make({ title: "Écrire un Café", tags: ["Home"] });
  await make({ title: "Run", content: "along the **river**", tags: ["home", "Sport"] });
  await make({ title: "100% of _it_" });
  const found = async (query: string) =>
    (await dataOf(user, `/api/my/goals?${query}`)).goals.map((goal: { title: string }) => goal.title);
  expect(await found("q=ecrire%20CAFE")).toEqual(["Écrire un Café"]);
  expect(await found("q=river")).toEqual(["Run"]);
  expect(await found("q=sport")).toEqual(["Run"]);
  expect(await found("q=100%25")).toEqual(["100% of _it_"]);
  expect(await found("q=%25")).toEqual([]);
  expect(await found("q=run%20home%20nothing")).toEqual([]);
  expect(await found("tag=HOME")).toEqual(["Run", "Écrire un Café"]);
  const { tags } = await dataOf(user, "/api/my/goals");
  expect(tags).toEqual([
    { tag: "home", goals: 2 },
    { tag: "sport", goals: 1 },
  ]);
  // A deleted goal takes its tags along, and a tag that no goal has is gone.
  const sport = (await dataOf(user, "/api/my/goals?tag=sport")).goals[0];
  await deleteGoal(await appOf(user), { goal: sport.id });
  expect((await dataOf(user, "/api/my/goals")).tags).toEqual([{ tag: "home", goals: 1 }]);
});

test("E-25 deleting logs, goals and notes keeps order and totals right", async () => {
  const user = await makeUser();
  const [a, b] = [await makeGoal(user), await makeGoal(user)];
  const app = await appOf(user);
  const ids: number[] = [];
  for (let n = 1; n <= 6; n++)
    ids.push((await storeQuickLog(app, { goalId: n % 2 ? a.id : b.id, amount: n * 1000 })).log.id);
  for (const goalId of [a.id, b.id, undefined, a.id]) await createNote(app, { title: "note", goalId });
  await deleteLog(app, { log: ids[2] ?? 0 });
  const amounts = async () => {
    const rows = await db
      .select()
      .from(schema.logs)
      .where(eq(schema.logs.userId, user.id))
      .orderBy(schema.logs.id);
    return rows.map(({ amount }) => amount);
  };
  expect(await amounts()).toEqual([1000, 2000, 4000, 5000, 6000]);
  expect(await goalNow(a.id)).toMatchObject({ amountElapsed: 6000, logsCount: 2 });
  await deleteGoal(app, { goal: a.id });
  expect(await amounts()).toEqual([2000, 4000, 6000]);
  const notes = () =>
    db.select().from(schema.notes).where(eq(schema.notes.userId, user.id)).orderBy(schema.notes.id);
  expect((await notes()).map(({ goalId }) => goalId)).toEqual([b.id, null]);
  await deleteNote(app, { note: (await notes())[0]?.id ?? 0 });
  expect((await notes()).map(({ goalId }) => goalId)).toEqual([null]);
});

/** A history of `count` logs and notes on one goal, a few a day, with the counters that they would have produced. */
async function longHistory(user: TestUser, goalId: number, count: number) {
  const numbers = sql`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;
  const day = sql`date('2026-11-21', '-' || (CAST(${count} - i AS INTEGER) / 28) || ' days')`;
  await db.run(sql`INSERT INTO logs (id, uuid, goal_id, user_id, username, session_id, status, amount, day, created_at, updated_at)
    ${numbers} SELECT i, lower(hex(randomblob(16))), ${goalId}, ${user.id}, ${user.username}, 1, 2, 1000, ${day}, ${NOW}, ${NOW} FROM n`);
  await db.run(sql`INSERT INTO notes (id, user_id, goal_id, title, created_at, updated_at)
    ${numbers} SELECT i, ${user.id}, ${goalId}, 'note ' || i, ${NOW}, ${NOW} FROM n`);
  await db.run(
    sql`INSERT INTO goal_days (goal_id, user_id, day, amount, logs) SELECT goal_id, user_id, day, sum(amount), count(*) FROM logs WHERE goal_id = ${goalId} GROUP BY day`,
  );
  await db.run(
    sql`UPDATE goals SET amount_elapsed = ${count * 1000}, logs_count = ${count} WHERE id = ${goalId}`,
  );
}

test("E-25 with 10,000 logs on a goal its page, any page of any list and a new log read in proportion to what they show", async () => {
  const user = await makeUser();
  const goal = await makeGoal(user, { recurrence: { every: "day" } });
  const other = await makeGoal(user);
  await longHistory(user, goal.id, 10_000);
  const rowsRead = async (query: { run(): Promise<unknown> }) =>
    ((await query.run()) as { meta: { rows_read: number } }).meta.rows_read;

  const [newest] = await listUserLogs(db, user.id, { page: 1, perPage: 1 });
  const [newestNote] = await listUserNotes(db, user.id, { page: 1, perPage: 1 });
  for (const page of [1, 2, 417, 833]) {
    const behind = (id = 0) => ({
      page,
      perPage: PER_PAGE,
      after: page === 1 ? null : String(id - (page - 1) * PER_PAGE + 1),
    });
    const [at, notesAt] = [behind(newest?.id), behind(newestNote?.id)];
    // The rows shown, each with its goal.
    for (const [name, query] of [
      ["goal", listGoalLogs(db, goal.id, user.id, at)],
      ["user", listUserLogs(db, user.id, at)],
      ["session", listSessionLogs(db, 1, 0, at)],
      ["notes of the goal", listGoalNotes(db, goal.id, user.id, notesAt)],
      ["notes of the user", listUserNotes(db, user.id, notesAt)],
    ] as const)
      expect(await rowsRead(query), `${name} ${page}`).toBeLessThanOrEqual((PER_PAGE + 1) * 2 + 3);
    // The page number alone finds the same rows.
    const byNumber = await listGoalLogs(db, goal.id, user.id, { page, perPage: PER_PAGE });
    expect((await listGoalLogs(db, goal.id, user.id, at)).map(({ id }) => id)).toEqual(
      byNumber.map(({ id }) => id),
    );
  }
  expect(await rowsRead(findGoal(db, goal.id, user.id))).toBeLessThanOrEqual(5);
  // None is open: one look for each of two statuses.
  expect(await rowsRead(listOpenLogs(db, user.id, goal.id, 20))).toBeLessThanOrEqual(3);
  const ask = {
    userId: user.id,
    since: "2026-11-15",
    page: 1,
    perPage: PER_PAGE,
    status: null,
    words: [],
    tag: null,
  };
  // Two goals, their eight recent days, and the overhead of each.
  let read = 0;
  for (const statement of listGoals(db, ask)) read += await rowsRead(statement);
  expect(read).toBeLessThanOrEqual(20);
  // 358 days with entries, not 10,000 logs.
  const days = await listGoalDays(db, goal.id, user.id, "2025-01-01");
  expect(days).toHaveLength(358);
  expect(await rowsRead(listGoalDays(db, goal.id, user.id, "2025-01-01"))).toBeLessThanOrEqual(360);
  void other;

  const { body } = await callAs(user, "POST", "/api/logs/store-quick-log", { goal_id: goal.id });
  expect(body.goal).toMatchObject({ amount_elapsed: 10_001, logs_count: 10_001 });
  const { serverData } = (await callAs(user, "GET", `/api/my/goals/${goal.id}`)).body;
  expect(serverData.goal.amount_elapsed).toBe(10_001);
  expect(serverData.logs).toHaveLength(5);
});

// A page is a range of an index after its cursor. The batch of each log maintains counters of a goal's totals and days,
// so no page sums a history. The test asserts D1's `rows_read` for all queries of a page.
test("E-25 P-15 P-16 P-17 P-18 with 10,000 logs and notes every page is one batch, and reads in proportion to its size", async () => {
  const user = await makeUser();
  const goal = await makeGoal(user, { recurrence: { every: "day" } });
  await longHistory(user, goal.id, 10_000);
  const { d1, counts } = countingD1(env.DB);
  const app = { ...(await appOf(user)), db: connect(d1) };
  const costOf = async (work: () => Promise<unknown>) => {
    Object.assign(counts, { trips: 0, rowsRead: 0 });
    await work();
    return { ...counts };
  };
  for (const [name, view] of [
    ["goal's logs", (at: PageQuery) => viewGoalLogs(app, { goal: goal.id, ...at })],
    ["goal's notes", (at: PageQuery) => viewGoalNotes(app, { goal: goal.id, ...at })],
    ["my logs", (at: PageQuery) => viewMyLogs(app, at)],
  ] as const) {
    let at: PageQuery = { page: 1 };
    for (let page = 1; page <= 40; page++) {
      let after: string | null = null;
      const { trips, rowsRead } = await costOf(async () => {
        after = (await view(at)).after;
      });
      expect(trips, `${name} ${page}`).toBe(1);
      // Thirteen rows, each with its goal; the goal itself, its tags, and the head of the list.
      expect(rowsRead, `${name} ${page}`).toBeLessThanOrEqual(2 * (PER_PAGE + 1) + 10);
      at = { page: page + 1, after: after ?? undefined };
    }
  }
  const list = await costOf(() => viewMyGoals(app, { page: 1 }));
  expect(list.trips).toBe(1);
  // Today reads six weeks of days for the streak.
  expect(list.rowsRead, "my goals").toBeLessThanOrEqual(40 + 42);
  // The details show a year of days, 358 of them with entries, five logs and the goal.
  const details = await costOf(() => viewGoal(app, { goal: goal.id }));
  expect(details.trips).toBe(1);
  expect(details.rowsRead).toBeLessThanOrEqual(358 + 40);
  const log = await costOf(() => storeQuickLog(app, { goalId: goal.id }));
  expect(log.rowsRead, "a log").toBeLessThanOrEqual(40);
});

test("C-05 C-29 the running goals are first in the list, and pages name each goal once", async () => {
  const user = await makeUser();
  const ids: number[] = [];
  for (let n = 0; n < 7; n++) ids.push((await makeGoal(user)).id);
  const app = await appOf(user);
  const small = { ...app, settings: { ...app.settings, perPage: 2 } };
  const pageOf = async (page: number) => (await viewMyGoals(small, { page })).rows.map(({ goal }) => goal.id);
  const pages = async () => [await pageOf(1), await pageOf(2), await pageOf(3), await pageOf(4)];
  const [a, b, c, d, e, f, g] = ids;
  expect(await pages()).toEqual([[g, f, e], [e, d, c], [c, b, a], [a]]);
  for (const goalId of [a, b, d]) await startProgress(app, { goalId: goalId ?? 0 });
  expect(await pages()).toEqual([[d, b, a], [a, g, f], [f, e, c], [c]]);
});

test("C-29 the list of goals shows only open or completed goals when asked", async () => {
  const user = await makeUser();
  const [open, completed] = [await makeGoal(user), await makeGoal(user)];
  await db.update(schema.goals).set({ status: 2 }).where(eq(schema.goals.id, completed.id));
  const list = async (query: string) =>
    (await dataOf(user, `/api/my/goals${query}`)).goals.map(({ id }: { id: number }) => id);
  expect(new Set(await list(""))).toEqual(new Set([open.id, completed.id]));
  expect(await list("?status=open")).toEqual([open.id]);
  expect(await list("?status=completed")).toEqual([completed.id]);
});
