// Quiet hours against a model that walks minute by minute through the local clock.
import { expect, test } from "vitest";
import {
  dayReached,
  dueAt,
  instantOf,
  minuteOfText,
  minutesReached,
  nextDigest,
  textOfMinute,
} from "./quiet-hours";
import { HOUR, type Instant, instant, MINUTE } from "./time";

const at = (text: string): Instant => instant(Date.parse(text));
const BERLIN = "Europe/Berlin";
const NIGHT = { from: 22 * 60, to: 7 * 60 };

test("N-15 N-16 mail waits until quiet hours end, and is not due after the latest instant", () => {
  expect(dueAt(at("2026-11-21T12:00Z"), BERLIN, NIGHT, null)).toBe(at("2026-11-21T12:00Z"));
  expect(dueAt(at("2026-11-21T22:30Z"), BERLIN, NIGHT, null)).toBe(at("2026-11-22T06:00Z"));
  expect(dueAt(at("2026-11-22T05:59Z"), BERLIN, NIGHT, null)).toBe(at("2026-11-22T06:00Z"));
  expect(dueAt(at("2026-11-22T05:59Z"), BERLIN, NIGHT, at("2026-11-22T05:59:30Z"))).toBeNull();
  expect(dueAt(at("2026-11-22T05:59Z"), BERLIN, null, at("2026-11-22T05:00Z"))).toBeNull();
  expect(dueAt(at("2026-11-22T05:59Z"), BERLIN, { from: 60, to: 60 }, null)).toBe(at("2026-11-22T05:59Z"));
});

test("N-16 a skipped local time is the next valid minute, and a repeated time counts once", () => {
  // 02:00 to 03:00 does not exist on 29 March, and exists twice on 25 October.
  const early = { from: 60, to: 150 };
  expect(dueAt(at("2026-03-29T00:30Z"), BERLIN, early, null)).toBe(at("2026-03-29T01:00Z"));
  expect(dueAt(at("2026-10-25T00:10Z"), BERLIN, early, null)).toBe(at("2026-10-25T00:30Z"));
  expect(dueAt(at("2026-10-25T01:10Z"), BERLIN, early, null)).toBe(at("2026-10-25T01:10Z"));
});

test("N-17 the digest comes at 08:00 local time, daily or on Monday", () => {
  expect(nextDigest(at("2026-11-21T06:59Z"), BERLIN, "daily")).toBe(at("2026-11-21T07:00Z"));
  expect(nextDigest(at("2026-11-21T07:00Z"), BERLIN, "daily")).toBe(at("2026-11-22T07:00Z"));
  expect(nextDigest(at("2026-11-21T07:00Z"), BERLIN, "weekly")).toBe(at("2026-11-23T07:00Z"));
});

test("N-14 a local time is read and written as hours and minutes", () => {
  expect(["00:00", "07:30", "23:59"].map((text) => textOfMinute(minuteOfText(text) ?? -1))).toEqual([
    "00:00",
    "07:30",
    "23:59",
  ]);
  expect(["24:00", "7:30", "", "12:60"].map(minuteOfText)).toEqual([null, null, null, null]);
});

const ZONES = [
  "UTC",
  BERLIN,
  "America/New_York",
  "Australia/Lord_Howe",
  "Asia/Kathmandu",
  "Africa/Casablanca",
];
/** The local minutes of the day, by a formatter of its own. */
const clockOf = (zone: string) => {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  return (ms: number) => {
    const [hour = 0, minute = 0] = format.format(ms).split(":").map(Number);
    return hour * 60 + minute;
  };
};

test("N-16 in many zones and over clock changes the first allowed instant equals a walk by minutes", () => {
  let seed = 20_261_122;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((seed / 2 ** 31) * below);
  };
  const changes = [
    at("2026-03-29T00:00Z"),
    at("2026-10-25T00:00Z"),
    at("2026-03-08T06:00Z"),
    at("2026-11-01T05:00Z"),
    at("2026-10-03T15:00Z"),
    at("2026-04-04T15:00Z"),
  ];
  for (let n = 0; n < 400; n++) {
    const zone = ZONES[n % ZONES.length] ?? "UTC";
    const clock = clockOf(zone);
    const start =
      Math.floor(
        ((changes[random(changes.length)] ?? 0) + (random(72) - 36) * HOUR + random(60) * MINUTE) / MINUTE,
      ) * MINUTE;
    const quiet = { from: random(1440), to: random(1440) };
    const isQuiet = (ms: number) =>
      quiet.from < quiet.to
        ? clock(ms) >= quiet.from && clock(ms) < quiet.to
        : quiet.from > quiet.to && (clock(ms) >= quiet.from || clock(ms) < quiet.to);
    const due = dueAt(instant(start), zone, quiet, null) as number;
    // A clock that goes back shows a minute twice, which counts once: the walk stops where the clock repeats.
    let walked = start;
    let highest = clock(walked);
    while (isQuiet(walked)) {
      walked += MINUTE;
      const now = clock(walked);
      if (now < highest && highest - now < 180) break;
      highest = now < highest ? now : Math.max(highest, now);
    }
    const isRepeat = walked !== due;
    // Where the two differ, the clock was set back within the quiet hours or just before.
    if (isRepeat)
      expect(
        offsets(zone, Math.min(start, due) - 3 * HOUR, Math.max(walked, due) + 3 * HOUR),
        `${zone} ${new Date(start).toISOString()} ${JSON.stringify(quiet)}`,
      ).toBe(true);
  }
});

/** Whether the zone's clock changes between two instants. */
function offsets(zone: string, from: number, to: number): boolean {
  const clock = clockOf(zone);
  const gap = (ms: number) => (clock(ms) - Math.floor(ms / MINUTE) + 1440 * 1e6) % 1440;
  for (let ms = from; ms < to; ms += 15 * MINUTE) if (gap(ms) !== gap(from)) return true;
  return false;
}

test("N-23 each local time is reached on every day once, also when the clock changes", () => {
  for (const [zone, day] of [
    [BERLIN, "2026-03-29"],
    [BERLIN, "2026-10-25"],
    ["Australia/Lord_Howe", "2026-10-04"],
    ["America/New_York", "2026-11-01"],
  ] as const) {
    const times = [0, 90, 119, 120, 137, 180, 239];
    const found = new Map(times.map((minute) => [minute, [] as number[]]));
    const [begin, end] = [instantOf(day, 0, zone), instantOf(day, 240, zone)];
    for (let until = begin; until <= end; until = instant(until + MINUTE)) {
      const after = instant(until - MINUTE);
      const minutes = minutesReached(after, until, [zone]);
      for (const minute of times)
        if (dayReached(minute, zone, after, until) === day) {
          expect(minutes, `${zone} ${day} ${minute}`).toContain(minute);
          found.get(minute)?.push(until);
        }
    }
    for (const minute of times)
      expect(found.get(minute), `${zone} ${day} ${minute}`).toEqual([instantOf(day, minute, zone)]);
  }
});

test("N-23 a minute reaches the clocks of all zones by few local times", () => {
  const now = at("2026-11-21T12:00Z");
  const minutes = minutesReached(instant(now - MINUTE), now);
  expect(minutes).toContain(12 * 60);
  expect(minutes).toContain(17 * 60 + 45);
  expect(minutes.length).toBeLessThan(40);
  expect(minutesReached(instant(now - 30 * MINUTE), now, ["UTC"])).toHaveLength(30);
  // Berlin skips an hour, which is reached at once.
  expect(minutesReached(at("2026-03-29T00:59Z"), at("2026-03-29T01:00Z"), [BERLIN])).toHaveLength(61);
  expect(minutesReached(at("2026-10-25T00:59Z"), at("2026-10-25T01:00Z"), [BERLIN])).toEqual([]);
});
