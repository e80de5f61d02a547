// A word in every table, in private places of a user: no page and no GET call tells one to a visitor or to a stranger
// whom the user has blocked.
import { env } from "cloudflare:workers";
import { getTableName } from "drizzle-orm";
import { getTableConfig } from "drizzle-orm/sqlite-core";
import { beforeAll, expect, test } from "vitest";
import { asDeployed } from "./support/as-deployed";
import { callAs } from "./support/ask";
import { everyCall } from "./support/every-call";
import { type EveryRow, fillTables, tables } from "./support/every-row";
import { makeUser, NOW, type TestUser } from "./support/factories";
import { makeSession } from "./support/rooms";
import { filled, pageRoutes } from "./support/route-table";
import { visit } from "./support/visit";

asDeployed();

/** Tables of which the sweep has no word, with reasons. */
const WITHOUT_A_WORD: Record<string, string> = {
  activity_counts: "Numbers.",
  categories: "Public.",
  cron_marks: "Marks of jobs.",
  delivery_days: "Numbers.",
  failed_rows: "Only for super admins.",
  goal_measures: "Numbers and a unit, whose word the goal has too.",
  kept_names: "Hashes of names.",
  library: "Public.",
  log_marks: "Ids of logs.",
  mailbox: "The emails of a local run.",
  persons: "Names of public profiles.",
  practice_objects: "The practice provider's own.",
  provider_events: "Ids of the card provider.",
  push_box: "The pushes of a local run.",
  series_days: "Days without words.",
  series_slugs: "Addresses; series has a word in its own.",
  slugs: "Addresses.",
  view_links: "Hashes of codes.",
  users: "The account itself; its words are those of its rows.",
};

let owner: TestUser;
let stranger: TestUser;
let every: EveryRow;
let ids: Record<string, string>;
/** A session in the open that has a join code; its words are Q-45's. */
let coded: string;

const wordsIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/«([\w.]+)/g)].map(([, name = ""]) => name)),
];

beforeAll(async () => {
  owner = await makeUser();
  stranger = await makeUser();
  every = await fillTables(owner, await makeUser());
  const { rows, parents } = every;
  const idOf = (name: string) => rows.get(name)?.id ?? 0;
  const run = (sql: string, ...values: unknown[]) =>
    env.DB.prepare(sql)
      .bind(...values)
      .run();
  await run(
    "INSERT INTO blocks (user_id, blocked_id, person_id, created_at) VALUES (?, ?, ?, 1)",
    owner.id,
    stranger.id,
    stranger.personId,
  );
  for (const table of ["sessions", "activities", "items", "series"])
    await run(`UPDATE ${table} SET hut_id = ?`, parents.hut);
  await run("UPDATE huts SET is_private = 1");
  await run("UPDATE items SET status = 1");
  await run("UPDATE snippets SET content = '«snippets.content»'");
  const { id } = await makeSession([owner, await makeUser({ username: "Marrowstone" })], { now: NOW });
  coded = String(id);
  const by = [id, owner.id, owner.username, "«coded»", NOW, NOW];
  await run(
    "UPDATE sessions SET join_code = '«coded.code»', prompt = '«coded.prompt»', summary = '«coded.summary»', meeting_link = '«coded.link»', content = 'For everybody' WHERE id = ?",
    id,
  );
  await run(
    "INSERT INTO posts (session_id, user_id, username, content, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)",
    ...by,
  );
  await run(
    "INSERT INTO contributions (session_id, user_id, username, content, content_html, created_at, seq) VALUES (?, ?, ?, ?, ?, ?, 1)",
    id,
    owner.id,
    owner.username,
    "«coded.contribution»",
    "«coded.contribution»",
    NOW,
  );
  await run(
    "INSERT INTO logs (session_id, user_id, username, title, created_at, updated_at, id, uuid, status, amount, day) VALUES (?, ?, ?, ?, ?, ?, 9, 'coded', 2, 1000, '2026-11-21')",
    ...by,
  );
  ids = {
    activity: "rows-activity",
    challenge: "rows-activity",
    slug: "rows-activity",
    hut: "rows-hut",
    group: "rows-hut",
    event: String(idOf("sessions.owner_id")),
    session: String(idOf("sessions.owner_id")),
    goal: String(idOf("goals.user_id")),
    note: String(idOf("notes.user_id")),
    log: String(idOf("logs.user_id")),
    series: String(idOf("series.owner_id")),
    post: String(idOf("posts.user_id")),
    item: String(idOf("items.person_id")),
    snippet: String(parents.snippet),
    person: owner.username,
    username: owner.username,
    parentItem: owner.username,
    file: "everything.json",
    tab: "login",
    product: "goals_sub",
    day: "2026-11-23",
  };
  for (const [slug, kind, id] of [
    ["rows-activity", "activity", idOf("activities.owner_id")],
    ["rows-session", "session", idOf("sessions.owner_id")],
  ])
    await run("INSERT INTO slugs (slug, kind, target_id) VALUES (?, ?, ?)", slug, kind, id);
}, 60_000);

/** Every page and GET call; a parameter without a thing is 1. */
const addresses = () => {
  const gets = Object.values(everyCall).filter(({ method }) => method === "GET");
  const things = [ids, { ...ids, event: coded, session: coded }];
  const calls = gets.flatMap(({ path }) =>
    things.map((of) => path.replace(/\{(\w+)\}/g, (_, name: string) => of[name as "event"] ?? "1")),
  );
  const pages = pageRoutes()
    .flatMap(({ path }) => things.map((of) => filled(path, of)))
    .filter((path) => !/^\/(local|auth\/logout)/.test(path));
  return { calls: [...new Set(calls)], pages: [...new Set(pages)] };
};

async function sweep(user: TestUser | null): Promise<string[]> {
  const told: string[] = [];
  const { calls, pages } = addresses();
  const look = (address: string, text: string) => {
    const words = [...wordsIn(text), ...(text.includes("Marrowstone") ? ["a participant"] : [])];
    if (words.length > 0) told.push(`${address}: ${words.join(", ")}`);
  };
  for (const path of pages) look(path, (await visit(user, path)).html);
  for (const path of calls) look(path, JSON.stringify((await callAs(user, "GET", path)).body));
  return told;
}

test("Q-27 every table has a word in the sweep, or says why not", () => {
  const withWords = new Set([...every.rows.values()].map(({ table }) => table)).add("snippets");
  const missing = tables
    .filter((table) => getTableConfig(table).columns.some(({ dataType }) => dataType === "string"))
    .map(getTableName)
    .filter((name) => !withWords.has(name));
  expect(missing.sort()).toEqual(Object.keys(WITHOUT_A_WORD).sort());
});

test("Q-27 Q-45 A-10 a visitor reads no word of it", { timeout: 120_000 }, async () => {
  expect(await sweep(null)).toEqual([]);
});

test("Q-11 Q-27 Q-45 A-10 a stranger whom the user has blocked reads no word of it", {
  timeout: 120_000,
}, async () => {
  expect(await sweep(stranger)).toEqual([]);
});

test("Q-27 Q-45 the user reads the words of most tables, so they are at the addresses that were asked", {
  timeout: 120_000,
}, async () => {
  const told = new Set((await sweep(owner)).flatMap((line) => line.split(": ")[1]?.split(", ") ?? []));
  expect([...told]).toEqual(
    expect.arrayContaining([
      "a participant",
      "coded",
      "coded.prompt",
      "coded.contribution",
      "snippets.content",
    ]),
  );
  expect(told.size).toBeGreaterThan(35);
});
