// The instants at which a screen itself starts and ends parts.
import { expect, test } from "vitest";
import { begun, byHand, part, START, schedule } from "~/domain/schedule-fixtures";
import { transitionsOf } from "./use-live-schedule";

const secondsIn = (given: Parameters<typeof transitionsOf>[0], roster = ["ann"]) =>
  transitionsOf(given, roster).map((at) => (at - START) / 1000);

test("T-16 a screen knows in advance when parts start and end, and when turns change", () => {
  expect(secondsIn(begun(schedule([part("a", 0.5), part("b", 1)])))).toEqual([30, 90]);
  const roster = ["ann", "bob"];
  const turns = begun(schedule([part("a", 0.5, { isPerParticipant: true })]), 0, roster);
  expect(secondsIn(turns, roster)).toEqual([30, 60]);
});

test("T-16 a screen predicts nothing after a part that the host starts", () => {
  const given = begun(schedule([part("a", 0.5)], { ...byHand, parts: [part("b", 1), part("c", 1)] }));
  expect(secondsIn(given)).toEqual([30]);
});
