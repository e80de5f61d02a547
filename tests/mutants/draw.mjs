// Chooses mutants by operator and seed, and the tests that should kill each.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, dirname, join, normalize, relative } from "node:path";
import { promisify } from "node:util";
import ts from "typescript";
import { filesIn, hashOf, mutantsOf, targetFiles } from "./find.mjs";

const run = promisify(execFile);

/** The lines that changed after a commit, each with its own commit; a moved or indented line keeps its date. */
async function changedLines(root, since, path) {
  const args = ["blame", "-w", "-C", "-C", "-s", `^${since}`, "--", path];
  const { stdout } = await run("git", args, { cwd: root, maxBuffer: 1e8 });
  return new Map(
    stdout.split("\n").flatMap((text, n) => {
      const [commit = "^"] = text.split(" ");
      return commit.startsWith("^") || commit === "" ? [] : [[n + 1, commit]];
    }),
  );
}

/** The tests that a commit changed beside its code. A commit of many files moved or renamed them. */
async function testsOf(root, commit) {
  const args = ["show", "--name-only", "--format=", commit];
  const { stdout } = await run("git", args, { cwd: root, maxBuffer: 1e8 }).catch(() => ({ stdout: "" }));
  const tests = stdout.split("\n").filter((path) => /\.test\.tsx?$/.test(path));
  return tests.length > 20 ? [] : tests;
}

async function changedFiles(root, since) {
  const args = ["diff", "--name-only", "--no-renames", since];
  const { stdout } = await run("git", args, { cwd: root, maxBuffer: 1e8 });
  return new Set(stdout.split("\n"));
}

/**
 * `count` mutants, of every operator as many as of the others as far as there are enough. `since`: a commit; only lines
 * that changed after it count.
 */
export async function draw(root, { count, seed, since, folders, isEquivalent }) {
  const changed = since ? await changedFiles(root, since) : null;
  const isWanted = (path) =>
    (changed?.has(path) ?? true) &&
    (folders.length === 0 ||
      folders.some((one) => path === one || path.startsWith(`${one.replace(/\/$/, "")}/`)));
  const byKind = new Map();
  for (const path of targetFiles(root).filter(isWanted))
    for (const mutant of mutantsOf(path, readFileSync(join(root, path), "utf8")))
      if (!isEquivalent(mutant)) byKind.set(mutant.kind, [...(byKind.get(mutant.kind) ?? []), mutant]);
  const order = ({ key }) => hashOf(seed, key);
  const decks = [...byKind.values()].map((deck) =>
    deck.sort((a, b) => order(a).localeCompare(order(b))).values(),
  );
  const lines = new Map();
  const isNew = async (mutant) => {
    mutant.tests = [];
    if (!since) return true;
    const { path, line } = mutant;
    if (!lines.has(path)) lines.set(path, await changedLines(root, since, path));
    const commit = lines.get(path).get(line);
    if (commit) mutant.tests = await testsOf(root, commit);
    return commit !== undefined;
  };
  const drawn = [];
  while (decks.length > 0 && drawn.length < count)
    for (const deck of [...decks]) {
      let next = deck.next();
      while (!next.done && !(await isNew(next.value))) next = deck.next();
      if (next.done) decks.splice(decks.indexOf(deck), 1);
      else if (drawn.length < count) drawn.push(next.value);
    }
  return drawn;
}

/** Cost tests check numbers; fuzzing and the built worker are slow. None of them tests a rule. */
const NO_TESTS = /^tests\/(load|fuzz|built|mutants|long|at-once)/;
const wordsOf = (path) => basename(path).replace(/\..*$/, "").split("-");

/** A function from a mutant to test files: beside its file, of its line's commit, then the nearest by imports and name. */
export function testsFor(root) {
  const sources = ["app", "db", "workers", "tests"].flatMap((folder) => [...filesIn(root, folder)]);
  const known = new Set(sources);
  const resolve = (from, specifier) => {
    const path = specifier.startsWith(".")
      ? relative(root, normalize(join(root, dirname(from), specifier)))
      : specifier.replace(/^~\//, "app/").replace(/^#(db|workers|tests)\//, "$1/");
    return [path, `${path}.ts`, `${path}.tsx`].find((one) => known.has(one));
  };
  const importers = new Map();
  const texts = new Map(sources.map((path) => [path, readFileSync(join(root, path), "utf8")]));
  const link = (from, to) => importers.set(to, [...(importers.get(to) ?? []), from]);
  for (const path of sources) {
    for (const { fileName } of ts.preProcessFile(texts.get(path), true, true).importedFiles) {
      const to = resolve(path, fileName);
      if (to) link(path, to);
    }
    // Requests reach pages and calls without an import.
    if (path.startsWith("app/routes/")) link("tests/support/visit.ts", path);
    if (path.startsWith("workers/api/")) link("tests/support/ask.ts", path);
  }
  return ({ path: file, tests }, most) => {
    const distance = new Map([[file, 0]]);
    for (const at of distance.keys())
      for (const next of importers.get(at) ?? [])
        if (!distance.has(next)) distance.set(next, distance.get(at) + 1);
    const rank = (test) => {
      const isBeside = dirname(test) === dirname(file) && wordsOf(test).join() === wordsOf(file).join();
      const namesakes = wordsOf(test).filter((word) => wordsOf(file).includes(word)).length;
      const isSameNoun = basename(dirname(test)) === basename(dirname(file));
      return (
        distance.get(test) -
        (isBeside ? 100 : 0) -
        (tests.includes(test) ? 50 : 0) -
        2 * namesakes -
        (isSameNoun ? 2 : 0) +
        texts.get(test).length / 1e5
      );
    };
    return [...distance.keys()]
      .filter((path) => /\.test\.tsx?$/.test(path) && !NO_TESTS.test(path))
      .sort((a, b) => rank(a) - rank(b))
      .slice(0, most);
  };
}
