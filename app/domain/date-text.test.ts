// Parsing and formatting dates (X-04, T-20, T-21), across days, time zones, leap years and clock changes.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatFormDate, parseFormDate, parseInstant, roundUpToHour } from "./date-text";
import { formatDay } from "./days";
import { instant } from "./time";

const iso = (input: unknown) => {
  const at = parseInstant(input);
  return at === null ? null : new Date(at).toISOString();
};
const at = (text: string) => instant(Date.parse(text));

test.each([
  ["2026-11-21T09:30:00.000Z", "2026-11-21T09:30:00.000Z"],
  ["2026-11-21T09:30:00Z", "2026-11-21T09:30:00.000Z"],
  ["2026-11-21T09:30:00.1239Z", "2026-11-21T09:30:00.123Z"],
  ["2026-11-21T10:30:00+01:00", "2026-11-21T09:30:00.000Z"],
  ["2026-11-21T04:00:00-0530", "2026-11-21T09:30:00.000Z"],
  ["2026-11-21T09:30", "2026-11-21T09:30:00.000Z"],
  ["2026-11-21 09:30:00", "2026-11-21T09:30:00.000Z"],
  [" 2026-11-21 09:30 ", "2026-11-21T09:30:00.000Z"],
  ["2026-11-21", "2026-11-21T00:00:00.000Z"],
  ["2028-02-29 00:00:00", "2028-02-29T00:00:00.000Z"],
  [Date.UTC(2026, 10, 21, 9, 30), "2026-11-21T09:30:00.000Z"],
  [String(Date.UTC(2026, 10, 21, 9, 30)), "2026-11-21T09:30:00.000Z"],
  [0, "1970-01-01T00:00:00.000Z"],
  [1.9, "1970-01-01T00:00:00.001Z"],
])("X-04 %j is a valid instant", (input, expected) => {
  expect(iso(input)).toBe(expected);
});

test.each([
  "",
  "tomorrow",
  "2026",
  "21/11/2026",
  "2026-13-01",
  "2026-00-10",
  "2026-02-30",
  "2027-02-29 00:00:00",
  "2026-11-31T00:00:00Z",
  "2026-11-21 24:00:00",
  "2026-11-21 09:60:00",
  "2026-11-21 09:30:60",
  "2026-11-21T09:30:00+99:00",
  "2026-11-21 09:30:00; --",
  "9".repeat(30),
  Number.NaN,
  Number.POSITIVE_INFINITY,
  8.64e15,
  null,
  undefined,
  true,
  {},
])("T-20 %j is no date", (input) => {
  expect(parseInstant(input)).toBe(null);
});

test("X-04 an instant survives the round trip as ISO text and as milliseconds", () => {
  fc.assert(
    fc.property(
      fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(Date.UTC(9999, 0)) }),
      (date) => {
        expect(parseInstant(date.toISOString())).toBe(date.getTime());
        expect(parseInstant(date.getTime())).toBe(date.getTime());
      },
    ),
  );
});

test.each([
  ["2026-11-21T09:30:00Z", "UTC", "en-US", "Saturday, 11/21/2026"],
  ["2026-11-21T23:30:00Z", "Europe/Berlin", "en-US", "Sunday, 11/22/2026"],
  ["2026-11-21T03:30:00Z", "America/New_York", "en-US", "Friday, 11/20/2026"],
  ["2026-12-31T23:59:59Z", "Pacific/Auckland", "en-US", "Friday, 1/1/2027"],
  ["2028-02-29T12:00:00Z", "UTC", "en-US", "Tuesday, 2/29/2028"],
  ["2026-11-21T09:30:00Z", "UTC", "de-DE", "Samstag, 11/21/2026"],
])("T-21 %s in %s is %s", (when, timeZone, locale, expected) => {
  expect(formatDay(at(when), timeZone, locale)).toBe(expected);
});

describe("T-21 a form shows a date in its time zone", () => {
  test.each([
    ["2026-11-21T09:05:07Z", "UTC", "2026-11-21 09:05:07", "2026-11-21 9:05:07 AM"],
    ["2026-11-21T00:05:07Z", "UTC", "2026-11-21 00:05:07", "2026-11-21 12:05:07 AM"],
    ["2026-11-21T12:05:07Z", "UTC", "2026-11-21 12:05:07", "2026-11-21 12:05:07 PM"],
    ["2026-11-21T23:59:59Z", "UTC", "2026-11-21 23:59:59", "2026-11-21 11:59:59 PM"],
    ["2026-11-21T23:30:00Z", "Asia/Kathmandu", "2026-11-22 05:15:00", "2026-11-22 5:15:00 AM"],
  ])("T-21 %s in %s", (when, timeZone, long, short) => {
    expect(formatFormDate(at(when), timeZone)).toBe(long);
    expect(formatFormDate(at(when), timeZone, true)).toBe(short);
    expect(parseFormDate(long, timeZone)).toBe(Date.parse(when));
    expect(parseFormDate(short, timeZone)).toBe(Date.parse(when));
  });

  test.each([
    "",
    "soon",
    "2026-02-30 10:00:00",
    "2026-11-21 24:00:00",
    "2026-11-21 10:60:00",
    "2026-11-21 0:30:00 AM",
    "2026-11-21 13:30:00 PM",
  ])("T-20 %j is no valid form date", (text) => {
    expect(parseFormDate(text, "UTC")).toBe(null);
  });

  test("G-07 a time that a clock change skips moves to the first valid minute, and a repeated time means its first occurrence", () => {
    const berlin = (text: string) => new Date(parseFormDate(text, "Europe/Berlin") ?? 0).toISOString();
    expect(berlin("2026-03-29 02:30:00")).toBe("2026-03-29T01:00:00.000Z");
    expect(berlin("2026-03-29 02:00:00")).toBe("2026-03-29T01:00:00.000Z");
    expect(berlin("2026-10-25 02:30:00")).toBe("2026-10-25T00:30:00.000Z");
    // A change by two hours.
    expect(parseFormDate("2026-10-25 02:30:00", "Antarctica/Troll")).toBe(Date.UTC(2026, 9, 25, 0, 30));
  });

  test("T-21 in a zone that this browser does not know, a form shows UTC", () => {
    const at = instant(Date.UTC(2026, 10, 21, 9, 30));
    expect(formatFormDate(at, "Nowhere/Here")).toBe("2026-11-21 09:30:00");
    expect(parseFormDate("2026-11-21 09:30:00", "Nowhere/Here")).toBe(at);
  });

  test("T-21 a date that is shown in a zone parses to the same second", () => {
    const zones = fc.constantFrom(
      "UTC",
      "Europe/Berlin",
      "America/New_York",
      "Asia/Kathmandu",
      "Pacific/Chatham",
    );
    // Hours are unique again from the first hour after a clock change; a repeated hour is ambiguous.
    const dates = fc.date({
      noInvalidDate: true,
      min: new Date(Date.UTC(2000, 0)),
      max: new Date(Date.UTC(2060, 0)),
    });
    fc.assert(
      fc.property(dates, zones, fc.boolean(), (date, zone, is12Hour) => {
        const second = instant(Math.floor(date.getTime() / 1000) * 1000);
        const back = parseFormDate(formatFormDate(second, zone, is12Hour), zone);
        expect([second, second - 3_600_000, second + 3_600_000]).toContain(back);
        expect(formatFormDate(instant(back ?? 0), zone)).toBe(formatFormDate(second, zone));
      }),
    );
  });
});

test.each([
  ["2026-11-21T23:30:00+14:00", "2026-11-21T09:30:00.000Z"],
  ["2026-11-21T09:30:00-00:59", "2026-11-21T10:29:00.000Z"],
  ["2026-11-21T09:30:00+15:00", null],
  ["2026-11-21T09:30:00+00:60", null],
  ["2026-01-31T23:59:59Z", "2026-01-31T23:59:59.000Z"],
  ["2026-12-01", "2026-12-01T00:00:00.000Z"],
  ["2026-12-00", null],
])("X-04 the edges of dates and offsets: %s", (input, expected) => {
  expect(iso(input)).toBe(expected);
});

test.each([
  ["2026-11-21 12:30 AM", "2026-11-21T00:30:00.000Z"],
  ["2026-11-21 12:30 p.m.", "2026-11-21T12:30:00.000Z"],
  ["2026-11-21 1:30:59 PM", "2026-11-21T13:30:59.000Z"],
  ["2026-11-21 23:59:59", "2026-11-21T23:59:59.000Z"],
  ["2026-11-21 0:30 AM", null],
  ["2026-11-21 13:30 PM", null],
  ["2026-11-21 24:00", null],
  ["2026-11-21 09:60", null],
  ["2026-11-21 09:30:60", null],
  ["2026-02-29 09:30", null],
])("T-20 T-21 the form date %s is valid", (typed, expected) => {
  const found = parseFormDate(typed, "UTC");
  expect(found === null ? null : new Date(found).toISOString()).toBe(expected);
});

test.each([
  ["2026-11-21T00:05:09Z", "2026-11-21 12:05:09 AM"],
  ["2026-11-21T11:59:59Z", "2026-11-21 11:59:59 AM"],
  ["2026-11-21T12:00:00Z", "2026-11-21 12:00:00 PM"],
  ["2026-11-21T23:00:00Z", "2026-11-21 11:00:00 PM"],
])("T-21 in 12-hour mode %s is %s", (input, shown) => {
  expect(formatFormDate(at(input), "UTC", true)).toBe(shown);
});

test("Y-02 the next full hour is one by the clock of the zone", () => {
  const next = (text: string, zone: string) => new Date(roundUpToHour(at(text), zone)).toISOString();
  expect(next("2026-11-21T09:30:20Z", "UTC")).toBe("2026-11-21T10:00:00.000Z");
  expect(next("2026-11-21T10:00:00Z", "UTC")).toBe("2026-11-21T10:00:00.000Z");
  expect(next("2026-11-21T10:00:00.001Z", "UTC")).toBe("2026-11-21T11:00:00.000Z");
  expect(next("2026-11-21T09:40:00Z", "Asia/Kolkata")).toBe("2026-11-21T10:30:00.000Z");
});
