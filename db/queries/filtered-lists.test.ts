// Every combination of filters is served by its own index, in the order of the list, with and without statistics.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { connect } from "#db/connect.server";
import { listActivities } from "#db/queries/activities/activities";
import { listOpenLogs } from "#db/queries/goals/logs";
import { type CardFilter, selectSessionCards } from "#db/queries/sessions/cards";
import { instant } from "~/domain/time";

/** Only builds statements; no statement runs on it. */
const db = connect({} as D1Database);

function migrated(): DatabaseSync {
  const sqlite = new DatabaseSync(":memory:");
  const folder = join(import.meta.dirname, "../migrations");
  for (const name of readdirSync(folder)
    .filter((file) => file.endsWith(".sql"))
    .sort())
    sqlite.exec(readFileSync(join(folder, name), "utf8"));
  return sqlite;
}

/** Sessions and activities of all kinds, a third of them in huts, and the planner's statistics of them. */
function withStatistics(): DatabaseSync {
  const sqlite = migrated();
  sqlite.exec("PRAGMA foreign_keys = OFF");
  const numbers = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 5000)";
  const kinds = "'t', iif(n % 3 = 0, 1 + n % 50, NULL), 'c' || (n % 9), 3 + (n % 2), n % 40 = 0";
  sqlite.exec(`${numbers} INSERT INTO sessions (id, slug, owner_id, title, hut_id, category, difficulty, is_template, activity_id, started_at, duration, schedule, closed_at, created_at, updated_at)
    SELECT n, 's' || n, 1, ${kinds}, 1 + n % 500, n * 60000, 3600, '{}', iif(n % 10 < 3, 1, NULL), 1, 1 FROM c`);
  sqlite.exec(`${numbers} INSERT INTO activities (id, slug, owner_id, title, hut_id, category, difficulty, is_template, duration, schedule, created_at, updated_at)
    SELECT n, 'a' || n, 1, ${kinds}, 1800, '{}', 1, 1 FROM c`);
  sqlite.exec(`${numbers} INSERT INTO logs (id, uuid, goal_id, user_id, username, status, day, created_at, updated_at)
    SELECT n, n, n % 50, n % 20, 'u', iif(n % 500 = 0, 3, 2), '2026-11-21', 1, 1 FROM c`);
  sqlite.exec("ANALYZE");
  return sqlite;
}

const databases = { without: migrated(), with: withStatistics() };
const planOf = (sqlite: DatabaseSync, statement: { toSQL(): { sql: string; params: unknown[] } }): string => {
  const { sql: text, params } = statement.toSQL();
  const rows = sqlite.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...(params as never[])) as {
    detail: string;
  }[];
  return rows.map(({ detail }) => detail).join("\n");
};

const FILTERS = {
  "": {},
  _by_difficulty: { difficulty: 3 },
  _by_category: { category: "read" },
  _by_category_and_difficulty: { category: "read", difficulty: 3 },
};
const CASES = (Object.keys(databases) as (keyof typeof databases)[]).flatMap((statistics) =>
  (Object.keys(FILTERS) as (keyof typeof FILTERS)[]).flatMap((name) =>
    [null, 1].flatMap((hutId) =>
      [0, 2].flatMap((userId) => [null, "5"].map((after) => ({ statistics, name, hutId, userId, after }))),
    ),
  ),
);

test.each(CASES)(
  "D1 a list $name in hut $hutId for user $userId after $after uses the index of its filters $statistics statistics",
  ({ statistics, name, hutId, userId, after }) => {
    const page = { page: 1, perPage: 12, after, hutId, userId, ...FILTERS[name] };
    const filter: CardFilter = { ...page, now: instant(1) };
    const plans = {
      sessions: planOf(databases[statistics], selectSessionCards(db, filter)),
      activities: planOf(databases[statistics], listActivities(db, page)),
    };
    const sessions =
      hutId === null ? `sessions_listed${name}` : name === "" ? "sessions_by_hut" : `sessions_in_hut${name}`;
    const activities = hutId === null ? `activities_listed${name}` : `activities_in_hut${name}`;
    expect(plans.sessions).toMatch(new RegExp(`SEARCH t USING (COVERING )?INDEX ${sessions} \\(`));
    expect(plans.activities).toMatch(new RegExp(`SEARCH t USING (COVERING )?INDEX ${activities} \\(`));
    for (const plan of Object.values(plans)) expect(plan).not.toMatch(/TEMP B-TREE|SCAN t\b/);
  },
);

test("D1 the open logs of a user are found by their index, with and without statistics", () => {
  for (const sqlite of Object.values(databases))
    for (const goalId of [null, 7])
      expect(planOf(sqlite, listOpenLogs(db, 1, goalId, 20))).toContain("INDEX logs_open");
});

test("D1 no statement names the index that serves it", () => {
  const hint = /\bINDEXED BY\b/;
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" }).filter((name) =>
    /(?<!\.test)\.ts$/.test(name),
  );
  expect(files.filter((name) => hint.test(readFileSync(join(import.meta.dirname, name), "utf8")))).toEqual(
    [],
  );
});
