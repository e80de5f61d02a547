// Mutation testing: changes one expression at a time in a copy of the tree, and reports which changes no test notices.
//   npm run mutate -- [--drawn 200] [--seed 1] [--since COMMIT] [--tests 6] [--again] [files or folders …]
import { spawn } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { draw, testsFor } from "./draw.mjs";
import "../support/memory.mjs";
import { FIXED_SEED } from "../tiers.mjs";
import { equivalentsOf } from "./equivalents.mjs";
import { TARGETS } from "./find.mjs";

const ROOT = join(import.meta.dirname, "../..");
const CACHE = join(ROOT, ".cache/mutants");
const SURVIVORS = join(CACHE, "survivors.json");
/** A run of tests that takes longer hangs. Milliseconds. */
const LONGEST = 240_000;
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    drawn: { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
    /** Only lines that changed after this commit. */
    since: { type: "string" },
    /** Test files for a mutant, the nearest first. */
    tests: { type: "string", default: "6" },
    /** Only the survivors of the run before. */
    again: { type: "boolean", default: false },
  },
});

const isEquivalent = equivalentsOf(ROOT);
const before = options.again ? new Set(JSON.parse(readFileSync(SURVIVORS, "utf8"))) : null;
const mutants = await draw(ROOT, {
  ...options,
  count: before ? Number.POSITIVE_INFINITY : Number(options.drawn),
  folders: positionals,
  isEquivalent: (mutant) => isEquivalent(mutant) || (before !== null && !before.has(mutant.key)),
});

// ---- a copy of the tree, so that edits during a run have no effect

mkdirSync(join(CACHE, "vite"), { recursive: true });
const tree = mkdtempSync(join(tmpdir(), "mutants-"));
process.on("exit", () => rmSync(tree, { recursive: true, force: true }));
for (const entry of readdirSync(ROOT))
  if (!["node_modules", ".git", ".cache", ".wrangler", ".data", "build", "test-results"].includes(entry))
    cpSync(join(ROOT, entry), join(tree, entry), { recursive: true });
symlinkSync(join(ROOT, "node_modules"), join(tree, "node_modules"));
mkdirSync(join(tree, ".cache"));
symlinkSync(join(CACHE, "vite"), join(tree, ".cache/vite"));
// wrangler.toml names it.
mkdirSync(join(tree, "build/client"), { recursive: true });

// ---- the process that runs tests

let child = null;
function end() {
  try {
    if (child) process.kill(-child.pid, "SIGKILL");
  } catch {
    // The process has already ended.
  }
}
process.on("exit", end);
for (const name of ["SIGINT", "SIGTERM"]) process.on(name, () => process.exit(130));

/** The first failure of these test files of a project, or null. A project's worker serves a single run. */
function failureOf(project, tests) {
  return new Promise((resolve) => {
    const turn = [join(tree, "tests/mutants/turn.mjs"), project, ...tests, "--project", project];
    child = spawn(process.execPath, turn, {
      cwd: tree,
      detached: true,
      stdio: ["ignore", "pipe", "ignore"],
      // Property tests draw the same values for every mutant.
      env: { ...process.env, PROPERTY_SEED: FIXED_SEED },
    });
    let failure = { file: null, says: "no end" };
    const watch = setTimeout(end, LONGEST);
    createInterface({ input: child.stdout }).on("line", (line) => {
      if (line.startsWith("@turn ")) failure = JSON.parse(line.slice("@turn ".length));
    });
    child.on("close", () => {
      clearTimeout(watch);
      end();
      resolve(failure);
    });
  });
}

// ---- the mutants

const projectOf = (test) => (/\.workers\.test\./.test(test) ? "workers" : "unit");
const nearest = testsFor(tree);
/** Test file → whether it passes without a mutant: otherwise its failures prove nothing. */
const greens = new Map();
async function isGreen(test) {
  if (!greens.has(test)) greens.set(test, (await failureOf(projectOf(test), [test])) === null);
  return greens.get(test);
}

/** The failure that kills a mutant, or null. */
async function killerOf(mutant) {
  const path = join(tree, mutant.path);
  const text = readFileSync(path, "utf8");
  const tests = nearest(mutant, Number(options.tests));
  for (const project of ["unit", "workers"]) {
    let own = tests.filter((test) => projectOf(test) === project && greens.get(test) !== false);
    while (own.length > 0) {
      writeFileSync(path, mutant.changed);
      const failure = await failureOf(project, own);
      writeFileSync(path, text);
      if (failure === null) break;
      const { file, says } = failure;
      const isProof = file === null ? (await failureOf(project, own)) === null : await isGreen(file);
      if (isProof) return `${file ?? own.join(" ")}: ${says}`;
      console.log(`fails as it is: ${file ?? own.join(" ")}`);
      if (file === null) break;
      own = own.filter((test) => test !== file);
    }
  }
  return null;
}

const started = Date.now();
const survivors = [];
const scores = new Map();
const count = (group, isKilled) => {
  const [killed = 0, all = 0] = scores.get(group) ?? [];
  scores.set(group, [killed + (isKilled ? 1 : 0), all + 1]);
};
console.log(`seed ${options.seed}: ${mutants.length} mutants`);
const folderOf = (path) => TARGETS.find((folder) => path.startsWith(`${folder}/`));
for (const [n, mutant] of mutants.entries()) {
  const failure = await killerOf(mutant);
  for (const group of [folderOf(mutant.path), mutant.kind, "all"]) count(group, failure !== null);
  if (failure === null) survivors.push(mutant);
  console.log(
    `${n + 1} ${failure === null ? "SURVIVED" : "killed"} ${mutant.path}:${mutant.line} ${mutant.label}` +
      (failure === null
        ? `\n    ${nearest(mutant, Number(options.tests)).join(" ")}`
        : `\n    ${failure.slice(0, 200)}`),
  );
}

writeFileSync(SURVIVORS, JSON.stringify(survivors.map(({ key }) => key)));
console.log(
  `\nseed ${options.seed}, ${Math.round((Date.now() - started) / 60_000)} minutes; killed of drawn:`,
);
for (const [group, [killed, all]] of scores) console.log(`${group.padEnd(18)} ${killed} of ${all}`);
for (const { path, line, label } of survivors) console.log(`survived ${path}:${line} ${label}`);
