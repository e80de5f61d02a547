// Runs the built workers on workerd, without wrangler's development proxy, so that it starts and dies within a second.
// `serveWorker` runs this file as a child process, so that a kill takes workerd along.
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { ROOT, toolEnv } from "../../workers/local/processes.mjs";
import { untilFree } from "../../workers/local/tools.mjs";

let read = null;
/** Miniflare's options of the built workers: of the pages and calls, and of the Durable Objects. */
export const builtOptions = async () => {
  // Only the parent loads wrangler, because that is slow.
  read ??= import("wrangler").then(({ unstable_getMiniflareWorkerOptions: optionsOf }) => {
    const of = (config, name, folder) => optionsIn(optionsOf(join(ROOT, config)), name, join(ROOT, folder));
    return {
      pages: of("wrangler.toml", "bothy-web", "build/server"),
      objects: of("workers/objects.toml", "bothy", "build/objects"),
    };
  });
  return read;
};

function optionsIn({ workerOptions }, name, folder) {
  // The first module is the entry.
  const paths = readdirSync(folder, { recursive: true }).filter((path) => path.endsWith(".js"));
  paths.sort((a, b) => Number(b === "index.js") - Number(a === "index.js"));
  return {
    ...workerOptions,
    name,
    modulesRoot: folder,
    modules: paths.map((path) => ({ type: "ESModule", path: join(folder, path) })),
  };
}

/**
 * Serves on `port` with the data that `wrangler dev --persist-to` stores in `dataDir`; resolves when it answers. With
 * `core` it has only that processor core. `change` changes the options of Miniflare, and `further` makes more
 * workers of them. `onLog` hears what the server logs as an error.
 */
export async function serveWorker(options) {
  const { port, dataDir, vars = {}, core = null, change, further, isDirect, onLog } = options;
  const { pages, objects } = structuredClone(await builtOptions());
  for (const worker of [pages, objects])
    worker.bindings = { ...worker.bindings, LOCAL_ORIGIN: `http://127.0.0.1:${port}`, ...vars };
  change?.({ pages, objects });
  const workers = [pages, objects, ...(further?.({ pages }) ?? [])];
  return serveModules({ port, dataDir, workers, core, isDirect, onLog });
}

/**
 * Serves the first of the workers, each with these options of Miniflare. `isDirect` needs a worker without static
 * files: its sockets then do not pass Miniflare's entry worker, which a deployed worker does not have and which
 * compresses messages by itself.
 */
export async function serveModules({ port, dataDir, workers, core = null, isDirect = false, onLog }) {
  await untilFree(port);
  const [first, ...others] = workers;
  const direct = isDirect ? { unsafeDirectSockets: [{ host: "127.0.0.1", port }] } : {};
  const options = {
    host: "127.0.0.1",
    port: isDirect ? 0 : port,
    workers: [{ ...first, ...direct }, ...others],
  };
  return serveProcess({
    port,
    script: [import.meta.filename, dataDir, JSON.stringify(options)],
    core,
    onLog,
  });
}

/** Runs a Node script that serves on `port` and prints when it is ready. `onLog` hears its standard error. */
export async function serveProcess({ port, script, core = null, onLog }) {
  const command = [...(core === null ? [] : ["taskset", "-c", String(core)]), process.execPath, ...script];
  const child = spawn(command[0], command.slice(1), {
    cwd: ROOT,
    env: toolEnv(),
    detached: true,
    // The server ends when this process no longer holds its standard input open, however this process ended.
    stdio: ["pipe", "pipe", onLog ? "pipe" : "ignore"],
  });
  child.stderr?.setEncoding("utf8").on("data", onLog);
  const gone = new Promise((resolve) => child.once("exit", resolve));
  const ready = new Promise((resolve) => child.stdout.once("data", resolve));
  const first = await Promise.race([ready, gone.then(() => null)]);
  if (first === null) throw new Error("The server ended before it answered.");
  return {
    child,
    url: `http://127.0.0.1:${port}`,
    /** Kills the server and all its children with SIGKILL. */
    async kill() {
      try {
        process.kill(-child.pid, "SIGKILL");
      } catch {}
      await gone;
    },
  };
}

async function main(dataDir, options) {
  process.stdin.resume().on("end", () => process.exit());
  const miniflare = new Miniflare({
    ...convertV4MiniflareOptions(options),
    // The folder in which `wrangler dev --persist-to` stores the same data.
    resourcePersistencePath: join(dataDir, "v3"),
  });
  await miniflare.ready;
  console.log("ready");
}

if (process.argv[1] === import.meta.filename) {
  const [dataDir, options] = process.argv.slice(2);
  await main(dataDir, JSON.parse(options));
}
