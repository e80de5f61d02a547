// A crowded room on local workerd beside the baseline room. Measures joins, the last receiver of a line, and the return
// after a crash; fails when a line is lost or repeated.
//   node tests/load/crowd.mjs [--people 300] [--lines 60] [--rounds 2] [--port 8797]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensureBuilt, migrate, serve } from "../../workers/local/tools.mjs";
import { serveBare } from "./bundled.mjs";
import { comeIn, fill, percentile, wait } from "./crowd-lines.mjs";

const { values } = parseArgs({
  options: {
    people: { type: "string", default: "300" },
    lines: { type: "string", default: "60" },
    rounds: { type: "string", default: "2" },
    port: { type: "string", default: "8797" },
  },
});
const [people, lines, rounds, port] = ["people", "lines", "rounds", "port"].map((name) =>
  Number(values[name]),
);
/** Milliseconds between two lines. */
const PACE = 100;
/** Ten lines a second: the latency to each receiver, and to the last. */
async function talk(all) {
  const [each, last] = [[], []];
  for (let n = 0; n < lines; n++) {
    const nonce = crypto.randomUUID();
    const begun = performance.now();
    let missing = all.length;
    const heard = new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`${missing} did not hear a line.`)), 30_000);
      for (const line of all)
        line.onLine = (one) => {
          if (one !== nonce) return;
          each.push(performance.now() - begun);
          if (--missing > 0) return;
          last.push(performance.now() - begun);
          clearTimeout(late);
          resolve();
        };
    });
    all[n % Math.min(50, all.length)].say({ type: "message", content: `Line ${n}`, nonce });
    await heard;
    await wait(Math.max(0, PACE - (performance.now() - begun)));
  }
  return { each, last };
}

const scratch = mkdtempSync(join(tmpdir(), "bench-crowd-"));
const dataDir = join(scratch, "data");
const ours = { port, dataDir, vars: { RATE_LIMITS: "off" }, quiet: true };
await ensureBuilt();
await migrate(dataDir);
const crowd = fill(dataDir, people);
const servers = [];
const begin = async (starting) => {
  const server = await starting;
  servers.push(server);
  return server;
};
try {
  let server = await begin(serve(ours));
  const bare = await begin(
    serveBare("tests/load/bare-room.ts", {
      port: port + 1,
      folder: join(scratch, "bare"),
      more: `[[durable_objects.bindings]]
name = "ROOMS"
class_name = "BareRoom"
[[migrations]]
tag = "v1"
new_sqlite_classes = ["BareRoom"]
`,
    }),
  );
  const socketOf = ({ url }) => `${url.replace("http", "ws")}/sessions/1/socket`;

  console.log(
    `\n| ${people} people, round | room | in, a second | p50 ms | p99 ms | last, p50 ms | last, p99 ms |\n|---|---|---|---|---|---|---|`,
  );
  const ratios = { joins: [], last: [] };
  for (let round = 1; round <= rounds; round++) {
    const cells = {};
    for (const [name, one] of [
      ["bare", bare],
      ["ours", server],
    ].toSorted(() => (round % 2 ? 1 : -1))) {
      const { all, ms } = await comeIn(socketOf(one), crowd, one.url);
      await wait(1000);
      const { each, last } = await talk(all);
      for (const line of all) line.close();
      await wait(1500);
      cells[name] = { joins: (people * 1000) / ms, last: percentile(last, 0.99) };
      console.log(
        `| ${round} | ${name} | ${cells[name].joins.toFixed(0)} | ${[percentile(each, 0.5), percentile(each, 0.99), percentile(last, 0.5), percentile(last, 0.99)].map((one) => one.toFixed(1)).join(" | ")} |`,
      );
    }
    ratios.joins.push(cells.ours.joins / cells.bare.joins);
    ratios.last.push(cells.ours.last / cells.bare.last);
  }
  console.log(
    `\nBeside the bare room: joins ${ratios.joins.map((one) => one.toFixed(2)).join(", ")}; last receiver's p99 ${ratios.last.map((one) => one.toFixed(2)).join(", ")}.`,
  );

  const { all } = await comeIn(socketOf(server), crowd, server.url);
  const said = [];
  const say = (line) => {
    const nonce = crypto.randomUUID();
    said.push(nonce);
    line.say({ type: "message", content: "Still here?", nonce });
  };
  for (const line of all) line.heard = [];
  say(all[0]);
  await wait(500);
  await server.kill();
  const back = all.map((line) => new Promise((resolve) => (line.onIn = resolve)));
  server = await begin(serve(ours));
  const answered = performance.now();
  // The first client back sends lines while the others are still away.
  const first = await Promise.race(back.map((one, n) => one.then(() => all[n])));
  for (let n = 0; n < 20; n++) say(first);
  await Promise.all(back);
  const returned = performance.now() - answered;
  await wait(2000);
  const wrong = all.filter((line) => line.heard.join() !== said.join()).length;
  console.log(
    `The server died under ${people}: all were back ${(returned / 1000).toFixed(1)} s after it answered again; ${wrong} missed a line, heard one twice or in another order.`,
  );
  for (const line of all) line.close();
  if (wrong > 0) process.exitCode = 1;
} finally {
  await Promise.all(servers.map((server) => server.stop()));
  rmSync(scratch, { recursive: true, force: true });
}
