// Passwords that are a run of characters.
import { expect, test } from "vitest";
import { isRun } from "./password-runs";

test("V-06 a repeated character and a sequence in either direction are runs, and other text is not", () => {
  for (const run of ["aaaaaaaa", "abcdefgh", "98765432", "????????"])
    expect([run, isRun(run)]).toEqual([run, true]);
  // Steps of two, a change of direction, and a sequence with one more character.
  for (const text of ["acegikmo", "abcdedcb", "abcdefgha", "a"])
    expect([text, isRun(text)]).toEqual([text, false]);
});
