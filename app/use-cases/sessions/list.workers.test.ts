// Lists of sessions: order, filters, pages and the rows that a page reads.
import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { activityIdOf } from "#db/queries/activities/activities";
import { hutIdOf } from "#db/queries/huts/huts";
import { type CardFilter, selectSessionCards } from "#db/queries/sessions/cards";
import { callAs } from "#tests/support/ask";
import { db, makeUser, NOW, type TestUser } from "#tests/support/factories";
import { makeActivity, makeHut, makeSession } from "#tests/support/sessions";
import { HOUR, instant, seconds } from "~/domain/time";

const list = async (query = "", user: TestUser | null = null) => {
  const { status, body } = await callAs(user, "GET", `/api/events${query}`);
  expect(status).toBe(200);
  return body.serverData;
};
const titles = (data: { sessions: { title: string }[] }) => data.sessions.map(({ title }) => title);

type Row = Partial<typeof schema.sessions.$inferInsert> & { title: string };
async function fill(owner: TestUser, rows: Row[]): Promise<void> {
  for (let from = 0; from < rows.length; from += 3)
    await db.insert(schema.sessions).values(
      rows.slice(from, from + 3).map((row, index) => ({
        slug: `${row.title.toLowerCase().replace(/\W+/g, "-")}-${from + index}-${crypto.randomUUID().slice(0, 4)}`,
        ownerId: owner.id,
        duration: seconds(3600),
        schedule: { groups: [] },
        createdAt: NOW,
        updatedAt: NOW,
        ...row,
      })),
    );
}
const at = (hours: number) => instant(Date.now() + hours * HOUR);
/** The sort key of a session that starts then. */
const keyOf = (hours: number) => String((BigInt(Math.floor(at(hours) / 1000)) << 31n) + 1n);

describe("C-49 the list", () => {
  let host: TestUser;
  let guest: TestUser;
  beforeAll(async () => {
    [host, guest] = [await makeUser(), await makeUser()];
    const hut = await makeHut(host);
    const activity = await makeActivity(host);
    await fill(host, [
      { title: "Next week", startedAt: at(170), endedAt: at(171), category: "read", difficulty: 6 },
      { title: "Running", startedAt: at(-1), endedAt: at(2), hutId: hut.id, activityId: activity.id },
      { title: "By hand", isManuallyStarted: true },
      { title: "Long over", startedAt: at(-9), endedAt: at(-8), closedAt: at(-8) },
      { title: "Just over", startedAt: at(-2), endedAt: at(-0.01) },
      {
        title: "Tomorrow, Ärger",
        startedAt: at(24),
        endedAt: at(900),
        joinCode: "x",
        difficulty: 3,
        category: "read",
      },
      { title: "Pattern", isTemplate: true },
    ]);
    const joined = await makeSession(guest, { title: "Mine by hand" });
    expect(joined.id).toBeGreaterThan(0);
  });

  test("C-05 S-04 running sessions first, then upcoming ones, then those waiting for their host, and no ended ones", async () => {
    const data = await list();
    expect(titles(data)).toEqual(["Running", "Tomorrow, Ärger", "Next week", "Mine by hand", "By hand"]);
    expect(data.sessions.map(({ status }: { status: number }) => status)).toEqual([1, 0, 0, 0, 0]);
    expect(data.challengeEvents).toEqual(data.sessions);
    expect(data).toMatchObject({ page: 1, per_page: 12, after: null });
    expect(data.sessions[1]).toMatchObject({ needs_code: 1, can_join: 1, is_joined: 0, category: "read" });
    expect(JSON.stringify(data)).not.toContain('"join_code"');
    expect(data.sessions[0]).toMatchObject({
      hut_id: expect.any(Number),
      challenge_slug: expect.any(String),
    });
  });

  test.each([
    ["?category=read", ["Tomorrow, Ärger", "Next week"]],
    ["?difficulty=6", ["Next week"]],
    ["?category=read&difficulty=3", ["Tomorrow, Ärger"]],
    ["?templates=1", ["Pattern"]],
    ["?q=arg", ["Tomorrow, Ärger"]],
    ["?q=week%20NEXT", ["Next week"]],
    ["?q=%22%27*%29", []],
    ["?q=nothing", []],
    ["?page=-3", ["Running", "Tomorrow, Ärger", "Next week", "Mine by hand", "By hand"]],
    ["?page=x&difficulty=9&category=", []],
  ])("C-49 %s", async (query, expected) => {
    expect(titles(await list(query))).toEqual(expected);
  });

  test("C-49 joined=1 shows the sessions in which the user has a seat", async () => {
    expect(titles(await list("?joined=1", guest))).toEqual(["Mine by hand"]);
    expect((await list("?joined=1", guest)).sessions[0]).toMatchObject({ is_joined: 1, can_join: 0 });
  });
});

describe("D1 a page reads in proportion to its size", () => {
  const USER = 1;
  let readAll: (filter: Partial<CardFilter>) => Promise<{ rows: number; read: number; plan: string }>;
  beforeAll(async () => {
    const owner = await makeUser();
    const activity = await makeActivity(owner);
    const hut = await makeHut(owner);
    await fill(
      owner,
      Array.from({ length: 300 }, (_, index) => ({
        title: `Deep ${index}`,
        category: index % 2 ? "write" : "read",
        difficulty: [3, 4, 6][index % 3] ?? 4,
        activityId: activity.id,
        hutId: hut.id,
        startedAt: at(index + 1),
        endedAt: at(index + 2),
      })),
    );
    readAll = async (filter) => {
      const query = selectSessionCards(db, {
        now: NOW,
        userId: USER,
        page: 1,
        perPage: 12,
        ...filter,
        // As the pages of an activity and of a hut name theirs.
        ...(filter.activityId === 0 ? { activityId: activityIdOf(activity.slug) } : {}),
        ...(filter.hutId === 0 ? { hutId: hutIdOf(hut.slug) } : {}),
      }).toSQL();
      const statement = env.DB.prepare(query.sql).bind(...query.params);
      const { results, meta } = await statement.all();
      const plan = await env.DB.prepare(`EXPLAIN QUERY PLAN ${query.sql}`)
        .bind(...query.params)
        .all<{ detail: string }>();
      return {
        rows: results.length,
        read: meta.rows_read,
        plan: plan.results.map(({ detail }) => detail).join("\n"),
      };
    };
  });

  test.each<[string, Partial<CardFilter>]>([
    ["all", {}],
    ["a category", { category: "read" }],
    ["a difficulty", { difficulty: 6 }],
    ["both", { category: "write", difficulty: 3 }],
    ["an activity", { activityId: 0 }],
    ["a hut", { hutId: 0 }],
    ["a category of a hut", { hutId: 0, category: "read" }],
    ["deep, behind the row before", { page: 20, after: keyOf(240) }],
    ["deep with a filter", { page: 10, category: "read", after: keyOf(200) }],
  ])("%s", async (_, filter) => {
    const { rows, read, plan } = await readAll(filter);
    expect(rows).toBe(13);
    // The session with its hut, activity, category and seat: a constant per row, however many rows exist.
    expect(read).toBeLessThanOrEqual(13 * 5 + 10);
    expect(plan).not.toMatch(/SCAN sessions\b/);
    expect(plan).not.toContain("TEMP B-TREE");
  });

  test("C-05 a cursor continues after the last row shown, on its own page only", async () => {
    const first = await list();
    expect(first.sessions).toHaveLength(13);
    expect(first).not.toHaveProperty("has_next");
    const second = await list(`?page=2&after=${first.after}`);
    expect(second.sessions).toEqual((await list("?page=2")).sessions);
    // The extra row of a page is the first row of the next page.
    expect(titles(second)[0]).toBe(titles(first)[12]);
    expect(titles(await list(`?page=3&after=${first.after}`))).toEqual(titles(await list("?page=3")));
    expect(titles(await list(`?page=2&after=nonsense`))).toEqual(titles(second));
  });

  test("words find sessions through the search index, and closed sessions leave it", async () => {
    const { plan } = await readAll({ words: [["deep"]] });
    expect(plan).not.toMatch(/SCAN sessions\b/);
    await db.run(sql`UPDATE sessions SET closed_at = 1 WHERE title = 'Deep 7'`);
    const found = await env.DB.prepare(
      "SELECT count(*) AS n FROM session_words WHERE session_words MATCH 'deep'",
    ).first<{ n: number }>();
    expect(found?.n).toBe(299);
    await db.run(sql`UPDATE sessions SET closed_at = NULL, title = 'Shallow' WHERE title = 'Deep 7'`);
    expect(titles(await list("?q=shallow"))).toEqual(["Shallow"]);
    await db.run(sql`DELETE FROM sessions WHERE title = 'Shallow'`);
    expect(titles(await list("?q=shallow"))).toEqual([]);
  });
});

test("Q-45 the words of a session's text find it only without a join code", async () => {
  const owner = await makeUser();
  await fill(owner, [
    { title: "Closed circle", summary: "Xylograph", joinCode: "secret", startedAt: at(1), endedAt: at(2) },
    { title: "Open circle", summary: "Xylograph", startedAt: at(1), endedAt: at(2) },
  ]);
  expect(titles(await list("?q=xylograph"))).toEqual(["Open circle"]);
  const summaries = async (user: TestUser | null) =>
    (await list("?q=circle", user)).sessions
      .map(({ title, summary }: { title: string; summary: string }) => [title, summary])
      .sort();
  for (const user of [null, await makeUser()])
    expect(await summaries(user)).toEqual([
      ["Closed circle", ""],
      ["Open circle", "Xylograph"],
    ]);
  expect(await summaries(await makeUser({ roleId: 10 }))).toContainEqual(["Closed circle", "Xylograph"]);
  await db.run(sql`UPDATE sessions SET join_code = '' WHERE title = 'Closed circle'`);
  expect(titles(await list("?q=xylograph")).sort()).toEqual(["Closed circle", "Open circle"]);
  await db.run(sql`UPDATE sessions SET join_code = 'again' WHERE title = 'Closed circle'`);
  expect(titles(await list("?q=xylograph"))).toEqual(["Open circle"]);
});
