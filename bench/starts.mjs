// Starts the built worker and the bare Remix page in turn, each in a fresh workerd: the bytes that load at start, and the
// time and processor time until the first answer. Fails when the worker loads too much.
//   npm run bench -- starts [--starts 20] [--port 8796]
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { startingBytes } from "../tests/built/worker.ts";
import { serveBare } from "../tests/load/bundled.mjs";
import { percentile, wait } from "../tests/load/crowd-lines.mjs";
import { ageBelow, CORES, pinTo, workerdTime } from "../tests/load/processor.mjs";
import { builtOptions, serveModules } from "../tests/support/worker.mjs";
import { ensureBuilt, migrate } from "../workers/local/tools.mjs";

const { values } = parseArgs({
  options: { starts: { type: "string", default: "20" }, port: { type: "string", default: "8796" } },
});
const [starts, port] = [Number(values.starts), Number(values.port)];
const [BYTES, RATIO] = [350_000, 1.6];
/** Milliseconds between two attempts to connect. */
const RETRY = 2;

/** Deployed pages start without the worker of the Durable Objects, which workerd would load with them. */
const PAGES_ALONE = `import { DurableObject } from "cloudflare:workers";
export { DurableObject as SessionRoom, DurableObject as AttemptCounter };
export { default } from "./index.js";
`;
async function servePages() {
  const { pages } = await builtOptions();
  const entry = { type: "ESModule", path: join(pages.modulesRoot, "pages-alone.js"), contents: PAGES_ALONE };
  const objects = Object.entries(pages.durableObjects).map(([name, { className }]) => [
    name,
    { className, useSQLite: true },
  ]);
  const worker = {
    ...pages,
    durableObjects: Object.fromEntries(objects),
    bindings: { ...pages.bindings, LOCAL_ORIGIN: `http://127.0.0.1:${port}` },
    modules: [entry, ...pages.modules],
  };
  return serveModules({ port, core, dataDir: scratch, workers: [worker] });
}

/** Resolves when the server has answered with this path. */
async function answered(path) {
  for (;;) {
    const status = await new Promise((resolve) =>
      request({ host: "127.0.0.1", port, path, agent: false }, (answer) =>
        answer.resume().on("end", () => resolve(answer.statusCode)),
      )
        .on("error", () => resolve(null))
        .end(),
    );
    if (status === 200) return;
    if (status !== null) throw new Error(`${path}: ${status}`);
    await wait(RETRY);
  }
}

const scratch = mkdtempSync(join(tmpdir(), "bench-starts-"));
const folder = join(scratch, "bare");
await ensureBuilt();
await migrate(scratch);
const core = CORES.server;
// The platform's own part starts with the worker: assets, D1, R2 and the queue. Both have the same.
const { assets, d1Databases, r2Buckets, queueProducers } = (await builtOptions()).pages;
const more = { assets, d1Databases, r2Buckets, queueProducers };
pinTo(CORES.load);
const kinds = {
  ours: {
    path: "/about",
    start: servePages,
    bytes: () => startingBytes(),
    taken: [],
  },
  "bare Remix": {
    path: "/",
    start: () => serveBare("tests/load/bare-pages.ts", { port, core, folder, more }),
    bytes: () => gzipSync(readFileSync(join(folder, "worker/index.mjs"))).length,
    taken: [],
  },
};
try {
  // The bundle of the bare page exists before its first counted start.
  for (let n = 0; n <= starts; n++)
    for (const kind of Math.random() < 0.5 ? Object.values(kinds) : Object.values(kinds).toReversed()) {
      const starting = kind.start();
      const [server] = await Promise.all([starting, answered(kind.path)]).catch(async (error) => {
        await starting.then((one) => one.kill());
        throw error;
      });
      const taken = { ms: ageBelow(server.child.pid, "workerd"), processor: workerdTime(server.child.pid) };
      await server.kill();
      if (n > 0) kind.taken.push(taken);
    }
  const of = (kind, name, share) =>
    percentile(
      kind.taken.map((one) => one[name]),
      share,
    );
  console.log(
    `\n| ${starts} starts | kB at start, gzip | first answer, p50 ms | p90 ms | processor, p50 ms | p90 ms |\n|---|---|---|---|---|---|`,
  );
  for (const [name, kind] of Object.entries(kinds)) {
    const times = ["ms", "processor"].flatMap((figure) => [0.5, 0.9].map((share) => of(kind, figure, share)));
    console.log(
      `| ${name} | ${(kind.bytes() / 1000).toFixed(0)} | ${times.map((one) => one.toFixed(0)).join(" | ")} |`,
    );
  }
  const [a, b] = Object.values(kinds);
  const ratio = (figure) => (of(a, figure, 0.5) / of(b, figure, 0.5)).toFixed(2);
  console.log(
    `P4: ours ÷ bare Remix, medians: first answer ${ratio("ms")}, processor ${ratio("processor")} (goal: at most ${RATIO}).`,
  );
  if (startingBytes() > BYTES) {
    console.error(`The worker loads more than ${BYTES / 1000} kB at start.`);
    process.exitCode = 1;
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
