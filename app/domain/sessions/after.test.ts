import { expect, test } from "vitest";
import { seconds } from "~/domain/time";
import { canLogTime, companyOf, loggedSpan, satText } from "./after";

const sat = (span: number, ...names: string[]) => satText(companyOf(seconds(span), names));

test("R-99 the sentence names up to three people, and counts the others from four on", () => {
  expect(sat(2880)).toBe("You sat 48 minutes on your own");
  expect(sat(2880, "Anna")).toBe("You sat 48 minutes with Anna");
  expect(sat(2880, "Anna", "Boris")).toBe("You sat 48 minutes with Anna and Boris");
  expect(sat(2880, "Anna", "Boris", "Cleo")).toBe("You sat 48 minutes with Anna, Boris and Cleo");
  expect(sat(2880, "Anna", "Boris", "Cleo", "Dan")).toBe(
    "You sat 48 minutes with Anna, Boris, Cleo and 1 other",
  );
  expect(sat(2880, ..."abcdefghijkl")).toBe("You sat 48 minutes with a, b, c and 9 others");
});

test("R-99 Q-45 without names the sentence counts everybody", () => {
  const counted = (...names: string[]) => satText(companyOf(seconds(2880), names, false));
  expect(counted()).toBe("You sat 48 minutes on your own");
  expect(counted("Anna")).toBe("You sat 48 minutes with 1 other");
  expect(counted(..."abcd")).toBe("You sat 48 minutes with 4 others");
});

test.each([
  ["with an open goal", {}, true],
  ["without a goal", { goals: [] }, false],
  ["that is logged already", { loggedTo: { id: 1 } }, false],
  ["during which an own timer ran", { logs: [{ isTimed: false }, { isTimed: true }] }, false],
])("R-99 a time %s is logged in one press, or not", (_, own, can) => {
  expect(canLogTime({ goals: [{}], loggedTo: null, logs: [{ isTimed: false }], ...own })).toBe(can);
});

test("R-99 the time is in whole minutes, and at least one", () => {
  expect([10, 89, 90, 3600, 4500].map((span) => loggedSpan(seconds(span)))).toEqual([
    60, 60, 120, 3600, 4500,
  ]);
  expect(sat(4500, "Anna")).toBe("You sat 1 hour 15 minutes with Anna");
});
