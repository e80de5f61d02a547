// Calendar files, read back by two foreign readers.
import fc from "fast-check";
import nodeIcal from "node-ical";
import { expect, test } from "vitest";
import { type EventRead, readByIcal } from "#tests/support/calendars";
import { runsOf } from "#tests/support/property-seed";
import { type CalendarEntry, type CalendarRow, entryOf } from "~/domain/calendar";
import { instant, seconds } from "~/domain/time";
import { createCalendar } from "./calendar";

const ORIGIN = "https://bothy.example";
const calendar = createCalendar("Bothy");
const write = (events: readonly CalendarEntry[]) =>
  calendar.write(events, { name: "Bothy: my sessions", method: "PUBLISH" });

/** node-ical answers some properties as objects with their parameters. */
const plain = (value: unknown): string =>
  typeof value === "object" && value !== null && "val" in value ? String(value.val) : String(value ?? "");

function readByNodeIcal(text: string): EventRead[] {
  return Object.values(nodeIcal.sync.parseICS(text)).flatMap((event) =>
    event?.type === "VEVENT"
      ? [
          {
            uid: event.uid,
            sequence: Number(event.sequence),
            changedAt: event.dtstamp.getTime(),
            start: event.start.getTime(),
            end: event.end?.getTime() ?? 0,
            title: plain(event.summary),
            description: plain(event.description),
            address: plain(event.location),
            status: String(event.status),
          },
        ]
      : [],
  );
}

const READERS = { "ical.js": readByIcal, "node-ical": readByNodeIcal };
/** node-ical reads a backslash before an n as a line break, and drops quotes around a whole text. */
const readableFor = (reader: string, said: string): string =>
  reader === "node-ical" ? said.replace(/\\(?=n)/gi, "/").replace(/^"|"$/g, "'") : said;

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
  rows.map((row) => entryOf(row, ORIGIN, true)).filter((event) => event !== null);

const COUNT = runsOf(10_000, 1000);
const A_FILE = 50;

test.each(Object.entries(READERS))(
  "F-09 F-10 F-13 %s reads every generated session as it was written",
  async (name, read) => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(session, { minLength: A_FILE, maxLength: A_FILE, selector: ({ id }) => id }),
        async (rows) => {
          const readable = rows.map((row) => ({
            ...row,
            title: readableFor(name, row.title),
            summary: readableFor(name, row.summary),
          }));
          const events = entriesOf(readable);
          const file = await write(events);
          expect(read(file)).toEqual(events.map(asRead));
        },
      ),
      { numRuns: Math.ceil(COUNT / A_FILE) },
    );
  },
);

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

test.each(Object.entries(READERS))(
  "F-08 F-12 %s sees a move and a cancellation as a later version of the same event",
  async (_, read) => {
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
    for (const row of [base, moved, cancelled]) versions.push(...read(await write(entriesOf([row]))));
    expect(new Set(versions.map(({ uid }) => uid))).toEqual(new Set(["session-7@bothy.example"]));
    expect(versions.map(({ sequence }) => sequence)).toEqual([0, 1, 2]);
    expect(versions.map(({ status }) => status)).toEqual(["CONFIRMED", "CONFIRMED", "CANCELLED"]);
    // The cancelled event stays at its planned time.
    expect(versions[2]?.start).toBe(moved.startedAt);
  },
);
