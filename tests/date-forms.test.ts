// Dates and times have one form on pages, in mails and in notices (T-21, R-49): few files make formats of instants.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const FORMAT = /\bDateTimeFormat\(\s*[^)\s]|\.toLocale(Date|Time)String\(/;

/** Each file that makes a format, and the text that is not one of a page, mail or notice in the reader's form. */
const FORMATTERS: Record<string, string> = {
  "app/domain/days.ts": "the whole form and the clock",
  "app/components/ui/time-text.ts": "the short forms of the page",
  "app/components/goals/heat-map-chart.tsx": "names of months and weekdays at the axes of the year",
  "app/components/form/date-time-input.tsx": "the offset of a zone, such as GMT+1",
  "app/domain/notices/texts.ts": "the long name of a zone",
  "app/domain/notices/quiet-hours.ts": "the minute of a day, which nobody reads",
  "app/use-cases/series/view.server.ts": "whether a zone exists",
  "app/forms/sessions/sessions.ts": "whether a zone exists",
  "workers/request-context.ts": "whether a zone or a locale exists",
};

test("T-21 R-49 only the files of the one form of dates and times make formats of instants", () => {
  const files = globSync("{app,workers,db}/**/*.{ts,tsx,mjs}", { cwd: ROOT }).filter(
    (path) => !/\.test\.tsx?$|^app\/components\/styleguide\//.test(path),
  );
  const found = files.filter((path) => FORMAT.test(readFileSync(join(ROOT, path), "utf8")));
  expect(found.sort()).toEqual(Object.keys(FORMATTERS).sort());
});
