// npm run bench [-- name … [--option …]]: runs the benchmarks of this folder and of bench/ in sequence, all of them with
// small sizes. A benchmark prints its measurements and exits with 1 when it exceeds a bound.
import { join } from "node:path";
import { ROOT, run } from "../../workers/local/processes.mjs";
import { ensureInstalled } from "../../workers/local/tools.mjs";

/** Where a file is: here, or in bench/ with packages of its own. */
const HERE = "tests/load";
const BENCH = "bench";
const BENCHMARKS = {
  lists: [HERE, "lists.mjs"],
  texts: [HERE, "texts.mjs"],
  doors: [HERE, "doors.mjs"],
  waits: [HERE, "waits.mjs", "--times", "1"],
  pages: [HERE, "pages.mjs"],
  keys: [HERE, "keys.mjs", "--pairs", "500"],
  edge: [HERE, "edge.mjs", "--asks", "50", "--rounds", "1"],
  trips: [HERE, "trips.mjs", "--asks", "3", "--writes", "100"],
  taps: [HERE, "taps.mjs", "--times", "3"],
  starts: [BENCH, "starts.mjs", "--starts", "3"],
  room: [HERE, "room.mjs"],
  reactions: [HERE, "reactions.mjs", "--people", "200"],
  full: [HERE, "full.mjs"],
  flips: [BENCH, "flips.mjs"],
  entering: [HERE, "entering.mjs", "--times", "3"],
  presses: [HERE, "presses.mjs", "--times", "3"],
  distance: [BENCH, "distance.mjs"],
  // Run by itself, it has the sizes of the goals, and its options choose the cells.
  peers: [BENCH, "peers.mjs", ..."--rounds 1 --share 0.1 --seconds 1 --again 0".split(" ")],
};

const said = process.argv.slice(2);
const firstOption = said.findIndex((one) => one.startsWith("--"));
const asked = firstOption === -1 ? said : said.slice(0, firstOption);
const options = said.slice(asked.length);
const unknown = asked.filter((name) => !(name in BENCHMARKS));
if (unknown.length > 0) {
  console.error(`No benchmark ${unknown.join(", ")}. There are: ${Object.keys(BENCHMARKS).join(", ")}.`);
  process.exit(1);
}
const failed = [];
for (const [name, [folder, file, ...args]] of Object.entries(BENCHMARKS)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  console.log(`\n${name}`);
  // Under the Node of node_modules, which tools.mjs puts first.
  const wanted = asked.includes(name) ? options : args;
  if (name === "peers") await ensureInstalled(BENCH);
  await run("node", [join(ROOT, folder, file), ...wanted]).catch(() => failed.push(name));
}
if (failed.length > 0) {
  console.error(`Beyond their bounds: ${failed.join(", ")}`);
  process.exit(1);
}
