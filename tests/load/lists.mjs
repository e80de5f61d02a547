// Measures every list over many rows: rows read, round trips, time. Prints a table; fails when a page reads more than a
// small multiple of its rows.
//   node tests/load/lists.mjs [--dir DIR] [--activities 5000] [--sessions 20000] [--huts 500] [--goals 1000]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { ROOT } from "../../workers/local/processes.mjs";
import { bundle } from "./bundled.mjs";
import { fill, NOW, openD1 } from "./fill.mjs";

const { values } = parseArgs({
  options: {
    dir: { type: "string" },
    activities: { type: "string", default: "5000" },
    sessions: { type: "string", default: "20000" },
    huts: { type: "string", default: "500" },
    goals: { type: "string", default: "1000" },
  },
});
/** Rows read per displayed row, and for the rest of the page. */
const EACH = 10;
const AROUND = 80;
/** A search without a match reads the words with the same beginning. */
const LOOKED_UP = 60;
/** A list of a user's own things reads all of them: of a hundred seats or followed activities three rows each. */
const OWN = 300;
/** Pages with a list of sessions and a list of activities. */
const WITH_TWO = ["/", "/group/hut-1"];

const scratch = mkdtempSync(join(tmpdir(), "lists-"));
const bundled = join(ROOT, ".cache", `lists-pages-${process.pid}.mjs`);
await bundle("tests/load/lists-pages.ts", bundled);
const { ask, askGoals, pageNames } = await import(pathToFileURL(bundled).href);
const { d1, dispose } = await openD1(values.dir ?? scratch);

/** Every filter by itself, combined with others, and with words. */
const filters = [
  {},
  { category: "read" },
  { difficulty: 6 },
  { category: "write", difficulty: 3 },
  { templates: 1 },
  { templates: 1, category: "move", difficulty: 4 },
  { joined: 1 },
  { joined: 1, category: "read" },
  { q: "morning" },
  { q: "mor wal" },
  { q: "morning", category: "read", difficulty: 6 },
  { joined: 1, q: "mor" },
  { q: "mornign" },
  { q: "zzzzzz" },
];

let worst = 0;
try {
  await fill(d1, {
    activities: Number(values.activities),
    sessions: Number(values.sessions),
    huts: Number(values.huts),
    goals: Number(values.goals),
  });
  const table = [];
  const measure = async (page, asked, how, isJump = false) => {
    const user = asked.joined ? 2 : 0;
    const first = await ask(d1, page, asked, user, NOW);
    let { ms } = first;
    for (let time = 0; time < 3; time++) ms = Math.min(ms, (await ask(d1, page, asked, user, NOW)).ms);
    const allowed =
      EACH * (first.rows + 2) +
      AROUND +
      (asked.joined ? OWN * (WITH_TWO.includes(page) ? 2 : 1) : 0) +
      (asked.q && first.trips > 1 ? LOOKED_UP : 0);
    // A jump without a cursor reads every row before its page; the table shows how many.
    if (!isJump) worst = Math.max(worst, first.rowsRead / allowed);
    table.push({
      page,
      asked: how,
      rows: first.rows,
      "rows read": first.rowsRead,
      trips: first.trips,
      ms: ms.toFixed(1),
    });
    return first;
  };
  for (const page of pageNames)
    for (const asked of filters) {
      // Huts have neither category nor difficulty.
      if (page === "/groups" && (asked.category || asked.difficulty || asked.templates)) continue;
      const how = new URLSearchParams(asked).toString() || "all";
      const first = await measure(page, asked, how);
      if (first.after) await measure(page, { ...asked, page: 2, after: first.after }, `${how}, next page`);
      if (!asked.q && !asked.joined) {
        await measure(page, { ...asked, page: 50 }, `${how}, page 50`, true);
      }
    }
  // A tag or a word looks at all goals of the person; the table shows how many.
  for (const asked of [
    { page: 1 },
    { page: 2 },
    { page: 1, status: "open" },
    { page: 1, status: "completed" },
    { page: 1, tag: "tag-4" },
    { page: 1, q: "zzz" },
  ]) {
    const { rows, rowsRead, trips, ms } = await askGoals(d1, asked, NOW);
    if (!asked.tag && !asked.q) worst = Math.max(worst, rowsRead / (EACH * (rows + 2) + AROUND));
    const how = new URLSearchParams(asked).toString();
    table.push({ page: "/my/goals", asked: how, rows, "rows read": rowsRead, trips, ms: ms.toFixed(1) });
  }
  console.table(table);
  console.log(`Most rows read, as a share of what is allowed: ${worst.toFixed(2)}`);
} finally {
  await dispose();
  rmSync(scratch, { recursive: true, force: true });
  rmSync(bundled, { force: true });
}
if (worst > 1) {
  console.error("A list reads more than it should.");
  process.exitCode = 1;
}
