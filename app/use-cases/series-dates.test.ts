// The dates of series: rules read and described, clock changes, and equality with python-dateutil.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { propertySeed, runsOf } from "#tests/support/property-seed";
import { describeRule, formatRule, parseRule, type SeriesRule } from "~/domain/series/rule";
import { DAY, type Instant, instant } from "~/domain/time";
import { datesOf, instantOf, weekAhead } from "./series-dates.server";

const rule = (text: string): SeriesRule => {
  const read = parseRule(text);
  if (!read) throw new Error(text);
  return read;
};
const utc = (text: string): Instant => instant(Date.parse(`${text}Z`));
const iso = (at: number) => new Date(at).toISOString().slice(0, 16);

test.each([
  ["FREQ=YEARLY"],
  ["FREQ=HOURLY"],
  ["INTERVAL=2"],
  ["FREQ=DAILY;INTERVAL=0"],
  ["FREQ=DAILY;INTERVAL=13"],
  ["FREQ=DAILY;COUNT=501"],
  ["FREQ=DAILY;COUNT=0"],
  ["FREQ=DAILY;COUNT=3;UNTIL=20270101"],
  ["FREQ=DAILY;UNTIL=20270230"],
  ["FREQ=DAILY;UNTIL=20270101T090000"],
  ["FREQ=DAILY;UNTIL=20270101T250000Z"],
  ["FREQ=WEEKLY;BYDAY=1TU"],
  ["FREQ=WEEKLY;BYDAY=XX"],
  ["FREQ=WEEKLY;BYDAY=TU,TU"],
  ["FREQ=WEEKLY;BYMONTHDAY=3"],
  ["FREQ=MONTHLY;BYDAY=6TU"],
  ["FREQ=MONTHLY;BYDAY=0TU"],
  ["FREQ=MONTHLY;BYDAY=MO,1FR"],
  ["FREQ=MONTHLY;BYMONTHDAY=0"],
  ["FREQ=MONTHLY;BYMONTHDAY=32"],
  ["FREQ=MONTHLY;BYSETPOS=1;BYDAY=MO"],
  ["FREQ=DAILY;FREQ=DAILY"],
  ["FREQ=DAILY;"],
  ["RRULE:FREQ=DAILY"],
  ["FREQ=DAILY\nFREQ=DAILY"],
  [""],
])("G-05 the rule %j is refused", (text) => {
  expect(parseRule(text)).toBeNull();
});

test.each([
  ["FREQ=WEEKLY;BYDAY=TU,TH", "Every Tuesday and Thursday at 09:00, Europe/Berlin"],
  ["FREQ=WEEKLY", "Every Tuesday at 09:00, Europe/Berlin"],
  ["FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,MO", "Every 2 weeks on Monday and Sunday at 09:00, Europe/Berlin"],
  ["FREQ=DAILY", "Every day at 09:00, Europe/Berlin"],
  ["FREQ=DAILY;INTERVAL=3;COUNT=5", "Every 3 days at 09:00, Europe/Berlin, 5 times"],
  ["FREQ=DAILY;BYDAY=MO,FR", "Every day that is a Monday or Friday at 09:00, Europe/Berlin"],
  ["FREQ=MONTHLY", "Every month on the 24th at 09:00, Europe/Berlin"],
  ["FREQ=MONTHLY;BYMONTHDAY=1,-1", "Every month on the 1st and the last day at 09:00, Europe/Berlin"],
  [
    "FREQ=MONTHLY;INTERVAL=2;BYDAY=1TU,-1FR",
    "Every 2 months on the first Tuesday and the last Friday at 09:00, Europe/Berlin",
  ],
  [
    "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13",
    "Every month on every Friday if it is the 13th at 09:00, Europe/Berlin",
  ],
  ["FREQ=WEEKLY;UNTIL=20261231", "Every Tuesday at 09:00, Europe/Berlin, until Thursday, 12/31/2026"],
])("G-06 the rule %j reads %j", (text, words) => {
  expect(describeRule(rule(text), "2026-11-24T09:00", "Europe/Berlin")).toBe(words);
  expect(parseRule(formatRule(rule(text)))).toEqual(rule(text));
});

test("G-07 09:00 stays 09:00 over a clock change", () => {
  const times = { rule: rule("FREQ=WEEKLY"), localStart: "2026-10-21T09:00", timeZone: "Europe/Berlin" };
  const dates = datesOf(times, { from: utc("2026-10-01T00:00"), before: utc("2026-11-05T00:00") });
  expect(dates.map(({ at }) => iso(at))).toEqual([
    "2026-10-21T07:00",
    "2026-10-28T08:00",
    "2026-11-04T08:00",
  ]);
});

test("G-07 a skipped time moves to the first valid minute, and of a repeated one the first is taken", () => {
  expect(iso(instantOf("2026-03-29", "02:30", "Europe/Berlin"))).toBe("2026-03-29T01:00");
  expect(iso(instantOf("2026-10-25", "02:30", "Europe/Berlin"))).toBe("2026-10-25T00:30");
  expect(iso(instantOf("2026-10-04", "02:15", "Australia/Lord_Howe"))).toBe("2026-10-03T15:30");
});

test("G-07 a count begins at the first date, and an end is part of the series", () => {
  const times = { localStart: "2026-01-05T09:00", timeZone: "UTC" };
  const span = { from: utc("2026-01-07T00:00"), before: utc("2027-01-01T00:00") };
  expect(datesOf({ ...times, rule: rule("FREQ=DAILY;COUNT=4") }, span).map(({ day }) => day)).toEqual([
    "2026-01-07",
    "2026-01-08",
  ]);
  const until = { ...times, rule: rule("FREQ=DAILY;UNTIL=20260108T090000Z") };
  expect(datesOf(until, span).map(({ day }) => day)).toEqual(["2026-01-07", "2026-01-08"]);
});

test("G-01 the week ahead keeps weekday and local time", () => {
  const at = utc("2026-10-21T07:00");
  expect(iso(weekAhead(at, "Europe/Berlin", utc("2026-10-20T00:00")))).toBe("2026-10-28T08:00");
  expect(iso(weekAhead(at, "Europe/Berlin", utc("2026-11-18T08:00")))).toBe("2026-11-25T08:00");
  expect(iso(weekAhead(at, "Europe/Berlin", utc("2026-11-18T07:59")))).toBe("2026-11-18T08:00");
});

// ---- python-dateutil: tests/long/series-dates.py writes the file

const GROUP = 10;
const FILE = join(import.meta.dirname, "../../tests/support/series-dates.txt");
const [zonesLine = "", ...lines] = readFileSync(FILE, "utf8").trim().split("\n");
const zones = zonesLine.split(" ").slice(1);
const table = lines.map((line) => {
  const [text = "", localStart = "", ...hashes] = line.split(" ");
  return { text, localStart, hashes };
});

function hashOf({ text, localStart }: (typeof table)[number], group: number): string {
  const start = utc(localStart);
  const last = new Date(start + 5 * 365 * DAY);
  const said = zones.slice(group * GROUP, (group + 1) * GROUP).map((timeZone) =>
    datesOf(
      { rule: rule(text), localStart, timeZone },
      { from: instant(start - 2 * DAY), before: instant(start + 5 * 366 * DAY) },
    )
      .filter(({ day }) => `${day}T${localStart.slice(11)}` < last.toISOString().slice(0, 16))
      .map(({ at }) => at / 1000)
      .join(" "),
  );
  return createHash("sha256").update(said.join("\n")).digest("hex").slice(0, 8);
}

test("G-07 the dates equal python-dateutil's, by rule, zone and five years", { timeout: 7_200_000 }, () => {
  expect([zones.length, table.length]).toEqual([200, 500]);
  const all = table.flatMap((_, index) =>
    Array.from({ length: zones.length / GROUP }, (_, group) => [index, group] as const),
  );
  const asked = runsOf(all.length, 20);
  const sample =
    asked >= all.length ? all : fc.sample(fc.constantFrom(...all), { seed: propertySeed, numRuns: asked });
  const wrong = sample.filter(([index, group]) => {
    const row = table[index];
    return row && hashOf(row, group) !== row.hashes[group];
  });
  expect(
    wrong.map(([index, group]) => `${table[index]?.text} ${zones.slice(group * GROUP, (group + 1) * GROUP)}`),
  ).toEqual([]);
});
