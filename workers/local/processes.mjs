// Starts tools, and ends them with their children. To work on Linux, macOS and Windows alike, it uses neither the shims of
// node_modules/.bin nor POSIX process groups.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), "../..");
const MODULES = join(ROOT, "node_modules");
const IS_WINDOWS = process.platform === "win32";

/** The packages of the tools, by command. */
const PACKAGES = {
  biome: "@biomejs/biome",
  knip: "knip",
  playwright: "@playwright/test",
  remix: "@remix-run/dev",
  vitest: "vitest",
  wrangler: "wrangler",
};

/** The Node that runs tools. wrangler needs Node 22; an older process uses the Node that is installed in node_modules. */
export function ownNode() {
  const packaged = join(MODULES, "node/bin", IS_WINDOWS ? "node.exe" : "node");
  return Number.parseInt(process.versions.node, 10) < 22 && existsSync(packaged)
    ? packaged
    : process.execPath;
}

/** npm's script: of the npm that runs this process, otherwise of the Node that does. */
function npmEntry() {
  const nodeFolder = dirname(process.execPath);
  const candidates = [
    process.env.npm_execpath,
    join(nodeFolder, "node_modules/npm/bin/npm-cli.js"),
    join(nodeFolder, "../lib/node_modules/npm/bin/npm-cli.js"),
  ];
  return candidates.find((path) => path?.endsWith("npm-cli.js") && existsSync(path));
}

/** The program and the arguments that run a command. A command that is not in PACKAGES, such as apt-get, stays as it is. */
export function commandOf(name, args) {
  if (name === "node") return [ownNode(), args];
  if (name === "npm") {
    const entry = npmEntry();
    return entry ? [process.execPath, [entry, ...args]] : [name, args];
  }
  const folder = PACKAGES[name] && join(MODULES, PACKAGES[name]);
  if (!folder) return [name, args];
  const { bin } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return [ownNode(), [join(folder, typeof bin === "string" ? bin : bin[name]), ...args]];
}

/** The environment of every tool: the programs of node_modules come first, and no tool sends telemetry. */
export const toolEnv = (extra = {}) => ({
  ...process.env,
  PATH: `${join(MODULES, ".bin")}${delimiter}${process.env.PATH ?? ""}`,
  WRANGLER_SEND_METRICS: "false",
  // Local runs need no location, and asking for it would need the network.
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  WRANGLER_LOG_PATH: join(ROOT, ".cache/wrangler-logs"),
  CI: process.env.CI ?? "",
  ...extra,
});

const running = new Set();

/** Starts a command without waiting for it. */
export function start(name, args, options) {
  const [program, programArgs] = commandOf(name, args);
  const child = spawn(program, programArgs, { cwd: ROOT, windowsHide: true, ...options });
  running.add(child);
  child.once("close", () => running.delete(child));
  return child;
}

/** Ends every command that is still running, with its children. */
export const endAll = () => Promise.all([...running].map((child) => endTree(child)));

/**
 * Runs a command to its end and resolves to its output. When it fails, the promise rejects with the output. After `limitMs`
 * (0: never) the command and its children are ended.
 */
export function run(name, args, { env = {}, quiet = false, cwd = ROOT, limitMs = 0 } = {}) {
  return new Promise((resolve, reject) => {
    const stdio = quiet ? ["ignore", "pipe", "pipe"] : ["ignore", "inherit", "inherit"];
    const child = start(name, args, { cwd, env: toolEnv(env), stdio });
    let output = "";
    child.stdout?.on("data", (data) => (output += data));
    child.stderr?.on("data", (data) => (output += data));
    child.on("error", reject);
    let isLate = false;
    const limit =
      limitMs === 0
        ? undefined
        : setTimeout(() => {
            isLate = true;
            endTree(child, { isGentle: false }).catch(reject);
          }, limitMs);
    child.on("close", (code) => {
      clearTimeout(limit);
      const end = isLate ? "was stopped at the limit of time" : `ended with ${code}`;
      if (code === 0) resolve(output);
      else reject(new Error(`${name} ${args.join(" ")} ${end}\n${output}`));
    });
  });
}

/**
 * Runs `work`, which needs Node 22 for wrangler's interface. An older Node starts the whole script again with the packaged
 * Node.
 */
export async function withOwnNode(work) {
  if (Number.parseInt(process.versions.node, 10) >= 22) return work();
  if (ownNode() === process.execPath)
    throw new Error("This command needs Node 22. Run npm ci, which installs one.");
  await run("node", process.argv.slice(1));
}

/** The ids of a process's descendants, from lines of "id parent". */
export function descendantsIn(list, root) {
  const children = new Map();
  for (const line of list.trim().split("\n")) {
    const [id, parent] = line.trim().split(/\s+/).map(Number);
    children.set(parent, [...(children.get(parent) ?? []), id]);
  }
  const descendants = [];
  const add = (id) => {
    for (const child of children.get(id) ?? []) {
      descendants.push(child);
      add(child);
    }
  };
  add(root);
  return descendants;
}

const signalTo = (id, signal) => {
  try {
    process.kill(id, signal);
  } catch {
    // It has ended.
  }
};

export const isAlive = (id) => {
  try {
    return process.kill(id, 0);
  } catch (error) {
    return error.code === "EPERM";
  }
};

/**
 * Ends a process and all its descendants. With `isGentle` the process may end them itself within ten seconds. Resolves
 * when the process has ended.
 */
export async function endTree(child, { isGentle = true } = {}) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolve) => child.once("exit", resolve));
  if (IS_WINDOWS) {
    // Windows has no signal that a process could handle.
    execFileSync("taskkill", ["/pid", String(child.pid), "/t", "/f"], { stdio: "ignore" });
    return exit;
  }
  const descendants = descendantsIn(
    execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" }),
    child.pid,
  );
  if (isGentle) {
    child.kill("SIGTERM");
    const timeout = new Promise((resolve) => setTimeout(resolve, 10_000).unref());
    await Promise.race([exit, timeout]);
  }
  for (const id of [child.pid, ...descendants]) signalTo(id, "SIGKILL");
  return exit;
}
