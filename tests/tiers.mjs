// The steps of `npm test` and of `npm run test:all`, and the test files of each.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../workers/local/processes.mjs";

/** `npm test`: two hands take the steps in this order. */
export const MAIN = ["workers", "types", "lint", "build", "main-journeys", "unit"];
/** `npm run test:all` adds these. */
export const REST = ["journeys-1", "journeys-2", "built", "history", "seeds"];

/** The steps that run a project of vitest, and its files. */
export const PROJECTS = {
  unit: {
    include: ["app/**/*.test.{ts,tsx}", "db/**/*.test.ts", "workers/**/*.test.ts", "tests/*.test.ts"],
    exclude: ["**/*.workers.test.*", "**/node_modules/**"],
  },
  workers: {
    include: ["**/*.workers.test.{ts,tsx}"],
    exclude: ["**/node_modules/**", "build/**"],
  },
  built: { include: ["tests/built/*.test.ts"], exclude: [] },
};

/** The tag of the journeys of `npm test`. */
export const MAIN_TAG = "@main";
/** The folder of all journeys. */
export const JOURNEYS = "tests/journeys";
/** The journeys that draw their pages, which `seeds` runs with other seeds. */
export const DRAWN_JOURNEYS = "journeys/accessibility.spec.ts";

/** The seed of `npm test`: each property's own, or the default of vitest.config.ts. The step `seeds` draws numbers. */
export const FIXED_SEED = "fixed";

const FOLDERS = ["app", "db", "tests", "workers"];

/** The paths of all test files and journeys. */
export const testFiles = () =>
  FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map(
      (name) => `${folder}/${name.replaceAll("\\", "/")}`,
    ),
  ).filter((path) => /\.(test|spec)\.tsx?$/.test(path));

const DRAWS = /from "fast-check"|\/property-seed"/;

/** Whether a file draws by itself, and the modules of the tests that it imports. */
function factsOf(path) {
  const text = readFileSync(join(ROOT, path), "utf8");
  const imported = [...text.matchAll(/ from "((?:\.|#tests)[^"]*)"/g)]
    .map(([, from = ""]) => (from.startsWith("#") ? from.slice(1) : join(path, "..", from)))
    .map((module) => `${module}.ts`)
    .filter((module) => module.startsWith("tests/") && existsSync(join(ROOT, module)));
  return { isDrawing: DRAWS.test(text), imported };
}

/** The files of vitest whose values depend on the seed, by themselves or by a module of the tests that they import. */
export function drawingFiles() {
  const facts = new Map();
  const of = (path) => facts.get(path) ?? facts.set(path, factsOf(path)).get(path);
  const draws = (path) => {
    const reached = new Set([path]);
    // A set grows while it is iterated.
    for (const module of reached) for (const next of of(module).imported) reached.add(next);
    return [...reached].some((module) => of(module).isDrawing);
  };
  return testFiles().filter((path) => /\.test\.tsx?$/.test(path) && draws(path));
}
