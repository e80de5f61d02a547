// The dates that the session form shows beside the sentence "Repeats …" are those that the layout makes.
import { expect, test } from "vitest";
import { REPEATS, ruleOfRepeat, startsOf } from "~/domain/series/repeat";
import { parseRule } from "~/domain/series/rule";
import { DAY, instant } from "~/domain/time";
import { datesOf, localStartOf } from "~/use-cases/series-dates.server";

const STARTS = ["2026-10-22T18:00Z", "2026-03-26T01:30Z", "2026-08-31T07:00Z", "2026-12-28T23:30Z"];
const ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Pacific/Kiritimati"];

test.each(REPEATS.flatMap((repeat) => ZONES.map((zone) => [repeat, zone] as const)))(
  "R-86 the chips of %s in %s are the dates of its rule",
  (repeat, timeZone) => {
    for (const text of STARTS) {
      const startedAt = instant(Date.parse(text));
      const rule = parseRule(ruleOfRepeat(repeat, 12));
      if (!rule) throw new Error("no rule");
      const times = { rule, localStart: localStartOf(startedAt, timeZone), timeZone };
      const span = { from: startedAt, before: instant(startedAt + 366 * DAY), most: 4 };
      expect(startsOf(repeat, startedAt, timeZone, 4), text).toEqual(
        datesOf(times, span).map(({ at }) => at),
      );
    }
  },
);
