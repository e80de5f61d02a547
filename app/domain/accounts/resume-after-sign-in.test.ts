// The table of acts that go on after a sign-in.
import { expect, test } from "vitest";
import { isResumable } from "./resume-after-sign-in";

test.each([
  ["/sessions/7", "join"],
  ["/sessions/7", "wait"],
  ["/sessions/7", "standing.take"],
  ["/sessions/7/hut", "post"],
  ["/series/morning-pages", "standing.take"],
  ["/group/hill-folk", "join"],
  ["/groups/invite", "enter"],
  ["/activities/walk", "follow"],
  ["/my/goals", "goal.create"],
  ["/my/goals/3/logs", "log.create"],
  ["/my/goals", "log.begin"],
  ["/sessions/7/logs", "log.begin"],
])("R-93 the act at %s of %s is kept", (path, intent) => {
  expect(isResumable(path, intent)).toBe(true);
});

test.each([
  ["/sessions/7", "leave"],
  ["/series/morning-pages", "leave"],
  ["/sessions/7", "delete"],
  ["/sessions/7/chat", "say"],
  ["/my/goals", "goal.delete"],
  ["/group/hill-folk", "leave"],
  ["/elsewhere/7", "join"],
  ["/sessions/7/../../account", "join"],
  ["/auth/login", "two-step"],
])("R-93 the act at %s of %s is not kept", (path, intent) => {
  expect(isResumable(path, intent)).toBe(false);
});
