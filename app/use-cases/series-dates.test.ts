// Dates that keep their local time over clock changes.
import { expect, test } from "vitest";
import { type Instant, instant } from "~/domain/time";
import { instantOf, weekAhead } from "./series-dates.server";

const utc = (text: string): Instant => instant(Date.parse(`${text}Z`));
const iso = (at: number) => new Date(at).toISOString().slice(0, 16);

test("G-07 a skipped time moves to the first valid minute, and of a repeated one the first is taken", () => {
  expect(iso(instantOf("2026-03-29", "02:30", "Europe/Berlin"))).toBe("2026-03-29T01:00");
  expect(iso(instantOf("2026-10-25", "02:30", "Europe/Berlin"))).toBe("2026-10-25T00:30");
  expect(iso(instantOf("2026-10-04", "02:15", "Australia/Lord_Howe"))).toBe("2026-10-03T15:30");
});

test("G-01 the week ahead keeps weekday and local time", () => {
  const at = utc("2026-10-21T07:00");
  expect(iso(weekAhead(at, "Europe/Berlin", utc("2026-10-20T00:00")))).toBe("2026-10-28T08:00");
  expect(iso(weekAhead(at, "Europe/Berlin", utc("2026-11-18T08:00")))).toBe("2026-11-25T08:00");
  expect(iso(weekAhead(at, "Europe/Berlin", utc("2026-11-18T07:59")))).toBe("2026-11-18T08:00");
});
