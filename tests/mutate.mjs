// Mutation testing: changes an expression of the rules, runs the tests nearest to it, and says whether they noticed.
// npm run mutate -- --seed 1 --sample 50 --tests 6 [files or folders …]
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
import { dirname, join, normalize, relative } from "node:path";
import { parseArgs } from "node:util";
import ts from "typescript";

const ROOT = join(import.meta.dirname, "..");
const TARGETS = ["app/domain", "app/use-cases", "workers/room", "db/queries"];
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    sample: { type: "string", default: "1000" },
    /** Test files for each mutant, the nearest first. */
    tests: { type: "string", default: "6" },
    /** unit, workers or all. */
    project: { type: "string", default: "all" },
    report: { type: "string", default: "" },
  },
});

// ---- sources and the tests nearest to them

function* filesIn(folder) {
  for (const entry of readdirSync(join(ROOT, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* filesIn(path);
    else if (/\.tsx?$/.test(entry.name)) yield path;
  }
}
const all = ["app", "db", "workers", "tests"].flatMap((folder) => [...filesIn(folder)]);
const isTest = (path) => /\.test\.tsx?$/.test(path);
const known = new Set(all);
const projectOf = (test) => (/\.workers\.test\./.test(test) ? "workers" : "unit");

function resolve(from, specifier) {
  const alias = specifier.replace(/^~\//, "app/").replace(/^#(db|workers|tests)\//, "$1/");
  const path = specifier.startsWith(".")
    ? relative(ROOT, normalize(join(ROOT, dirname(from), specifier)))
    : alias;
  return [path, `${path}.ts`, `${path}.tsx`].find((one) => known.has(one));
}
/** file → the files that import it. */
const importers = new Map();
for (const path of all)
  for (const { fileName } of ts.preProcessFile(readFileSync(join(ROOT, path), "utf8"), true, true)
    .importedFiles) {
    const to = resolve(path, fileName);
    if (to) importers.set(to, [...(importers.get(to) ?? []), path]);
  }

const noun = (path) => path.split("/").at(-1).split(/[.-]/)[0];
/** Its own tests first, then by the number of imports between. */
function testsOf(file) {
  const distance = new Map([[file, 0]]);
  const open = [file];
  for (let at = open.shift(); at; at = open.shift())
    for (const next of importers.get(at) ?? [])
      if (!distance.has(next)) {
        distance.set(next, distance.get(at) + 1);
        open.push(next);
      }
  const rank = (test) =>
    distance.get(test) - (dirname(test) === dirname(file) ? 1 : 0) - (noun(test) === noun(file) ? 2 : 0);
  return [...distance.keys()]
    .filter((path) => isTest(path) && (options.project === "all" || projectOf(path) === options.project))
    .sort((a, b) => rank(a) - rank(b) || a.localeCompare(b))
    .slice(0, Number(options.tests));
}

// ---- mutants

const SWAPS = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "===": "!==",
  "!==": "===",
  "+": "-",
  "-": "+",
  "*": "/",
  "/": "*",
  "&&": "||",
  "||": "&&",
  "??": "&&",
  "%": "*",
};
const SQL_SWAPS = [
  [/(?<![<>])<(?![=>])/g, "<="],
  [/<=/g, "<"],
  [/(?<![<>-])>(?!=)/g, ">="],
  [/>=/g, ">"],
  [/ AND /g, " OR "],
  [/ OR /g, " AND "],
  [/NOT EXISTS/g, "EXISTS"],
  [/IS NOT NULL/g, "IS NULL"],
  [/ - /g, " + "],
  [/ \+ /g, " - "],
  [/\bmin\(/g, "max("],
  [/ DESC/g, " ASC"],
];

/** What may be changed in a file: `{ start, end, to }`, each of a kind. */
function mutantsOf(path) {
  const text = readFileSync(join(ROOT, path), "utf8");
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found = [];
  const add = (node, to, kind) => found.push({ path, start: node.getStart(source), end: node.end, to, kind });
  const visit = (node) => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node) || ts.isTypeAliasDeclaration(node)) return;
    if (ts.isBinaryExpression(node)) {
      const to = SWAPS[node.operatorToken.getText(source)];
      // Joining texts is no arithmetic.
      const isText = [node.left, node.right].some(
        (side) => ts.isStringLiteralLike(side) || ts.isTemplateExpression(side),
      );
      if (to && !isText) add(node.operatorToken, to, "operator");
    }
    if (node.kind === ts.SyntaxKind.TrueKeyword) add(node, "false", "boolean");
    if (node.kind === ts.SyntaxKind.FalseKeyword) add(node, "true", "boolean");
    if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
      add(node, `(${node.operand.getText(source)})`, "negation");
    if (ts.isNumericLiteral(node) && !ts.isPropertyAssignment(node.parent.parent ?? node))
      add(node, `(${node.text} + 1)`, "number");
    if (ts.isIfStatement(node) || ts.isConditionalExpression(node)) {
      const condition = ts.isIfStatement(node) ? node.expression : node.condition;
      add(condition, "true", "condition");
      add(condition, "false", "condition");
    }
    if (ts.isExpressionStatement(node) && /^(await )?[\w.]+\(/.test(node.getText(source)))
      add(node, ";", "call left out");
    if (ts.isTaggedTemplateExpression(node) && node.tag.getText(source).startsWith("sql"))
      addSql(node.template);
    ts.forEachChild(node, visit);
  };
  const addSql = (template) => {
    const parts = ts.isNoSubstitutionTemplateLiteral(template)
      ? [template]
      : [template.head, ...template.templateSpans.map(({ literal }) => literal)];
    for (const part of parts) {
      const start = part.getStart(source);
      for (const [pattern, to] of SQL_SWAPS)
        for (const match of text.slice(start, part.end).matchAll(pattern)) {
          const at = start + match.index;
          // The end of a placeholder is no comparison.
          found.push({ path, start: at, end: at + match[0].length, to, kind: "sql" });
        }
    }
  };
  visit(source);
  return found.map((mutant) => ({
    ...mutant,
    line: source.getLineAndCharacterOfPosition(mutant.start).line + 1,
    from: text.slice(mutant.start, mutant.end),
  }));
}

function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

// ---- runs, in a copy of the tree

const sandbox = mkdtempSync(join(tmpdir(), "bothy-mutants-"));
process.on("exit", () => rmSync(sandbox, { recursive: true, force: true }));
for (const name of ["SIGINT", "SIGTERM"]) process.on(name, () => process.exit(130));
for (const entry of readdirSync(ROOT))
  if (!["node_modules", ".git", ".cache", ".wrangler", "build", "test-results"].includes(entry))
    cpSync(join(ROOT, entry), join(sandbox, entry), { recursive: true });
symlinkSync(join(ROOT, "node_modules"), join(sandbox, "node_modules"));
mkdirSync(join(sandbox, "build"), { recursive: true });

/** passed, failed or timeout; the process and its children end with it. */
function run(tests, project, most) {
  return new Promise((done) => {
    const started = Date.now();
    const args = [
      "run",
      "-c",
      "tests/vitest.config.ts",
      "--project",
      project,
      "--bail",
      "1",
      "--reporter",
      "dot",
      ...tests,
    ];
    const child = spawn(process.execPath, [join(ROOT, "node_modules/vitest/vitest.mjs"), ...args], {
      cwd: sandbox,
      stdio: "ignore",
      detached: true,
    });
    const timer = setTimeout(() => {
      process.kill(-child.pid, "SIGKILL");
      done({ result: "timeout", ms: Date.now() - started });
    }, most);
    child.on("exit", (code) => {
      clearTimeout(timer);
      done({ result: code === 0 ? "passed" : "failed", ms: Date.now() - started });
    });
  });
}

const MINUTE = 60_000;
const baselines = new Map();
/** The tests as they are: those that fail without a mutant prove nothing. */
async function baseline(tests, project) {
  const key = tests.join(" ");
  if (!baselines.has(key)) baselines.set(key, await run(tests, project, 10 * MINUTE));
  return baselines.get(key);
}

async function judge(mutant) {
  const tests = testsOf(mutant.path);
  let isTested = false;
  for (const project of ["unit", "workers"]) {
    const own = tests.filter((test) => projectOf(test) === project);
    if (own.length === 0) continue;
    const before = await baseline(own, project);
    if (before.result !== "passed") continue;
    isTested = true;
    const target = join(sandbox, mutant.path);
    const text = readFileSync(target, "utf8");
    writeFileSync(target, text.slice(0, mutant.start) + mutant.to + text.slice(mutant.end));
    const { result } = await run(own, project, before.ms * 3 + 20_000).finally(() =>
      writeFileSync(target, text),
    );
    if (result === "failed") return "killed";
    if (result === "timeout") return "timeout";
  }
  return isTested ? "survived" : "untested";
}

const wanted = positionals.length > 0 ? positionals : TARGETS;
const sources = all.filter(
  (path) =>
    !isTest(path) && wanted.some((one) => path === one || path.startsWith(`${one.replace(/\/$/, "")}/`)),
);
const mutants = sources.flatMap(mutantsOf);
const next = random(Number(options.seed));
const sample = mutants
  .map((mutant) => ({ mutant, order: next() }))
  .sort((a, b) => a.order - b.order)
  .slice(0, Number(options.sample))
  .map(({ mutant }) => mutant)
  // Neighbours share a baseline.
  .sort((a, b) => a.path.localeCompare(b.path) || a.start - b.start);
console.log(`seed ${options.seed}: ${sample.length} of ${mutants.length} mutants of ${sources.length} files`);
const results = [];
for (const mutant of sample) {
  const result = await judge(mutant);
  results.push({ ...mutant, result });
  console.log(
    `${result.padEnd(8)} ${mutant.path}:${mutant.line} ${mutant.kind}: ${mutant.from.replace(/\s+/g, " ").slice(0, 60)} → ${mutant.to}`,
  );
}
const count = (result) => results.filter((one) => one.result === result).length;
const caught = count("killed") + count("timeout");
const judged = results.length - count("untested");
console.log(
  `killed ${count("killed")}, timeout ${count("timeout")}, survived ${count("survived")}, untested ${count("untested")}: ` +
    `${judged === 0 ? "no" : Math.round((caught / judged) * 100)} % of those with passing tests`,
);
if (options.report) writeFileSync(options.report, `${JSON.stringify(results, null, 2)}\n`);
