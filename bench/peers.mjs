// The room on workerd beside a bare hibernating room, `ws`, socket.io and partyserver. Server and load have a core each,
// every round shuffles the servers, and a run that other processes disturbed is repeated. Fails when ours loses a line.
//   npm run bench -- peers [--cells R1,R6] [--servers ours,bare] [--rounds 3] [--share 1] [--seconds 5]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { percentile } from "../tests/load/crowd-lines.mjs";
import { CORES, pinTo } from "../tests/load/processor.mjs";
import { ensureBuilt } from "../workers/local/tools.mjs";
import { bursts, calm, connector, joins, large, returns, throughput } from "./peers/cells.mjs";
import { makeWorld, SERVERS, ticketsFor } from "./peers/servers.mjs";

const ALL = ["ours", "bare", "ws", "socket.io", "partyserver"];
/** With a bare room that stores every line, as ours does. */
const DURABLE = [...ALL, "bare-durable"];
/** With a bare room that checks and issues tickets and welcomes, as ours does. */
const TICKETED = [...ALL, "bare-ticketed"];
/** `servers[0]` is compared with the others. */
const CELLS = {
  R1: { says: "64 lines in flight for each", people: 200, servers: ALL, run: throughput },
  R2: { says: "a quarter of the room at once", people: 200, servers: ALL, run: bursts },
  R3: { says: "50 lines a second", people: 200, servers: DURABLE, run: calm(20) },
  "R3-1000": { says: "10 lines a second", people: 1000, servers: DURABLE, run: calm(100) },
  R4: { says: "one line after the other", people: 5000, servers: ALL, run: large },
  "R4-2000": { says: "one line after the other", people: 2000, servers: ["ours", "bare"], run: large },
  R6: { says: "all join at once", people: 1000, servers: TICKETED, run: joins },
  R7: { says: "all come back after a kill", people: 1000, servers: ["ours", "bare"], run: returns },
};
/** The goals of docs/rules.md, Speed and cost. */
const GOALS = [
  { cell: "R1", figure: "processor µs a delivery", most: { bare: 0.2, ws: 0.25 } },
  { cell: "R2", figure: "first lines: last receiver's p99, ms", most: { bare: 0.5 } },
  { cell: "R2", figure: "later lines: last receiver's p99, ms", most: { bare: 0.5 } },
  ...["R3", "R3-1000"].flatMap((cell) => [
    { cell, figure: "p50, ms", most: { bare: 2 } },
    { cell, figure: "p99, ms", most: { bare: 1.5 } },
  ]),
  { cell: "R4", figure: "last receiver's p99, ms", most: { bare: 1.3 } },
  { cell: "R6", figure: "joins a second", least: { "bare-ticketed": 0.6 } },
  { cell: "R7", figure: "seconds until all are back", mostOfAll: 5 },
];
/** Seconds for one run. */
const LONGEST_RUN = 240;
/** Above this share of a core, the load itself limits the figure. */
const LOAD_LIMIT = 0.9;

const { values } = parseArgs({
  options: {
    cells: { type: "string", default: Object.keys(CELLS).join() },
    servers: { type: "string", default: [...DURABLE, "bare-ticketed"].join() },
    rounds: { type: "string", default: "3" },
    /** The share of the people of each cell. */
    share: { type: "string", default: "1" },
    /** How long a figure is measured; a calm room takes twice as long. */
    seconds: { type: "string", default: "5" },
    /** A run is noisy when other processes used more of one core. */
    noise: { type: "string", default: "0.15" },
    /** How often a noisy run is repeated. */
    again: { type: "string", default: "2" },
    /** Nobody opens the message box before the first line. */
    "silent-start": { type: "boolean", default: false },
    port: { type: "string", default: "8810" },
  },
});
const [rounds, share, seconds, noise, again, port] = [
  "rounds",
  "share",
  "seconds",
  "noise",
  "again",
  "port",
].map((name) => Number(values[name]));
const asked = values.cells.split(",");
const unknown = asked.filter((name) => !(name in CELLS));
if (unknown.length > 0) throw new Error(`No cell ${unknown}. There are: ${Object.keys(CELLS)}.`);

const scratch = mkdtempSync(join(tmpdir(), "bench-peers-"));
const shuffled = (all) =>
  all
    .map((one) => [Math.random(), one])
    .sort(([a], [b]) => a - b)
    .map(([, one]) => one);
const median = (numbers) => percentile(numbers, 0.5);
const shown = (number) => number.toPrecision(number >= 100 ? Math.ceil(Math.log10(number + 1)) : 3);

/** One run of a cell on a fresh server. */
async function runOnce(cell, name, world, issue) {
  const kind = SERVERS[name];
  const start = (dataDir) =>
    kind.start({
      port,
      core: CORES.server,
      folder: join(scratch, name.replace(/\W/g, "-")),
      world,
      ...(dataDir ? { dataDir } : {}),
    });
  let process = await start();
  let late;
  const server = { ...process, name, dialect: kind.dialect, isUp: true, whenUp: [] };
  const failed = new Promise((_, reject) => {
    server.fail = reject;
    late = setTimeout(() => reject(new Error(`No result after ${LONGEST_RUN} s.`)), LONGEST_RUN * 1000);
  });
  server.prepare = (people) => issue(people);
  const { connect, closeAll } = connector(server);
  const restart = async () => {
    server.isUp = false;
    await process.kill({ isForGood: false });
    process = await start(process.dataDir);
    server.isUp = true;
    for (const begin of server.whenUp.splice(0)) begin();
    return process;
  };
  const { people } = world;
  try {
    const run = { server, people, connect, restart, seconds, isSilentStart: values["silent-start"] };
    return await Promise.race([cell.run(run), failed]);
  } finally {
    clearTimeout(late);
    closeAll();
    await process.kill();
  }
}

/** The least disturbed of a few runs. */
async function measure(cell, name, world, issue) {
  let best = null;
  for (let n = 0; n <= again && (best === null || best.seen.others > noise); n++) {
    const result = await runOnce(cell, name, world, issue);
    if (best === null || result.seen.others < best.seen.others) best = result;
  }
  return best;
}

/** Every round of a cell; the results of each server by round. */
async function measureCell(id, cell, issue) {
  const world = await makeWorld(scratch, Math.ceil(cell.people * share));
  const servers = cell.servers.filter((name) => values.servers.split(",").includes(name));
  const results = new Map(servers.map((name) => [name, []]));
  for (let round = 1; round <= rounds; round++)
    for (const name of shuffled(servers)) {
      const result = await measure(cell, name, world, issue).catch((error) => ({ error }));
      results.get(name).push(result);
      if (result.error && cell.servers[0] === name) process.exitCode = 1;
      const figures = result.error
        ? result.error.message
        : Object.entries(result.figures)
            .map(([figure, value]) => `${figure} ${shown(value)}`)
            .join("; ");
      console.log(`  ${id}, round ${round}, ${name}: ${figures}`);
    }
  world.drop();
  return results;
}

/** The median of the ratios of each round in which both servers have a result. */
function ratioOf(results, figure, name, peer) {
  const ratios = results.get(name)?.flatMap((one, round) => {
    const other = results.get(peer)?.[round];
    return one.error || !other || other.error ? [] : [one.figures[figure] / other.figures[figure]];
  });
  return ratios?.length ? median(ratios) : null;
}

function printCell(id, cell, results) {
  const [subject] = cell.servers;
  const good = (name) => results.get(name).filter(({ error }) => !error);
  const figures = Object.keys([...results.keys()].flatMap(good)[0]?.figures ?? {});
  console.log(`\n${id}: ${Math.ceil(cell.people * share)} people, ${cell.says}; medians of ${rounds} rounds`);
  console.log(`\n| server | ${figures.map((figure) => `${figure} | ${subject} ÷ it`).join(" | ")} | notes |`);
  console.log(`|---${"|---|---".repeat(figures.length)}|---|`);
  for (const name of results.keys()) {
    const runs = good(name);
    const cells = figures.flatMap((figure) => {
      const ratio = name === subject ? null : ratioOf(results, figure, subject, name);
      const value = runs.length ? shown(median(runs.map((run) => run.figures[figure]))) : "–";
      return [value, ratio === null ? "" : ratio.toFixed(2)];
    });
    const notes = [
      ...(runs.length < rounds ? [`${rounds - runs.length} failed`] : []),
      ...(runs.some(({ seen }) => seen.others > noise) ? ["busy machine"] : []),
      ...(runs.some(({ seen }) => seen.load > LOAD_LIMIT) ? ["limited by the load"] : []),
    ];
    console.log(`| ${name} | ${cells.join(" | ")} | ${notes.join(", ")} |`);
  }
}

function printGoals(all) {
  console.log("\n| goal | figure | wanted | measured | met |\n|---|---|---|---|---|");
  for (const { cell, figure, least, most, mostOfAll } of GOALS) {
    const results = all.get(cell);
    if (!results) continue;
    const [subject] = CELLS[cell].servers;
    const row = (wanted, measured, isMet) =>
      console.log(
        `| ${cell} | ${figure} | ${wanted} | ${measured === null ? "–" : measured.toFixed(2)} | ${measured === null ? "–" : isMet ? "yes" : "no"} |`,
      );
    for (const [peer, bound] of Object.entries(least ?? most ?? {})) {
      const ratio = ratioOf(results, figure, subject, peer);
      row(`${least ? "≥" : "≤"} ${bound} × ${peer}`, ratio, least ? ratio >= bound : ratio <= bound);
    }
    if (mostOfAll === undefined) continue;
    const values = results.get(subject).flatMap((one) => (one.error ? [] : [one.figures[figure]]));
    const value = values.length ? median(values) : null;
    row(`≤ ${mostOfAll}`, value, value <= mostOfAll);
  }
}

await ensureBuilt();
pinTo(CORES.load);
try {
  const issue = await ticketsFor(scratch);
  const all = new Map();
  for (const id of asked) {
    all.set(id, await measureCell(id, CELLS[id], issue));
    printCell(id, CELLS[id], all.get(id));
  }
  printGoals(all);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
