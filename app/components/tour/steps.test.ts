// The steps of the tours, compared with the lists of S-22 and S-23.
import { expect, test } from "vitest";
import { type TourName, tours } from "./steps";

const namesOf = (tour: TourName) => tours[tour].steps.map(({ name }) => name);

test("S-22 the welcome tour has its steps in order", () => {
  expect(namesOf("welcome")).toEqual([
    "start",
    "home",
    "homeSearchAndFilter",
    "homeChallengeCard",
    "challengeStart",
    "challengeHome",
    "activityEvents",
    "challengeEventHome",
    "challengeJoin",
    "challengeEvents",
    "challengeTasks",
    "challengeParticipants",
    "challengeForum",
    "challengeLogs",
    "challengeChat",
    "challengeBeforeHuts",
    "challengeBeforeHuts",
    "challengeCreate",
    "end",
  ]);
});

test("S-23 the goal tutorial has its steps in order, the last with the button Close", () => {
  expect(namesOf("goal")).toEqual([
    "newCreateGoal",
    "startGoalTutorial",
    "logProgressButton",
    "additionalGoalFeatures",
    "finishMyGoalTour",
  ]);
  expect(tours.goal.steps.at(-1)?.button).toBe("Close");
});
