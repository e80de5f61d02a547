// The name that the form offers beside one that it refuses.
import { expect, test } from "vitest";
import { suggestedUsername, usernameRule } from "./rules";

test.each([
  ["Nora Lind", "nora-lind"],
  ["  Zoë.B ", "zoe-b"],
  ["o'neil", "o-neil"],
  ["Нора", null],
  ["nora-lind", null],
  ["no", null],
  ["é", null],
  ["", null],
  ["Privacy policy", null],
  [`${"long ".repeat(8)}name`, "long-long-long-long-long-long"],
])("V-03 a username %j is offered as %j", (typed, offered) => {
  expect(suggestedUsername(typed)).toBe(offered);
  if (offered !== null) expect(usernameRule(offered, {})).toBeNull();
});
