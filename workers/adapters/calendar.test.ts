// Calendar files, read back by a foreign reader.
import { TZDate } from "@date-fns/tz";
import fc from "fast-check";
import ICAL from "ical.js";
import { expect, test } from "vitest";
import { type EventRead, readByIcal } from "#tests/support/calendars";
import { runsOf } from "#tests/support/property-seed";
import { absoluteText } from "~/components/ui/time-text";
import { type CalendarEntry, type CalendarRow, entryOf } from "~/domain/calendar";
import { parseFormDate } from "~/domain/date-text";
import { type Day, daysFrom, plusDays } from "~/domain/days";
import { type Mailed, mailedOf, nextInvitation } from "~/domain/notices/calendar-invites";
import { dueAt } from "~/domain/notices/quiet-hours";
import { calendarSentence, writeNotice } from "~/domain/notices/texts";
import { instant, MINUTE, plusSeconds, seconds } from "~/domain/time";
import { createCalendar } from "./calendar";

const ORIGIN = "https://bothy.example";
const SITE = { origin: ORIGIN, name: "bothy.example" };
const calendar = createCalendar("Bothy", "hello@bothy.example");
const write = (events: readonly CalendarEntry[]) =>
  calendar.write(events, { name: "Bothy: my sessions", method: "PUBLISH" });

const wholeSecond = (at: number) => Math.floor(at / 1000) * 1000;
const asRead = (event: CalendarEntry): EventRead => ({
  uid: event.uid,
  sequence: event.sequence,
  changedAt: wholeSecond(event.changedAt),
  start: wholeSecond(event.start),
  end: wholeSecond(event.end),
  title: event.title,
  description: event.description,
  address: event.address,
  status: event.isCancelled ? "CANCELLED" : "CONFIRMED",
});

const WORDS = [
  "Morning, pages; and \\n more",
  "BEGIN:VEVENT\r\nUID:evil",
  "Grüße 👩‍👩‍👧‍👦 𝔘𝔫𝔦",
  "جلسة الكتابة، صباحًا",
  'שלום "עולם": 10;20',
  "日本語の長い題名".repeat(20),
  "a\\,b\\;c\\\\d",
  "one\r\ntwo\nthree\rfour\u2028five",
];
const text = (maxLength: number) =>
  fc.oneof(
    fc.constantFrom(...WORDS),
    fc.string({ unit: "grapheme", maxLength }),
    fc.string({ unit: "binary", maxLength }),
    fc.stringMatching(/^[ ,;:"\\nN\r\n-]{0,80}$/),
  );
const at = fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2040, 0) }).map(instant);
const session: fc.Arbitrary<CalendarRow> = fc
  .record({
    id: fc.integer({ min: 1, max: 2 ** 31 }),
    title: text(120).filter((title) => title.trim() !== ""),
    summary: text(900),
    startedAt: at,
    length: fc.integer({ min: 300, max: 2_592_000 }),
    sequence: fc.nat(100_000),
    changedAt: at,
    isCancelled: fc.boolean(),
  })
  .map(({ startedAt, length, isCancelled, ...rest }) => {
    const closedAt = isCancelled ? instant(startedAt - 7_200_000) : null;
    return {
      ...rest,
      duration: seconds(length),
      startedAt: closedAt ?? startedAt,
      endedAt: closedAt ?? instant(startedAt + length * 1000),
      closedAt,
      cancelledStart: isCancelled ? startedAt : null,
    };
  });

const entriesOf = (rows: readonly CalendarRow[]) =>
  rows.map((row) => entryOf(row, SITE, true)).filter((event) => event !== null);

const COUNT = runsOf(10_000, 1000);
const A_FILE = 50;

test("F-09 F-10 F-13 ical.js reads every generated session as it was written", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(session, { minLength: A_FILE, maxLength: A_FILE, selector: ({ id }) => id }),
      async (rows) => {
        const events = entriesOf(rows);
        expect(readByIcal(await write(events))).toEqual(events.map(asRead));
      },
    ),
    { numRuns: Math.ceil(COUNT / A_FILE) },
  );
});

test("F-13 every line ends with CRLF, has at most 75 octets and holds whole characters", async () => {
  const encoder = new TextEncoder();
  const rows = fc.sample(session, 200);
  const file = await write(entriesOf(rows));
  for (const line of file.split("\r\n")) {
    expect(line).not.toMatch(/[\r\n]/);
    expect(encoder.encode(line).length).toBeLessThanOrEqual(75);
    expect(line).not.toMatch(/\p{Cs}/u);
  }
});

test("F-06 F-07 the same sessions give the same bytes, without RRULE and with one event each", async () => {
  const events = entriesOf(fc.sample(session, 50));
  const file = await write(events);
  expect(await write(events)).toBe(file);
  expect(file).not.toContain("RRULE");
  expect(file.match(/^BEGIN:VEVENT\r$/gm)).toHaveLength(50);
  expect(file).toContain("METHOD:PUBLISH");
});

const base: CalendarRow = {
  id: 7,
  title: "Morning pages",
  summary: "We write.",
  startedAt: instant(Date.UTC(2026, 10, 25, 9)),
  endedAt: instant(Date.UTC(2026, 10, 25, 10)),
  duration: seconds(3600),
  closedAt: null,
  cancelledStart: null,
  sequence: 0,
  changedAt: instant(Date.UTC(2026, 10, 21, 9)),
};

test("F-09 a session that ended before its planned length ends in the file at that instant", async () => {
  const endedAt = instant(Date.UTC(2026, 10, 25, 9, 20));
  const [read] = readByIcal(await write(entriesOf([{ ...base, endedAt }])));
  expect([read?.start, read?.end]).toEqual([base.startedAt, endedAt]);
});

test("F-08 F-12 ical.js sees a move and a cancellation as a later version of the same event", async () => {
  const moved = { ...base, startedAt: instant(Date.UTC(2026, 10, 26, 9)), sequence: 1 };
  const now = instant(Date.UTC(2026, 10, 22));
  const cancelled = {
    ...moved,
    startedAt: now,
    endedAt: now,
    closedAt: now,
    cancelledStart: moved.startedAt,
    sequence: 2,
  };
  const versions = [];
  for (const row of [base, moved, cancelled]) versions.push(...readByIcal(await write(entriesOf([row]))));
  expect(new Set(versions.map(({ uid }) => uid))).toEqual(new Set(["session-7@bothy.example"]));
  expect(versions.map(({ sequence }) => sequence)).toEqual([0, 1, 2]);
  expect(versions.map(({ status }) => status)).toEqual(["CONFIRMED", "CONFIRMED", "CANCELLED"]);
  // The cancelled event stays at its planned time.
  expect(versions[2]?.start).toBe(moved.startedAt);
});

test("F-20 F-21 ical.js reads invitation, update and cancellation by mail as the same event of the same two people", async () => {
  const people = { host: 'Ada, "the" host', attendee: "grace@example.com" };
  const now = instant(Date.UTC(2026, 10, 22));
  const moved = { ...base, startedAt: instant(Date.UTC(2026, 10, 26, 9)), sequence: 1 };
  let mailed: Mailed | undefined;
  const versions = [];
  for (const [row, hasSeat] of [
    [base, true],
    [moved, true],
    [moved, false],
  ] as const) {
    const entry = entryOf(row, SITE, true);
    const next = nextInvitation({ entry, hasSeat, mailed, isRepeat: false, now });
    if (typeof next === "string") throw new Error(next);
    mailed = mailedOf(next);
    const file = await calendar.write([next.entry], { name: "Morning pages", method: next.method, people });
    const lines = file.replace(/\r\n /g, "").split("\r\n");
    expect(lines.filter((line) => line.startsWith("ATTENDEE"))).toHaveLength(1);
    expect(lines.find((line) => line.startsWith("ORGANIZER"))).toMatch(/:mailto:hello@bothy\.example$/i);
    expect(new ICAL.Component(ICAL.parse(file)).getFirstPropertyValue("method")).toBe(next.method);
    versions.push(...readByIcal(file));
  }
  expect(versions.map(({ uid, sequence, status }) => [uid, sequence, status])).toEqual([
    ["session-7@bothy.example", 0, "CONFIRMED"],
    ["session-7@bothy.example", 1, "CONFIRMED"],
    ["session-7@bothy.example", 2, "CANCELLED"],
  ]);
  expect(versions.map(({ start }) => start)).toEqual([base.startedAt, moved.startedAt, moved.startedAt]);
});

/** The days around each change of a zone's clock in ten years, `2026-03-29`. */
function daysOfChanges(zone: string): Day[] {
  const offset = (day: Day) => new TZDate(Date.parse(`${day}T12:00:00Z`), zone).getTimezoneOffset();
  const days: Day[] = [];
  for (let week = "2025-12-31"; week < "2036-01-01"; week = plusDays(week, 7)) {
    const next = plusDays(week, 7);
    if (offset(week) === offset(next)) continue;
    const changed = daysFrom(plusDays(week, 1), next).find((day) => offset(day) !== offset(week)) ?? next;
    days.push(plusDays(changed, -1), changed, plusDays(changed, 1));
  }
  return days;
}

test.each([
  ["Europe/Berlin", "2026-03-27T08:00Z", "3/27/2026, 09:00 (Central European Standard Time)"],
  ["Europe/Berlin", "2026-03-30T07:00Z", "3/30/2026, 09:00 (Central European Summer Time)"],
  ["Asia/Kathmandu", "2026-03-30T03:15Z", "3/30/2026, 09:00 (Nepal Time)"],
])("F-26 an email says times in the recipient's zone %s with its name on that date", (zone, at, said) => {
  const startedAt = instant(Date.parse(at));
  const reader = { timeZone: zone, locale: "en-GB" };
  const body = { title: "Pages", path: "/", startedAt };
  expect(writeNotice({ kind: "session-moved", body }, reader, true).text).toContain(`${said}.`);
  expect(calendarSentence("updated", { title: "Pages", start: startedAt }, reader)).toContain(`${said}.`);
  const american = { timeZone: zone, locale: "en-US" };
  expect(writeNotice({ kind: "session-moved", body }, american, true).text).toContain(
    said.replace("09:00", "9:00 AM"),
  );
  expect(writeNotice({ kind: "session-moved", body }, reader).text).not.toContain("Time)");
});

test("F-25 F-27 a session at 05:30 local time keeps its instant in feed, mail, page and reminder around every clock change", async () => {
  const all = Intl.supportedValuesOf("timeZone");
  const zones = ["Europe/Paris", "America/St_Johns", "Australia/Lord_Howe", "Africa/Casablanca"];
  const asked = runsOf(1, 0) ? all : zones;
  let count = 0;
  for (const zone of asked) {
    const days = daysOfChanges(zone);
    const rows = days.map((day, n): CalendarRow => {
      const startedAt = parseFormDate(`${day} 05:30:00`, zone) ?? instant(0);
      return { ...base, id: n + 1, startedAt, endedAt: plusSeconds(startedAt, 3600) };
    });
    const file = await write(entriesOf(rows));
    for (const [n, row] of rows.entries()) {
      const at = Number(row.startedAt);
      const look = { locale: "en-GB", timeZone: zone, now: at, look: "time" as const };
      expect(absoluteText(at, look), `${zone} ${days[n]}`).toBe("05:30");
      // The reminder's email, whose delivery keeps the start as an instant.
      const [year, month, date] = (days[n] ?? "").split("-").map(Number);
      const body = { title: "A", path: "/", startedAt: instant(at), lead: 10 };
      const { text } = writeNotice(
        { kind: "session-reminder", body },
        { timeZone: zone, locale: "en-GB" },
        true,
      );
      expect(text, `${zone} ${days[n]}`).toContain(`, ${month}/${date}/${year}, 05:30 (`);
      const leaves = instant(at - 10 * MINUTE);
      expect(dueAt(leaves, zone, { from: 6 * 60, to: 7 * 60 }, instant(at))).toBe(leaves);
      count++;
    }
    const starts = rows.map(({ startedAt }) => startedAt);
    expect(
      readByIcal(file).map(({ start }) => start),
      zone,
    ).toEqual(starts);
  }
  expect(count).toBeGreaterThan(asked.length);
}, 120_000);

test("R-59 the calendar's name is escaped as a summary is, so that no line of it begins an event", async () => {
  const name = "Hut; one, two\\r\nEND:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:evil\r\nEND:VEVENT";
  const file = await calendar.write([], { name, method: "PUBLISH" });
  expect(file).not.toMatch(/^(UID|BEGIN:VEVENT)/m);
  expect(file.replaceAll("\r\n ", "")).toContain(
    "X-WR-CALNAME:Hut\\; one\\, two\\\\r\\nEND:VCALENDAR\\nBEGIN:VEVENT",
  );
  expect(readByIcal(file)).toEqual([]);
});

test("F-13 a line is folded between escapes, after 75 octets at most", async () => {
  await fc.assert(
    fc.asyncProperty(fc.stringMatching(/^[a-z;,\\字😀]{60,300}$/u), async (title) => {
      const file = await write(
        entriesOf(fc.sample(session, { numRuns: 1, seed: 1 }).map((row) => ({ ...row, title }))),
      );
      for (const line of file.split("\r\n")) {
        expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75);
        // An even number of backslashes are escapes of themselves.
        expect(/(?<!\\)(\\\\)*$/.test(line)).toBe(true);
      }
      expect(readByIcal(file)[0]?.title).toBe(title);
    }),
    { numRuns: runsOf(1000, 100) },
  );
});
