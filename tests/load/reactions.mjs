// Everybody in a room presses a reaction within one second: the frames of a listener, the counted presses and the
// processor time of the server. Fails when a press is lost or a listener gets more than five frames (J-06).
//   npm run bench -- reactions [--people 1000] [--port 8795]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensureBuilt, migrate, serve } from "../../workers/local/tools.mjs";
import { comeIn, fill, percentile, wait } from "./crowd-lines.mjs";
import { workerdTime } from "./processor.mjs";

const { values } = parseArgs({
  options: { people: { type: "string", default: "1000" }, port: { type: "string", default: "8795" } },
});
const [people, port] = [Number(values.people), Number(values.port)];
const REACTIONS = ["👏", "❤️", "😂", "🎉", "👍"];
const BOUND_FRAMES = 5;
/** Milliseconds: the presses are spread over the first, and nothing is on its way after the second. */
const [SECOND, REST] = [1000, 5000];

const scratch = mkdtempSync(join(tmpdir(), "bench-reactions-"));
await ensureBuilt();
await migrate(scratch);
const crowd = fill(scratch, people);
const server = await serve({ port, dataDir: scratch, vars: { RATE_LIMITS: "off" }, quiet: true });
try {
  const { all, ms } = await comeIn(
    `${server.url.replace("http", "ws")}/sessions/1/socket`,
    crowd,
    server.url,
  );
  await wait(REST);
  const frames = all.map(() => 0);
  const presses = all.map(() => 0);
  const last = all.map(() => 0);
  const before = workerdTime(server.child.pid);
  const began = performance.now();
  all.forEach((line, n) => {
    line.onOperation = ({ type, counts }) => {
      if (type !== "reacted") return;
      frames[n]++;
      presses[n] += Object.values(counts).reduce((sum, count) => sum + count, 0);
      last[n] = performance.now() - began;
    };
    setTimeout(
      () => line.say({ type: "react", reaction: REACTIONS[n % REACTIONS.length] }),
      (n * SECOND) / people,
    );
  });
  await wait(SECOND + REST);
  const processor = workerdTime(server.child.pid) - before;
  const deliveries = frames.reduce((sum, count) => sum + count, 0);
  console.log(`${people} people, all in after ${ms.toFixed(0)} ms.\n`);
  console.log(
    "| frames a listener, most | presses counted, fewest | deliveries | last frame p99 ms | processor ms | of it for a delivery, µs |\n|---|---|---|---|---|---|",
  );
  console.log(
    `| ${Math.max(...frames)} | ${Math.min(...presses)} | ${deliveries} | ${percentile(last, 0.99).toFixed(0)} | ${processor} | ${((processor * 1000) / deliveries).toFixed(0)} |`,
  );
  if (Math.max(...frames) > BOUND_FRAMES || Math.min(...presses) < people) {
    console.error(`A listener got more than ${BOUND_FRAMES} frames, or a press was not counted.`);
    process.exitCode = 1;
  }
  for (const line of all) line.close();
} finally {
  await server.stop();
  rmSync(scratch, { recursive: true, force: true });
}
