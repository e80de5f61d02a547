// Clients act on one session while its server is killed, paused, disconnected and delayed; then their history is checked
// against the database. Prints runs, operations, faults and anomalies, and fails on any anomaly.
//   node tests/long/history.mjs [--runs 100] [--seconds 60] [--people 50] [--seed N] [--port 8801]
import { randomInt } from "node:crypto";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensureBuilt, migrate } from "../../workers/local/tools.mjs";
import { fill, wait } from "../load/crowd-lines.mjs";
import { openLocalD1 } from "../support/local-d1.mjs";
import { serveWorker } from "../support/worker.mjs";
import { checkHistory } from "./history-check.mjs";
import { Client } from "./history-client.mjs";
import { proxyTo } from "./proxy.mjs";
import { randomOf } from "./random.mjs";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "100" },
    seconds: { type: "string", default: "60" },
    people: { type: "string", default: "50" },
    seed: { type: "string", default: String(randomInt(1, 2 ** 31)) },
    port: { type: "string", default: "8801" },
  },
});
const [runs, seconds, people, seed, port] = ["runs", "seconds", "people", "seed", "port"].map((name) =>
  Number(values[name]),
);
/** Seconds between two faults. */
const FAULT_EVERY = [1, 6];
/** The time after the faults for all clients to reconnect and have every call answered. */
const SETTLE_MS = 90_000;
/** Hundredths of a token per client at the start: enough for most runs, so that some clients run out. */
const GRANTED = 6000;

/** Until `isOver`: kills and restarts, pauses, disconnects or delays the server. */
async function breakThings(world, random, isOver) {
  const counts = { kill: 0, pause: 0, cut: 0, delay: 0 };
  while (!isOver()) {
    await wait(random.between(...FAULT_EVERY) * 1000);
    if (isOver()) break;
    const fault = random.pick(Object.keys(counts));
    counts[fault]++;
    if (fault === "kill") await world.restart();
    else if (fault === "pause") {
      world.signal("SIGSTOP");
      await wait(random.between(0.3, 2) * 1000);
      world.signal("SIGCONT");
    } else if (fault === "cut") world.proxy.cut();
    else {
      world.proxy.delay = random.between(50, 400);
      await wait(random.between(0.5, 2) * 1000);
      world.proxy.delay = 0;
    }
  }
  world.proxy.delay = 0;
  return counts;
}

async function openWorld(folder) {
  const dataDir = join(folder, "data");
  cpSync(template, dataDir, { recursive: true });
  const crowd = fill(dataDir, people);
  const db = openLocalD1(dataDir);
  db.exec(`UPDATE token_lots SET granted = ${GRANTED}, remaining = ${GRANTED}`);
  db.close();
  const start = () => serveWorker({ port, dataDir, vars: { RATE_LIMITS: "off" } });
  const world = {
    dataDir,
    crowd,
    server: await start(),
    proxy: await proxyTo(port),
    async restart() {
      await world.server.kill();
      world.proxy.cut();
      world.server = await start();
    },
    signal(name) {
      try {
        process.kill(-world.server.child.pid, name);
      } catch {}
    },
    async close() {
      world.proxy.close();
      await world.server.kill();
    },
  };
  return world;
}

async function run(number) {
  const random = randomOf(seed + number);
  const folder = mkdtempSync(join(tmpdir(), "history-"));
  const world = await openWorld(folder);
  try {
    const [host, ...guests] = world.crowd.map(
      (person) => new Client(world.proxy.url, person, randomOf(random.next())),
    );
    const session = await host.makeSession();
    const clients = [host, ...guests];
    for (const client of clients) client.enter(session);
    await Promise.all(clients.map((client) => client.untilWelcome()));
    let isOver = false;
    const acting = clients.map((client) => client.act(() => isOver));
    const breaking = breakThings(world, random, () => isOver);
    await wait(seconds * 1000);
    isOver = true;
    const faults = await breaking;
    // A leave may still be in flight, so clients take their seats again afterwards.
    const settled = Promise.all(clients.map((client, n) => acting[n].then(() => client.untilQuiet())));
    const late = wait(SETTLE_MS).then(() => {
      const waiting = clients.flatMap((client) => client.waitsFor());
      throw new Error(`Not back after ${SETTLE_MS / 1000} s: ${waiting.slice(0, 10).join("; ")}`);
    });
    await Promise.race([settled, late]);
    const lines = await host.readHistory();
    for (const client of clients) client.close();
    await world.close();
    const db = openLocalD1(world.dataDir);
    const anomalies = checkHistory(db, session, clients, lines);
    db.close();
    const operations = clients.reduce((sum, client) => sum + client.operations, 0);
    return { faults, operations, lines: lines.length, anomalies };
  } finally {
    await world.close().catch(() => {});
    rmSync(folder, { recursive: true, force: true });
  }
}

await ensureBuilt();
/** A database with all migrations, copied for each run. */
const template = mkdtempSync(join(tmpdir(), "history-template-"));
await migrate(template);
console.log(`Seed ${seed}: ${runs} runs of ${seconds} s with ${people} people.`);
const total = { operations: 0, lines: 0, kill: 0, pause: 0, cut: 0, delay: 0, anomalies: 0 };
for (let number = 0; number < runs; number++) {
  const { faults, operations, lines, anomalies } = await run(number);
  total.operations += operations;
  total.lines += lines;
  total.anomalies += anomalies.length;
  for (const [fault, count] of Object.entries(faults)) total[fault] += count;
  console.log(
    `Run ${number + 1} (seed ${seed + number}): ${operations} operations, ${lines} lines, ${JSON.stringify(faults)}, ${anomalies.length} anomalies`,
  );
  for (const anomaly of anomalies.slice(0, 20)) console.error(`  ${anomaly}`);
}
console.log(
  `${runs} runs, ${total.operations} operations, ${total.lines} lines, ${total.kill} kills, ${total.pause} pauses, ${total.cut} cuts, ${total.delay} delays: ${total.anomalies} anomalies.`,
);
rmSync(template, { recursive: true, force: true });
if (total.anomalies > 0) process.exitCode = 1;
