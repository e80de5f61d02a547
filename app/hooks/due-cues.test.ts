// Cues that are due, across changes of the plan.
import { expect, test } from "vitest";
import type { Cue } from "~/domain/schedule/cues";
import { minute, START } from "~/domain/schedule/fixtures";
import { type Instant, plusMillis, plusSeconds } from "~/domain/time";
import { type CuesFrom, DueCues } from "./due-cues";

const cueAt = (at: Instant, sentence: string): Cue => ({ at, kind: "start", partId: "a", sentence });
const planOf =
  (...cues: Cue[]): CuesFrom =>
  (from) =>
    cues.filter(({ at }) => at > from);
const sentencesOf = (cues: readonly Cue[]) => cues.map(({ sentence }) => sentence);

test("a cue is taken once, at its instant or up to five seconds later", () => {
  const due = new DueCues(START);
  due.replacePlan(planOf(cueAt(minute(1), "one"), cueAt(minute(2), "two")), START);
  expect(sentencesOf(due.take(plusMillis(minute(1), -1)))).toEqual([]);
  expect(sentencesOf(due.take(minute(1)))).toEqual(["one"]);
  expect(sentencesOf(due.take(minute(1)))).toEqual([]);
  expect(sentencesOf(due.take(plusMillis(plusSeconds(minute(2), 5), 1)))).toEqual([]);
});

test("a plan that arrives at a cue's instant loses no cue and repeats none", () => {
  const due = new DueCues(START);
  due.replacePlan(planOf(cueAt(minute(1), "one")), START);
  const next = planOf(cueAt(minute(1), "one again"), cueAt(minute(2), "two"));
  expect(sentencesOf(due.replacePlan(next, plusMillis(minute(1), 3)))).toEqual(["one"]);
  expect(sentencesOf(due.take(plusMillis(minute(1), 4)))).toEqual([]);
  expect(sentencesOf(due.take(minute(2)))).toEqual(["two"]);
});
