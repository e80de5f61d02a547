// Lists over many rows: every filter, with and without words, on the first, next and a deep page, reads a constant
// number of rows per row shown. Search corrects typing errors, and the index follows changes.
import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { ask, type PageName, pageNames } from "#tests/load/lists-pages";
import { callAs, dataOf } from "#tests/support/ask";
import { makeUser, NOW, type TestUser } from "#tests/support/factories";

const MANY = 1500;
// The calls below use the real clock, so every session begins after it.
const SOON = Math.max(NOW, Date.now());
const run = (statement: string) => env.DB.prepare(statement).run();
const numbers = `WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < ${MANY})`;

describe("a page of a list", () => {
  let me: TestUser;
  beforeAll(async () => {
    me = await makeUser();
    const stamps = `${NOW}, ${NOW}`;
    const category = "CASE n % 3 WHEN 0 THEN 'read' WHEN 1 THEN 'write' END";
    const difficulty = "CASE n % 4 WHEN 0 THEN 3 WHEN 1 THEN 4 ELSE 6 END";
    await run(
      `${numbers} INSERT INTO huts (id, slug, title, summary, owner_id, created_at, updated_at) SELECT n, 'hut-' || n, iif(n % 2, 'Morning', 'Evening') || ' hut ' || n, 'by the river', ${me.id}, ${stamps} FROM c`,
    );
    await run(
      `${numbers} INSERT INTO activities (id, slug, title, summary, owner_id, hut_id, category, difficulty, is_template, duration, schedule, created_at, updated_at) SELECT n, 'activity-' || n, iif(n % 2, 'Morning', 'Evening') || ' pages ' || n, 'by the river', ${me.id}, iif(n % 5 < 3, 1, NULL), ${category}, ${difficulty}, n % 2, 1800, '{"groups":[]}', ${stamps} FROM c`,
    );
    await run(
      `${numbers} INSERT INTO sessions (id, slug, activity_id, hut_id, owner_id, title, summary, category, difficulty, is_template, started_at, ended_at, duration, schedule, created_at, updated_at) SELECT n, 'session-' || n, iif(n % 5 < 3, 1, NULL), iif(n % 5 > 1, 1, NULL), ${me.id}, iif(n % 2, 'Morning', 'Evening') || ' pages ' || n, 'by the river', ${category}, ${difficulty}, n % 7 = 0, ${SOON} + n * 3600000, ${SOON} + n * 3600000 + 1800000, 1800, '{"groups":[]}', ${stamps} FROM c`,
    );
    await run(
      `INSERT INTO hut_members (hut_id, user_id, joined_at) SELECT id, ${me.id}, 1 FROM huts WHERE id < 100`,
    );
    await run(
      `INSERT INTO followers (activity_id, user_id, followed_at) SELECT id, ${me.id}, 1 FROM activities WHERE id < 100`,
    );
    await run(
      `INSERT INTO participants (session_id, user_id, person_id, username, seat, paid_by, joined_at) SELECT id, ${me.id}, 1, 'me', id, 1, 1 FROM sessions WHERE id < 100`,
    );
  });

  // Lists omit ended sessions, so HTTP calls must use the same instant as the rows.
  beforeEach(() => void vi.setSystemTime(NOW));

  const choices: Record<string, unknown>[] = [
    {},
    { category: "read" },
    { difficulty: 6 },
    { category: "write", difficulty: 3 },
    { templates: 1 },
    { templates: 1, category: "read" },
    { templates: 1, difficulty: 6 },
    { templates: 1, category: "write", difficulty: 4 },
  ];
  const filters = choices.flatMap((choice) => [
    choice,
    { ...choice, q: "morn pag" },
    { ...choice, q: "riv" },
  ]);
  const rowsAllowed = (shown: number) => 8 * (shown + 2) + 60;

  test.each(pageNames)("C-05 C-49 %s reads in proportion to the page, whatever the filter", async (page) => {
    for (const filter of filters) {
      const first = await ask(env.DB, page, filter, 0, NOW);
      expect(first.rowsRead, JSON.stringify(filter)).toBeLessThanOrEqual(rowsAllowed(first.rows));
      if (!first.after) continue;
      const next = await ask(env.DB, page, { ...filter, page: 2, after: first.after }, 0, NOW);
      expect(next.rowsRead, `page 2 ${JSON.stringify(filter)}`).toBeLessThanOrEqual(rowsAllowed(next.rows));
    }
  });

  test.each(["/", "/events", "/activities", "/groups"] as const)(
    "C-05 page 30 of %s equals the page that the cursors reach",
    async (page) => {
      // The offset reads each row before the page once, and again for the condition that it is open.
      const { rowsRead } = await ask(env.DB, page, { page: 50 }, 0, NOW);
      expect(rowsRead).toBeLessThanOrEqual(2 * 50 * 12 + rowsAllowed(18));
      if (page === "/") return;
      const key = { "/events": "sessions", "/activities": "challenges", "/groups": "groups" }[page];
      const list = (query: string) => dataOf(null, `/api${page}?${query}`);
      // Lists omit sessions that have ended but are not closed yet.
      const over = `UPDATE sessions SET started_at = ${NOW} - 7200000 - id, ended_at = ${NOW} - 1000 WHERE is_template = 0 AND id BETWEEN 40 AND 46`;
      if (page === "/events") await run(over);
      let walked = await list("page=1");
      for (let at = 2; at <= 30; at++) walked = await list(`page=${at}&after=${walked.after}`);
      const jumped = await list("page=30");
      expect(jumped[key].map(({ id }: { id: number }) => id)).toEqual(
        walked[key].map(({ id }: { id: number }) => id),
      );
    },
  );

  test.each<PageName>(pageNames)(
    "C-49 the user's own rows of %s: the query reads no others",
    async (page) => {
      const lists = page === "/" || page === "/group/hut-1" ? 2 : 1;
      for (const filter of [{}, { q: "morn" }, { category: "read", difficulty: 6 }]) {
        const { rowsRead, rows } = await ask(env.DB, page, { ...filter, joined: 1 }, me.id, NOW);
        // In each list a hundred rows of the user, each looked up by its id, then the rows shown.
        expect(rowsRead, JSON.stringify(filter)).toBeLessThanOrEqual(lists * 100 * 4 + rowsAllowed(rows));
      }
    },
  );

  test("C-49 the activities that the user follows: the page ends the walk through them", async () => {
    const first = await ask(env.DB, "/activities", { joined: 1 }, me.id, NOW);
    const next = await ask(env.DB, "/activities", { joined: 1, page: 2, after: first.after }, me.id, NOW);
    // Their number is counted, each with its activity, by which the filter and the reader's right are decided.
    for (const { rowsRead, rows } of [first, next])
      expect(rowsRead).toBeLessThanOrEqual(2 * 100 + rowsAllowed(rows));
  });

  test("C-49 a search corrects a typing error, and the answer contains the corrected words", async () => {
    for (const [typed, meant] of [
      ["mornign", "morning"],
      ["evning", "evening"],
      ["amorning", "morning"],
      ["orning", "morning"],
      ["ages", "pages"],
      ["rivver", "river"],
    ]) {
      const { body } = await callAs(null, "GET", `/api/activities?q=${typed}`);
      expect(body.serverData.corrected, typed).toBe(meant);
      expect(body.serverData.challenges.length).toBe(13);
    }
    const { body } = await callAs(null, "GET", "/api/activities?q=morning");
    expect(body.serverData.corrected).toBe(null);
    expect((await dataOf(null, "/api/events?q=qqqqqqq")).sessions).toEqual([]);
  });

  test("C-49 a typed word never matches the word of a filter", async () => {
    for (const q of ["t0", "%EE%80%80t0", "lists:t0", '"', "title:*", "NEAR(a,b)", "a AND OR"]) {
      const { status, body } = await callAs(null, "GET", `/api/activities?q=${encodeURIComponent(q)}`);
      expect(status).toBe(200);
      if (q !== '"') expect(body.serverData.challenges.length).toBeLessThan(12);
    }
  });
});

test("C-49 a list follows updates, moves to another hut, new names and deletions", async () => {
  const owner = await makeUser();
  const hutOf = async (title: string) =>
    (await callAs(owner, "POST", "/groups/store", { hut: { title } })).body.hut as {
      id: number;
      slug: string;
    };
  const [one, two] = [await hutOf("Quillwort"), await hutOf("Saxifrage")];
  const { slug } = (
    await callAs(owner, "POST", "/challenges", { challenge: { title: "Wobble", hut_id: one.id } })
  ).body.challenge;
  const found = async (path: string) =>
    (await dataOf(null, path)).challenges.map((row: { slug: string }) => row.slug);
  expect(await found("/api/activities?q=quillw")).toEqual([slug]);
  expect(await found(`/api/hut/${one.slug}/activities`)).toEqual([slug]);
  await callAs(owner, "PATCH", `/groups/${two.slug}/${slug}/attach-challenge`, {});
  expect(await found(`/api/hut/${one.slug}/activities`)).toEqual([]);
  expect(await found(`/api/hut/${two.slug}/activities?q=wob`)).toEqual([slug]);
  await callAs(owner, "PATCH", `/groups/${two.slug}/patch`, { hut: { title: "Butterwort" } });
  expect(await found("/api/activities?q=saxifrage")).toEqual([]);
  expect(await found("/api/activities?q=butterwort")).toEqual([slug]);
  await callAs(owner, "PATCH", `/challenges/${slug}`, { challenge: { category: "rest", difficulty: 3 } });
  expect(await found("/api/activities?category=rest&difficulty=3&q=wobble")).toEqual([slug]);
  await callAs(owner, "DELETE", `/challenges/${slug}`);
  expect(await found("/api/activities?q=wobble")).toEqual([]);
});

describe("search words", () => {
  beforeAll(async () => {
    const owner = await makeUser();
    const { body } = await callAs(owner, "POST", "/groups/store", { hut: { title: "Moss & Stone" } });
    for (const title of [
      "Bouldering in the Rain",
      "Übung macht den Meister",
      "Spaziergang an der Straße",
      "Café crème at Zoë's",
      "Crochet 🧶 circle",
      "Don't break the chain",
      '"Quiet" hour',
      "Half-marathon training",
      "C++ katas",
      "Łódź by bicycle",
      "編み物の会",
      "5k before breakfast",
    ])
      await callAs(owner, "POST", "/challenges", {
        challenge: { title, ...(title === "5k before breakfast" ? { hut_id: body.hut.id } : {}) },
      });
  });

  test.each([
    ["bouldering", "Bouldering in the Rain"],
    ["BOULD rai", "Bouldering in the Rain"],
    ["boludering", "Bouldering in the Rain"],
    ["buoldering rian", "Bouldering in the Rain"],
    ["oudering", "Bouldering in the Rain"],
    ["ubung", "Übung macht den Meister"],
    ["Übung", "Übung macht den Meister"],
    ["uebung", "Übung macht den Meister"],
    ["strasse", "Spaziergang an der Straße"],
    ["cafe creme", "Café crème at Zoë's"],
    ["zoes", "Café crème at Zoë's"],
    ["crochet 🧶", "Crochet 🧶 circle"],
    ["dont braek chain", "Don't break the chain"],
    ["don’t break", "Don't break the chain"],
    ["“quiet” hour", '"Quiet" hour'],
    ['"quiet hour"', '"Quiet" hour'],
    ["halfmarathon", "Half-marathon training"],
    ["half marathon", "Half-marathon training"],
    ["c++ kata", "C++ katas"],
    ["lodz", "Łódź by bicycle"],
    ["編み", "編み物の会"],
    ["5k brekfast", "5k before breakfast"],
    ["h/moss-stone", "5k before breakfast"],
    ["mos stone", "5k before breakfast"],
    ["moss & stone", "5k before breakfast"],
  ])("C-49 %s finds %s", async (typed, title) => {
    const { body } = await callAs(null, "GET", `/api/activities?q=${encodeURIComponent(typed)}`);
    expect(body.serverData.challenges.map((one: { title: string }) => one.title)).toEqual([title]);
  });

  test.each(["🧶", "!!!", "zzzz bouldering", "%", "'; --"])("C-49 %s finds nothing", async (typed) => {
    const { status, body } = await callAs(null, "GET", `/api/activities?q=${encodeURIComponent(typed)}`);
    expect([status, body.serverData.challenges]).toEqual([200, []]);
  });
});
