// The steps that the start and test commands share: install, build, migrate and serve. It runs on Node 20 without packages,
// because nothing may be installed yet.
import { createHash, generateKeyPairSync } from "node:crypto";
import {
  accessSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { dirname, join, resolve } from "node:path";
import { recordMigrations, refuseOtherBuild } from "./builds.mjs";
import { serverOn, takeFolder, withFolder } from "./owner.mjs";
import { isTreeOf, nodeProblem, windowsProblem } from "./packages.mjs";
import { endTree, ROOT, run, start, toolEnv } from "./processes.mjs";

/** The configuration of the worker of the Durable Objects. */
export const OBJECTS_CONFIG = join(ROOT, "workers/objects.toml");

/** The folder of local data, which may not exist yet. Throws a sentence when DATA_DIR cannot be a folder. */
export function dataFolder() {
  const folder = resolve(ROOT, process.env.DATA_DIR || ".data");
  let existing = folder;
  while (!existsSync(existing)) existing = dirname(existing);
  if (!statSync(existing).isDirectory())
    throw new Error(`${existing} is a file. Choose a folder as DATA_DIR.`);
  try {
    accessSync(existing, constants.W_OK);
  } catch {
    throw new Error(`${existing} cannot be written. Choose another DATA_DIR.`);
  }
  return folder;
}

/** The port that PORT names, or 8787. Throws a sentence for any other text. */
export function wantedPort() {
  const text = process.env.PORT || "8787";
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new Error(`PORT is "${text}". Choose a number from 1 to 65535.`);
}

/** Throws a sentence on a machine that cannot run Bothy. */
export function checkMachine() {
  const tooOld = nodeProblem(process.versions);
  if (tooOld) throw new Error(tooOld);
  const problem = windowsProblem(process);
  if (problem?.isFatal) throw new Error(problem.sentence);
  if (problem) console.error(problem.sentence);
}

const stampPath = (name) => join(ROOT, ".cache", name);
export const readStamp = (name) => (existsSync(stampPath(name)) ? readFileSync(stampPath(name), "utf8") : "");
export function writeStamp(name, value) {
  mkdirSync(join(ROOT, ".cache"), { recursive: true });
  writeFileSync(stampPath(name), value);
}
const checksum = (text) => createHash("sha256").update(text).digest("hex");

const readJson = (path) =>
  existsSync(join(ROOT, path)) ? JSON.parse(readFileSync(join(ROOT, path), "utf8")) : {};

/** `npm ci` in `folder` when its node_modules differs from its lock file. Throws where Bothy cannot run. */
export async function ensureInstalled(folder = ".") {
  checkMachine();
  const { packages: wanted = {} } = readJson(`${folder}/package-lock.json`);
  const { packages: installed = {} } = readJson(`${folder}/node_modules/.package-lock.json`);
  if (isTreeOf(wanted, installed)) return;
  console.log("Installing packages …");
  const startedAt = Date.now();
  const flags = ["--prefix", folder, "--no-audit", "--no-fund", "--loglevel=error"];
  await run("npm", ["ci", ...flags], { quiet: true });
  console.log(`  done in ${Math.round((Date.now() - startedAt) / 1000)} s`);
}

function* files(folder) {
  for (const entry of readdirSync(join(ROOT, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* files(path);
    else if (!/\.test\.tsx?$/.test(entry.name)) yield path;
  }
}

/** A checksum that changes with any source of the build. */
export function sourcesMark() {
  const sources = ["app", "db", "patches", "public", "workers"].flatMap((folder) => [...files(folder)]);
  const paths = [...sources, "remix.config.ts", "package-lock.json"].sort();
  return checksum(paths.map((path) => `${path}:${statSync(join(ROOT, path)).mtimeMs}`).join("\n"));
}

const BUILD_OUTPUTS = ["build/server/index.js", "build/objects/index.js"].map((path) => join(ROOT, path));

/** Builds the pages and both workers when a source is newer than the last build, or the build of another release. */
export async function ensureBuilt(release = "") {
  const wanted = sourcesMark() + release;
  if (BUILD_OUTPUTS.every((path) => existsSync(path)) && readStamp("built") === wanted) return;
  console.log("Building …");
  const options = { quiet: true, env: { NODE_ENV: "production", ...(release && { RELEASE: release }) } };
  await run("npm", ["run", "--silent", "build"], options);
  writeStamp("built", wanted);
}

/** The keys of web push (RFC 8292), created once for each data folder of a local run. */
function vapidKeysIn(dataDir) {
  const path = join(dataDir, "vapid.json");
  if (!existsSync(path)) {
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(path, JSON.stringify(newVapidKeys()), { mode: 0o600 });
  }
  return JSON.parse(readFileSync(path, "utf8"));
}

export function newVapidKeys() {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x, y, d } = privateKey.export({ format: "jwk" });
  const point = [Buffer.from([4]), Buffer.from(x, "base64url"), Buffer.from(y, "base64url")];
  return {
    VAPID_PUBLIC_KEY: Buffer.concat(point).toString("base64url"),
    VAPID_PRIVATE_KEY: d ?? "",
    VAPID_SUBJECT: "mailto:hello@bothy.example",
  };
}

/** Brings the database of `dataDir` to the current schema. Refuses a folder of another build. */
export async function migrate(dataDir) {
  refuseOtherBuild(dataDir);
  await withFolder(dataDir, {
    async through(server) {
      // Imported on demand, because that file needs packages and this file must run without any.
      const { migrateThrough } = await import("./stores.mjs");
      recordMigrations(dataDir);
      await migrateThrough(server);
    },
    alone: () => migrateAlone(dataDir),
  });
}

/**
 * Migrates a folder without a server. A new database is copied from a template, because wrangler needs seconds for the
 * migrations.
 */
async function migrateAlone(dataDir) {
  recordMigrations(dataDir);
  const database = join(dataDir, "v3/d1");
  const template = join(ROOT, ".cache/migrated", hashOfFiles(join(ROOT, "db/migrations")));
  const isNew = !existsSync(database);
  if (isNew && existsSync(template)) {
    // Copied under another name first, so that an interrupted copy leaves no half database.
    const copy = `${database}-${process.pid}`;
    cpSync(template, copy, { recursive: true });
    return renameSync(copy, database);
  }
  await run("wrangler", ["d1", "migrations", "apply", "DB", "--local", "--persist-to", dataDir], {
    quiet: true,
    env: { CI: "true" },
  });
  if (!isNew || existsSync(template)) return;
  const copy = `${template}-${process.pid}`;
  cpSync(database, copy, { recursive: true });
  // Another process may have made the template meanwhile.
  if (existsSync(template)) rmSync(copy, { recursive: true });
  else renameSync(copy, template);
}

function hashOfFiles(folder) {
  const hash = createHash("sha256");
  for (const name of readdirSync(folder).sort())
    if (name.endsWith(".sql")) hash.update(name).update(readFileSync(join(folder, name)));
  return hash.digest("hex").slice(0, 16);
}

/** The configuration file of the objects with `vars` in it, because wrangler passes `--var` only to the first worker. */
function objectsConfig(dataDir, vars) {
  const text = readFileSync(OBJECTS_CONFIG, "utf8");
  const lineWithVar = (line) => {
    const [name, isSetting] = line.split(" = ");
    return isSetting && name in vars ? `${name} = ${JSON.stringify(vars[name])}` : line;
  };
  const withVars = text.split("\n").map(lineWithVar).join("\n");
  if (withVars === text) return OBJECTS_CONFIG;
  const path = join(dataDir, "objects.toml");
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(path, withVars.replaceAll('"../build/', `"${join(ROOT, "build")}/`));
  return path;
}

/** The settings of a local run. */
const localVars = (port, dataDir, vars) => ({
  LOCAL_ORIGIN: `http://127.0.0.1:${port}`,
  ...vapidKeysIn(dataDir),
  ...vars,
});

/** Each data folder has its own list of running workers; otherwise two runs reach each other's Durable Objects. */
const ownRegistry = (dataDir) => ({ WRANGLER_REGISTRY_PATH: join(dataDir, "registry") });

/** Serves the built app on local workerd; resolves when it answers. */
export function serve({ port, dataDir, vars = {}, quiet = false }) {
  const argsWith = (keyVars) => [
    "dev",
    "--config",
    join(ROOT, "wrangler.toml"),
    "--config",
    objectsConfig(dataDir, vars),
    "--port",
    String(port),
    "--ip",
    "127.0.0.1",
    "--persist-to",
    dataDir,
    "--show-interactive-dev-session=false",
    "--log-level",
    "warn",
    "--test-scheduled",
    // The inspector would take a fixed port, which two servers cannot share.
    "--inspector-port",
    "0",
    ...Object.entries({ ...localVars(port, dataDir, vars), ...keyVars }).flatMap(([name, value]) => [
      "--var",
      `${name}:${value}`,
    ]),
  ];
  return startServer({ port, dataDir, quiet, command: "wrangler", argsWith });
}

/** Serves the sources with hot replacement; resolves when it answers. */
export function serveSources({ port, dataDir, vars = {}, quiet = false }) {
  const argsWith = () => [
    "vite:dev",
    "-c",
    "remix.config.ts",
    "--host",
    "127.0.0.1",
    "--port",
    String(port),
    "--strictPort",
  ];
  const envWith = (keyVars) => ({
    DATA_DIR: dataDir,
    LOCAL_VARS: JSON.stringify({ ...localVars(port, dataDir, vars), ...keyVars }),
  });
  return startServer({ port, dataDir, quiet, command: "remix", argsWith, envWith });
}

/** Calls `work` with the address of the server that runs on this data, or of a server that it starts and stops. */
export async function withServer(dataDir, work) {
  const running = await serverOn(dataDir);
  if (running) return work(running.url);
  await ensureBuilt();
  const server = await serve({ port: await freePort(), dataDir, quiet: true });
  try {
    return await work(server.url);
  } finally {
    await server.stop();
  }
}

/** Starts a server, which must answer within a minute and owns its data folder until it ends. */
async function startServer({ command, argsWith, envWith = () => ({}), port, dataDir, quiet }) {
  const url = `http://127.0.0.1:${port}`;
  const folder = await takeFolder(dataDir, url);
  try {
    await untilFree(port);
    // Other users of the machine see the arguments of a process, so it gets only the checksum of the key.
    const keyVars = { LOCAL_KEY_HASH: checksum(folder.key) };
    const child = start(command, argsWith(keyVars), {
      env: toolEnv({ ...envWith(keyVars), ...ownRegistry(dataDir) }),
      stdio: ["ignore", quiet ? "ignore" : "inherit", quiet ? "ignore" : "inherit"],
    });
    folder.add(child.pid);
    let exitCode = null;
    child.on("exit", (code) => {
      exitCode = code ?? 1;
      folder.release();
    });
    for (let attempt = 0; ; attempt++) {
      if (exitCode !== null) throw new Error(`The server ended with ${exitCode} before it answered.`);
      if (attempt > 600) throw new Error("The server did not answer within a minute.");
      const answers = await fetch(`${url}/api/time`).then(
        (answer) => answer.ok,
        () => false,
      );
      if (answers) break;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return {
      url,
      child,
      stop: () => endTree(child),
      kill: () => endTree(child, { isGentle: false }),
    };
  } catch (error) {
    folder.release();
    throw error;
  }
}

/** The wanted port, or another that is free. */
export async function freePort(wanted = wantedPort()) {
  if (await isFree(wanted)) return wanted;
  return new Promise((resolve) => {
    const probe = createServer();
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

/** Waits up to two seconds for the port, because a server that has ended frees its port a moment later. */
export async function untilFree(port) {
  for (let attempt = 0; attempt < 10; attempt++) {
    if (await isFree(port)) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`Port ${port} is taken. Choose another with PORT=…`);
}

const isFree = (port) =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });

/** Fills demo data through the app's own use cases; idempotent. */
export const seed = (url) => fill(url, "seed");
/** Installs only the library; idempotent. */
export const installLibrary = (url) => fill(url, "library");

async function fill(url, content) {
  const answer = await fetch(`${url}/local/${content}`, { method: "POST", headers: { Origin: url } });
  if (!answer.ok) throw new Error(`Filling the database failed: ${answer.status} ${await answer.text()}`);
  return answer.json();
}
