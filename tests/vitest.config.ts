// Three projects: `unit` (pure code, in Node), `workers` (real D1, Durable Objects and R2, inside workerd) and `built`
// (the worker that `npm run build` made).
import { fileURLToPath } from "node:url";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { pages } from "../remix.config";
import { newVapidKeys } from "../workers/local/tools.mjs";
import "./support/memory.mjs";
import { wholeSchema } from "./support/whole-schema";
import { PROJECTS } from "./tiers.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const alias = {
  "~": folder("../app"),
  "#db": folder("../db"),
  "#workers": folder("../workers"),
  "#tests": folder("."),
};

/** `fixed` in `npm test`; a number repeats an earlier run; otherwise each run draws one. */
const asked = process.env.PROPERTY_SEED;
const drawnSeed = asked ? Number(asked) : Math.floor(Math.random() * 2 ** 31);
/** The seed of property tests. */
const propertySeed = asked === "fixed" ? 20_261_122 : drawnSeed;
console.info(`PROPERTY_SEED=${propertySeed}`);
const provide = {
  propertySeed,
  seeds: asked === "fixed" ? ("fixed" as const) : asked ? ("drawn" as const) : ("both" as const),
  /** The clock of tests inside workerd, ahead of the machine's, so that no alarm rings by itself. */
  testNow: Date.parse(process.env.TEST_NOW ?? "2030-01-02T12:00Z"),
  /** `ROLE_MATRIX=all` runs every cell of the role matrix. */
  isWholeMatrix: process.env.ROLE_MATRIX === "all",
  /** The number of malformed requests. */
  fuzzRequests: Number(process.env.FUZZ_REQUESTS ?? 150),
  /** `LONG_RUN=1`, set by `npm run test:long`: `runsOf` gives whole counts instead of samples. */
  isLongRun: process.env.LONG_RUN === "1",
};

/** The files of a project without those that `npm test` gives another step, in EXCEPT_TESTS. */
const filesOf = ({ include, exclude }: { include: string[]; exclude: string[] }) => ({
  include,
  exclude: [...exclude, ...(process.env.EXCEPT_TESTS?.split(" ").filter(Boolean) ?? [])],
});

/** Remix's plugin watches files until its project ends, which one that is not asked for never does. */
const isAsked = (name: string) => !process.argv.includes("--project") || process.argv.includes(name);

export default defineConfig(async () => ({
  root,
  test: {
    maxWorkers: 2,
    fsModuleCache: true,
    projects: [
      {
        root,
        resolve: { alias },
        test: {
          name: "unit",
          ...filesOf(PROJECTS.unit),
          environment: "node",
          provide,
          setupFiles: [folder("./support/property-seed.ts")],
          // Hashing and long properties are slow on a busy machine; no test checks speed.
          testTimeout: 30_000,
        },
      },
      {
        root,
        resolve: { alias },
        test: {
          name: "built",
          ...PROJECTS.built,
          environment: "node",
          testTimeout: 120_000,
        },
      },
      {
        root,
        cacheDir: folder("../.cache/vite"),
        resolve: { alias },
        plugins: [
          isAsked("workers") && pages(),
          cloudflareTest({
            main: "./tests/support/test-worker.ts",
            wrangler: { configPath: folder("../wrangler.toml") },
            miniflare: {
              // One worker in tests, so that they reach into the objects; `built` runs the two that are deployed.
              durableObjects: {
                ROOMS: { className: "SessionRoom", useSQLite: true },
                COUNTERS: { className: "AttemptCounter", useSQLite: true },
              },
              bindings: {
                TEST_MIGRATIONS: wholeSchema(await readD1Migrations(folder("../db/migrations"))),
                RATE_LIMITS: "off",
                PRACTICE_PAYMENTS: "yes",
                ...newVapidKeys(),
                BENCH_PRINTS: process.env.BENCH_PRINTS ?? "",
              },
            },
          }),
        ],
        test: {
          name: "workers",
          ...filesOf(PROJECTS.workers),
          provide,
          setupFiles: ["clock.ts", "migrate.ts", "passwords.ts", "property-seed.ts"].map((name) =>
            folder(`./support/${name}`),
          ),
          isolate: false,
          testTimeout: 30_000,
          hookTimeout: 30_000,
          deps: {
            optimizer: {
              ssr: {
                enabled: true,
                // Bundled once for all test files: bundling another during the run would reload the rest.
                noDiscovery: true,
                include: [
                  "@remix-run/cloudflare",
                  "@conform-to/zod/v4",
                  "@block65/webcrypto-web-push",
                  "@date-fns/tz",
                  "@simplewebauthn/server",
                  "drizzle-orm",
                  "drizzle-orm/d1",
                  "drizzle-orm/sqlite-core",
                  "fast-check",
                  "ical.js",
                  "ical-generator",
                  "hono",
                  "hono/utils/cookie",
                  "hono/utils/url",
                  "lowlight",
                  "otpauth",
                  "rehype-sanitize",
                  "rehype-stringify",
                  "remark-gfm",
                  "remark-parse",
                  "remark-rehype",
                  "rrule-temporal",
                  "stripe",
                  "temporal-polyfill",
                  "unified",
                  "uqr",
                  "zod",
                ],
              },
            },
          },
        },
      },
    ],
  },
}));
