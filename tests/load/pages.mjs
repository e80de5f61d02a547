// Measures compressed HTML and scripts of a first view, the bytes of the worker's start, and the processor time of an
// answer beside bare Remix and bare Hono with the same D1 statements. Fails when a page exceeds its bound.
//   node tests/load/pages.mjs [--rounds 3] [--asks 40] [--port 8796]
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { ROOT } from "../../workers/local/processes.mjs";
import { ensureBuilt, migrate, seed } from "../../workers/local/tools.mjs";
import { closure, weightOfAll } from "../built/browser.ts";
import { startingBytes } from "../built/worker.ts";
import { openLocalD1 } from "../support/local-d1.mjs";
import { builtOptions, serveWorker } from "../support/worker.mjs";
import { serveBare } from "./bundled.mjs";
import { signedIn } from "./caller.mjs";
import { serveMeasured } from "./measured.mjs";
import { CORES, pinTo, workerdTime } from "./processor.mjs";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "3" },
    asks: { type: "string", default: "40" },
    port: { type: "string", default: "8796" },
  },
});
const [rounds, asks, port] = [Number(values.rounds), Number(values.asks), Number(values.port)];
/** Compressed kilobytes: those of P1, and of what follows a session, so that growth is noticed. */
const BOUND = { html: 14, scripts: 122, session: 138, parts: 20, live: 14 };
const PAGES = ["/", "/events", "/activities", "/groups", "/about", "/terms-of-service", "/pricing", "/login"];
const OWN = [
  "/",
  "/my/goals",
  "/my/logs",
  "/my/notes",
  "/me",
  "/account",
  "/tokens",
  "/challenges/create",
  "/challenges/events/create",
];
/** The other pages of a session. */
const TABS = ["goals", "member-goals", "logs", "chat", "people"];

const kilobytes = (bytes) => bytes / 1000;

async function weigh(server, path, cookie) {
  const answer = await fetch(server.url + path, { headers: { Cookie: cookie, Accept: "text/html" } });
  const html = await answer.text();
  const scripts = new Set();
  // The manifest of routes names scripts that load later.
  for (const [, name] of html.matchAll(/\/(assets\/[\w.-]+\.js)/g))
    if (existsSync(join(ROOT, "build/client", name)) && html.includes(`href="/${name}"`))
      closure(name, scripts);
  return { path: answer.ok ? path : `${path} (${answer.status})`, html: gzipSync(html).length, scripts };
}

/**
 * Uncompressed: Cloudflare compresses outside the worker, its local stand-in within the measured process. Through a
 * proxy, because a local run checks its answers and a deployment does not.
 */
async function ask(url, cookie) {
  const answer = await fetch(url, {
    headers: { Cookie: cookie, "Accept-Encoding": "identity", Via: "1.1 bench" },
    signal: AbortSignal.timeout(30_000),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${text}`);
}

/** The processor time of one answer. */
async function timeOf(pid, url, cookie = "") {
  const before = workerdTime(pid);
  for (let n = 0; n < asks; n++) await ask(url, cookie);
  return (workerdTime(pid) - before) / asks;
}
const median = (all) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)];

const scratch = mkdtempSync(join(tmpdir(), "bench-pages-"));
const beyond = [];
await ensureBuilt();
await migrate(scratch);
pinTo(CORES.load);
const core = CORES.server;
const folder = join(scratch, "bare");
const servers = [];
const begin = async (starting) => {
  servers.push(await starting);
  return servers.at(-1);
};
try {
  const recorder = await begin(serveMeasured({ port, dataDir: scratch, folder: scratch, core }));
  const { accounts, tryThis = [] } = await seed(recorder.url);
  const caller = await signedIn(recorder.url, accounts[0]);
  const cookie = caller.cookie();
  // A deployment refuses the demo accounts.
  const db = openLocalD1(scratch);
  db.exec("UPDATE users SET email = 'measured-' || email");
  db.close();
  const running = tryThis.join(" ").match(/\/sessions\/\d+/)?.[0];

  const firstLink = async (path, pattern) => {
    const answer = await fetch(recorder.url + path, { headers: { Cookie: cookie } });
    return (await answer.text()).match(pattern)?.[1];
  };
  const activity = await firstLink("/activities", /href="(\/activities\/[\w-]+)"/);
  const goal = await firstLink("/my/goals", /href="(\/my\/goals\/\d+)"/);
  const hut = await firstLink("/groups", /href="(\/group\/[\w-]+)"/);
  const own = [...OWN, activity, hut, goal, goal && `${goal}/logs`].filter(Boolean);
  const tabs = running ? TABS.map((tab) => `${running}/${tab}`) : [];

  console.log("| page | HTML kB | scripts kB | with Brotli |\n|---|---|---|---|");
  const weighed = [];
  for (const [who, paths, jar] of [
    ["visitor", PAGES, ""],
    ["signed in", [...own, ...tabs, ...(running ? [running] : [])], cookie],
  ])
    for (const path of paths) {
      const page = await weigh(recorder, path, jar);
      const [html, scripts] = [kilobytes(page.html), kilobytes(weightOfAll(page.scripts))];
      weighed.push(page);
      const brotli = kilobytes(weightOfAll(page.scripts, brotliCompressSync));
      console.log(
        `| ${page.path}, ${who} | ${html.toFixed(1)} | ${scripts.toFixed(1)} | ${brotli.toFixed(1)} |`,
      );
      if (html > BOUND.html) beyond.push(`the HTML of ${path}`);
      if (scripts > (running && path.startsWith(running) ? BOUND.session : BOUND.scripts))
        beyond.push(`the scripts of ${path}`);
    }
  const there = new Set(weighed.at(-1)?.scripts);
  const room = readdirSync(join(ROOT, "build/client/assets")).find((name) => /^live-room-.*\.js$/.test(name));
  const more = [...closure(`assets/${room}`)].filter((name) => !there.has(name));
  const weight = kilobytes(weightOfAll(more));
  console.log(`\nAfter that: the live room, ${weight.toFixed(1)} kB more.`);
  if (weight > BOUND.live) beyond.push("the live room");

  console.log(`The worker reads ${kilobytes(startingBytes()).toFixed(0)} kB at start, compressed.`);

  const cells = [
    { path: "/about", jar: "", bound: 3 },
    { path: "/", jar: "", bound: 3 },
    { path: "/events", jar: "", bound: 3 },
    { path: activity, jar: "", bound: 3 },
    { path: "/", jar: cookie, bound: 3 },
    { path: "/my/goals", jar: cookie, bound: 3 },
    { path: activity, jar: cookie, bound: 3 },
    { path: running, jar: cookie, bound: 3.5 },
    { path: "/api/time", jar: "", bound: 2 },
    { path: "/api/my/goals", jar: cookie, bound: 2 },
  ].filter(({ path }) => path);
  for (const [n, cell] of cells.entries()) {
    const isCall = cell.path.startsWith("/api/");
    cell.name = `${cell.path}, ${cell.jar ? "signed in" : "visitor"}`;
    cell.peer = `${isCall ? "/api/time" : "/"}?of=${n}`;
    // The second request is warm, and writes nothing that only the first one has to.
    for (let time = 0; time < 2; time++) {
      await recorder.calls();
      await ask(recorder.url + cell.path, cell.jar);
    }
    const calls = await recorder.calls();
    Object.assign(cell, { trips: calls.length, statements: calls.flat() });
  }
  await recorder.kill();
  cpSync(join(scratch, "v3/d1"), join(folder, "data/v3/d1"), { recursive: true });
  const server = await begin(serveWorker({ port, core, dataDir: scratch, vars: { RATE_LIMITS: "off" } }));
  const { assets, d1Databases, r2Buckets, queueProducers } = (await builtOptions()).pages;
  const platform = { assets, d1Databases, r2Buckets, queueProducers };
  const bare = await begin(
    serveBare("tests/load/bare-pages.ts", { port: port + 1, core, folder, more: platform }),
  );
  for (const [n, { statements }] of cells.entries())
    await fetch(`${bare.url}/statements?of=${n}`, { method: "POST", body: JSON.stringify(statements) });

  const measures = cells.flatMap((cell) => {
    Object.assign(cell, { ours: [], bare: [] });
    return [
      async () => cell.ours.push(await timeOf(server.child.pid, server.url + cell.path, cell.jar)),
      async () => cell.bare.push(await timeOf(bare.child.pid, bare.url + cell.peer)),
    ];
  });
  for (const measure of measures) await measure();
  for (const cell of cells) Object.assign(cell, { ours: [], bare: [] });
  for (let round = 0; round < rounds; round++)
    for (const measure of measures
      .map((one) => [Math.random(), one])
      .sort(([a], [b]) => a - b)
      .map(([, one]) => one))
      await measure();
  console.log(
    `\n| asked ${asks} times, ${rounds} rounds | statements in trips | processor ms | bare, ms | × bare | goal |\n|---|---|---|---|---|---|`,
  );
  for (const { name, statements, trips, ours, bare: theirs, bound } of cells) {
    const ratio = median(ours.map((ms, round) => ms / Math.max(0.01, theirs[round])));
    const times = [median(ours), median(theirs)].map((ms) => ms.toFixed(2)).join(" | ");
    console.log(
      `| ${name} | ${statements.length} in ${trips} | ${times} | ${ratio.toFixed(2)} | ≤ ${bound}: ${ratio <= bound ? "yes" : "no"} |`,
    );
    if (ratio > bound) beyond.push(`the processor time of ${name}`);
  }
} finally {
  for (const server of servers) await server.kill();
  rmSync(scratch, { recursive: true, force: true });
}
if (beyond.length > 0) {
  console.error(`Too heavy: ${beyond.join(", ")}.`);
  process.exitCode = 1;
}
