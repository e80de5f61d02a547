// Mutation testing: changes one expression at a time, runs the tests that reach it, and reports whether one fails.
// npm run mutate -- --seed 1 --sample 1000 [files or folders …]; results stay in .cache/mutants, so a run resumes.
import { spawn } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, normalize, relative } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import ts from "typescript";
import { equivalentsOf } from "./equivalents.mjs";
import { allMutants, filesIn, hashOf, TARGETS } from "./find.mjs";

const ROOT = join(import.meta.dirname, "../..");
const CACHE = join(ROOT, ".cache/mutants");
const COVERAGE = join(CACHE, "coverage.json");
const RESULTS = join(CACHE, "results.jsonl");
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: "string", default: "1" },
    sample: { type: "string", default: "1000" },
    /** Test files per mutant, fastest first. */
    tests: { type: "string", default: "8" },
    /** The projects to run: unit, workers or all. */
    project: { type: "string", default: "all" },
    /** Reuses the recorded coverage of an earlier run, except for tests that are new or have changed. */
    kept: { type: "boolean", default: false },
    /** Prints earlier results and runs nothing. */
    report: { type: "boolean", default: false },
  },
});
mkdirSync(CACHE, { recursive: true });

// ---- a copy of the tree, so that edits during a run have no effect

const tree = mkdtempSync(join(tmpdir(), "mutants-"));
process.on("exit", () => rmSync(tree, { recursive: true, force: true }));
let child = null;
for (const name of ["SIGINT", "SIGTERM"])
  process.on(name, () => {
    if (child) end(child);
    process.exit(130);
  });
for (const entry of readdirSync(ROOT))
  if (!["node_modules", ".git", ".cache", ".wrangler", ".data", "build", "test-results"].includes(entry))
    cpSync(join(ROOT, entry), join(tree, entry), { recursive: true });
symlinkSync(join(ROOT, "node_modules"), join(tree, "node_modules"));
mkdirSync(join(CACHE, "vite"), { recursive: true });
mkdirSync(join(tree, ".cache"));
symlinkSync(join(CACHE, "vite"), join(tree, ".cache/vite"));
mkdirSync(join(tree, "build"));

const mutants = allMutants(tree);
const idOf = new Map(mutants.map(({ key }, id) => [key, id]));
const versions = Object.fromEntries(mutants.map(({ path, version }) => [path, version]));
const textOf = (path) => readFileSync(join(tree, path), "utf8");
const sources = ["app", "db", "workers", "tests"].flatMap((folder) => [...filesIn(tree, folder)]);
/** Cost tests check numbers; fuzzing and the built worker are slow. None of them tests a rule. */
const NO_TESTS = /^tests\/(load|fuzz|built|mutants)\//;
const tests = sources.filter((path) => /\.test\.tsx?$/.test(path) && !NO_TESTS.test(path));
const projectOf = (test) => (/\.workers\.test\./.test(test) ? "workers" : "unit");
const hashes = new Map(tests.map((test) => [test, hashOf(textOf(test))]));

// ---- the process that runs tests

const end = ({ pid }) => {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The process has already ended.
  }
};
const parsed = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};
const UNKNOWN_MS = 240_000;
/** How long a process may be silent: its start, and five times the longest recorded time of a file in the plan. */
const silenceOf = (runs) =>
  Math.max(
    ...runs.flat().map(({ test }) => {
      const file = coverage[test];
      return file?.isGreen ? 60_000 + 5 * file.tests.reduce((sum, { ms }) => sum + ms, 0) : UNKNOWN_MS;
    }),
  );

/**
 * Runs a plan and passes on each turn's report. Resolves to true when the plan is complete; rejects if the process ends
 * before the first, unchanged test.
 */
function take(project, runs, heard, complain = () => {}) {
  const silence = runs.flat().some((turn) => turn.isNotingReach) ? UNKNOWN_MS : silenceOf(runs);
  return new Promise((done, fail) => {
    const plan = join(tree, "plan.json");
    writeFileSync(plan, JSON.stringify({ project, runs, count: mutants.length }));
    child = spawn(process.execPath, [join(tree, "tests/mutants/turns.mjs")], {
      cwd: tree,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      // Property tests draw the same values for every mutant.
      env: {
        ...process.env,
        MUTANT_PLAN: plan,
        PROPERTY_SEED: "1",
        NODE_OPTIONS: "--max-old-space-size=3000",
      },
    });
    const running = child;
    let isWhole = false;
    let hasReported = false;
    let isHanging = false;
    let watch;
    const wait = () => {
      clearTimeout(watch);
      watch = setTimeout(() => {
        isHanging = true;
        end(running);
      }, silence);
    };
    let errors = "";
    running.stderr.on("data", (chunk) => {
      errors = (errors + chunk).slice(-2000);
    });
    wait();
    createInterface({ input: running.stdout }).on("line", (line) => {
      wait();
      if (/^@(mutants|error) /.test(line)) hasReported = true;
      if (line === "@mutants end") isWhole = true;
      else if (line.startsWith("@mutants ")) {
        // A process that ends in the middle of a line has not reported this turn.
        const report = parsed(line.slice("@mutants ".length));
        if (report) heard(report);
      } else if (line.startsWith("@error ")) complain(line);
    });
    running.on("close", () => {
      clearTimeout(watch);
      end(running);
      child = null;
      // Otherwise every mutant of the plan would count as a hang.
      const isUnchanged = runs[0][0].mutant === null;
      if (isUnchanged && !hasReported && !isHanging) fail(new Error(`The tests do not start:\n${errors}`));
      done(isWhole);
    });
  });
}

// ---- coverage: which test reaches which mutant

const bitsOf = (text) => Buffer.from(text, "base64");
const isSet = (bits, id) => ((bits[id >> 3] ?? 0) >> (id & 7)) & 1;

function readCoverage() {
  const kept = existsSync(COVERAGE) ? JSON.parse(readFileSync(COVERAGE, "utf8")) : { keys: [], files: {} };
  const isSame = kept.keys.length === mutants.length && kept.keys.every((key, id) => key === mutants[id].key);
  if (isSame) return kept.files;
  // After an edit of a file, the same mutants have other numbers.
  const move = (text) => {
    const before = bitsOf(text);
    const after = Buffer.alloc((mutants.length >> 3) + 1);
    for (const [from, key] of kept.keys.entries()) {
      const to = idOf.get(key);
      if (to !== undefined && isSet(before, from)) after[to >> 3] |= 1 << (to & 7);
    }
    return after.toString("base64");
  };
  for (const file of Object.values(kept.files)) {
    file.outside = move(file.outside);
    for (const one of file.tests) one.reached = move(one.reached);
  }
  return kept.files;
}
const coverage = readCoverage();
const writeCoverage = () =>
  writeFileSync(COVERAGE, JSON.stringify({ keys: mutants.map(({ key }) => key), files: coverage }));

/** The test or a file that it reaches has changed; or it failed, as tests may on a busy machine. */
const isOutdated = (test) => {
  const kept = coverage[test];
  if (options.kept) return kept?.hash !== hashes.get(test);
  return (
    !kept?.isGreen ||
    kept.hash !== hashes.get(test) ||
    Object.entries(kept.versions).some(([path, version]) => versions[path] !== version)
  );
};

/** Tests of the targets first, so that an interrupted run has done the most useful part. */
const ORDER = [...TARGETS, "workers/adapters", "db", "app/http", "workers"];
const orderOf = (test) => ORDER.findIndex((folder) => test.startsWith(`${folder}/`)) >>> 0;

async function cover(project, outdated) {
  const turns = outdated.map((test) => ({ test, mutant: null, only: null, isNotingReach: true }));
  const found = new Map();
  const finish = (test, result, outside) => {
    const own = found.get(test) ?? [];
    const all = [outside, ...own.map(({ reached }) => reached)].map(bitsOf);
    const paths = new Set(
      mutants.filter((_, id) => all.some((bits) => isSet(bits, id))).map(({ path }) => path),
    );
    coverage[test] = {
      hash: hashes.get(test),
      versions: Object.fromEntries([...paths].map((path) => [path, versions[path]])),
      isGreen: result === "passed",
      /** Tests of a file count as independent until a run shows otherwise. */
      areApart: coverage[test]?.areApart ?? true,
      tests: own,
      outside,
    };
    writeCoverage();
    console.log(
      `covered ${test}: ${own.length} tests, ${own.reduce((sum, { ms }) => sum + ms, 0)} ms, ${result}`,
    );
  };
  const hear = ({ at, name, reached, ms, result, outside }) => {
    const { test } = turns[at];
    if (name === undefined) finish(test, result, outside);
    else found.set(test, [...(found.get(test) ?? []), { name, ms, reached }]);
  };
  await take(project, [turns], hear, console.log);
}
const projects = ["unit", "workers"].filter((one) => options.project === "all" || options.project === one);
if (!options.report)
  for (const project of projects) {
    const open = () =>
      tests
        .filter((test) => projectOf(test) === project && isOutdated(test))
        .sort((a, b) => orderOf(a) - orderOf(b) || textOf(a).length - textOf(b).length);
    for (let before = Number.POSITIVE_INFINITY; open().length < before; ) {
      before = open().length;
      if (before > 0) await cover(project, open());
    }
    for (const test of open()) console.log(`no coverage of ${test}: it does not load or does not end`);
  }

// ---- the tests of a mutant

const known = new Set(sources);
function resolve(from, specifier) {
  const path = specifier.startsWith(".")
    ? relative(tree, normalize(join(tree, dirname(from), specifier)))
    : specifier.replace(/^~\//, "app/").replace(/^#(db|workers|tests)\//, "$1/");
  return [path, `${path}.ts`, `${path}.tsx`].find((one) => known.has(one));
}
/** file → the files that import it. */
const importers = new Map();
for (const path of sources)
  for (const { fileName } of ts.preProcessFile(textOf(path), true, true).importedFiles) {
    const to = resolve(path, fileName);
    if (to) importers.set(to, [...(importers.get(to) ?? []), path]);
  }
/** file → the number of imports between. */
const distances = new Map();
function distancesFrom(file) {
  const distance = distances.get(file) ?? new Map([[file, 0]]);
  if (distances.has(file)) return distance;
  distances.set(file, distance);
  const open = [file];
  for (let at = open.shift(); at; at = open.shift())
    for (const next of importers.get(at) ?? [])
      if (!distance.has(next)) {
        distance.set(next, distance.get(at) + 1);
        open.push(next);
      }
  return distance;
}

const decoded = Object.entries(coverage)
  .filter(([test, { isGreen }]) => hashes.has(test) && isGreen && projects.includes(projectOf(test)))
  .map(([test, file]) => {
    const own = file.tests.map((one) => ({ ...one, bits: bitsOf(one.reached) }));
    const breadth = own.reduce((sum, { bits }) => sum + bits.reduce((n, byte) => n + (byte ? 1 : 0), 0), 0);
    return { test, file, own, outside: bitsOf(file.outside), breadth };
  });
const isReachedOutside = (id) => decoded.some(({ outside }) => isSet(outside, id));

const wordsOf = (path) => (path.split("/").at(-1) ?? "").replace(/\..*$/, "").split("-");
/** Tests named after the mutant's file find it most often. */
const isNamesake = (test, path) => wordsOf(test).some((word) => wordsOf(path).includes(word));

/** The test files that reach a mutant, fastest, narrowest and of the same name first. */
function candidatesOf(id) {
  const reaching = decoded
    .map(({ test, file, own, outside, breadth }) => {
      const names = own.filter(({ bits }) => isSet(bits, id));
      if (names.length === 0) return null;
      // A mutant that runs before the tests (`beforeAll`, tables of cases) may affect any of them.
      const isEverywhere = isSet(outside, id) === 1 || !file.areApart;
      const chosen = isEverywhere ? own : names;
      const ms = chosen.reduce((sum, one) => sum + one.ms, 0) + (projectOf(test) === "unit" ? 20 : 1500);
      return {
        test,
        only: isEverywhere ? null : names.map(({ name }) => name),
        isLoaded: false,
        rank: (ms * Math.sqrt(breadth / own.length)) / (isNamesake(test, mutants[id].path) ? 10 : 1),
      };
    })
    .filter((one) => one !== null);
  const distance = distancesFrom(mutants[id].path);
  // Code at module level runs in every test file that imports it.
  const loaded = isReachedOutside(id)
    ? decoded
        .filter(({ test }) => distance.has(test) && !reaching.some((one) => one.test === test))
        .map(({ test }) => ({ test, only: null, isLoaded: true, rank: 1e6 * distance.get(test) }))
    : [];
  const isOnlyLoaded = reaching.length === 0;
  return [...reaching, ...(isOnlyLoaded ? loaded : [])]
    .sort(
      (a, b) =>
        projectOf(a.test).localeCompare(projectOf(b.test)) || a.rank - b.rank || a.test.localeCompare(b.test),
    )
    .slice(0, Number(options.tests));
}

// ---- the sample, and earlier results

const wanted = positionals.length > 0 ? positionals : TARGETS;
const folderOf = (path) => TARGETS.find((folder) => path.startsWith(`${folder}/`));
const sample = mutants
  .map((mutant, id) => ({ ...mutant, id, order: hashOf(options.seed, mutant.key) }))
  .filter(({ path }) => wanted.some((one) => path === one || path.startsWith(`${one.replace(/\/$/, "")}/`)))
  .sort((a, b) => a.order.localeCompare(b.order))
  .slice(0, Number(options.sample))
  .sort((a, b) => TARGETS.indexOf(folderOf(a.path)) - TARGETS.indexOf(folderOf(b.path)) || a.id - b.id);
const isEquivalent = equivalentsOf(tree);
const counted = sample.filter((mutant) => !isEquivalent(mutant));

const killers = new Map();
const passed = new Set();
const note = ({ key, version, test, hash, result, failure }) => {
  const mutant = mutants[idOf.get(key) ?? -1];
  if (mutant?.version !== version) return;
  if (result === "passed") passed.add(`${key} ${test} ${hash}`);
  else killers.set(key, { test, result, failure });
};
if (existsSync(RESULTS))
  for (const line of readFileSync(RESULTS, "utf8").split("\n")) if (line) note(JSON.parse(line));
const keep = (row) => {
  appendFileSync(RESULTS, `${JSON.stringify(row)}\n`);
  note(row);
};

const openOf = (mutant) =>
  killers.has(mutant.key)
    ? []
    : mutant.candidates.filter(({ test }) => !passed.has(`${mutant.key} ${test} ${hashes.get(test)}`));

// ---- the runs

const GROUP = 25;
const PLAN = { unit: 400, workers: 60 };
/** Test files that fail without a mutant: they prove nothing. */
const broken = new Set();
/** Turns after which a process hung, and how often. */
const silent = new Map();
const pairOf = ({ key }, test) => `${key} ${test}`;
/** Mutants killed by tests that then also failed without a mutant: each runs again alone. */
const alone = new Set();

function* plansOf(project) {
  for (const mutant of counted) mutant.candidates = candidatesOf(mutant.id);
  const round = new Map();
  const apart = [];
  for (const mutant of counted) {
    const open = openOf(mutant).filter(({ test }) => !broken.has(test));
    const [next] = open;
    if (!next || projectOf(next.test) !== project) continue;
    const pair = { mutant, ...next };
    if (next.isLoaded)
      // The process that has loaded the mutant runs all its test files.
      apart.push(
        open.filter(({ test }) => projectOf(test) === project).map((candidate) => ({ mutant, ...candidate })),
      );
    else if (alone.has(pairOf(mutant, next.test)) || silent.has(pairOf(mutant, next.test)))
      apart.push([pair]);
    else round.set(next.test, [...(round.get(next.test) ?? []), pair]);
  }
  let groups = [];
  let size = 0;
  for (const [test, pairs] of round)
    for (let at = 0; at < pairs.length; at += GROUP) {
      const group = pairs.slice(at, at + GROUP);
      groups.push({ test, pairs: group });
      size += group.length + 2;
      if (size < PLAN[project]) continue;
      yield { groups, apart: [] };
      groups = [];
      size = 0;
    }
  if (groups.length > 0) yield { groups, apart: [] };
  for (let at = 0; at < apart.length; at += 20) yield { groups: [], apart: apart.slice(at, at + 20) };
}

async function run(project, { groups, apart }) {
  const turnOf = (pair) => ({
    test: pair.test,
    mutant: pair.mutant.id,
    only: pair.only,
    isNotingReach: false,
  });
  /** A turn without a mutant. When some tests fail without those before them, the file runs whole. */
  const asIs = (test, only) => ({
    test,
    mutant: null,
    only: coverage[test].areApart ? only : null,
    tests: coverage[test].tests.length,
    isNotingReach: false,
  });
  const slots = [];
  const shared = groups.flatMap((group) => {
    const turns = [asIs(group.test, "even"), ...group.pairs.map(turnOf), asIs(group.test, "late")];
    for (const [at] of turns.entries())
      slots.push({ group, pair: group.pairs[at - 1] ?? null, isLast: at === turns.length - 1 });
    group.rows = [];
    return turns;
  });
  for (const pair of apart.flat()) slots.push({ group: null, pair, isLast: true });
  const runs = [...(shared.length > 0 ? [shared] : []), ...apart.map((pairs) => pairs.map(turnOf))];

  const rowOf = ({ mutant, test }, { result, failure, ms }) => ({
    key: mutant.key,
    version: mutant.version,
    test,
    hash: hashes.get(test),
    result,
    failure,
    ms,
  });
  let next = 0;
  const settle = (slot, line) => {
    const { group, pair, isLast } = slot;
    if (pair && !group) return keep(rowOf(pair, line));
    if (pair) return void group.rows.push(rowOf(pair, line));
    const isGreen = line.result === "passed";
    if (!isGreen && coverage[group.test].areApart) {
      coverage[group.test].areApart = false;
      writeCoverage();
      group.isVoid = true;
    } else if (!isGreen && !isLast) {
      console.log(`fails as it is: ${group.test}: ${line.failure}`);
      broken.add(group.test);
    }
    if (!isLast || group.isVoid || broken.has(group.test)) return;
    for (const row of group.rows)
      if (isGreen || row.result === "passed") keep(row);
      else alone.add(`${row.key} ${row.test}`);
  };
  const isWhole = await take(project, runs, (line) => {
    // A file that fails to load sends no report.
    while (next < line.at) settle(slots[next++], { result: "failed", failure: "does not load", ms: 0 });
    if (line.at !== next) return;
    if (line.result === "skipped") next += 1;
    else settle(slots[next++], line);
  });
  if (isWhole) {
    while (next < slots.length) settle(slots[next++], { result: "failed", failure: "does not load", ms: 0 });
    return;
  }
  // Turns before the hang count; the hanging turn runs again alone.
  for (const group of groups) if (!broken.has(group.test)) for (const row of group.rows) keep(row);
  const pair = slots[next]?.pair;
  if (!pair) return;
  const name = pairOf(pair.mutant, pair.test);
  silent.set(name, (silent.get(name) ?? 0) + 1);
  if (silent.get(name) > 1)
    keep(rowOf(pair, { result: "timeout", failure: "no end", ms: silenceOf([[pair]]) }));
}

for (const mutant of counted) mutant.candidates = candidatesOf(mutant.id);
const started = Date.now();
const killedCount = () => counted.filter(({ key }) => killers.has(key)).length;
if (!options.report)
  for (const project of projects)
    for (let round = 1, isOpen = true; isOpen; round++) {
      isOpen = false;
      for (const plan of plansOf(project)) {
        isOpen = true;
        await run(project, plan);
        console.log(
          `${new Date().toISOString().slice(11, 19)} ${project} round ${round}: killed ${killedCount()} of ${counted.length}, ` +
            `open ${counted.filter((mutant) => openOf(mutant).length > 0).length}`,
        );
      }
    }

// ---- the report

const percent = (part, whole) => (whole === 0 ? "—" : `${((part / whole) * 100).toFixed(1)} %`);
const survivors = counted.filter(({ key }) => !killers.has(key));
const lines = survivors.map((mutant) => {
  const state =
    mutant.candidates.length === 0 ? "not covered" : openOf(mutant).length > 0 ? "not run" : "survived";
  const by = mutant.candidates.map(({ test }) => test).join(" ");
  return `${state.padEnd(11)} ${mutant.path}:${mutant.line} ${mutant.label}\n            ${by}`;
});
writeFileSync(join(CACHE, "survivors.txt"), `${lines.join("\n")}\n`);
console.log(
  `\nseed ${options.seed}: ${sample.length} of ${mutants.length} mutants, ${Math.round((Date.now() - started) / 60_000)} minutes`,
);
console.log("folder            mutants  equivalent  killed  survived  not covered  not run  score");
for (const folder of [...TARGETS, ""]) {
  const own = (list) => list.filter(({ path }) => path.startsWith(folder));
  const judged = own(counted);
  const killed = judged.filter(({ key }) => killers.has(key)).length;
  const is = (state) =>
    own(survivors).filter((one) => lines[survivors.indexOf(one)].startsWith(state)).length;
  console.log(
    [
      (folder || "all").padEnd(16),
      String(own(sample).length).padStart(8),
      String(own(sample).length - judged.length).padStart(11),
      String(killed).padStart(7),
      String(is("survived")).padStart(9),
      String(is("not covered")).padStart(12),
      String(is("not run")).padStart(8),
      percent(killed, judged.length - is("not run")).padStart(8),
    ].join(" "),
  );
}
console.log(`The survivors are in ${relative(ROOT, join(CACHE, "survivors.txt"))}.`);
