// Fills a local D1 by SQL with activities, sessions (seven of ten open) and huts for the benchmark of lists; equal sizes
// give equal rows. User 1 owns everything; user 2 has some memberships, followed activities and seats.
//   node tests/load/fill.mjs --dir DIR [--activities 100000] [--sessions 1000000] [--huts 10000] [--goals 10000]
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { getPlatformProxy } from "wrangler";
import { ROOT } from "../../workers/local/processes.mjs";

/** The instant at which the lists are read. */
export const NOW = Date.UTC(2026, 10, 21, 9, 30);
/** Rows per statement; each table is filled in the order of its list, the fastest order for a full-text index. */
const CHUNK = 2500;

/** A D1 with its file in `dir`. */
export async function openD1(dir) {
  mkdirSync(dir, { recursive: true });
  const configPath = join(dir, "wrangler.toml");
  writeFileSync(
    configPath,
    `name = "lists"
compatibility_date = "2026-11-01"
[[d1_databases]]
binding = "DB"
database_name = "lists"
database_id = "lists"
`,
  );
  const { env, dispose } = await getPlatformProxy({ configPath, persist: { path: dir } });
  return { d1: env.DB, dispose };
}

async function migrate(d1) {
  const folder = join(ROOT, "db/migrations");
  for (const file of readdirSync(folder)
    .filter((name) => name.endsWith(".sql"))
    .sort()) {
    const statements = readFileSync(join(folder, file), "utf8").split("--> statement-breakpoint");
    await d1.batch(statements.filter((text) => text.trim() !== "").map((text) => d1.prepare(text)));
  }
}

const count = (table) => `SELECT count(*) AS n FROM ${table}`;
/** A pseudo-random number below `limit` for row `n`. */
const chance = (limit, salt) => `(((n * 2654435761 + ${salt} * 40503) >> 7) % ${limit})`;
const pick = (words, salt) =>
  `(CASE ${chance(words.length, salt)} ${words.map((word, at) => `WHEN ${at} THEN '${word}'`).join(" ")} END)`;

const WHEN = ["Morning", "Evening", "Slow", "Quiet", "Weekly", "First", "Early", "Winter", "Open", "Gentle"];
const WHAT =
  "pages walk sketching reading stretching writing gardening knitting practice study translation cooking repairs meditation carpentry birdsong letters mathematics guitar mending".split(
    " ",
  );
const CATEGORIES = ["move", "make", "learn", "read", "write", "focus", "rest", "home", "together"];
const title = `${pick(WHEN, 1)} || ' ' || ${pick(WHAT, 2)} || ' ' || n`;
const summary = `'Together with ' || ${pick(WHAT, 3)} || ', then tea.'`;
const difficulty = `(CASE ${chance(3, 4)} WHEN 0 THEN 3 WHEN 1 THEN 4 ELSE 6 END)`;
const SCHEDULE = `'{"groups":[]}'`;

async function fillTable(d1, table, total, insert) {
  const { n: have } = await d1.prepare(count(table)).first();
  const begun = performance.now();
  for (let from = have; from < total; from += CHUNK) {
    const numbers = `WITH RECURSIVE c(n) AS (SELECT ${from + 1} UNION ALL SELECT n + 1 FROM c WHERE n < ${Math.min(total, from + CHUNK)})`;
    await d1.prepare(insert(numbers)).run();
    if (from % 100_000 === 0 && from > have) console.log(`  ${table}: ${from} …`);
  }
  if (have < total)
    console.log(`  ${total - have} ${table} in ${Math.round((performance.now() - begun) / 1000)} s`);
}

/** Fills up to these sizes; existing rows stay, so an interrupted run continues. */
export async function fill(d1, sizes) {
  const isNew = !(await d1.prepare("SELECT 1 FROM sqlite_master WHERE name = 'sessions'").first());
  if (isNew) await migrate(d1);
  await fillTable(
    d1,
    "users",
    2,
    (numbers) =>
      `${numbers} INSERT INTO users (id, email, email_confirmed_at, username, password_hash, created_at, updated_at) SELECT n, 'u' || n || '@example.com', ${NOW}, 'user-' || n, 'none', ${NOW}, ${NOW} FROM c`,
  );
  await fillTable(
    d1,
    "huts",
    sizes.huts,
    (numbers) =>
      `${numbers} INSERT INTO huts (id, slug, title, summary, owner_id, user_count, created_at, updated_at) SELECT n, 'hut-' || n, ${title}, ${summary}, 1, n % 90, ${NOW}, ${NOW} FROM c ORDER BY n DESC`,
  );
  const hut = `CASE WHEN ${chance(3, 5)} = 0 THEN 1 + ${chance(sizes.huts, 6)} END`;
  await fillTable(
    d1,
    "activities",
    sizes.activities,
    (numbers) =>
      `${numbers} INSERT INTO activities (id, slug, title, summary, owner_id, hut_id, category, difficulty, is_template, duration, schedule, created_at, updated_at) SELECT n, 'activity-' || n, ${title}, ${summary}, 1, iif(n % 50 = 7, 1, ${hut}), ${pick(CATEGORIES, 7)}, ${difficulty}, n % 40 = 0, 1800, ${SCHEDULE}, ${NOW}, ${NOW} FROM c ORDER BY n DESC`,
  );
  // Minutes from now: a tenth is running, the rest is ahead, and one in nine waits for its host.
  const start = `iif(n % 9 = 0, NULL, ${NOW} + (${chance(600_000, 8)} - 60) * 60000)`;
  await fillTable(
    d1,
    "sessions",
    sizes.sessions,
    (numbers) =>
      `${numbers} INSERT INTO sessions (id, slug, activity_id, hut_id, owner_id, title, summary, category, difficulty, is_template, started_at, ended_at, duration, participants_count, schedule, closed_at, created_at, updated_at)
      SELECT n, 'session-' || n, iif(n % 50 = 7, 1, 1 + ${chance(sizes.activities, 9)}), iif(n % 50 = 9, 1, ${hut}), 1, ${title}, ${summary}, ${pick(CATEGORIES, 7)}, ${difficulty}, n % 40 = 0, ${start}, ${start} + 7200000, 7200, n % 30, ${SCHEDULE}, iif(${chance(10, 10)} < 3, ${NOW}, NULL), ${NOW}, ${NOW} FROM c ORDER BY ${start} IS NULL, ${start}, n DESC`,
  );
  const text = `lower(${title})`;
  await fillTable(
    d1,
    "goals",
    sizes.goals,
    (numbers) =>
      `${numbers} INSERT INTO goals (id, uuid, user_id, title, search_text, status, created_at, updated_at) SELECT n, 'goal-' || n, 2, ${title}, ${text}, 1 + (n % 3 = 0), ${NOW}, ${NOW} FROM c`,
  );
  await d1.batch(
    [
      `INSERT OR IGNORE INTO goal_tags (user_id, tag, goal_id) SELECT 2, 'tag-' || (id % 20), id FROM goals WHERE id % 2 = 0`,
      `INSERT OR IGNORE INTO hut_members (hut_id, user_id, joined_at) SELECT id, 2, ${NOW} FROM huts WHERE id % 97 = 1`,
      `INSERT OR IGNORE INTO followers (activity_id, user_id, followed_at) SELECT id, 2, ${NOW} FROM activities WHERE id % 997 = 1`,
      `INSERT OR IGNORE INTO participants (session_id, user_id, person_id, username, is_host, seat, paid_by, joined_at) SELECT id, 2, 2, 'user-2', 0, 'fill:' || id, 2, ${NOW} FROM sessions WHERE id % 9973 = 1`,
      "ANALYZE",
    ].map((text) => d1.prepare(text)),
  );
}

const { values } = parseArgs({
  options: {
    dir: { type: "string" },
    activities: { type: "string", default: "100000" },
    sessions: { type: "string", default: "1000000" },
    huts: { type: "string", default: "10000" },
    goals: { type: "string", default: "10000" },
  },
  strict: false,
});
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (!values.dir) throw new Error("Please say where: --dir DIR");
  const { d1, dispose } = await openD1(values.dir);
  await fill(d1, {
    activities: Number(values.activities),
    sessions: Number(values.sessions),
    huts: Number(values.huts),
    goals: Number(values.goals),
  });
  await dispose();
}
