// The table of imports: what each folder may import, what each noun may use, and that no file imports itself over others.

const UI = [
  "react",
  "react-dom",
  "@remix-run/react",
  "sonner",
  "clsx",
  "@dnd-kit",
  "@milkdown",
  "driver.js",
  "partysocket",
  "idb",
  "@stripe",
  "match-sorter",
  "zod",
  "@conform-to/zod",
  "@date-fns/tz",
  "@simplewebauthn/browser",
];

/** Folder → our folders and the packages that it may import. A folder inside another has the rule of its own. */
const FOLDERS = {
  "app/domain": { ours: ["app/domain"], packages: ["zod", "@date-fns/tz"] },
  "app/wire": { ours: ["app/wire", "app/domain"], packages: ["zod"] },
  db: { ours: ["db", "app/domain"], packages: ["drizzle-orm", "drizzle-kit"] },
  "db/seed": { ours: ["db", "app/domain", "app/use-cases"], packages: ["drizzle-orm"] },
  "app/use-cases": {
    ours: ["app/use-cases", "app/domain", "app/wire", "db"],
    packages: [
      "zod",
      "drizzle-orm",
      "crypto",
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
    ours: ["app"],
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

/** The nouns that each noun may use, on any floor. A part that all of them need is in the root. */
export const NOUNS = {
  accounts: "goals items notices payments safety sessions",
  goals: "notices room safety schedule sessions",
  activities: "goals huts schedule sessions",
  sessions: "accounts activities goals huts notices room safety schedule series",
  schedule: "",
  room: "notices safety schedule sessions",
  series: "notices room safety schedule sessions",
  huts: "activities notices safety sessions",
  items: "huts safety sessions",
  payments: "",
  notices: "accounts goals",
  safety: "accounts huts items notices room sessions",
};

const TESTS = "\\.test\\.tsx?$";
const anyOf = (names) => `(${names.join("|")})`;
const folders = Object.keys(FOLDERS);

const layers = Object.entries(FOLDERS).map(([folder, { ours, packages }]) => {
  const inner = folders.filter((other) => other.startsWith(`${folder}/`));
  return {
    name: `${folder} imports what the table allows`,
    severity: "error",
    from: { path: `^${folder}/`, pathNot: [TESTS, ...inner.map((other) => `^${other}/`)] },
    to: {
      pathNot: [
        `^${anyOf(ours)}[/.]`,
        "\\.(css|woff2)",
        "^virtual:",
        // A package that its exports hide from the resolver keeps the name that the import gives.
        ...(packages === "any"
          ? ["^(?!app/|db/|workers/|tests/|bench/)"]
          : ["^node_modules/", "^node_modules/@types/", "^"].map((at) => `${at}${anyOf(packages)}(/|$)`)),
      ],
    },
  };
});

/** Without the schema, whose foreign keys lead from any noun to any other. */
const NOUN = "^(app/[\\w-]+|db/queries)";
const nouns = Object.entries(NOUNS).map(([noun, uses]) => {
  const others = Object.keys(NOUNS).filter((other) => other !== noun && !uses.split(" ").includes(other));
  return {
    name: `${noun} uses the nouns of the table`,
    severity: "error",
    from: { path: `${NOUN}/${noun}/`, pathNot: TESTS },
    to: { path: `${NOUN}/${anyOf(others)}/` },
  };
});

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    ...layers,
    ...nouns,
    {
      name: "no file imports itself over others",
      severity: "error",
      from: { path: "^(app|db)/", pathNot: TESTS },
      to: { circular: true, viaOnly: { dependencyTypesNot: ["dynamic-import"] } },
    },
    {
      // The environment's type names the objects, which use the environment.
      name: "no file of workers imports itself over others, types aside",
      severity: "error",
      from: { path: "^workers/", pathNot: TESTS },
      to: { circular: true, viaOnly: { dependencyTypesNot: ["dynamic-import", "type-only"] } },
    },
  ],
  options: {
    tsConfig: { fileName: "tsconfig.json" },
    // Types couple files as values do.
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(build|bench)/|^tests/built/client/" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["workerd", "worker", "import", "require", "node", "default", "types"],
    },
  },
};
