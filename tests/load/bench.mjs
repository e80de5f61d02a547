// npm run bench [-- name …]: runs the benchmarks of this folder in sequence, with small default sizes. A benchmark
// prints its measurements and exits with 1 when it exceeds a bound.
import { join } from "node:path";
import { ROOT, run } from "../../workers/local/tools.mjs";

const BENCHMARKS = {
  lists: ["lists.mjs"],
  texts: ["texts.mjs"],
  doors: ["doors.mjs"],
  pages: ["pages.mjs"],
  room: ["room.mjs"],
  calm: ["calm.mjs"],
  full: ["full.mjs"],
  crowd: ["crowd.mjs"],
  distance: ["distance.mjs"],
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in BENCHMARKS));
if (unknown.length > 0) {
  console.error(`No benchmark ${unknown.join(", ")}. There are: ${Object.keys(BENCHMARKS).join(", ")}.`);
  process.exit(1);
}
const failed = [];
for (const [name, [file, ...args]] of Object.entries(BENCHMARKS)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  console.log(`\n${name}`);
  // Under the Node of node_modules, which tools.mjs puts first.
  await run("node", [join(ROOT, "tests/load", file), ...args]).catch(() => failed.push(name));
}
if (failed.length > 0) {
  console.error(`Beyond their bounds: ${failed.join(", ")}`);
  process.exit(1);
}
