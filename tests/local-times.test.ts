// The functions that read a time on a local clock, at the clock changes of many zones.
import { describe, expect, test } from "vitest";
import { parseFormDate } from "~/domain/date-text";
import type { Day } from "~/domain/days";
import { instantOf as instantOfMinute } from "~/domain/notices/quiet-hours";
import { instantOf } from "~/use-cases/series-dates.server";

/** Each reads the minute of a day in a zone: a form with a date and time, a series, a reminder or quiet hours. */
const READERS: Record<string, (day: Day, minute: number, zone: string) => number | null> = {
  form: (day, minute, zone) => parseFormDate(`${day} ${clockOf(minute)}`, zone),
  series: (day, minute, zone) => instantOf(day, clockOf(minute), zone),
  reminder: instantOfMinute,
};
const clockOf = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;

/** Changes by an hour, half an hour and two hours, at midnight, in the afternoon, and with a whole day left out. */
const CHANGES: [zone: string, days: Day[]][] = [
  ["Europe/Berlin", ["2026-03-29", "2026-10-25"]],
  ["America/New_York", ["2026-03-08", "2026-11-01"]],
  ["Australia/Lord_Howe", ["2026-04-05", "2026-10-04"]],
  ["Antarctica/Troll", ["2026-03-29", "2026-10-25"]],
  ["Africa/Cairo", ["2026-04-24", "2026-10-29", "2026-10-30"]],
  ["America/Santiago", ["2026-04-04", "2026-04-05", "2026-09-06"]],
  ["Asia/Beirut", ["2026-03-29", "2026-10-24", "2026-10-25"]],
  ["Atlantic/Azores", ["2026-03-29", "2026-10-25"]],
  ["Pacific/Chatham", ["2026-04-05", "2026-09-27"]],
  ["Asia/Kathmandu", ["2026-03-29"]],
];

describe.each(CHANGES)("G-07 in %s", (zone, days) => {
  test.each(days)("every minute of %s is the same instant by a form, a series and a reminder", (day) => {
    const apart: string[] = [];
    for (let minute = 0; minute < 24 * 60; minute += 5) {
      const read = Object.entries(READERS).map(([name, reads]) => [name, reads(day, minute, zone)] as const);
      if (new Set(read.map(([, at]) => at)).size > 1)
        apart.push(
          `${clockOf(minute)}: ${read.map(([name, at]) => `${name} ${new Date(at ?? 0).toISOString()}`).join(", ")}`,
        );
    }
    expect(apart).toEqual([]);
  });
});

test("G-07 02:30 in the night that skips it begins at 03:00, by each of them", () => {
  for (const [name, reads] of Object.entries(READERS))
    expect([name, reads("2026-03-29", 150, "Europe/Berlin")]).toEqual([name, Date.UTC(2026, 2, 29, 1)]);
});
