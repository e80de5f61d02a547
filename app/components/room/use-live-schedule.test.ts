// The instants at which a screen itself starts and ends parts.
import { expect, test } from "vitest";
import { advanceSchedule } from "~/domain/schedule/advance";
import { byHand, part, START, schedule, startedSchedule } from "~/domain/schedule/fixtures";
import { instant } from "~/domain/time";
import { courseOf } from "./use-live-schedule";

const after = (seconds: number) => instant(START + seconds * 1000);
const passed = (course: ReturnType<typeof courseOf>, ...seconds: number[]) =>
  seconds.map((one) => course.passedAt(after(one)));

test("T-16 a screen knows by itself when parts start and end, and when turns change", () => {
  const course = courseOf(startedSchedule(schedule([part("a", 0.5), part("b", 1)])), ["ann"]);
  expect(passed(course, 0, 29.9, 30, 89.9, 90, 1000)).toEqual([0, 0, 1, 1, 2, 2]);
  const roster = ["ann", "bob"];
  const turns = startedSchedule(schedule([part("a", 0.5, { isPerParticipant: true })]), 0, roster);
  expect(passed(courseOf(turns, roster), 29.9, 30, 59.9, 60)).toEqual([0, 1, 1, 2]);
});

test("T-16 a screen predicts nothing after a part that the host starts", () => {
  const given = startedSchedule(
    schedule([part("a", 0.5)], { ...byHand, parts: [part("b", 1), part("c", 1)] }),
  );
  expect(passed(courseOf(given, ["ann"]), 30, 10_000)).toEqual([1, 1]);
});

test("L-10 a screen shows the schedule of its clock, even after a correction back", () => {
  const given = startedSchedule(schedule([part("a", 0.5), part("b", 1)]));
  const course = courseOf(given, ["ann"]);
  const shown = (seconds: number) => course.scheduleAfter(course.passedAt(after(seconds)));
  for (const seconds of [90, 30, 0]) {
    const { schedule: advanced } = advanceSchedule(given, { now: after(seconds), roster: ["ann"] });
    expect(shown(seconds)).toEqual(advanced);
  }
});
