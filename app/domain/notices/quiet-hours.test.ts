// Quiet hours and local times, against a model that walks along the wall clock.
import { expect, test } from "vitest";
import { propertySeed, runsOf } from "#tests/support/property-seed";
import { DAY, HOUR, type Instant, instant, MINUTE } from "~/domain/time";
import {
  dayReached,
  dueAt,
  instantOf,
  minuteOfText,
  minutesReached,
  nextDigest,
  textOfMinute,
} from "./quiet-hours";

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

test("N-16 a time between quiet hours that the clock skips is no time to send", () => {
  const nearlyAll = { from: 170, to: 140 };
  expect(dueAt(at("2026-03-28T12:00Z"), BERLIN, nearlyAll, null)).toBe(at("2026-03-30T00:20Z"));
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

/** The wall clock of a zone around an instant, a quarter of an hour at a time; as if local times were UTC. */
function wallClock(zone: string, around: number) {
  const format = new Intl.DateTimeFormat("sv-SE", {
    timeZone: zone,
    dateStyle: "short",
    timeStyle: "short",
  });
  const quarter = 15 * MINUTE;
  const from = Math.floor((around - 12 * DAY) / quarter) * quarter;
  const offsets = Array.from({ length: (24 * DAY) / quarter }, (_, n) => {
    const ms = from + n * quarter;
    return Date.parse(`${format.format(ms).replace(" ", "T")}Z`) - ms;
  });
  // The days at both ends only serve cases close to a change.
  const margin = (5 * DAY) / quarter;
  const changed = offsets.findIndex(
    (offset, n) => n > margin && n < offsets.length - margin && offset !== offsets[n - 1],
  );
  const localAt = (ms: number) => ms + (offsets[Math.floor((ms - from) / quarter)] ?? 0);
  return {
    localAt,
    /** The first instant at which the clock shows this local time or a later one. */
    first(local: number): number {
      let ms = from;
      while (localAt(ms + quarter - MINUTE) < local) ms += quarter;
      while (localAt(ms) < local) ms += MINUTE;
      return ms;
    },
    /** The instant of the clock's change, or a day without one. */
    changeAt: changed < 0 ? around : from + changed * quarter,
    /** Whether the clock goes back within two days. */
    goesBack: offsets.some((offset, n) => n > 0 && offset < (offsets[n - 1] ?? 0)),
  };
}
/** Each within a week of the changes of many zones. */
const DAYS_OF_CHANGES = ["03-11", "03-28", "04-04", "09-05", "09-27", "10-04", "10-28", "11-04"];

test("N-15 N-16 in all zones and around clock changes dueAt equals a model that walks along the wall clock", () => {
  const cases = runsOf(100_000, 2000);
  const each = 50;
  const zones = Intl.supportedValuesOf("timeZone");
  let state = propertySeed % 2 ** 31;
  const random = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
  let [quieted, inQuiet] = [0, 0];
  for (let n = 0; n < cases / each; n++) {
    const zone = zones[random(zones.length)] ?? "UTC";
    const around = Date.parse(
      `${2025 + random(10)}-${DAYS_OF_CHANGES[random(DAYS_OF_CHANGES.length)]}T12:00Z`,
    );
    const clock = wallClock(zone, around);
    for (let k = 0; k < each; k++) {
      // Half of the cases are close to the change, where most of the night is quiet.
      const [hours, times] = k % 2 === 0 ? [60, 1440] : [8, 240];
      const start = clock.changeAt + (random(hours) - hours / 2) * HOUR + random(60) * MINUTE;
      const quiet = { from: random(times), to: random(times) };
      /** The end of the quiet hours in which this instant lies. */
      const endOf = (ms: number) =>
        [-1, 0].flatMap((back) => {
          const day = (Math.floor(clock.localAt(ms) / DAY) + back) * DAY;
          const begins = clock.first(day + quiet.from * MINUTE);
          const end = clock.first(day + (quiet.from < quiet.to ? 0 : DAY) + quiet.to * MINUTE);
          return quiet.from !== quiet.to && begins <= ms && ms < end ? [end] : [];
        })[0];
      let allowed = start;
      for (let end = endOf(start); end !== undefined; end = endOf(end)) allowed = end;
      const due = dueAt(instant(start), zone, quiet, null) ?? 0;
      const said = `${zone} ${new Date(start).toISOString()} ${JSON.stringify(quiet)}`;
      expect(due, said).toBe(allowed);
      if (due > start) quieted++;
      const minute = ((clock.localAt(due) % DAY) + DAY) % DAY;
      const [from, to] = [quiet.from * MINUTE, quiet.to * MINUTE];
      const isQuiet =
        from < to ? minute >= from && minute < to : from > to && (minute >= from || minute < to);
      // A time that is shown twice counts once.
      if (isQuiet && !clock.goesBack) inQuiet++;
    }
  }
  expect(inQuiet).toBe(0);
  expect(quieted).toBeGreaterThan(cases / 10);
}, 600_000);

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
