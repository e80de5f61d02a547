// Measures compressed HTML and scripts of a first view, the bytes of the worker's start, and the processor time of an
// answer beside bare Remix and bare Hono. Fails when a page exceeds its bound.
//   node tests/load/pages.mjs [--rounds 3] [--asks 40] [--port 8796]
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { ensureBuilt, migrate, ROOT, seed } from "../../workers/local/tools.mjs";
import { startingBytes } from "../built/worker.ts";
import { serveWorker } from "../support/worker.mjs";
import { serveBare } from "./bundled.mjs";
import { callerOf } from "./caller.mjs";
import { workerdTime } from "./processor.mjs";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "3" },
    asks: { type: "string", default: "40" },
    port: { type: "string", default: "8796" },
  },
});
const [rounds, asks, port] = [Number(values.rounds), Number(values.asks), Number(values.port)];
/** The present compressed kilobytes of a first view and of the live room, so that growth is noticed. */
const BOUND = { html: 14, scripts: 142, live: 12 };
const PAGES = ["/", "/events", "/activities", "/groups", "/about", "/terms-of-service", "/pricing", "/login"];
const OWN = ["/", "/my/goals", "/my/logs", "/my/notes", "/account", "/tokens", "/challenges/events/create"];

const kilobytes = (bytes) => bytes / 1000;
const weightOf = (name) => gzipSync(readFileSync(join(ROOT, "build/client", name))).length;

/** A script and all its static imports. */
function closure(name, into = new Set()) {
  if (into.has(name)) return into;
  into.add(name);
  const text = readFileSync(join(ROOT, "build/client", name), "utf8");
  for (const [, one] of text.matchAll(/(?:from|import)\s*"\.\/([\w.-]+\.js)"/g))
    closure(`assets/${one}`, into);
  return into;
}
const weightOfAll = (names) => [...names].reduce((sum, name) => sum + weightOf(name), 0);

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

async function signIn(server, { email, password }) {
  const { cookie, call } = callerOf(server.url);
  await call("GET", "/sanctum/csrf-cookie");
  await call("POST", "/login", { email, password });
  return cookie();
}

/** The processor time of one answer. */
async function timeOf(pid, url, cookie = "") {
  const before = workerdTime(pid);
  for (let n = 0; n < asks; n++) {
    const answer = await fetch(url, { headers: { Cookie: cookie }, signal: AbortSignal.timeout(30_000) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${url}: ${answer.status} ${text}`);
  }
  return (workerdTime(pid) - before) / asks;
}
const median = (all) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)];

const scratch = mkdtempSync(join(tmpdir(), "bench-pages-"));
const beyond = [];
await ensureBuilt();
await migrate(scratch);
const server = await serveWorker({ port, dataDir: scratch, vars: { RATE_LIMITS: "off" } });
const bare = await serveBare("tests/load/bare-pages.ts", {
  port: port + 1,
  folder: join(scratch, "bare"),
}).catch(async (error) => {
  await server.kill();
  throw error;
});
try {
  const { accounts, tryThis = [] } = await seed(server.url);
  const cookie = await signIn(server, accounts[0]);
  const running = tryThis.join(" ").match(/\/sessions\/\d+/)?.[0];

  console.log("| page | HTML kB | scripts kB |\n|---|---|---|");
  const weighed = [];
  for (const [who, paths, jar] of [
    ["visitor", PAGES, ""],
    ["signed in", [...OWN, ...(running ? [running] : [])], cookie],
  ])
    for (const path of paths) {
      const page = await weigh(server, path, jar);
      const [html, scripts] = [kilobytes(page.html), kilobytes(weightOfAll(page.scripts))];
      weighed.push(page);
      console.log(`| ${page.path}, ${who} | ${html.toFixed(1)} | ${scripts.toFixed(1)} |`);
      if (html > BOUND.html) beyond.push(`the HTML of ${path}`);
      if (scripts > BOUND.scripts) beyond.push(`the scripts of ${path}`);
    }
  const live = readdirSync(join(ROOT, "build/client/assets")).find((name) => /^room-.*\.js$/.test(name));
  const there = weighed.at(-1)?.scripts ?? new Set();
  const more = [...closure(`assets/${live}`)].filter((name) => !there.has(name));
  const liveWeight = kilobytes(weightOfAll(more));
  console.log(`\nThe live room comes after that, with ${liveWeight.toFixed(1)} kB more.`);
  if (liveWeight > BOUND.live) beyond.push("the live room");

  console.log(`The worker reads ${kilobytes(startingBytes()).toFixed(0)} kB at start, compressed.`);

  const cells = {
    "a bare Remix page": [bare.child.pid, `${bare.url}/`],
    "/about, visitor": [server.child.pid, `${server.url}/about`],
    "/events, visitor": [server.child.pid, `${server.url}/events`],
    "/, signed in": [server.child.pid, `${server.url}/`, cookie],
    "/my/goals, signed in": [server.child.pid, `${server.url}/my/goals`, cookie],
    ...(running ? { "a running session, signed in": [server.child.pid, server.url + running, cookie] } : {}),
    "a bare Hono call": [bare.child.pid, `${bare.url}/api/time`],
    "/api/time": [server.child.pid, `${server.url}/api/time`],
    "/api/my/goals, signed in": [server.child.pid, `${server.url}/api/my/goals`, cookie],
  };
  const taken = Object.fromEntries(Object.keys(cells).map((name) => [name, []]));
  const all = Object.entries(cells);
  for (const [, cell] of all) await timeOf(...cell);
  for (let round = 0; round < rounds; round++)
    for (const [name, cell] of round % 2 === 0 ? all : all.toReversed())
      taken[name].push(await timeOf(...cell));
  console.log(`\n| asked ${asks} times, ${rounds} rounds | processor ms each | × bare |\n|---|---|---|`);
  for (const name of Object.keys(cells)) {
    const peer = name.includes("call") || name.includes("/api/") ? "a bare Hono call" : "a bare Remix page";
    const ratio = median(taken[name].map((ms, round) => ms / Math.max(0.01, taken[peer][round])));
    console.log(`| ${name} | ${median(taken[name]).toFixed(2)} | ${ratio.toFixed(1)} |`);
  }
} finally {
  await bare.kill();
  await server.kill();
  rmSync(scratch, { recursive: true, force: true });
}
if (beyond.length > 0) {
  console.error(`Too heavy: ${beyond.join(", ")}.`);
  process.exitCode = 1;
}
