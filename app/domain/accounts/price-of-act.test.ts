import { expect, test } from "vitest";
import { priceOfAct } from "./price-of-act";

const LOG = "A log costs 0.01 tokens.";

test.each([
  ["join", "/sessions/7", "Joining costs 1 token, unless the host pays."],
  ["join", "/series/monday", "Joining costs 1 token, unless the host pays."],
  ["join", "/group/readers", null],
  ["enter", "/groups/invite", null],
  ["wait", "/sessions/7", "Waiting is free. The seat costs 1 token, unless the host pays."],
  ["standing.take", "/series/monday", "Each session costs 1 token, unless the host pays."],
  ["follow", "/activities/read", "Following costs 0.01 tokens."],
  ["post", "/group/readers/forum", "A post costs 0.01 tokens."],
  ["goal.create", "/my/goals", "A goal costs 1 token."],
  ["note.create", "/my/notes", "A note costs 0.01 tokens."],
  ["log.create", "/my/logs", LOG],
  ["log.begin", "/my/goals", LOG],
  ["log.quick", "/my/goals", LOG],
  ["task.log", "/sessions/7/goals", LOG],
  ["delete", "/my/goals", null],
])("R-71 B-05 the sign-in names the price of %s on %s", (intent, path, sentence) => {
  expect(priceOfAct(intent, path)).toBe(sentence);
});
