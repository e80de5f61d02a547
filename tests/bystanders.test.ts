// Where people lose places and rights, a test keeps bystanders by default: read from the sources of those folders.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const USE_CASES = join(import.meta.dirname, "../app/use-cases");
const FOLDERS = ["huts", "safety", "series"];

/** Files without bystanders, each with the reason. */
const WITHOUT: Record<string, string> = {
  "safety/audit.workers.test.ts": "reads the whole list of acts",
  "safety/figures.workers.test.ts": "counts everybody",
  "series/lay-out.workers.test.ts": "a night lays out everybody's series",
  "series/series.model.workers.test.ts": "its nights are everybody's",
  "series/view.workers.test.ts": "reads a form",
};

test("tests of huts, sanctions and series leave bystanders as they are, or say why not", () => {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(USE_CASES, folder))
      .filter((name) => name.endsWith(".workers.test.ts"))
      .map((name) => `${folder}/${name}`),
  );
  expect(files.length).toBeGreaterThan(20);
  const without = files.filter(
    (name) => !/^(const \w+ = )?keepBystanders\(/m.test(readFileSync(join(USE_CASES, name), "utf8")),
  );
  expect(without.sort()).toEqual(Object.keys(WITHOUT).sort());
});
