// Local data and archives of another build: they are refused and stay as they are; those of this build go on.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";
import { writeArchive } from "../../workers/local/archive.mjs";
import { ROOT, run } from "../../workers/local/processes.mjs";
import { withStores } from "../../workers/local/stores.mjs";

const folder = mkdtempSync(join(tmpdir(), "bothy-builds-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const EARLIER = "This folder was made by an earlier build. Choose another DATA_DIR or delete it.";
const LATER = "This folder was made by a later build. Choose another DATA_DIR or delete it.";

/** The commands of another build in a folder of their own, with these migrations. */
function buildWith(name: string, change: (migrations: string) => void): string {
  const build = join(folder, name);
  for (const path of ["workers/local", "db/migrations", "wrangler.toml"])
    cpSync(join(ROOT, path), join(build, path), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(build, "node_modules"));
  change(join(build, "db/migrations"));
  return build;
}
const later = buildWith("later", (migrations) =>
  writeFileSync(join(migrations, "0001_kettles.sql"), "CREATE TABLE kettles (id INTEGER PRIMARY KEY);"),
);
const earlier = buildWith("earlier", (migrations) => {
  for (const name of readdirSync(migrations)) rmSync(join(migrations, name), { recursive: true });
  writeFileSync(join(migrations, "0000_schema.sql"), "CREATE TABLE users (id INTEGER PRIMARY KEY);");
});

/** Without the step that installs packages: the folder of another build has a link to ours. */
const migrateBy = (build: string, dataDir: string): Promise<string> => {
  const tools = pathToFileURL(join(build, "workers/local/tools.mjs")).href;
  const code = `const { migrate } = await import("${tools}"); await migrate(${JSON.stringify(dataDir)});`;
  return run("node", ["--input-type=module", "-e", code], { quiet: true });
};

/** Path, time and content of everything in a folder. */
const everythingIn = (dataDir: string) =>
  readdirSync(dataDir, { recursive: true, encoding: "utf8" })
    .sort()
    .map((path) => {
      const file = join(dataDir, path);
      const stat = statSync(file);
      const hash = stat.isFile() ? createHash("sha256").update(readFileSync(file)).digest("hex") : "";
      return [path, stat.mtimeMs, hash];
    });

/** The lines that `npm start` says, and its exit code. */
function start(dataDir: string): Promise<{ code: number | null; lines: string[] }> {
  const child = spawn("npm", ["start"], { cwd: ROOT, env: { ...process.env, DATA_DIR: dataDir } });
  let said = "";
  child.stdout.on("data", (data) => (said += data));
  child.stderr.on("data", (data) => (said += data));
  return new Promise((resolve) =>
    child.on("close", (code) =>
      resolve({ code, lines: said.split("\n").filter((line) => line && !/^(>|npm )/.test(line)) }),
    ),
  );
}

test("X-15 npm start refuses a folder of an earlier build, and changes nothing in it", async () => {
  const dataDir = join(folder, "of-earlier");
  await migrateBy(earlier, dataDir);
  const before = everythingIn(dataDir);
  expect(before.length).toBeGreaterThan(4);
  expect(await start(dataDir)).toEqual({ code: 1, lines: [EARLIER] });
  await expect(migrateBy(ROOT, dataDir)).rejects.toThrow(EARLIER);
  expect(everythingIn(dataDir)).toEqual(before);
  // Builds before the list was written.
  rmSync(join(dataDir, "migrations.json"));
  const unlisted = everythingIn(dataDir);
  expect(await start(dataDir)).toEqual({ code: 1, lines: [EARLIER] });
  expect(everythingIn(dataDir)).toEqual(unlisted);
}, 120_000);

test("X-15 a folder keeps its data through a restart and the migrations of a later build, which this build refuses", async () => {
  const dataDir = join(folder, "of-this");
  const within = <T>(work: (db: D1Database) => Promise<T>): Promise<T> =>
    withStores({ isRemote: false, dataDir }, ({ db }: { db: D1Database }) => work(db));
  const categories = "SELECT count(*) AS n FROM categories WHERE slug = 'kept'";
  await migrateBy(ROOT, dataDir);
  await within((db) => db.prepare("INSERT INTO categories (slug, title) VALUES ('kept', 'Kept')").run());
  await migrateBy(ROOT, dataDir);
  expect(await within((db) => db.prepare(categories).first("n"))).toBe(1);
  await migrateBy(later, dataDir);
  expect(await within((db) => db.prepare(categories).first("n"))).toBe(1);
  expect(await within((db) => db.prepare("SELECT count(*) AS n FROM kettles").first("n"))).toBe(0);
  await migrateBy(later, dataDir);
  const before = everythingIn(dataDir);
  expect(await start(dataDir)).toEqual({ code: 1, lines: [LATER] });
  expect(everythingIn(dataDir)).toEqual(before);
}, 240_000);

test("Q-44 npm run restore refuses an archive of an earlier build, and writes nothing", async () => {
  const database = { tables: [], migrations: ["0000_schema.sql"], sequences: [], ledger: {} };
  const archives = join(folder, "archives");
  mkdirSync(archives);
  const file = await writeArchive(archives, {
    source: "local",
    madeAt: "2026-11-21T09:30:00.000Z",
    database,
    chats: [],
  });
  const dataDir = join(folder, "restored");
  const restoring = run("npm", ["run", "--silent", "restore", "--", file], {
    quiet: true,
    env: { DATA_DIR: dataDir },
  });
  await expect(restoring).rejects.toThrow(
    "This archive was made by an earlier build. Choose another archive.",
  );
  expect(existsSync(dataDir)).toBe(false);
}, 60_000);
