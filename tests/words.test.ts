// What the source tree may be called inside: the product's name is one setting (X-12), the documents' words stay at its
// edge.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");

function* filesIn(folder: string): Generator<string> {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* filesIn(path);
    else yield path;
  }
}
const TESTS = /\.test\.tsx?$|-fixtures\.ts$|\.model\.ts$/;
const read = (path: string) => readFileSync(join(root, path), "utf8");

const withoutComments = (text: string) =>
  text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "$1");

/** Lines that say the name themselves; `X-Bothy-…` are headers between worker and room. */
const namings = (text: string) =>
  withoutComments(text)
    .split("\n")
    .filter((line) => /(?<!X-)\bBothy\b/.test(line))
    .map((line) => line.trim());

/** Written anew elsewhere; they go from here with that. */
const BEING_WRITTEN = ["book", "books", "item", "person", "snippet"].map((name) => `app/routes/${name}.tsx`);

test("X-12 no page, mail, picture or file says the product's name itself", () => {
  const found = ["app", "workers", "public", "db/seed", "db/queries"]
    .flatMap((folder) => [...filesIn(folder)])
    .filter(
      (path) =>
        /\.(tsx?|mjs|js|html|svg|webmanifest|css|json)$/.test(path) &&
        !TESTS.test(path) &&
        !BEING_WRITTEN.includes(path),
    )
    .flatMap((path) => namings(read(path)).map((line) => `${path}: ${line}`));
  expect(found).toEqual([]);
  expect(namings('// Bothy\nconst title = "Join Bothy";\n"X-Bothy-User"')).toEqual([
    'const title = "Join Bothy";',
  ]);
});

test("X-12 a local and a deployed run call it Bothy", () => {
  expect(read("wrangler.toml").match(/^APP_NAME = .*$/gm)).toEqual([
    'APP_NAME = "Bothy"',
    'APP_NAME = "Bothy"',
  ]);
});
