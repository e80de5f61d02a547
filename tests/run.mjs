// `npm test`: installs what it needs (a browser included), then types, lint, unit, workers, history, journeys.
// `--check` stops before the journeys; `--journeys` runs only them, `--pictures` takes the pictures of the README, and
// `--tasks` counts the presses of ten tasks.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { ROOT, run as runProcess } from "../workers/local/processes.mjs";
import { ensureBuilt, ensureInstalled } from "../workers/local/tools.mjs";
import { ensureBrowser } from "./support/browser.mjs";
import "./support/memory.mjs";

const only = process.argv[2];
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

async function vitest(project, options) {
  const file = join(results, `${project}.json`);
  const args = ["run", "-c", "tests/vitest.config.ts", "--project", project];
  try {
    await run("vitest", [...args, "--reporter=default", "--reporter=json", `--outputFile=${file}`], options);
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

/** Runs all journeys in two halves, each with its own server and database; selected journeys run together. */
async function journeys() {
  const asked = process.argv.slice(only ? 3 : 2);
  const browser = await ensureBrowser();
  await ensureBuilt();
  if (asked.length > 0) return journeysOf("all", FIRST_PORT, browser, asked);
  const halves = await Promise.allSettled(
    specsInHalves().map((specs, n) =>
      journeysOf(String(n + 1), FIRST_PORT + n * PORTS_OF_A_HALF, browser, specs),
    ),
  );
  const refused = halves.find(({ status }) => status === "rejected");
  if (refused) throw refused.reason;
}

/** The spec files, longest first, each in the half with less work so far. */
function specsInHalves() {
  const folder = join(ROOT, "tests/journeys");
  const specs = readdirSync(folder)
    .filter((name) => name.endsWith(".spec.ts"))
    .map((name) => ({ name, weight: statSync(join(folder, name)).size * (HEAVY[name] ?? 1) }));
  specs.sort((a, b) => b.weight - a.weight);
  const halves = [1, 2].map(() => ({ names: [], weight: 0 }));
  for (const { name, weight } of specs) {
    const half = halves.reduce((a, b) => (b.weight < a.weight ? b : a));
    half.names.push(`journeys/${name}`);
    half.weight += weight;
  }
  return halves.map(({ names }) => names);
}

/** How many times longer than its size suggests a file takes. */
const HEAVY = { "crash.spec.ts": 2, "development.spec.ts": 8, "waiting.spec.ts": 2 };

const FIRST_PORT = Number(process.env.JOURNEY_PORT ?? 8790);
/** A journey that kills its server restarts it on the next ports. */
const PORTS_OF_A_HALF = 5;

async function journeysOf(name, port, browser, asked) {
  const file = join(results, `journeys-${name}.json`);
  rmSync(file, { force: true });
  const config = ["test", "-c", "tests/playwright.config.ts", "--output", `test-results/${name}`];
  try {
    await run("playwright", [...config, ...asked], {
      env: {
        CHROMIUM_PATH: browser,
        JOURNEY_PORT: String(port),
        PLAYWRIGHT_JSON_OUTPUT_NAME: file,
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
  await ensureBuilt();
  await run("playwright", ["test", "-c", `tests/${name}.config.ts`, ...process.argv.slice(3)], { env });
}

mkdirSync(results, { recursive: true });
await ensureInstalled();
if (only === "--pictures" || only === "--tasks") {
  const name = only.slice(2);
  await step(name, () => specsOf(name));
  process.exit();
}
if (only !== "--journeys") {
  // These run in sequence beside the workerd tests, which often wait; they print only on failure.
  const quiet = { quiet: true };
  const beside = async () => {
    // The cache of the native compiler has reported errors that were mended.
    await step("types", () =>
      run("npm", ["run", "--silent", "types", "--", "--incremental", "false"], quiet),
    );
    await step("lint", async () => {
      await run("biome", ["check", "--error-on-warnings", "."], quiet);
      for (const mode of [[], ["--production"]]) await run("knip", ["--no-progress", ...mode], quiet);
    });
    await step("unit", () => vitest("unit", quiet));
    if (only === "--check") return;
    if (!(await step("build", ensureBuilt))) return;
    await step("built", () => vitest("built", quiet));
    await step("history", () => run("node", SHORT_HISTORY, quiet));
  };
  await Promise.all([beside(), step("workers", () => vitest("workers"))]);
}
if (only !== "--check") await step("journeys", journeys);

console.log(process.exitCode ? "\nSomething failed." : "\nAll is well.");
console.log(
  `Tests: ${counts.passed} passed, ${counts.failed} failed${counts.skipped ? `, ${counts.skipped} skipped` : ""}`,
);
// Last, where a shortened log still shows it.
for (const { name, message } of failedSteps) console.log(`Failed: ${name}\n${inShort(message)}`);
for (const name of failed.slice(0, 40)) console.log(`Failed: ${name}`);
if (failed.length > 40) console.log(`… and ${failed.length - 40} more.`);
for (const name of flaky) console.log(`Flaky, passed only on a retry: ${name}`);
