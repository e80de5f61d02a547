// One process owns a data folder: commands go through the server that runs on it or wait for each other, a second server
// is refused, and no request of a browsed server fails meanwhile.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { ROOT, run, start } from "../../workers/local/processes.mjs";
import { withStores } from "../../workers/local/stores.mjs";
import { ensureBuilt, freePort, migrate, seed, serve } from "../../workers/local/tools.mjs";

const folder = mkdtempSync(join(tmpdir(), "bothy-owner-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const [full, empty, archives] = ["full", "empty", "archives"].map((name) => join(folder, name)) as [
  string,
  string,
  string,
];
const noteIn = (dataDir: string) => join(dataDir, "server.json");

const book = (name: string) => {
  const file = join(folder, `${name}.txt`);
  writeFileSync(file, "A first passage of it.\n\nAnd a second one.\n");
  return [file, "--title", name];
};
/** A command as a process. Rejects with its output unless it ends with 0. */
const command = (dataDir: string, name: string, ...args: string[]): Promise<string> =>
  run("node", [`workers/local/${name}.mjs`, ...args], { quiet: true, env: { DATA_DIR: dataDir } });

/** Reads pages and writes, one request after the other, until it is ended; answers each status. */
function browse(url: string): { end(): Promise<number[]> } {
  const paths = ["/", "/events", "/activities", "/groups", "/books", "/api/challenge-events"];
  const statuses: number[] = [];
  let isOver = false;
  const browsing = (async () => {
    while (!isOver)
      for (const path of paths) {
        const read = await fetch(url + path);
        await read.arrayBuffer();
        // A refused registration writes its counter; an accepted one writes the account.
        const name = `walker${statuses.length}`;
        const written = await fetch(`${url}/register`, {
          method: "POST",
          headers: { Origin: url },
          body: new URLSearchParams({ name, username: name, email: `${name}@example.com`, password: "x" }),
        });
        await written.arrayBuffer();
        statuses.push(read.status, written.status);
      }
  })();
  return {
    async end() {
      isOver = true;
      await browsing;
      return statuses;
    },
  };
}

const mistakesOf = (statuses: number[]) => statuses.filter((status) => status >= 500);

beforeAll(async () => {
  await ensureBuilt();
  await migrate(full);
  await migrate(empty);
}, 600_000);

test("X-15 commands beside a browsed server end with 0, and no request answers 5xx", async () => {
  let server = await serve({ port: await freePort(9671), dataDir: full, quiet: true });
  try {
    await seed(server.url);
    let browsing = browse(server.url);
    await command(full, "migrate");
    expect(await command(full, "promote", "host@bothy.example")).toContain("is super admin now");
    // Two at once.
    const [, imported] = await Promise.all([
      command(full, "rebuild-search"),
      command(full, "import-book", ...book("Beside a server")),
    ]);
    expect(imported).toContain("passages, at /books/beside-a-server");
    expect(await command(full, "backup", "--to", archives)).toMatch(/\d+ tables, \d+ rows/);
    const statuses = await browsing.end();
    expect(statuses.length).toBeGreaterThan(20);
    expect(mistakesOf(statuses)).toEqual([]);
    await server.stop();

    server = await serve({ port: await freePort(9672), dataDir: empty, quiet: true });
    browsing = browse(server.url);
    const [archive = ""] = readdirSync(archives).filter((name) => name.endsWith(".gz"));
    expect(await command(empty, "restore", join(archives, archive))).toContain("Restored the backup of");
    expect(mistakesOf(await browsing.end())).toEqual([]);
    expect((await fetch(`${server.url}/books/beside-a-server`)).status).toBe(200);
  } finally {
    await server.stop();
  }
}, 600_000);

test("X-15 commands without a server wait for each other, and leave no note", async () => {
  await Promise.all([
    command(full, "migrate"),
    command(full, "import-book", ...book("First")),
    command(full, "import-book", ...book("Second")),
    command(full, "rebuild-search"),
  ]);
  const titles = await withStores({ isRemote: false, dataDir: full }, ({ db }: { db: D1Database }) =>
    db.prepare("SELECT title FROM items WHERE title IN ('First', 'Second') ORDER BY title").all(),
  );
  expect(titles.results).toEqual([{ title: "First" }, { title: "Second" }]);
  expect(existsSync(noteIn(full))).toBe(false);
}, 600_000);

test.each(["start", "dev"])(
  "X-15 a second npm run %s on a folder is refused with the address of the first, whose note stays",
  async (name) => {
    const server = await serve({ port: await freePort(9673), dataDir: full, quiet: true });
    onTestFinished(() => server.stop());
    const note = readFileSync(noteIn(full), "utf8");
    const env = { ...process.env, DATA_DIR: full, PORT: String(await freePort(9674)) };
    const second = spawn(process.execPath, [`workers/local/${name}.mjs`], { cwd: ROOT, env });
    let said = "";
    second.stderr.on("data", (data) => (said += data));
    const code = await new Promise((resolve) => second.on("close", resolve));
    expect([code, said.trim()]).toEqual([
      1,
      `${full} is in use by the server at ${server.url}. Stop it, or choose another DATA_DIR.`,
    ]);
    expect(readFileSync(noteIn(full), "utf8")).toBe(note);
  },
  120_000,
);

test("X-15 the stores of a local run open only with the key of its folder, and at no other host", async () => {
  const server = await serve({ port: await freePort(9675), dataDir: full, quiet: true });
  onTestFinished(() => server.stop());
  const { key } = JSON.parse(readFileSync(noteIn(full), "utf8")) as { key: string };
  const ask = async (headers: Record<string, string>) => {
    const body = JSON.stringify({ statements: [{ sql: "SELECT 1 AS one", values: [] }] });
    const answer = await fetch(`${server.url}/local/stores`, { method: "POST", body, headers });
    return answer.status;
  };
  expect(await ask({ "X-Local-Key": key })).toBe(200);
  expect(await ask({})).toBe(404);
  expect(await ask({ "X-Local-Key": `${key}x` })).toBe(404);
  expect(await ask({ "X-Local-Key": key, "X-Forwarded-For": "203.0.113.9" })).toBe(404);
}, 120_000);

test("X-15 a note whose process was killed is no obstacle", async () => {
  const code = `
    const { takeFolder } = await import("./workers/local/owner.mjs");
    await takeFolder(${JSON.stringify(full)}, "http://127.0.0.1:9");
    process.kill(process.pid, "SIGKILL");`;
  const killed = start("node", ["--input-type=module", "-e", code], { stdio: "ignore" });
  await new Promise((resolve) => killed.on("close", resolve));
  expect(existsSync(noteIn(full))).toBe(true);
  expect(await command(full, "migrate")).toContain("has the present schema");
  expect(existsSync(noteIn(full))).toBe(false);
}, 60_000);
