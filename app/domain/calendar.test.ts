// Sessions as entries of a calendar.
import { expect, test } from "vitest";
import { DAY, HOUR, instant, seconds } from "~/domain/time";
import { type CalendarRow, entryOf, isInFeed } from "./calendar";

const NOW = instant(Date.UTC(2026, 10, 23, 12));
const row = (of: Partial<CalendarRow>): CalendarRow => ({
  id: 1,
  title: "Reading",
  summary: "",
  startedAt: null,
  endedAt: null,
  closedAt: null,
  cancelledStart: null,
  duration: seconds(3600),
  sequence: 1,
  changedAt: NOW,
  ...of,
});

test("F-12 the entry of a cancelled session keeps its planned start and length", () => {
  const planned = instant(NOW + DAY);
  const cancelled = row({ startedAt: NOW, endedAt: NOW, closedAt: NOW, cancelledStart: planned });
  expect(entryOf(cancelled, { origin: "https://bothy.example", name: "bothy.example" }, true)).toMatchObject({
    isCancelled: true,
    start: planned,
    end: planned + HOUR,
  });
});

test("F-05 a feed shows a session that ran, after its end too", () => {
  const [startedAt, endedAt] = [instant(NOW - 2 * DAY), instant(NOW - DAY)];
  expect(isInFeed(row({ startedAt, endedAt, closedAt: endedAt }), NOW)).toBe(true);
});
