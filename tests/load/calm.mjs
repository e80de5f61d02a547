// A calm room on local workerd beside the baseline room: the latency of the first lines of people, of their later lines,
// and of fifty lines at once. Fails when a line is lost.
//   node tests/load/calm.mjs [--people 200] [--rounds 2] [--silent-start] [--port 8799]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensureBuilt, migrate, serve } from "../../workers/local/tools.mjs";
import { serveBare } from "./bundled.mjs";
import { comeIn, fill, percentile, wait } from "./crowd-lines.mjs";

const { values } = parseArgs({
  options: {
    people: { type: "string", default: "200" },
    rounds: { type: "string", default: "2" },
    /** Nobody opens the message box before the first line. */
    "silent-start": { type: "boolean", default: false },
    port: { type: "string", default: "8799" },
  },
});
const [people, rounds, port] = ["people", "rounds", "port"].map((name) => Number(values[name]));
/** Milliseconds between two lines of a calm room: 50 a second. */
const PACE = 20;
const SPEAKERS = 50;
const LATER_LINES = 200;
const BURSTS = 5;
/** Milliseconds between opening the message box and the first line. */
const WRITING = 1000;

/** Sends a line for each of `speakers`, and resolves when everybody has all of them. */
async function talk(all, speakers, pace) {
  const sentAt = new Map();
  const heardBy = new Map();
  const [each, last] = [[], []];
  const heard = new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error("A line was lost.")), 30_000);
    for (const line of all)
      line.onLine = (nonce) => {
        const begun = sentAt.get(nonce);
        if (begun === undefined) return;
        const took = performance.now() - begun;
        each.push(took);
        const count = (heardBy.get(nonce) ?? 0) + 1;
        heardBy.set(nonce, count);
        if (count === all.length) last.push(took);
        if (last.length < speakers.length) return;
        clearTimeout(late);
        resolve();
      };
  });
  const begun = performance.now();
  for (const [n, speaker] of speakers.entries()) {
    await wait(Math.max(0, begun + n * pace - performance.now()));
    const nonce = crypto.randomUUID();
    sentAt.set(nonce, performance.now());
    speaker.say({ type: "message", content: `Line ${n}`, nonce });
  }
  await heard;
  return { each, last };
}

const scratch = mkdtempSync(join(tmpdir(), "bench-calm-"));
const dataDir = join(scratch, "data");
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
  const ours = await begin(serve({ port, dataDir, vars: { RATE_LIMITS: "off" }, quiet: true }));
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
  console.log(
    `\n| ${people} people, round | said | room | p50 ms | p99 ms | last receiver, p99 ms |\n|---|---|---|---|---|---|`,
  );
  const told = new Map();
  for (let round = 1; round <= rounds; round++)
    for (const [name, server] of [
      ["bare", bare],
      ["ours", ours],
    ].toSorted(() => (round % 2 ? 1 : -1))) {
      const { all } = await comeIn(
        `${server.url.replace("http", "ws")}/sessions/1/socket`,
        crowd,
        server.url,
      );
      await wait(1000);
      // People who have not spoken before.
      const from = (round - 1) * SPEAKERS;
      const fresh = all.slice(from, from + SPEAKERS);
      if (name === "ours" && !values["silent-start"]) {
        for (const line of fresh) line.say({ type: "writing" });
        await wait(WRITING);
      }
      const first = await talk(all, fresh, PACE);
      const many = Array.from({ length: LATER_LINES }, (_, n) => fresh[n % fresh.length]);
      const later = await talk(all, many, PACE);
      const burst = { each: [], last: [] };
      for (let n = 0; n < BURSTS; n++) {
        const { each, last } = await talk(all, fresh, 0);
        burst.each.push(...each);
        burst.last.push(...last);
      }
      for (const line of all) line.close();
      await wait(1000);
      for (const [said, { each, last }] of Object.entries({ first, later, burst })) {
        const cell = [percentile(each, 0.5), percentile(each, 0.99), percentile(last, 0.99)];
        told.set(`${round} ${said} ${name}`, cell);
        console.log(`| ${round} | ${said} | ${name} | ${cell.map((one) => one.toFixed(1)).join(" | ")} |`);
      }
    }
  console.log("\nBeside the bare room, p50, p99 and the last receiver's p99 of each round:");
  for (const said of ["first", "later", "burst"])
    console.log(
      `${said}: ${Array.from({ length: rounds }, (_, n) => {
        const [a, b] = ["ours", "bare"].map((name) => told.get(`${n + 1} ${said} ${name}`));
        return a.map((one, i) => (one / b[i]).toFixed(2)).join(" ");
      }).join(", ")}`,
    );
} finally {
  await Promise.all(servers.map((server) => server.stop()));
  rmSync(scratch, { recursive: true, force: true });
}
