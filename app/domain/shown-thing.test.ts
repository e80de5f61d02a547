// The name of a thing beside its copy.
import { expect, test } from "vitest";
import { shownIn, shownText } from "./shown-thing";

test("R-101 the name of a thing reads back, and anything else names none", () => {
  for (const of of ["huts", "sessions", "activities", "items"] as const)
    expect(shownIn(shownText({ of, id: 7 }))).toEqual({ of, id: 7 });
  expect([null, "", "users/7", "huts", "huts/"].map(shownIn)).toEqual([null, null, null, null, null]);
});
