import { describe, expect, it } from "vitest";
import { spanWords } from "./span-text";
import { absoluteText, relativeText } from "./time-text";

const now = Date.parse("2026-11-21T09:30:00Z");
const view = { locale: "en-GB", timeZone: "UTC", now, look: "short" as const };

describe("absoluteText", () => {
  it("omits the year in the current year", () => {
    expect(absoluteText(now - 10 * 86_400_000, view)).toBe("11 Nov, 09:30");
    expect(absoluteText(Date.parse("2027-01-02T09:30:00Z"), view)).toBe("2 Jan 2027, 09:30");
  });
  it("R-49 short names near days, with the time", () => {
    const short = (days: number, locale = "en-GB") =>
      absoluteText(now + days * 86_400_000, { ...view, locale });
    expect([0, 1, -1, 6, -6].map((days) => short(days))).toEqual([
      "Today 09:30",
      "Tomorrow 09:30",
      "Yesterday 09:30",
      "Fri 09:30",
      "Sun 09:30",
    ]);
    expect(short(7)).toBe("28 Nov, 09:30");
    expect(short(1, "en-US")).toBe("Tomorrow 9:30 AM");
    expect(absoluteText(now, { ...view, timeZone: "Pacific/Kiritimati" })).toBe("Today 23:30");
    expect(absoluteText(now + 3_600_000, { ...view, timeZone: "Pacific/Kiritimati" })).toBe("Tomorrow 00:30");
  });
  it("R-49 a span names its day and half of the day once", () => {
    const span = (minutes: number, locale: string) =>
      spanWords(now, now + minutes * 60_000, { ...view, locale }).join(" ");
    expect(span(8, "en-US")).toBe("Today 9:30–9:38 AM");
    expect(span(180, "en-US")).toBe("Today 9:30 AM–12:30 PM");
    expect(span(8, "en-GB")).toBe("Today 09:30–09:38");
    expect(span(24 * 60, "en-GB")).toBe("Today 09:30 – Tomorrow 09:30");
    expect(spanWords(now, now + 480_000, { ...view, locale: "en-US" })).toEqual(["Today", "9:30–9:38 AM"]);
    const later = now + 10 * 86_400_000;
    expect(spanWords(later, later + 480_000, { ...view, locale: "en-US" })).toEqual([
      "Dec 1",
      "9:30–9:38 AM",
    ]);
  });
  it("shows the hour of the time zone", () => {
    expect(absoluteText(now, { ...view, timeZone: "Asia/Tokyo", look: "time" })).toBe("18:30");
  });
  it("auto shows only the hour today", () => {
    expect(absoluteText(now, { ...view, look: "auto" })).toBe("09:30");
    expect(absoluteText(now - 86_400_000, { ...view, look: "auto" })).toBe("Yesterday 09:30");
  });
  it("day names today and tomorrow", () => {
    const day = (at: number) => absoluteText(at, { ...view, look: "day" });
    expect(day(now + 3_600_000)).toBe("Today");
    expect(day(now + 86_400_000)).toBe("Tomorrow");
    expect(day(now - 86_400_000)).toBe("20 Nov");
    expect(day(now + 2 * 86_400_000)).toBe("23 Nov");
  });
  it("R-49 a whole date is the weekday, then month/day/year, in every locale", () => {
    const whole = (locale: string, look: "date" | "full") => absoluteText(now, { ...view, locale, look });
    expect(whole("en-US", "date")).toBe("Saturday, 11/21/2026");
    expect(whole("en-GB", "full")).toBe("Saturday, 11/21/2026, 09:30");
    expect(whole("de-DE", "date")).toBe("Samstag, 11/21/2026");
    expect(absoluteText(now, { ...view, timeZone: "Asia/Tokyo", look: "date" })).toBe("Saturday, 11/21/2026");
  });
  it("contains no space characters that differ between engines", () => {
    expect(absoluteText(now, { ...view, locale: "en-US", look: "time" })).toBe("9:30 AM");
  });
});

describe("relativeText", () => {
  it.each([
    [0, "now"],
    [59_000, "now"],
    [60_000, "in 1 minute"],
    [-7_300_000, "2 hours ago"],
    [86_399_000, "in 23 hours"],
    [86_400_000, "tomorrow"],
    [-86_400_000, "yesterday"],
    // 9:30 in the morning: 40 hours are after the midnight of the day after tomorrow.
    [40 * 3_600_000, "in 2 days"],
    [-34 * 3_600_000, "2 days ago"],
    [6 * 86_400_000, "in 6 days"],
    [7 * 86_400_000, "next week"],
    [-15 * 86_400_000, "2 weeks ago"],
  ])("R-49 says of an instant that is %d ms away: %s", (away, words) => {
    expect(relativeText(now + away, { locale: "en", timeZone: "UTC", now })).toBe(words);
  });
  it("R-49 counts the days of the reader's calendar, as the short form does", () => {
    const ms = now + 40 * 3_600_000;
    const read = (timeZone: string) => [
      relativeText(ms, { locale: "en", timeZone, now }),
      absoluteText(ms, { ...view, timeZone }),
    ];
    expect(read("UTC")).toEqual(["in 2 days", "Mon 01:30"]);
    expect(read("America/New_York")).toEqual(["tomorrow", "Tomorrow 20:30"]);
  });
});
