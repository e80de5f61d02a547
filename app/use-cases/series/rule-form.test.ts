// The form of a series' rule, filled by the stored rule and read again.
import { describe, expect, test } from "vitest";
import { parseRule, type SeriesRule } from "~/domain/series/rule";
import { instant } from "~/domain/time";
import { datesOf, instantOf } from "../series-dates.server";
import { ruleTextFor, typedOfSeries } from "./rule-form.server";

const SPAN = { from: instant(0), before: instant(Date.UTC(2029, 0, 1)), most: 40 };
const ruleOf = (text: string) => parseRule(text) as SeriesRule;
const TIMES = { localStart: "2027-01-01T09:00", timeZone: "Europe/Berlin" };

const daysOfRule = (text: string, localStart = TIMES.localStart) =>
  datesOf({ ...TIMES, rule: ruleOf(text), localStart }, SPAN).map(({ day }) => day);

/** The days from the `skipped`-th date on, and the days after the form was saved as it shows the rule from there. */
async function savedAt(text: string, skipped: number, change: { every?: "DAILY"; startedAt?: string } = {}) {
  const before = daysOfRule(text).slice(skipped);
  const times = { ...TIMES, rule: ruleOf(text) };
  const typed = { ...(await typedOfSeries(times, before[0] ?? null)), ...change };
  const [day = "", time = ""] = typed.startedAt.split("T");
  const start = { startedAt: instantOf(day, time, TIMES.timeZone), timeZone: TIMES.timeZone };
  const rule = await ruleTextFor(typed, start, times.rule);
  return { before, rule, after: daysOfRule(rule, typed.startedAt) };
}

describe.each([
  "FREQ=MONTHLY",
  "FREQ=MONTHLY;BYMONTHDAY=1,15",
  "FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=15,-1",
  "FREQ=MONTHLY;BYMONTHDAY=-1",
  "FREQ=MONTHLY;BYDAY=MO",
  "FREQ=MONTHLY;BYDAY=1MO,3TH",
  "FREQ=MONTHLY;BYDAY=-2FR",
  "FREQ=MONTHLY;BYDAY=5SU",
  "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=12,13,14",
  "FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR",
  "FREQ=DAILY;INTERVAL=2;BYMONTHDAY=1,2,3",
  "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,FR",
  "FREQ=WEEKLY",
  "FREQ=WEEKLY;COUNT=12",
  "FREQ=MONTHLY;BYMONTHDAY=1,15;COUNT=9",
  "FREQ=DAILY;UNTIL=20270301",
  "FREQ=DAILY;UNTIL=20270301T080000Z",
  "FREQ=DAILY;UNTIL=20270301T075900Z",
  "FREQ=DAILY;UNTIL=20270301T233000Z",
])("G-05 G-10 %s", (text) => {
  test.each([0, 1, 5])("keeps its dates when it is saved as it is, from date %i on", async (skipped) => {
    const { before, after } = await savedAt(text, skipped);
    const count = Math.min(before.length, 40 - skipped);
    expect(count).toBeGreaterThan(2);
    expect(after.slice(0, count)).toEqual(before.slice(0, count));
    if (/COUNT|UNTIL/.test(text) && count < 40 - skipped) expect(after.length).toBe(count);
  });
});

test("G-05 G-10 a rule takes the days of its form when they, or the day of its first start, are others", async () => {
  const text = "FREQ=MONTHLY;BYMONTHDAY=1,15";
  expect((await savedAt(text, 0, { every: "DAILY" })).rule).toBe("FREQ=DAILY;INTERVAL=1");
  expect((await savedAt(text, 0, { startedAt: "2027-01-20T09:00" })).rule).toBe("FREQ=MONTHLY;INTERVAL=1");
  expect((await savedAt(text, 0, { startedAt: "2027-02-15T07:00" })).rule).toBe(
    "FREQ=MONTHLY;INTERVAL=1;BYMONTHDAY=1,15",
  );
});
