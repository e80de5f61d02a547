// People at different distances in one room: a proxy adds 15, 60 or 120 ms each way. Measures the latency of a line from
// its sender to everybody, beside the slowest path.
//   npm run bench -- distance [--people 12] [--lines 60] [--port 8799]
import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { comeIn, fill, percentile, wait } from "../tests/load/crowd-lines.mjs";
import { CORES, pinTo } from "../tests/load/processor.mjs";
import { serveWorker } from "../tests/support/worker.mjs";
import { ensureBuilt, migrate } from "../workers/local/tools.mjs";

const { values } = parseArgs({
  options: {
    people: { type: "string", default: "12" },
    lines: { type: "string", default: "60" },
    port: { type: "string", default: "8799" },
  },
});
const [people, lines, port] = [Number(values.people), Number(values.lines), Number(values.port)];
/** Milliseconds in each direction. */
const DISTANCES = [15, 60, 120];
/** The bound on the latency that the room adds to half of the lines; the machine's load decides the others. */
const BOUND = 50;
/** The goal for 95 of 100 lines. */
const GOAL_P95 = 25;

/** A proxy in front of the server that delays data by this distance, in order. */
const doorAt = (distance) =>
  new Promise((resolve) => {
    const later = (target) => (data) => setTimeout(() => target.destroyed || target.write(data), distance);
    const door = createServer((near) => {
      const far = connect(port, "127.0.0.1");
      near.setNoDelay().on("data", later(far));
      far.setNoDelay().on("data", later(near));
      for (const [one, other] of [
        [near, far],
        [far, near],
      ])
        one.on("close", () => setTimeout(() => other.destroy(), distance)).on("error", () => {});
    });
    door.listen(0, "127.0.0.1", () => resolve(door));
  });

const dataDir = mkdtempSync(join(tmpdir(), "bench-distance-"));
await ensureBuilt();
await migrate(dataDir);
const crowd = fill(dataDir, people);
const server = await serveWorker({ port, dataDir, vars: { RATE_LIMITS: "off" }, core: CORES.server });
pinTo(CORES.load);
const doors = await Promise.all(DISTANCES.map(doorAt));
try {
  const groups = await Promise.all(
    doors.map((door, n) => {
      const address = `127.0.0.1:${door.address().port}`;
      const near = crowd.filter((_, i) => i % doors.length === n);
      return comeIn(`ws://${address}/sessions/1/socket`, near, `http://${address}`);
    }),
  );
  const all = groups.flatMap(({ all }, n) => all.map((line) => ({ line, distance: DISTANCES[n] })));
  await wait(1000);
  const rows = DISTANCES.map((distance) => ({ distance, own: [], beyond: [] }));
  for (let n = 0; n < lines; n++) {
    const from = all[n % all.length];
    const nonce = crypto.randomUUID();
    const begun = performance.now();
    const row = rows.find(({ distance }) => distance === from.distance);
    let last = 0;
    await Promise.all(
      all.map(
        ({ line }) =>
          new Promise((resolve) => {
            line.onLine = (one) => {
              if (one !== nonce) return;
              last = performance.now() - begun;
              if (line === from.line) row.own.push(last);
              resolve();
            };
            if (line === from.line) line.say({ type: "message", content: `Line ${n}`, nonce });
          }),
      ),
    );
    row.beyond.push(last - (from.distance + Math.max(...DISTANCES)));
    await wait(50);
  }
  for (const { line } of all) line.close();

  console.log(
    "| the sender's distance, ms one way | its own line comes back, p50 ms | all have it: beyond the slowest way, p50 ms | p95 ms |\n|---|---|---|---|",
  );
  for (const { distance, own, beyond } of rows)
    console.log(
      `| ${distance} | ${[percentile(own, 0.5), percentile(beyond, 0.5), percentile(beyond, 0.95)].map((one) => one.toFixed(1)).join(" | ")} |`,
    );
  const [added, late] = [0.5, 0.95].map((part) =>
    percentile(
      rows.flatMap(({ beyond }) => beyond),
      part,
    ),
  );
  console.log(
    `G1: p95 ${late.toFixed(1)} ms beyond the slowest way, goal ${GOAL_P95}: ${late <= GOAL_P95 ? "met" : "missed"}.`,
  );
  if (added > BOUND) {
    console.error(`The room adds ${added.toFixed(0)} ms.`);
    process.exitCode = 1;
  }
} finally {
  for (const door of doors) door.close();
  await server.kill();
  rmSync(dataDir, { recursive: true, force: true });
}
