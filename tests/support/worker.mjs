// Runs the built worker on workerd, without wrangler's development proxy, so that it starts and dies within a second.
// `serveWorker` runs this file as a child process, so that a kill takes workerd along.
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { ROOT, toolEnv, untilFree } from "../../workers/local/tools.mjs";

let known = null;

/** Serves on `port` with the data that `wrangler dev --persist-to` stores in `dataDir`; resolves when it answers. */
export async function serveWorker({ port, dataDir, vars = {} }) {
  await untilFree(port);
  known ??= await readOptions();
  const options = {
    ...known,
    bindings: { ...known.bindings, LOCAL_ORIGIN: `http://127.0.0.1:${port}`, ...vars },
  };
  const args = [import.meta.filename, String(port), dataDir, JSON.stringify(options)];
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: toolEnv(),
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const gone = new Promise((resolve) => child.once("exit", resolve));
  const ready = new Promise((resolve) => child.stdout.once("data", resolve));
  const first = await Promise.race([ready, gone.then(() => null)]);
  if (first === null) throw new Error("The worker ended before it answered.");
  return {
    child,
    /** Kills the worker and all its children with SIGKILL. */
    async kill() {
      try {
        process.kill(-child.pid, "SIGKILL");
      } catch {}
      await gone;
    },
  };
}

/** Miniflare's options, from wrangler.toml and the build. Only the parent loads wrangler, because that is slow. */
async function readOptions() {
  const { unstable_getMiniflareWorkerOptions } = await import("wrangler");
  const server = join(ROOT, "build/server");
  const { workerOptions } = unstable_getMiniflareWorkerOptions(join(ROOT, "wrangler.toml"));
  // The first module is the entry.
  const paths = readdirSync(server, { recursive: true }).filter((path) => path.endsWith(".js"));
  paths.sort((a, b) => Number(b === "index.js") - Number(a === "index.js"));
  return {
    ...workerOptions,
    name: "bothy",
    host: "127.0.0.1",
    modulesRoot: server,
    modules: paths.map((path) => ({ type: "ESModule", path: join(server, path) })),
  };
}

async function main(port, dataDir, options) {
  const miniflare = new Miniflare({
    ...convertV4MiniflareOptions({ ...options, port }),
    // The folder in which `wrangler dev --persist-to` stores the same data.
    resourcePersistencePath: join(dataDir, "v3"),
  });
  await miniflare.ready;
  console.log("ready");
}

if (process.argv[1] === import.meta.filename) {
  const [port, dataDir, options] = process.argv.slice(2);
  await main(Number(port), dataDir, JSON.parse(options));
}
