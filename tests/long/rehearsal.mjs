// Rehearses a deployment on one machine: the last release runs, the migrations, objects and pages of this build arrive in
// the documented order while people talk, then the pages and the objects go back. No answer may be a 5xx, no line be lost.
//   node tests/long/rehearsal.mjs [--people 12] [--seconds 8] [--seed N] [--port 9010]
import { randomInt } from "node:crypto";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ROOT } from "../../workers/local/processes.mjs";
import { ensureBuilt } from "../../workers/local/tools.mjs";
import { wait } from "../load/crowd-lines.mjs";
import { openLocalD1 } from "../support/local-d1.mjs";
import { serveWorker } from "../support/worker.mjs";
import { edgeTo } from "./edge.mjs";
import { checkHistory } from "./history-check.mjs";
import { Client } from "./history-client.mjs";
import { buildLastRelease, crowdAsReleased, migrateAsReleased, newerMigrations } from "./last-release.mjs";
import { randomOf } from "./random.mjs";

const { values } = parseArgs({
  options: {
    people: { type: "string", default: "12" },
    seconds: { type: "string", default: "8" },
    seed: { type: "string", default: String(randomInt(1, 2 ** 31)) },
    port: { type: "string", default: "9010" },
  },
});
const [people, seconds, seed, port] = ["people", "seconds", "seed", "port"].map((name) =>
  Number(values[name]),
);
const folder = mkdtempSync(join(tmpdir(), "rehearsal-"));
const dataDir = join(folder, "data");

await ensureBuilt();
const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const last = await buildLastRelease();
const OLD = { build: renamed(join(last.folder, "build"), last.version, `${last.version}+${last.commit}`) };
const NEW = { build: renamed(join(ROOT, "build"), version, `${version}+new`) };

/** A copy of a build whose release has this name. */
function renamed(build, version, name) {
  const copy = join(folder, name);
  cpSync(build, copy, { recursive: true });
  for (const part of ["server", "objects"])
    for (const path of readdirSync(join(copy, part), { recursive: true })) {
      if (!path.endsWith(".js")) continue;
      const file = join(copy, part, path);
      const text = readFileSync(file, "utf8");
      if (text.includes(`"${version}"`)) writeFileSync(file, text.replaceAll(`"${version}"`, `"${name}"`));
    }
  return copy;
}

const modulesIn = (root) =>
  readdirSync(root, { recursive: true })
    .filter((path) => path.endsWith(".js"))
    .sort((a, b) => Number(b === "index.js") - Number(a === "index.js"))
    .map((path) => ({ type: "ESModule", path: join(root, path) }));

/** Runs the statements that are posted to it inside D1, in sequence with the release's own, as a migration runs. */
const MIGRATOR = `export default {
  async fetch(request, { DB }) {
    return Response.json(await DB.batch((await request.json()).map((sql) => DB.prepare(sql))));
  },
};`;
const migratorPort = port + 1;

/** The lines that the servers logged as errors. */
let logged = "";

/** Serves the pages of one release with the objects of another. */
const serve = (pagesOf, objectsOf) =>
  serveWorker({
    port,
    dataDir,
    vars: { RATE_LIMITS: "off" },
    onLog: (text) => (logged += text),
    change({ pages, objects }) {
      for (const [worker, root] of [
        [pages, join(pagesOf.build, "server")],
        [objects, join(objectsOf.build, "objects")],
      ])
        Object.assign(worker, { modulesRoot: root, modules: modulesIn(root) });
    },
    further({ pages: { compatibilityDate, d1Databases } }) {
      const modules = [{ type: "ESModule", path: "migrator.js", contents: MIGRATOR }];
      const unsafeDirectSockets = [{ host: "127.0.0.1", port: migratorPort }];
      return [{ name: "migrator", compatibilityDate, d1Databases, modules, unsafeDirectSockets }];
    },
  });

/** The documented order, there and back. */
const STEPS = [
  ["objects of the new release", OLD, NEW],
  ["pages of the new release", NEW, NEW],
  ["pages of the old release", OLD, NEW],
  ["objects of the old release", OLD, OLD],
];

/** The migrations of this build, each in a batch as wrangler runs it; without any, one that expands. */
async function expand() {
  const newer = newerMigrations(last);
  const own = { name: "a new column", statements: ["ALTER TABLE sessions ADD COLUMN rehearsed INTEGER"] };
  for (const { name, statements } of newer.length > 0 ? newer : [own]) {
    const answer = await fetch(`http://127.0.0.1:${migratorPort}`, {
      method: "POST",
      body: JSON.stringify(statements),
    });
    if (!answer.ok)
      throw new Error(`The migration ${name} answered ${answer.status}: ${await answer.text()}`);
    console.log(`Migrated by ${name}, while the last release runs.`);
  }
}

/** The server's log lines of the requests that these answers name. */
function logOf(failed) {
  const ids = failed.flatMap((text) => /"request_id":"([\w-]+)"/.exec(text)?.[1] ?? []);
  return logged.split("\n").filter((line) => ids.some((id) => line.includes(id)));
}

let server;
let edge;
try {
  await migrateAsReleased(last, dataDir);
  const crowd = await crowdAsReleased(last, dataDir, people);
  const granting = openLocalD1(dataDir);
  granting.exec("UPDATE token_lots SET granted = 6000, remaining = 6000");
  granting.close();
  server = await serve(OLD, OLD);
  edge = await edgeTo(port);
  const random = randomOf(seed);
  const clients = crowd.map((person) => new Client(edge.url, person, randomOf(random.next())));
  const [host] = clients;
  const session = await host.makeSession();
  for (const client of clients) client.enter(session);
  await Promise.all(clients.map((client) => client.untilWelcome()));
  let isOver = false;
  const acting = clients.map((client) => client.act(() => isOver));
  await wait(seconds * 1000);
  await expand();
  for (const [name, pagesOf, objectsOf] of STEPS) {
    await wait(seconds * 1000);
    await edge.swap(async () => {
      await server.kill();
      server = await serve(pagesOf, objectsOf);
    });
    const health = await fetch(`${edge.url}/api/health`);
    console.log(`${name}: /api/health names ${(await health.json()).release}`);
  }
  await wait(seconds * 1000);
  isOver = true;
  await Promise.all(clients.map((client, n) => acting[n].then(() => client.untilQuiet())));
  const lines = await host.readHistory();
  for (const client of clients) client.close();
  await server.kill();
  const db = openLocalD1(dataDir);
  const anomalies = checkHistory(db, session, clients, lines);
  db.close();
  const { answers, failed } = edge;
  console.log(
    `${answers} answers, ${failed.length} of 5xx; ${lines.length} lines, ${anomalies.length} anomalies.`,
  );
  for (const anomaly of [...failed, ...anomalies].slice(0, 20)) console.error(`  ${anomaly}`);
  for (const line of logOf(failed).slice(0, 20)) console.error(`  logged: ${line}`);
  if (failed.length + anomalies.length > 0) process.exitCode = 1;
} finally {
  edge?.close();
  await server?.kill();
  rmSync(folder, { recursive: true, force: true });
}
