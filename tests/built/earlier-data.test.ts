// Data from before the schema was one migration: the start keeps them aside, and an archive of them is restored.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { readArchive } from "../../workers/local/archive.mjs";
import { ROOT, run } from "../../workers/local/processes.mjs";
import { withStores } from "../../workers/local/stores.mjs";
import { migrate } from "../../workers/local/tools.mjs";

const folder = mkdtempSync(join(tmpdir(), "bothy-earlier-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const within = <T>(dataDir: string, work: (db: D1Database) => Promise<T>): Promise<T> =>
  withStores({ isRemote: false, dataDir }, ({ db }: { db: D1Database }) => work(db));
const read = async (db: D1Database, sql: string) => (await db.prepare(sql).all()).results;

test("X-15 a start says that data are of an earlier set of migrations, keeps their folder and begins with an empty one", async () => {
  const dataDir = join(folder, "data");
  const last = "0058_failures-and-refusals.sql";
  await within(dataDir, async (db) => {
    await db.batch([
      db.prepare("CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE)"),
      db.prepare("INSERT INTO d1_migrations (name) VALUES ('0000_first.sql'), (?)").bind(last),
      db.prepare("CREATE TABLE confirmations (token_hash TEXT)"),
      db.prepare("INSERT INTO confirmations VALUES ('kept')"),
    ]);
  });
  const said = vi.spyOn(console, "log").mockImplementation(() => {});
  await migrate(dataDir);
  const kept = `${dataDir}-until-0058_failures-and-refusals`;
  expect(said.mock.calls.flat().join("\n")).toContain(`They are kept in ${kept}`);
  said.mockRestore();
  expect(await within(kept, (db) => read(db, "SELECT token_hash FROM confirmations"))).toEqual([
    { token_hash: "kept" },
  ]);
  expect(await within(dataDir, (db) => read(db, "SELECT count(*) AS n FROM users"))).toEqual([{ n: 0 }]);
  await migrate(dataDir);
  expect(existsSync(`${dataDir}-until-0000_schema`)).toBe(false);
}, 120_000);

/** The demo data, backed up by the program of commit fdf6b720. */
const ARCHIVE = join(ROOT, "tests/built/archive-of-0054.ndjson.gz");

test("Q-44 an archive of the earlier schema is restored: every row, the ledger, a goal's totals and the words", async () => {
  const dataDir = join(folder, "restored");
  const { database, chats } = await readArchive(ARCHIVE);
  expect(database.migrations.at(-1)).toBe("0054_totals-on-the-newest-day.sql");
  const said = await run("node", ["workers/local/restore.mjs", ARCHIVE], {
    quiet: true,
    env: { DATA_DIR: dataDir, PORT: "8979" },
  });
  expect(said).toContain(`the chat of ${chats.length} rooms are as in the archive`);
  const rows = Object.fromEntries(
    database.tables.map((table: { name: string; rows: unknown[] }) => [table.name, table.rows.length]),
  );
  await within(dataDir, async (db) => {
    const one = async (sql: string) => Object.values((await read(db, sql))[0] ?? {})[0];
    for (const table of [
      "users",
      "sessions",
      "participants",
      "token_entries",
      "logs",
      "goal_days",
      "items",
    ]) {
      expect(rows[table], table).toBeGreaterThan(0);
      expect(await one(`SELECT count(*) FROM ${table}`), table).toBe(rows[table]);
    }
    expect(
      await one("SELECT count(*) FROM token_entries WHERE amount < 0 AND reason = 'log'"),
    ).toBeGreaterThan(5);
    const wrong = `SELECT count(*) FROM goals g WHERE session_id IS NULL AND activity_id IS NULL
      AND (amount_elapsed <> coalesce((SELECT sum(amount) FROM goal_days d WHERE d.goal_id = g.id), 0)
        OR logs_count <> (SELECT count(*) FROM logs l WHERE l.goal_id = g.id))`;
    expect(await one(wrong)).toBe(0);
    expect(await one("SELECT sum(amount_elapsed) FROM goals WHERE session_id IS NULL")).toBeGreaterThan(0);
    expect(await one("SELECT count(*) FROM session_words WHERE session_words MATCH 'quiet'")).toBeGreaterThan(
      0,
    );
    expect(await read(db, "PRAGMA foreign_key_check")).toEqual([]);
  });
}, 120_000);
