// Tones, scheduled ahead on the audio clock.
import { expect, test } from "vitest";
import { plusSeconds } from "~/domain/time";
import { foremost, scheduledTones } from "./cue-plan";
import type { Cue, CueKind } from "./cues";
import { minute, START } from "./fixtures";

const cue = (kind: CueKind, secondsFromStart: number, sentence = ""): Cue => ({
  at: plusSeconds(START, secondsFromStart),
  kind,
  partId: "a",
  sentence,
});
const times = (cues: Cue[], now = START, audioNow = 100) =>
  scheduledTones(cues, now, audioNow).map(({ at }) => Math.round(at * 100) / 100);

test("tones are at the instants of their cues, whenever they are scheduled", () => {
  expect(times([cue("interval", 30)])).toEqual([130]);
  expect(times([cue("interval", 90)], minute(1), 7)).toEqual([37]);
});

test("the last seconds tick down to an end, and only to an end", () => {
  expect(times([cue("last-seconds", 0), cue("end", 10)])).toEqual([100, 107, 108, 109, 110, 110.22, 110.44]);
  expect(times([cue("last-seconds", 0)])).toEqual([100]);
  expect(times([{ ...cue("last-seconds", 0), endsTurn: true }])).toEqual([100, 107, 108, 109]);
});

test("at one instant only the most important cue sounds, and past cues do not", () => {
  const both = [cue("end", 10), cue("start", 10), cue("half", 10)];
  expect(times(both)).toEqual([110, 110.22, 110.44]);
  expect(times([cue("interval", -1)])).toEqual([]);
  expect(times([cue("half", 5)])).toEqual([]);
});

test("of simultaneous cues the most important is shown", () => {
  expect(foremost([cue("end", 0), cue("my-turn", 0), cue("interval", 0)])?.kind).toBe("my-turn");
  expect(foremost([])).toBeNull();
});
