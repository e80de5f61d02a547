// The built worker: each module once, and a bound on the bytes loaded at start.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { chunkOf, modules, startingBytes, startingChunks } from "./worker";

/** Compressed bytes loaded at start (docs/benchmarks.md), plus 5 %. */
const BOUND = 255_000;

test("the worker contains every module once", () => {
  const all = modules().filter((path) => !path.startsWith(".."));
  expect(all.filter((path) => path.startsWith("app/")).length).toBeGreaterThan(300);
  expect(all).toContain("app/domain/errors.ts");
  expect(all.filter((path, index) => all.indexOf(path) !== index)).toEqual([]);
});

test("the worker loads no more at start than its bound", () => {
  const bytes = startingBytes();
  expect(bytes).toBeGreaterThan(100_000);
  expect(bytes, `${bytes} bytes, compressed`).toBeLessThan(BOUND);
});

test.each([
  "workers/api.ts",
  "workers/cron.ts",
  "workers/queue.ts",
  "workers/adapters/stripe-payments.ts",
  "workers/adapters/markdown.ts",
  "workers/adapters/smtp.ts",
  "workers/adapters/code-languages.ts",
  "db/seed/demo.ts",
  "app/root.tsx",
  "app/routes/home.tsx",
  "app/routes/session.tsx",
  "app/components/ui/sort-board.tsx",
])("the worker reads %s when it is first used", (path) => {
  const chunk = chunkOf(path);
  expect(chunk).toBeDefined();
  expect(startingChunks()).not.toContain(chunk);
});

test("P2 the worker's pages name the style of the browser's build, so that a page loads a single one", () => {
  const styles = readdirSync(join(import.meta.dirname, "../../build/client/assets")).filter((name) =>
    /^app-[\w-]+\.css$/.test(name),
  );
  expect(styles).toHaveLength(1);
});
