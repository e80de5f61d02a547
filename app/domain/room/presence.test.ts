// Presence and attendance, by themselves and against a model that counts single seconds.
import { describe, expect, test } from "vitest";
import { propertySeed, runsOf } from "#tests/support/property-seed";
import { type Instant, instant, plusSeconds } from "~/domain/time";
import { arrive, attendanceOf, depart, lose, NOBODY_YET, type Presence, reliabilityOf } from "./presence";

const START = instant(1_800_000_000_000);
const at = (second: number): Instant => plusSeconds(START, second);
const spans = ({ intervals }: Presence) =>
  intervals.map(([from, to]) => [(from - START) / 1000, to === null ? null : (to - START) / 1000]);

describe("G-24 presence", () => {
  test("G-24 a gap of up to 90 seconds counts as present, a longer one does not", () => {
    const left = depart(arrive(NOBODY_YET, at(0)), at(100));
    expect(spans(arrive(left, at(190)))).toEqual([[0, null]]);
    expect(spans(arrive(left, at(191)))).toEqual([
      [0, 100],
      [191, null],
    ]);
  });

  test("G-25 after a crash an interval continues for those back within 90 seconds, and else ends when last stored", () => {
    const lost = lose(arrive(NOBODY_YET, at(0)), at(300), at(500));
    expect(spans(lost)).toEqual([[0, 300]]);
    expect(spans(arrive(lost, at(590)))).toEqual([[0, null]]);
    expect(spans(arrive(lost, at(591)))).toEqual([
      [0, 300],
      [591, null],
    ]);
    // A second restart does not prolong the wait.
    expect(lose(lost, at(500), at(700))).toBe(lost);
  });

  test("G-24 the row of a person who comes and goes for a month stays bounded", () => {
    const withVisits = (visits: number) => {
      let presence = NOBODY_YET;
      for (let n = 0; n < visits; n++) presence = depart(arrive(presence, at(n * 200)), at(n * 200 + 10));
      return [presence.intervals.length, spans(presence)[0]];
    };
    expect([withVisits(500), withVisits(501), withVisits(2000)]).toEqual([
      [500, [0, 10]],
      [500, [0, 210]],
      [500, [0, 300_010]],
    ]);
  });
});

describe("G-26 attendance", () => {
  const hour = (...intervals: [number, number | null][]) =>
    attendanceOf(
      { intervals: intervals.map(([from, to]) => [at(from), to === null ? null : at(to)]) },
      at(0),
      at(3600),
    );

  test("G-26 a moment in the first 15 minutes or half of the session counts as having come", () => {
    expect(hour([900, 901])).toEqual({ seconds: 1, hasCome: true });
    expect(hour([901, 2700])).toEqual({ seconds: 1799, hasCome: false });
    expect(hour([901, 2701])).toEqual({ seconds: 1800, hasCome: true });
    expect(hour([1000, 2000], [2200, 3000])).toEqual({ seconds: 1800, hasCome: true });
    expect(hour()).toEqual({ seconds: 0, hasCome: false });
  });

  test("G-26 only the time between start and end counts, and whoever is still here came until the end", () => {
    expect(hour([-600, 60])).toEqual({ seconds: 60, hasCome: true });
    expect(hour([-600, -10])).toEqual({ seconds: 0, hasCome: false });
    expect(hour([-5, null])).toEqual({ seconds: 3600, hasCome: true });
    expect(hour([3601, null])).toEqual({ seconds: 0, hasCome: false });
  });
});

test("G-28 the reliability is came ÷ (came + missed) in percent, from three sessions on", () => {
  expect(reliabilityOf({ came: 2, missed: 0 })).toBeNull();
  expect(reliabilityOf({ came: 2, missed: 1 })).toBe(67);
  expect(reliabilityOf({ came: 0, missed: 3 })).toBe(0);
  expect(reliabilityOf({ came: 3, missed: 0 })).toBe(100);
});

/** A reproducible stream of numbers below `below`. */
function numbersOf(seed: number) {
  let state = seed >>> 0 || 1;
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** The length of a script in seconds; the session lasts from the first to the last quarter. */
const LENGTH = 4000;

/** Plays a random script of tabs, chat lines and crashes to the rules, and second by second to a plain model. */
function play(seed: number): { rules: number; model: number } {
  const draw = numbersOf(seed);
  const isHere = new Array<boolean>(LENGTH).fill(false);
  let presence = NOBODY_YET;
  let tabs = 0;
  let storedAt = 0;
  let arrivedAt = 0;
  let fillFrom: number | null = null;
  let backUntil = -1;
  let from = 0;
  const settle = (until: number) => {
    if (tabs > 0) isHere.fill(true, from, until);
    from = until;
  };
  for (let now = draw(60); now < LENGTH; now += 1 + draw(draw(4) === 0 ? 400 : 80)) {
    settle(now);
    const turn = draw(10);
    if (turn < 5) {
      if (tabs === 0) {
        presence = arrive(presence, at(now));
        if (fillFrom !== null && now <= backUntil) isHere.fill(true, fillFrom, now);
        fillFrom = null;
        storedAt = arrivedAt = now;
      }
      tabs++;
    } else if (turn < 8 && tabs > 0) {
      tabs--;
      if (tabs > 0) continue;
      presence = depart(presence, at(now));
      storedAt = now;
    } else if (turn === 8) storedAt = now;
    else if (tabs > 0) {
      const restart = now + draw(40);
      // A presence without a length has no second that the model could mark.
      if (storedAt === arrivedAt) storedAt = now;
      presence = lose(presence, at(storedAt), at(restart));
      isHere.fill(false, storedAt, now);
      fillFrom = storedAt;
      backUntil = restart + 90;
      tabs = 0;
      storedAt = restart;
      now = restart;
      from = restart;
    }
  }
  settle(LENGTH);
  // Gaps between two presences of at most 90 seconds.
  for (let second = 1, gap = 0; second < LENGTH; second++) {
    if (!isHere[second]) gap++;
    else {
      if (gap > 0 && gap <= 90 && gap < second && isHere[second - gap - 1])
        isHere.fill(true, second - gap, second);
      gap = 0;
    }
  }
  const [first, last] = [LENGTH / 4, (3 * LENGTH) / 4];
  return {
    rules: attendanceOf(presence, at(first), at(last)).seconds,
    model: isHere.slice(first, last).filter(Boolean).length,
  };
}

test("G-24 G-25 random presence scripts equal a model to the second", () => {
  for (let run = 0; run < runsOf(1000, 300); run++) {
    const seed = propertySeed + run * 7919;
    const { rules, model } = play(seed);
    expect([seed, rules]).toEqual([seed, model]);
  }
});

test("R-91 in a session that began early an arrival counts from the first planned start", () => {
  const late = depart(arrive(NOBODY_YET, at(7_200)), at(7_300));
  expect(attendanceOf(late, START, at(90_000)).hasCome).toBe(false);
  expect(attendanceOf(late, START, at(90_000), at(7_000)).hasCome).toBe(true);
  expect(attendanceOf(late, START, at(90_000), at(6_000)).hasCome).toBe(false);
});
