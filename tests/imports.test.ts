// Checks that depcruise refuses forbidden imports, and what it cannot check: names, floors, and the tables of adapters.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, normalize, relative } from "node:path";
import { expect, test } from "vitest";
import { NOUNS as USES } from "../.dependency-cruiser.mjs";

const ROOT = join(import.meta.dirname, "..");
function* sources(folder: string): Generator<string> {
  for (const entry of readdirSync(join(ROOT, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* sources(path);
    else if (/\.tsx?$/.test(entry.name)) yield path;
  }
}

/** The target of an import: a path in this repository, or a package's name. */
function target(from: string, specifier: string): { ours?: string; package?: string } {
  const alias = specifier.replace(/^~\//, "app/").replace(/^#(db|workers|tests)\//, "$1/");
  if (alias !== specifier) return { ours: alias };
  if (specifier.startsWith("."))
    return { ours: relative(ROOT, normalize(join(ROOT, dirname(from), specifier))) };
  return { package: specifier };
}

test("the server loads a module on first use by loadOnce alone, since requests cannot wait for one import", () => {
  const isServer = (path: string) =>
    /^workers\/|^app\/(http|use-cases)\//.test(path) && !/\.test\./.test(path);
  const others = (text: string) =>
    text.replace(/loadOnce\([^;]*/g, "").match(/await import\(|import\([^)]*\)\s*\.then/g) ?? [];
  const all = ["app", "workers"].flatMap((folder) => [...sources(folder)]).filter(isServer);
  expect(all.filter((path) => others(readFileSync(join(ROOT, path), "utf8")).length > 0)).toEqual([]);
  expect(others('const { a } = await import("./a");')).toHaveLength(1);
  expect(others('const loadA = loadOnce(async () => (await import("./a")).a);')).toHaveLength(0);
});

/** The files of a folder that a file imports for its first run; `import()` waits. */
const importsOf = (from: string): string[] =>
  [...readFileSync(join(ROOT, from), "utf8").matchAll(/from\s+["']([^"']+)["']/g)].flatMap(
    ([, specifier = ""]) => target(from, specifier).ours ?? [],
  );
/** The circles among files, each by one of its files. */
function circles(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const found: string[] = [];
  const walk = (path: string, above: readonly string[]): void => {
    if (above.includes(path)) found.push([...above.slice(above.indexOf(path)), path].join(" → "));
    if (done.has(path)) return;
    done.add(path);
    for (const next of graph.get(path) ?? []) walk(next, [...above, path]);
  };
  for (const path of graph.keys()) walk(path, []);
  return found;
}

const NOUNS = Object.keys(USES);
/** `app/domain/goals/streaks.ts` → goals; undefined in the root and in the drawers of components. */
const nounOf = (path: string): string | undefined => {
  const [, noun = ""] = /^(?:app\/[\w-]+|db\/(?:schema|queries))\/(\w+)\//.exec(path) ?? [];
  return NOUNS.includes(noun) ? noun : undefined;
};

test("the table of nouns lists no arrow that nothing needs", () => {
  const needed = new Set(
    ["app", "db"].flatMap((folder) =>
      [...sources(folder)]
        .filter((path) => nounOf(path) && !/\.test\.tsx?$/.test(path))
        .flatMap((path) => importsOf(path).map((to) => `${nounOf(path)} ${nounOf(to)}`)),
    ),
  );
  const arrows = Object.entries(USES).flatMap(([noun, others]) =>
    others
      .split(" ")
      .filter(Boolean)
      .map((other) => `${noun} ${other}`),
  );
  expect(arrows.filter((arrow) => !needed.has(arrow))).toEqual([]);
});

const FLOORS = [
  ...["domain", "wire", "forms", "use-cases", "hooks", "components", "routes"].map((name) => `app/${name}`),
  "db/schema",
  "db/queries",
];
test.each(FLOORS)("no noun of %s uses itself, over any others", (floor) => {
  const arrows = new Map<string, string[]>();
  for (const path of sources(floor)) {
    const noun = nounOf(path);
    if (!noun || /\.test\.tsx?$/.test(path)) continue;
    const others = importsOf(path).flatMap((to) => (to.startsWith(`${floor}/`) ? (nounOf(to) ?? []) : []));
    arrows.set(noun, [...(arrows.get(noun) ?? []), ...others.filter((other) => other !== noun)]);
  }
  expect(circles(arrows)).toEqual([]);
});

test("a file's name does not repeat its folder", () => {
  const repeating = ["app", "db"]
    .flatMap((folder) => [...sources(folder)])
    .filter((path) => {
      const noun = nounOf(path);
      const [name = ""] = path.split("/").slice(-1);
      return (
        noun &&
        [noun, noun.replace(/ies$/, "y").replace(/s$/, "")].some((word) => name.startsWith(`${word}-`))
      );
    });
  expect(repeating).toEqual([]);
});

/** The tables of local stand-ins, which are the only tables that adapters may use. */
const STAND_INS: Record<string, string[]> = {
  "workers/adapters/mail.ts": ["mailbox"],
  "workers/adapters/push.ts": ["pushBox"],
  "workers/adapters/practice-payments.ts": ["practiceObjects"],
};
const tablesIn = (text: string): string[] => [
  ...[...text.matchAll(/\bschema\.(\w+)/g)].map(([, table = ""]) => table),
  ...[...text.matchAll(/\{([^}]*)\}\s*=\s*schema\b/g)].flatMap(([, names = ""]) =>
    names.split(",").map((name) => name.split(":")[0]?.trim() ?? ""),
  ),
];
function reachedBeyond(path: string, text: string): string[] {
  const own = STAND_INS[path] ?? [];
  return [
    ...tablesIn(text).filter((table) => table !== "" && !own.includes(table)),
    ...[...text.matchAll(/from\s+["'](#db\/(?!connect\.server)[^"']+)["']/g)].map(([, from = ""]) => from),
  ];
}

test("an adapter uses the tables of its own local stand-in and no others", () => {
  const adapters = [...sources("workers/adapters")].filter((path) => !/\.test\.tsx?$/.test(path));
  expect(adapters.length).toBeGreaterThan(5);
  const found = adapters.flatMap((path) =>
    reachedBeyond(path, readFileSync(join(ROOT, path), "utf8")).map((table) => `${path} → ${table}`),
  );
  expect(found).toEqual([]);
  expect(reachedBeyond("workers/adapters/mail.ts", "db.insert(schema.mailbox)")).toEqual([]);
  expect(reachedBeyond("workers/adapters/mail.ts", "const { users } = schema;")).toEqual(["users"]);
  expect(
    reachedBeyond("workers/adapters/x.ts", 'import { f } from "#db/queries/tokens"; schema.tokenLots'),
  ).toEqual(["tokenLots", "#db/queries/tokens"]);
});

/** The rules that depcruise finds broken in a tree of these files. */
function brokenRules(files: Record<string, string>): string[] {
  const tree = mkdtempSync(join(tmpdir(), "bothy-imports-"));
  try {
    cpSync(join(ROOT, "tsconfig.json"), join(tree, "tsconfig.json"));
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(tree, path)), { recursive: true });
      writeFileSync(join(tree, path), text);
    }
    const config = join(ROOT, ".dependency-cruiser.mjs");
    const { stdout } = spawnSync(
      process.execPath,
      [
        join(ROOT, "node_modules/.bin/depcruise"),
        "--config",
        config,
        "--output-type",
        "json",
        "app",
        "db",
        "workers",
      ],
      { cwd: tree, encoding: "utf8" },
    );
    const { summary } = JSON.parse(stdout) as {
      summary: { violations: { from: string; to: string; rule: { name: string } }[] };
    };
    return summary.violations.map(({ from, to, rule }) => `${from} → ${to}: ${rule.name}`).toSorted();
  } finally {
    rmSync(tree, { recursive: true });
  }
}

test("depcruise refuses an import against the tables of folders and of nouns, and a file that imports itself", () => {
  expect(
    brokenRules({
      "app/domain/goals/goals.ts": 'import "#db/connect.server"; import "./measures";',
      "app/domain/goals/measures.ts": 'import type { Goal } from "./goals";',
      "app/components/ui/button.tsx": 'import "~/use-cases/payments/tokens.server"; import "react";',
      "app/hooks/use-call.ts": 'import "~/components/ui/button";',
      "app/use-cases/payments/tokens.server.ts": 'import "hono"; import "~/domain/goals/goals";',
      "db/connect.server.ts": "export {};",
      "workers/room/chat.ts": 'import "#db/connect.server"; import "hono";',
    }),
  ).toEqual([
    "app/components/ui/button.tsx → app/use-cases/payments/tokens.server.ts: app/components imports what the table allows",
    "app/domain/goals/goals.ts → app/domain/goals/measures.ts: no file imports itself over others",
    "app/domain/goals/goals.ts → db/connect.server.ts: app/domain imports what the table allows",
    "app/hooks/use-call.ts → app/components/ui/button.tsx: app/hooks imports what the table allows",
    "app/use-cases/payments/tokens.server.ts → app/domain/goals/goals.ts: payments uses the nouns of the table",
    "app/use-cases/payments/tokens.server.ts → hono: app/use-cases imports what the table allows",
    "workers/room/chat.ts → db/connect.server.ts: workers/room imports what the table allows",
  ]);
});
