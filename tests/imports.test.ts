// Checks every import of the tree against the table of allowed imports.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const REACT = ["react", "react-dom", "@remix-run/react"];
const UI = [
  ...REACT,
  "sonner",
  "clsx",
  "@conform-to/react",
  "@dnd-kit",
  "@milkdown",
  "driver.js",
  "partysocket",
  "@stripe",
  "match-sorter",
  "zod",
  "@conform-to/zod",
  "@date-fns/tz",
  "@simplewebauthn/browser",
];

// folder → our folders and the packages that it may import. The longest matching folder applies.
const ALLOWED: Record<string, { ours: string[]; packages: string[] | "any" }> = {
  "app/domain": { ours: ["app/domain"], packages: ["zod", "@date-fns/tz"] },
  "app/wire": { ours: ["app/wire", "app/domain"], packages: ["zod", "@conform-to/react"] },
  db: { ours: ["db", "app/domain"], packages: ["drizzle-orm", "drizzle-kit"] },
  "db/seed": { ours: ["db", "app/domain", "app/use-cases"], packages: ["drizzle-orm"] },
  "app/use-cases": {
    ours: ["app/use-cases", "app/domain", "app/wire", "db"],
    packages: [
      "zod",
      "drizzle-orm",
      "node:crypto",
      "jose",
      "nanoid",
      "image-size",
      "@date-fns/tz",
      "otpauth",
      "uqr",
      "rrule-temporal",
      "temporal-polyfill",
      "@simplewebauthn/server",
    ],
  },
  "app/components": {
    ours: ["app/components", "app/hooks", "app/domain", "app/wire", "public"],
    packages: UI,
  },
  "app/hooks": { ours: ["app/hooks", "app/domain", "app/wire"], packages: UI },
  "app/forms": { ours: ["app/forms", "app/wire", "app/domain"], packages: ["zod"] },
  "app/http": {
    ours: ["app/http", "app/forms", "app/use-cases", "app/domain", "app/wire"],
    packages: ["@remix-run/cloudflare", "@conform-to/zod", "zod"],
  },
  app: {
    ours: [
      "app/http",
      "app/forms",
      "app/use-cases",
      "app/components",
      "app/hooks",
      "app/domain",
      "app/wire",
      "app/styles",
      "app/routes",
    ],
    packages: [...UI, "@remix-run/cloudflare", "@remix-run/dev", "@remix-run/route-config"],
  },
  workers: {
    ours: ["workers", "app/domain", "app/wire", "app/use-cases", "app/http", "db", "build"],
    packages: "any",
  },
  // The room contains only sockets, storage and alarm; use cases run the statements.
  "workers/room": { ours: ["workers", "app/domain", "app/wire", "app/use-cases"], packages: "any" },
  tests: { ours: ["tests", "app", "workers", "db", "remix.config"], packages: "any" },
};

function* sources(folder: string): Generator<string> {
  for (const entry of readdirSync(join(ROOT, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* sources(path);
    else if (/\.tsx?$/.test(entry.name)) yield path;
  }
}

function folderOf(path: string): string {
  const match = Object.keys(ALLOWED)
    .filter((folder) => path.startsWith(`${folder}/`))
    .sort((a, b) => b.length - a.length)[0];
  if (!match) throw new Error(`${path} stands in no known folder`);
  return match;
}

/** The target of an import: a path in this repository, or a package's name. */
function target(from: string, specifier: string): { ours?: string; package?: string } {
  const alias = specifier.replace(/^~\//, "app/").replace(/^#(db|workers|tests)\//, "$1/");
  if (alias !== specifier) return { ours: alias };
  if (specifier.startsWith("."))
    return { ours: relative(ROOT, normalize(join(ROOT, dirname(from), specifier))) };
  return { package: specifier };
}

function breaches(from: string, text: string): string[] {
  if (/\.test\.tsx?$/.test(from)) return [];
  const rule = ALLOWED[folderOf(from)];
  const found: string[] = [];
  for (const [, specifier = ""] of text.matchAll(/(?:from\s+|import\s*\(\s*|^import\s+)["']([^"']+)["']/gm)) {
    const to = target(from, specifier);
    const isAllowed = to.ours
      ? rule?.ours.some((folder) => to.ours === folder || to.ours?.startsWith(`${folder}/`))
      : rule?.packages === "any" ||
        rule?.packages.some((name) => to.package === name || to.package?.startsWith(`${name}/`));
    if (!isAllowed && !specifier.startsWith("virtual:") && !/\.(css|woff2)(\?url)?$/.test(specifier))
      found.push(`${from} → ${specifier}`);
  }
  return found;
}

test("every import is allowed by the table", () => {
  const all = ["app", "workers", "db", "tests"].flatMap((folder) => [...sources(folder)]);
  expect(all.length).toBeGreaterThan(50);
  expect(all.flatMap((path) => breaches(path, readFileSync(join(ROOT, path), "utf8")))).toEqual([]);
});

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

test("no file of the app or the database imports itself, over any others", () => {
  const paths = ["app", "db"].flatMap((folder) => [...sources(folder)]);
  const byName = new Map(paths.map((path) => [path.replace(/\.tsx?$/, ""), path]));
  const graph = new Map(paths.map((path) => [path, importsOf(path).flatMap((to) => byName.get(to) ?? [])]));
  expect(circles(graph)).toEqual([]);
  expect(
    circles(
      new Map([
        ["a", ["b"]],
        ["b", ["c"]],
        ["c", ["b"]],
      ]),
    ),
  ).toEqual(["b → c → b"]);
});

const NOUNS =
  "accounts goals activities sessions schedule room series huts items payments notices safety".split(" ");
/** The nouns that each noun may use, on any floor. A part that all of them need is in the root. */
const MAY_USE: Record<string, string> = {
  accounts: "goals items notices payments safety sessions",
  goals: "accounts activities notices payments room safety schedule sessions",
  activities: "accounts goals huts payments schedule sessions",
  sessions: "accounts activities goals huts notices payments room safety schedule series",
  schedule: "goals",
  room: "accounts notices payments safety schedule sessions",
  series: "accounts huts notices payments room safety schedule sessions",
  huts: "accounts activities notices safety sessions",
  items: "accounts huts safety sessions",
  payments: "accounts",
  notices: "accounts goals sessions",
  safety: "accounts huts items notices room sessions",
};
/** `app/domain/goals/streaks.ts` → goals; undefined in the root and in the drawers of components. */
const nounOf = (path: string): string | undefined => {
  const [, noun = ""] = /^(?:app\/[\w-]+|db\/(?:schema|queries))\/(\w+)\//.exec(path) ?? [];
  return NOUNS.includes(noun) ? noun : undefined;
};

test("a noun uses the nouns of the table and no others", () => {
  const paths = ["app", "db"].flatMap((folder) => [...sources(folder)]).filter((path) => nounOf(path));
  const used = paths.flatMap((path) => {
    if (/\.test\.tsx?$/.test(path)) return [];
    const noun = nounOf(path) ?? "";
    return importsOf(path)
      .filter((to) => ![undefined, noun].includes(nounOf(to)))
      .map((to) => ({ path, noun, other: nounOf(to) ?? "", to }));
  });
  const isAllowed = ({ noun, other }: { noun: string; other: string }) =>
    MAY_USE[noun]?.split(" ").includes(other);
  expect(used.filter((one) => !isAllowed(one)).map(({ path, to }) => `${path} → ${to}`)).toEqual([]);
  const needed = new Set(used.map(({ noun, other }) => `${noun} ${other}`));
  const listed = NOUNS.flatMap((noun) =>
    (MAY_USE[noun] ?? "")
      .split(" ")
      .filter(Boolean)
      .map((other) => `${noun} ${other}`),
  );
  expect(listed.filter((arrow) => !needed.has(arrow))).toEqual([]);
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
    reachedBeyond(
      "workers/adapters/x.ts",
      'import { f } from "#db/queries/payments/tokens"; schema.tokenLots',
    ),
  ).toEqual(["tokenLots", "#db/queries/payments/tokens"]);
});

test("the table refuses forbidden imports", () => {
  expect(breaches("app/domain/goals/goals.ts", 'import { db } from "#db/connect.server";')).toHaveLength(1);
  expect(
    breaches("app/components/ui/button.tsx", 'import { x } from "~/use-cases/goals/goals.server";'),
  ).toHaveLength(1);
  expect(breaches("app/hooks/use-call.ts", 'import { Button } from "~/components/ui/button";')).toHaveLength(
    1,
  );
  expect(breaches("app/use-cases/goals/goals.server.ts", 'import { Hono } from "hono";')).toHaveLength(1);
  expect(breaches("workers/room/chat.ts", 'import { runBatch } from "#db/connect.server";')).toHaveLength(1);
});
