// Mentions in texts.
import { expect, test } from "vitest";
import { mentionsIn } from "./mentions";

test("N-26 names after an @ are mentions, in lower case and once", () => {
  expect(mentionsIn("Thanks @Ann, and (@ben_2)! @ann again, **@cas-x**.")).toEqual(["ann", "ben_2", "cas-x"]);
});

test("N-26 emails, addresses and names of a wrong length mention nobody", () => {
  for (const text of [
    "ann@example.com",
    "https://example.com/@ann",
    "@al",
    `@${"a".repeat(31)}`,
    "@@ann",
    "jürgen@ann",
    "é@ann",
    "東@ann",
    "@annä",
  ])
    expect([text, mentionsIn(text)]).toEqual([text, []]);
});

test("N-26 at most ten mentions of a text count", () => {
  const names = Array.from({ length: 12 }, (_, n) => `person${n}`);
  expect(mentionsIn(names.map((name) => `@${name}`).join(" "))).toEqual(names.slice(0, 10));
});
