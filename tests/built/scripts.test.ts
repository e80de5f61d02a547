// Each documented script works on the data folder that DATA_DIR names, beside another installation.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { serverOn } from "../../workers/local/owner.mjs";
import { ROOT, run } from "../../workers/local/processes.mjs";
import { withStores } from "../../workers/local/stores.mjs";
import { freePort, migrate, seed, serve } from "../../workers/local/tools.mjs";

const folder = mkdtempSync(join(tmpdir(), "bothy-scripts-"));
const dataDir = join(folder, "data");
const archives = join(folder, "archives");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeAll(async () => {
  await migrate(dataDir);
  const server = await serve({ port: await freePort(), dataDir, quiet: true });
  await seed(server.url);
  await server.stop();
}, 240_000);

const script = (name: string, args: string[] = [], data = dataDir): Promise<string> =>
  run("npm", ["run", "--silent", name, "--", ...args], { quiet: true, env: { DATA_DIR: data } });
const book = join(folder, "book.txt");
writeFileSync(book, "A first passage of it.\n\nAnd a second one.\n");

/** The scripts of the table of commands that change or read local data: their arguments and what they say. */
const SCRIPTS: Record<string, { args?: () => string[]; says: RegExp }> = {
  "db:migrate": { says: /has the present schema/ },
  "search:rebuild": { says: /./ },
  "user:promote": { args: () => ["host@bothy.example"], says: /morag .* is super admin now/ },
  "import:book": { args: () => [book, "--title", "A small book"], says: /./ },
  backup: { args: () => ["--to", archives], says: /\d+ tables, \d+ rows/ },
};

test("every documented script of local data is tried here", () => {
  const documented = [
    ...readFileSync(join(ROOT, "CONTRIBUTING.md"), "utf8").matchAll(/^\| `npm run ([\w:]+)/gm),
  ].map(([, name = ""]) => name);
  expect(documented.length).toBeGreaterThan(12);
  const ofData = documented.filter((name) =>
    /^(db:migrate|search|user|import|data|backup|restore)/.test(name),
  );
  expect(ofData.toSorted()).toEqual([...Object.keys(SCRIPTS), "restore"].toSorted());
});

test.each(Object.entries(SCRIPTS))(
  "npm run %s works in DATA_DIR",
  async (name, { args, says }) => {
    expect(await script(name, args?.() ?? [])).toMatch(says);
  },
  120_000,
);

test("npm run restore fills its own data folder, and refuses one that is not empty beside its server", async () => {
  const [archive = ""] = readdirSync(archives).filter((name) => name.endsWith(".gz"));
  const file = join(archives, archive);
  const other = join(folder, "other");
  // A server on other data, on the usual port or not, is no obstacle.
  const server = await serve({ port: await freePort(), dataDir, quiet: true });
  try {
    expect(await serverOn(dataDir)).toMatchObject({ url: server.url });
    await expect(script("restore", [file])).rejects.toThrow("This installation is not empty");
    expect(await script("restore", [file], other)).toContain("Restored the backup of");
  } finally {
    await server.stop();
  }
  expect(await serverOn(dataDir)).toBeNull();
  expect(existsSync(join(other, "v3/d1"))).toBe(true);
  const count = (data: string) =>
    withStores({ isRemote: false, dataDir: data }, ({ db }: { db: D1Database }) =>
      db.prepare("SELECT count(*) AS n FROM users").first("n"),
    );
  expect(await count(other)).toBe(await count(dataDir));
}, 240_000);
