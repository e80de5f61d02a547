// Refuses tests that read the machine's clock. A test without another clock computes a day from it only once, because a
// run may pass midnight.
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

/** These set the clock up themselves, or read the machine's on purpose. */
const OWN_CLOCK: Record<string, string> = {
  "tests/support/clock.ts": "It stops the clock.",
  "app/use-cases/safety/audit.workers.test.ts": "A trigger of SQLite goes by the machine's clock.",
  "workers/room/presence.workers.test.ts": "workerd keeps the time of a ping by the machine's clock.",
};

test("a test inside workerd reads no clock but the one that the setup has stopped", () => {
  const config = readFileSync(join(root, "tests/vitest.config.ts"), "utf8");
  expect(config).toContain('setupFiles: ["clock.ts"');
  const OWN = /\b(useFakeTimers|useRealTimers|machineNow)\(|spyOn\(Date\b|\btimeOrigin\b/;
  const own = files.filter(
    ({ path, text }) =>
      (/\.workers\.test\./.test(path) || /^tests\/(support|roles|again|load)\//.test(path)) && OWN.test(text),
  );
  expect(own.map(({ path }) => path).sort()).toEqual(Object.keys(OWN_CLOCK).sort());
});

test("a day of the machine's clock is read once in a file, so that a run may pass midnight", () => {
  // A function would read another day after midnight than before.
  const AGAIN = /=>[^;]*Math\.(?:floor|ceil|round)\(Date\.now\(\) \/ DAY\)/;
  const wrong = files.filter(
    ({ path, text }) =>
      /^tests\/(built|journeys|support|tasks)\//.test(path) &&
      text
        .split("\n")
        .some((line) => AGAIN.test(line) || /=>.*\bnew Date\(\)\.(?:toISOString\(\)\.slice|get)/.test(line)),
  );
  expect(wrong.map(({ path }) => path)).toEqual([]);
});
