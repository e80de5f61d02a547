// The clocks of tests: no test of pure code reads the machine's, and no day is computed from it again and again, because
// a run may pass midnight.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const SELF = "tests/clocks.test.ts";
const files = execFileSync(
  "git",
  ["ls-files", "-co", "--exclude-standard", "app", "db", "workers", "tests"],
  {
    cwd: root,
    encoding: "utf8",
  },
)
  .split("\n")
  .filter((path) => /\.tsx?$/.test(path) && path !== SELF)
  .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
const tests = files.filter(({ path }) => /\.test\.tsx?$/.test(path));

const REAL_CLOCK = /\bDate\.now\(\)|\bnew Date\(\)/;

test("a test of pure code reads no clock but one that it has stopped", () => {
  const wrong = tests.filter(
    ({ path, text }) =>
      !/\.workers\.test\./.test(path) &&
      !path.startsWith("tests/built/") &&
      REAL_CLOCK.test(text) &&
      !/vi\.(useFakeTimers|setSystemTime)\(/.test(text),
  );
  expect(wrong.map(({ path }) => path)).toEqual([]);
});

/** Folders whose tests inside workerd have been moved to a stopped clock; the others follow. */
const STOPPED =
  /^(app\/use-cases\/(accounts|goals|huts|items|notices|payments|safety|series)|tests\/again)\//;

test("a test inside workerd reads no clock but one that it has stopped", () => {
  const wrong = tests.filter(
    ({ path, text }) =>
      STOPPED.test(path) &&
      /\.workers\.test\./.test(path) &&
      (REAL_CLOCK.test(text) || text.includes("#tests/support/series")) &&
      !/\b(stopClock|useRoomClock)\(\)/.test(text),
  );
  expect(wrong.map(({ path }) => path)).toEqual([]);
});

test("a day of the machine's clock is read once in a file, so that a run may pass midnight", () => {
  // A function would read another day after midnight than before.
  const AGAIN = /=>[^;]*Math\.(?:floor|ceil|round)\(Date\.now\(\) \/ DAY\)/;
  const wrong = [...tests, ...files.filter(({ path }) => path.startsWith("tests/support/"))].filter(
    ({ text }) =>
      text
        .split("\n")
        .some((line) => AGAIN.test(line) || /=>.*\bnew Date\(\)\.(?:toISOString\(\)\.slice|get)/.test(line)),
  );
  expect(wrong.map(({ path }) => path)).toEqual([]);
});
