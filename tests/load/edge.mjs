// The processor time of a visitor's page from the edge's copy, of its rendering, and of a bare worker's copy (E1). Fails
// when ours costs more beyond the bare copy than the bound, or is none.
//   npm run bench -- edge [--asks 200] [--rounds 3] [--port 8797]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensureBuilt, migrate, seed } from "../../workers/local/tools.mjs";
import { builtOptions, serveWorker } from "../support/worker.mjs";
import { serveBare } from "./bundled.mjs";
import { percentile } from "./crowd-lines.mjs";
import { CORES, pinTo, workerdTime } from "./processor.mjs";

const { values } = parseArgs({
  options: {
    asks: { type: "string", default: "200" },
    rounds: { type: "string", default: "3" },
    port: { type: "string", default: "8797" },
  },
});
const [asks, rounds, port] = ["asks", "rounds", "port"].map((name) => Number(values[name]));
const BOUND = 0.1;
/** The cheapest answer: Miniflare's entry worker and the platform's HTTP, which every answer passes. */
const FLOOR = "/api/time";
const PAGES = ["/", "/events", "/activities", "/groups", "/pricing"];

const scratch = mkdtempSync(join(tmpdir(), "bench-edge-"));
const folder = join(scratch, "bare");
await ensureBuilt();
await migrate(scratch);
pinTo(CORES.load);

/** Milliseconds of the processor for each answer with `header`, if one is named. */
async function costOf(server, path, header = null) {
  const ask = async () => {
    const answer = await fetch(server.url + path, { headers: { Accept: "text/html" } });
    await answer.text();
    if (!answer.ok || (header && !answer.headers.has(header))) throw new Error(`${path}: ${answer.status}`);
  };
  for (let n = 0; n < 20; n++) await ask();
  const before = workerdTime(server.child.pid);
  for (let n = 0; n < asks; n++) await ask();
  return (workerdTime(server.child.pid) - before) / asks;
}

/** Our answer from a copy, our rendering, and the copy of a worker that only reads the platform's cache. */
const KINDS = ["rendering", "copy", "bare"];
const costs = Object.fromEntries(
  KINDS.map((kind) => [kind, Object.fromEntries([FLOOR, ...PAGES].map((path) => [path, []]))]),
);
const serve = (state) =>
  serveWorker({
    port,
    dataDir: scratch,
    vars: { RATE_LIMITS: "off", EDGE_CACHE: state },
    core: CORES.server,
  });
async function measure(kind, server, { prefix = "", header = null } = {}) {
  costs[kind][FLOOR].push(await costOf(server, FLOOR));
  for (const path of PAGES) costs[kind][path].push(await costOf(server, prefix + path, header));
}

try {
  for (let round = 0; round < rounds; round++) {
    let server = await serve("off");
    const pages = [];
    try {
      if (round === 0) await seed(server.url);
      for (const path of PAGES) pages.push(await (await fetch(server.url + path)).text());
      await measure("rendering", server);
    } finally {
      await server.kill();
    }
    server = await serve("on");
    try {
      await measure("copy", server, { header: "X-Bothy-Cache" });
    } finally {
      await server.kill();
    }
    const { assets, d1Databases } = (await builtOptions()).pages;
    const options = { port, folder, core: CORES.server, more: { assets, d1Databases } };
    server = await serveBare("tests/load/bare-pages.ts", options);
    try {
      for (const [n, path] of PAGES.entries())
        await fetch(`${server.url}/copies${path}`, { method: "POST", body: pages[n] });
      await measure("bare", server, { prefix: "/copies", header: "X-Copy" });
    } finally {
      await server.kill();
    }
  }
  const medianOf = (kind, path) => percentile(costs[kind][path], 0.5);
  console.log(
    "\n| page | rendering, ms | copy, ms | bare copy, ms | beyond the bare copy / rendering | within 0.1 |\n|---|---|---|---|---|---|",
  );
  for (const path of PAGES) {
    const [rendering, copy, bare] = KINDS.map((kind) => medianOf(kind, path));
    // A deployed worker is not charged for the cache; Miniflare simulates it by a worker of the same process.
    const ratio = Math.max(0, copy - bare) / (rendering - medianOf("rendering", FLOOR));
    if (ratio > BOUND) process.exitCode = 1;
    const times = [rendering, copy, bare].map((ms) => ms.toFixed(2)).join(" | ");
    console.log(`| ${path} | ${times} | ${ratio.toFixed(3)} | ${ratio <= BOUND ? "yes" : "no"} |`);
  }
  console.log(`Floors (${FLOOR}): ${KINDS.map((kind) => medianOf(kind, FLOOR).toFixed(2)).join(", ")} ms.`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
