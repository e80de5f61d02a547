// The processor time of a visitor's page from the edge's copy and of its rendering, in turn (E1). Fails when a copy
// costs more than the bound, or is none.
//   npm run bench -- edge [--asks 200] [--rounds 3] [--port 8797]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensureBuilt, migrate, seed } from "../../workers/local/tools.mjs";
import { serveWorker } from "../support/worker.mjs";
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
/** Both pass Miniflare's entry worker and the platform's HTTP, which the bound leaves out by the cheapest answer. */
const BOUND = 0.1;
const FLOOR = "/api/time";
const PAGES = ["/", "/events", "/activities", "/groups", "/pricing"];

const scratch = mkdtempSync(join(tmpdir(), "bench-edge-"));
await ensureBuilt();
await migrate(scratch);
pinTo(CORES.load);

/** Milliseconds of the processor for each answer. */
async function costOf(server, path, isKept) {
  const ask = async () => {
    const answer = await fetch(server.url + path, { headers: { Accept: "text/html" } });
    await answer.text();
    const isCopy = answer.headers.get("X-Bothy-Cache") !== null;
    if (!answer.ok || (path !== FLOOR && isCopy !== isKept))
      throw new Error(`${path}: ${answer.status}, kept: ${isCopy}`);
  };
  for (let n = 0; n < 20; n++) await ask();
  const before = workerdTime(server.child.pid);
  for (let n = 0; n < asks; n++) await ask();
  return (workerdTime(server.child.pid) - before) / asks;
}

const emptyCosts = () => Object.fromEntries([FLOOR, ...PAGES].map((path) => [path, []]));
const costs = { on: emptyCosts(), off: emptyCosts() };
try {
  let isSeeded = false;
  for (let round = 0; round < rounds; round++)
    for (const state of ["off", "on"]) {
      const vars = { RATE_LIMITS: "off", EDGE_CACHE: state };
      const server = await serveWorker({ port, dataDir: scratch, vars, core: CORES.server });
      try {
        if (!isSeeded) await seed(server.url);
        isSeeded = true;
        for (const path of [FLOOR, ...PAGES])
          costs[state][path].push(await costOf(server, path, state === "on"));
      } finally {
        await server.kill();
      }
    }
  const medianOf = (state, path) => percentile(costs[state][path], 0.5);
  console.log("\n| page | rendering, ms | copy, ms | beyond the floor | within 0.1 |\n|---|---|---|---|---|");
  for (const path of PAGES) {
    const [rendering, copy] = ["off", "on"].map((state) => medianOf(state, path));
    const ratio = Math.max(0, copy - medianOf("on", FLOOR)) / (rendering - medianOf("off", FLOOR));
    if (ratio > BOUND) process.exitCode = 1;
    console.log(
      `| ${path} | ${rendering.toFixed(2)} | ${copy.toFixed(2)} | ${ratio.toFixed(3)} | ${ratio <= BOUND ? "yes" : "no"} |`,
    );
  }
  console.log(`Floor (${FLOOR}): ${medianOf("on", FLOOR).toFixed(2)} ms.`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
