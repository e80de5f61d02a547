// Sounds, laid ahead on the sound card's clock.
import { expect, test } from "vitest";
import { minute, START } from "~/domain/schedule-fixtures";
import { plusSeconds } from "~/domain/time";
import { foremost, layTones } from "./cue-plan";
import type { Moment, MomentKind } from "./moments";

const moment = (kind: MomentKind, secondsFromStart: number, sentence = ""): Moment => ({
  at: plusSeconds(START, secondsFromStart),
  kind,
  partId: "a",
  sentence,
});
const times = (moments: Moment[], now = START, cardNow = 100) =>
  layTones(moments, now, cardNow).map(({ at }) => Math.round(at * 100) / 100);

test("tones fall on the instants of their moments, whenever they are laid", () => {
  expect(times([moment("interval", 30)])).toEqual([130]);
  expect(times([moment("interval", 90)], minute(1), 7)).toEqual([37]);
});

test("the last seconds tick down to an end, and only to an end", () => {
  expect(times([moment("last-seconds", 0), moment("end", 10)])).toEqual([
    100, 107, 108, 109, 110, 110.22, 110.44,
  ]);
  expect(times([moment("last-seconds", 0)])).toEqual([100]);
  expect(times([moment("last-seconds", 0, "10 seconds left of your turn.")])).toEqual([100, 107, 108, 109]);
});

test("at one instant only the foremost sounds; what has passed does not", () => {
  const both = [moment("end", 10), moment("start", 10), moment("half", 10)];
  expect(times(both)).toEqual([110, 110.22, 110.44]);
  expect(times([moment("interval", -1)])).toEqual([]);
  expect(times([moment("half", 5)])).toEqual([]);
});

test("of what came due together the foremost is shown", () => {
  expect(foremost([moment("end", 0), moment("my-turn", 0), moment("interval", 0)])?.kind).toBe("my-turn");
  expect(foremost([])).toBeNull();
});
