// Tools start by Node and their own entry, and end with their children, without shims and groups of processes.
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { windowsProblem } from "./packages.mjs";
import { commandOf, descendantsIn, endTree, isAlive, ROOT, run, start } from "./processes.mjs";

test.each(["biome", "knip", "playwright", "remix", "vitest", "wrangler"])(
  "%s starts as Node with the entry of its package",
  (name) => {
    const [program, [entry = "", ...args]] = commandOf(name, ["--help"]) as [string, string[]];
    expect(program).toBe(process.execPath);
    expect(entry).toMatch(/node_modules\/(?!\.bin)/);
    expect(readFileSync(entry, "utf8").length).toBeGreaterThan(0);
    expect(args).toEqual(["--help"]);
  },
);

test("no command of ours starts a shim or leads a group of processes", () => {
  const folder = join(ROOT, "workers/local");
  const sources = readdirSync(folder).filter((name) => name.endsWith(".mjs"));
  const found = sources.filter((name) =>
    /detached|process\.kill\(-|spawn\("|shell: true/.test(readFileSync(join(folder, name), "utf8")),
  );
  expect(found).toEqual([]);
});

test("the descendants of a process are its children and theirs", () => {
  const list = "  1     0\n 10     1\n 11    10\n 12    11\n 13    10\n 20     1\n";
  expect(descendantsIn(list, 10)).toEqual([11, 12, 13]);
  expect(descendantsIn(list, 12)).toEqual([]);
});

/** A process with a child that ignores SIGTERM; both print their ids. */
const FAMILY = `
const { spawn } = require("node:child_process");
const child = spawn(process.execPath, ["-e", "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('ready')"], { stdio: "pipe" });
child.stdout.once("data", () => console.log(child.pid));
if (process.argv[1] === "deaf") process.on("SIGTERM", () => {});
setInterval(() => {}, 1000);
`;

/** A process that ended may wait for its parent to notice. */
const isRunning = (id: number) => {
  try {
    return !/^Z/.test(execFileSync("ps", ["-o", "stat=", "-p", String(id)], { encoding: "utf8" }).trim());
  } catch {
    return false;
  }
};

test.each([
  ["gently", "listening", { isGentle: true }],
  ["at once", "deaf", { isGentle: false }],
])("a process ends %s with a child that ignores signals", async (_, kind, how) => {
  const parent = start("node", ["-e", FAMILY, kind], { stdio: ["ignore", "pipe", "inherit"] });
  const [said] = (await once(parent.stdout ?? parent, "data")) as [Buffer];
  const child = Number(String(said));
  expect([isAlive(parent.pid), isRunning(child)]).toEqual([true, true]);
  await endTree(parent, how);
  await expect.poll(() => [isAlive(parent.pid), isRunning(child)]).toEqual([false, false]);
});

const address = (name: string) => pathToFileURL(join(ROOT, `workers/local/${name}.mjs`)).href;
/** A start at the step of a command, as it installs and builds. */
const STARTING = `
import { endOnSignals, endWithSentence } from ${JSON.stringify(address("run-local"))};
import { run } from ${JSON.stringify(address("processes"))};
endOnSignals();
try {
  await run("node", ["-e", process.argv[1]]);
} catch (error) {
  await endWithSentence(error);
}
`;

/** Runs `source`, whose command runs `script`; `printed()` is its output so far. */
function startOf(source: string, script: string) {
  const parent = start("node", ["--input-type=module", "-e", source, script], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  for (const stream of [parent.stdout, parent.stderr]) stream?.on("data", (data) => (printed += data));
  return { parent, printed: () => printed };
}

test("Ctrl-C while a command of a start runs ends it with its children, in one word", async () => {
  const { parent, printed } = startOf(STARTING, FAMILY);
  await expect.poll(printed, { timeout: 10_000 }).toMatch(/^\d+\n$/);
  const child = Number(printed());
  parent.kill("SIGINT");
  const [code] = await once(parent, "close");
  expect([code, printed()]).toEqual([0, `${child}\nStopped.\n`]);
  await expect.poll(() => isRunning(child)).toBe(false);
});

test("Ctrl-C prints one word when a start notices the end of its command before the signal", async () => {
  const noticedFirst = STARTING.replace(
    "await endWithSentence(error);",
    'const ending = endWithSentence(error); process.kill(process.pid, "SIGINT"); await ending;',
  );
  const { parent, printed } = startOf(noticedFirst, "process.exit(1)");
  const [code] = await once(parent, "close");
  expect([code, printed()]).toEqual([0, "Stopped.\n"]);
});

test("native Windows is called untested, and names WSL where nothing can run", () => {
  expect(windowsProblem({ platform: "linux", arch: "arm64" })).toBeNull();
  expect(windowsProblem({ platform: "darwin", arch: "arm64" })).toBeNull();
  expect(windowsProblem({ platform: "win32", arch: "x64" })).toMatchObject({ isFatal: false });
  expect(windowsProblem({ platform: "win32", arch: "arm64" })).toEqual({
    isFatal: true,
    sentence: "Native Windows on arm64 cannot run this. Use WSL.",
  });
});

test("a command that takes longer than its limit is ended, and its error says so", async () => {
  const endless = ["-e", "setInterval(() => {}, 1000)"];
  await expect(run("node", endless, { quiet: true, limitMs: 300 })).rejects.toThrow(/at the limit of time/);
});
