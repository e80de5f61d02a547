// Calendar days in a time zone: at midnight, across clock changes, at the limits of the calendar.
import { expect, test } from "vitest";
import { clockText, dayAt, daysBetween, daysFrom, isDay, plusDays, weekdayOf, weekOf } from "./days";
import { HOUR, instant, MINUTE } from "./time";

const at = (iso: string) => instant(Date.parse(iso));

test("X-17 a day begins at midnight in the person's time zone", () => {
  for (const [iso, zone, day] of [
    ["2026-11-21T23:59:59.999Z", "UTC", "2026-11-21"],
    ["2026-11-22T00:00:00.000Z", "UTC", "2026-11-22"],
    ["2026-11-21T23:30:00Z", "Europe/Paris", "2026-11-22"],
    ["2026-11-22T04:59:59Z", "America/New_York", "2026-11-21"],
    ["2026-11-22T05:00:00Z", "America/New_York", "2026-11-22"],
    // UTC+14 to UTC−11: three calendar days at one instant.
    ["2026-11-21T10:30:00Z", "Pacific/Kiritimati", "2026-11-22"],
    ["2026-11-21T10:30:00Z", "Pacific/Pago_Pago", "2026-11-20"],
    // Offsets with half and quarter hours.
    ["2026-11-21T18:29:59Z", "Asia/Kolkata", "2026-11-21"],
    ["2026-11-21T18:30:00Z", "Asia/Kolkata", "2026-11-22"],
    ["2026-11-21T18:15:00Z", "Asia/Kathmandu", "2026-11-22"],
    ["2028-02-29T12:00:00Z", "UTC", "2028-02-29"],
  ] as const)
    expect(dayAt(at(iso), zone), `${iso} ${zone}`).toBe(day);
});

test("X-17 a day of 23 or 25 hours is one day, and contains every instant of it", () => {
  for (const [zone, day, begin, hours] of [
    ["Europe/Paris", "2026-03-29", "2026-03-28T23:00:00Z", 23],
    ["Europe/Paris", "2026-10-25", "2026-10-24T22:00:00Z", 25],
    ["America/New_York", "2026-03-08", "2026-03-08T05:00:00Z", 23],
    ["America/New_York", "2026-11-01", "2026-11-01T04:00:00Z", 25],
    // Clocks go forward at midnight, so the day begins at one.
    ["America/Santiago", "2026-09-06", "2026-09-06T04:00:00Z", 23],
    ["Australia/Lord_Howe", "2026-10-04", "2026-10-03T13:30:00Z", 23.5],
  ] as const) {
    const start = at(begin);
    expect(dayAt(instant(start - 1), zone)).toBe(plusDays(day, -1));
    for (let ms = 0; ms < hours * HOUR; ms += 10 * MINUTE) expect(dayAt(instant(start + ms), zone)).toBe(day);
    expect(dayAt(instant(start + hours * HOUR), zone)).toBe(plusDays(day, 1));
  }
});

test("X-17 day arithmetic crosses months, years, leap days and clock changes", () => {
  expect(plusDays("2026-12-31", 1)).toBe("2027-01-01");
  expect(plusDays("2028-02-28", 1)).toBe("2028-02-29");
  expect(plusDays("2026-02-28", 1)).toBe("2026-03-01");
  expect(daysBetween("2026-03-01", "2026-04-01")).toBe(31);
  expect(daysBetween("2026-11-21", "2025-11-21")).toBe(-365);
  expect(daysFrom("2026-03-28", "2026-03-30")).toEqual(["2026-03-28", "2026-03-29", "2026-03-30"]);
  expect(daysFrom("2026-03-30", "2026-03-28")).toEqual([]);
  expect(weekdayOf("2026-11-21")).toBe(6);
  expect(weekOf("2026-11-22")).toBe("2026-11-16");
  expect(weekOf("2026-11-16")).toBe("2026-11-16");
  expect(["2026-02-29", "2028-02-29", "2026-1-1", "2026-13-01", "x"].map(isDay)).toEqual([
    false,
    true,
    false,
    false,
    false,
  ]);
});

test("R-49 the hour has two digits in the locales with a clock of 24 hours, and one in the others", () => {
  const morning = at("2026-11-21T09:05:00Z");
  const textIn = (locale: string) => clockText(morning, { timeZone: "UTC", locale });
  expect(["en-US", "en-GB", "es", "ja"].map(textIn)).toEqual(["9:05 AM", "09:05", "09:05", "09:05"]);
});
