// The built workers: each module once, and a bound on the bytes loaded at start.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { chunkOf, filesOf, modules, OBJECTS, startingBytes, startingChunks, WORKER } from "./worker";

/** Compressed bytes loaded at start (docs/benchmarks.md), plus 5 %. */
const BOUNDS = { pages: 222_000, objects: 103_000 };

test.each([
  ["pages", WORKER, 300],
  ["Durable Objects", OBJECTS, 40],
])("the worker of the %s contains every module once", (_, folder, atLeast) => {
  const all = modules(folder).filter((path) => !path.startsWith(".."));
  expect(all.filter((path) => path.startsWith("app/")).length).toBeGreaterThan(atLeast);
  expect(all).toContain("app/domain/errors.ts");
  expect(all.filter((path, index) => all.indexOf(path) !== index)).toEqual([]);
});

test.each([
  ["pages", WORKER, BOUNDS.pages],
  ["Durable Objects", OBJECTS, BOUNDS.objects],
])("the worker of the %s loads no more at start than its bound", (_, folder, bound) => {
  const bytes = startingBytes(folder);
  expect(bytes).toBeGreaterThan(bound / 2);
  expect(bytes, `${bytes} bytes, compressed`).toBeLessThan(bound);
});

test("R3 the worker of the Durable Objects contains neither pages nor calls, and the other one no room", () => {
  const isForeign = (path: string) =>
    /^(app\/(components|routes|http|hooks)|workers\/(api|http))\b|node_modules\/(react|@remix-run|hono|stripe|jose)\//.test(
      path,
    );
  const objects = modules(OBJECTS);
  expect(objects).toContain("workers/room/session-room.ts");
  expect(objects.filter(isForeign)).toEqual([]);
  const pages = modules(WORKER);
  expect(pages.some(isForeign)).toBe(true);
  expect(
    pages.filter((path) =>
      /workers\/(attempts|room\/(session|memory|store|tables|alarm|record|chat))/.test(path),
    ),
  ).toEqual([]);
});

test.each([
  "workers/api.ts",
  "workers/cron.ts",
  "workers/queue.ts",
  "workers/reference.ts",
  "workers/answer-check.ts",
  "workers/adapters/stripe-payments.ts",
  "workers/adapters/markdown.ts",
  "workers/adapters/smtp.ts",
  "workers/adapters/code-languages.ts",
  "db/seed/demo.ts",
  "app/root.tsx",
  "app/routes/home.tsx",
  "app/routes/sessions/session.tsx",
  "app/components/ui/sort-board.tsx",
])("the worker reads %s when it is first used", (path) => {
  const chunk = chunkOf(path);
  expect(chunk).toBeDefined();
  expect(startingChunks()).not.toContain(chunk);
});

test("O-12 only the check of answers, which a deployed run never imports, has their schemas", () => {
  const check = chunkOf("workers/answer-check.ts");
  const having = (part: RegExp) =>
    filesOf(".js").filter((name) => part.test(readFileSync(join(WORKER, name), "utf8")));
  expect(having(/answers: *\{ *"GET \/|"GET \/get-user": *\{/)).toEqual([check]);
  expect(having(/\bfrom\s*"[^"]*answer-check/)).toEqual([]);
  expect(having(/\bimport\(\s*"[^"]*answer-check/)).toEqual([chunkOf("workers/serve.ts")]);
});

test("P2 the worker's pages name the style of the browser's build, so that a page loads a single one", () => {
  const styles = readdirSync(join(import.meta.dirname, "../../build/client/assets")).filter((name) =>
    /^app-[\w-]+\.css$/.test(name),
  );
  expect(styles).toHaveLength(1);
});
