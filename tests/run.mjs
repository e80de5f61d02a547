// `npm test`: installs what it needs (a browser included), then runs the steps of tests/tiers.mjs. `--all` adds the rest,
// `--all --rest` runs only the rest, and `--all NAME …` those steps. `--check` runs those without a browser or a build;
// `--journeys` runs journeys, `--pictures` takes the pictures of the README, `--tasks` counts the presses of ten tasks.
import { execFileSync } from "node:child_process";
import { createHash, randomInt } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { ROOT, run as runProcess } from "../workers/local/processes.mjs";
import { ensureBuilt, ensureInstalled, readStamp, writeStamp } from "../workers/local/tools.mjs";
import { ensureBrowser } from "./support/browser.mjs";
import "./support/memory.mjs";
import {
  DRAWN_JOURNEYS,
  drawingFiles,
  FIXED_SEED,
  JOURNEYS,
  MAIN,
  MAIN_TAG,
  REPOSITORY,
  REST,
  SWEEPS,
} from "./tiers.mjs";

const [only, ...asked] = process.argv.slice(2);
const counts = { passed: 0, failed: 0, skipped: 0 };
const failed = [];
const flaky = [];
const failedSteps = [];
const results = join(ROOT, ".cache/results");

/** All steps together; a step that hangs is stopped then, and named. */
const LIMIT_MINUTES = Number(process.env.TEST_MINUTES ?? 60);
const deadline = Date.now() + LIMIT_MINUTES * 60_000;
const run = (name, args, options = {}) =>
  runProcess(name, args, { ...options, limitMs: Math.max(1, deadline - Date.now()) });

async function step(name, work) {
  const started = Date.now();
  console.log(`— ${name}`);
  try {
    await work();
    console.log(`  ${name}: ${((Date.now() - started) / 1000).toFixed(1)} s`);
    return true;
  } catch (error) {
    console.error(error.message);
    console.error(`  ${name} failed after ${((Date.now() - started) / 1000).toFixed(1)} s`);
    process.exitCode = 1;
    failedSteps.push({ name, message: error.message });
    return false;
  }
}

/** Runs these projects, or these files of theirs. */
async function vitest(
  name,
  projects,
  { files = [], except = [], flags = [], seed = FIXED_SEED, isQuiet = true } = {},
) {
  const file = join(results, `${name}.json`);
  rmSync(file, { force: true });
  const args = [
    "run",
    "-c",
    "tests/vitest.config.ts",
    ...projects.flatMap((project) => ["--project", project]),
  ];
  const reports = ["--reporter=default", "--reporter=json", `--outputFile=${file}`];
  try {
    const env = { PROPERTY_SEED: seed, EXCEPT_TESTS: except.join(" ") };
    await run("vitest", [...args, ...flags, ...reports, ...files], { quiet: isQuiet, env });
  } finally {
    if (existsSync(file)) {
      const report = JSON.parse(readFileSync(file, "utf8"));
      counts.passed += report.numPassedTests;
      counts.failed += report.numFailedTests;
      counts.skipped += report.numPendingTests;
      failed.push(...failedIn(report));
    }
  }
}

/** Tests that failed, and files that could not run, in a report of vitest. */
const failedIn = ({ testResults }) =>
  testResults.flatMap(({ name, status, message, assertionResults }) => {
    const titles = assertionResults.filter((one) => one.status === "failed").map((one) => one.fullName);
    if (titles.length === 0 && status === "failed") titles.push(message.split("\n", 1)[0]);
    return titles.map((title) => `${relative(ROOT, name)}: ${title}`);
  });

/** A dozen people and a few kills; `npm run test:long -- history` has fifty people and a hundred runs. */
const SHORT_HISTORY = ["tests/long/history.mjs", "--runs", "1", "--seconds", "15", "--people", "12"];

/** Several steps need the build, which is made once. */
let build;
const built = () => (build ??= ensureBuilt());

/** The spec files by size, longest first, each in the half with less work so far. */
function specsOfHalf(half) {
  const specs = readdirSync(join(ROOT, JOURNEYS))
    .filter((name) => name.endsWith(".spec.ts"))
    .map((name) => ({ name, weight: statSync(join(ROOT, JOURNEYS, name)).size * (HEAVY[name] ?? 1) }));
  specs.sort((a, b) => b.weight - a.weight);
  const halves = [1, 2].map(() => ({ names: [], weight: 0 }));
  for (const { name, weight } of specs) {
    const lighter = halves.reduce((a, b) => (b.weight < a.weight ? b : a));
    lighter.names.push(`journeys/${name}`);
    lighter.weight += weight;
  }
  return halves[half - 1].names;
}

/** How many times longer than its size suggests a file takes. */
const HEAVY = { "crash.spec.ts": 2, "development.spec.ts": 8, "waiting.spec.ts": 2 };

const FIRST_PORT = Number(process.env.JOURNEY_PORT ?? 8790);
/** A journey that kills its server restarts it on the next ports. */
const PORTS_OF_A_SERVER = 5;

/** Runs journeys on a server and a database of their own, at the ports of this place. */
async function journeys(name, place, args, env = {}) {
  const file = join(results, `${name}.json`);
  rmSync(file, { force: true });
  const config = ["test", "-c", "tests/playwright.config.ts", "--output", `test-results/${name}`];
  const [browser] = await Promise.all([ensureBrowser(), built()]);
  try {
    await run("playwright", [...config, ...args], {
      env: {
        CHROMIUM_PATH: browser,
        JOURNEY_PORT: String(FIRST_PORT + place * PORTS_OF_A_SERVER),
        PLAYWRIGHT_JSON_OUTPUT_NAME: file,
        ...env,
      },
    });
  } finally {
    if (existsSync(file)) {
      const { stats, suites } = JSON.parse(readFileSync(file, "utf8"));
      flaky.push(...journeysThat("flaky", suites));
      failed.push(...journeysThat("unexpected", suites));
      counts.passed += stats.expected + stats.flaky;
      counts.failed += stats.unexpected;
      counts.skipped += stats.skipped;
    }
  }
}

/** Journeys with this status. A `flaky` one passed only on a retry; with CI set Playwright fails the run for it. */
const journeysThat = (status, suites) =>
  suites.flatMap((suite) => [
    ...journeysThat(status, suite.suites ?? []),
    ...(suite.specs ?? [])
      .filter((spec) => spec.tests.some((test) => test.status === status))
      .map((spec) => `${spec.file}: ${spec.title}`),
  ]);

/** The command that failed, and the end of its output. */
const inShort = (message) => {
  const [command, ...output] = message.trimEnd().split("\n");
  return [command, ...output.slice(-20)].join("\n");
};

/** Runs the specs of another configuration: `pictures` or `tasks`. */
async function specsOf(name) {
  const env = { CHROMIUM_PATH: await ensureBrowser(), JOURNEY_PORT: String(FIRST_PORT) };
  await built();
  await run("playwright", ["test", "-c", `tests/${name}.config.ts`, ...asked], { env });
}

const quiet = { quiet: true };
const drawnSeed = String(randomInt(1, 2 ** 31));
/** The pages that the journeys of accessibility draw in `npm test`. */
const FIXED_PAGES_SEED = "1";
const notMain = ["--grep-invert", MAIN_TAG];

/** The work of each step of tests/tiers.mjs. */
const STEPS = {
  workers: () => vitest("workers", ["workers"], { except: SWEEPS, isQuiet: false }),
  // The cache of the native compiler has reported errors that were mended.
  types: () => run("npm", ["run", "--silent", "types", "--", "--incremental", "false"], quiet),
  lint: async () => {
    await run("biome", ["check", "--error-on-warnings", "."], quiet);
    await run("depcruise", ["app", "db", "workers", "tests"], quiet);
    for (const mode of [[], ["--production"]]) await run("knip", ["--no-progress", ...mode], quiet);
  },
  build: built,
  "main-journeys": () => journeys("main-journeys", 0, ["--grep", MAIN_TAG], { PAGES_SEED: FIXED_PAGES_SEED }),
  // Pure code shares its modules: to load them again for each file takes half as long as the tests.
  unit: () => vitest("unit", ["unit"], { except: REPOSITORY, flags: ["--no-isolate"] }),
  repository: async () => {
    const mark = treeMark();
    if (mark && readStamp("repository") === mark) return console.log("  repository: nothing has changed");
    await vitest("repository", ["unit"], { files: REPOSITORY });
    writeStamp("repository", mark);
  },
  "journeys-1": () => journeys("journeys-1", 1, [...notMain, ...specsOfHalf(1)]),
  "journeys-2": () => journeys("journeys-2", 2, [...notMain, ...specsOfHalf(2)]),
  built: async () => {
    await built();
    await vitest("built", ["built"]);
  },
  history: async () => {
    await built();
    await run("node", SHORT_HISTORY, quiet);
  },
  sweeps: () => vitest("sweeps", ["workers"], { files: SWEEPS, seed: drawnSeed }),
  seeds: async () => {
    const seed = drawnSeed;
    console.log(`  PROPERTY_SEED=${seed} PAGES_SEED=${seed}`);
    const files = drawingFiles().filter((path) => !SWEEPS.includes(path));
    await vitest("seeds", ["unit", "workers"], { files, seed });
    await journeys("drawn-journeys", 3, [DRAWN_JOURNEYS], { PAGES_SEED: seed });
  },
};

/** A checksum of every file of the work tree and of the commit; empty without git. */
function treeMark() {
  const git = (...args) =>
    execFileSync("git", args, { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  try {
    const hash = createHash("sha256").update(git("rev-parse", "HEAD"));
    for (const path of new Set(git("ls-files", "-co", "--exclude-standard", "-z").split("\0").sort()))
      if (existsSync(join(ROOT, path)) && path)
        hash.update(`${path}\0`).update(readFileSync(join(ROOT, path)));
    return hash.digest("hex");
  } catch {
    return "";
  }
}

/** The steps that the command asks for. */
function stepsAsked() {
  if (only === "--check") return MAIN.filter((name) => !["build", "main-journeys"].includes(name));
  if (only === "--journeys") return ["main-journeys", "journeys-1", "journeys-2"];
  if (only !== "--all") return MAIN;
  if (asked[0] === "--rest") return REST;
  if (asked.length === 0) return [...MAIN, ...REST];
  const unknown = asked.filter((name) => !(name in STEPS));
  if (unknown.length > 0)
    throw new Error(`No step ${unknown.join(", ")}. There are: ${Object.keys(STEPS).join(", ")}.`);
  return asked;
}

/** Runs the steps on two hands: each takes the next, so that both have work until the end. */
async function runSteps(names) {
  const waiting = [...names];
  const hand = async () => {
    for (let name = waiting.shift(); name; name = waiting.shift()) await step(name, STEPS[name]);
  };
  await Promise.all([hand(), hand()]);
}

mkdirSync(results, { recursive: true });
await ensureInstalled();
if (only === "--pictures" || only === "--tasks") {
  const name = only.slice(2);
  await step(name, () => specsOf(name));
  process.exit();
}
if (only === "--journeys" && asked.length > 0) await step("journeys", () => journeys("journeys", 0, asked));
else await runSteps(stepsAsked());

console.log(process.exitCode ? "\nSomething failed." : "\nAll is well.");
console.log(
  `Tests: ${counts.passed} passed, ${counts.failed} failed${counts.skipped ? `, ${counts.skipped} skipped` : ""}`,
);
// Last, where a shortened log still shows it.
for (const { name, message } of failedSteps) console.log(`Failed: ${name}\n${inShort(message)}`);
for (const name of failed.slice(0, 40)) console.log(`Failed: ${name}`);
if (failed.length > 40) console.log(`… and ${failed.length - 40} more.`);
for (const name of flaky) console.log(`Flaky, passed only on a retry: ${name}`);
