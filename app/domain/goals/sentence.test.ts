// The sentence under the goal form.
import { expect, test } from "vitest";
import { ANY_READER } from "~/domain/numbers";
import { goalSentence } from "./sentence";

const sentence = (texts: Record<string, string | string[]>) => {
  const { deed, rest } = goalSentence(
    {
      text: (name) => String([texts[name] ?? ""].flat()[0] ?? ""),
      valuesOf: (name) => [texts[name] ?? []].flat(),
    },
    ANY_READER,
  );
  return `${deed}${rest}`;
};

test("E-10 K-03 the goal form says in a sentence what its fields ask for", () => {
  expect(sentence({})).toBe("do it once");
  expect(sentence({ action: "Read" })).toBe("read once");
  expect(sentence({ action: "Read", amount: "300", unit: "pages", every: "day" })).toBe(
    "read 300 pages, every day",
  );
  expect(sentence({ action: "Run", distance: "5", actionDuration: "1h", completionsRequired: "2" })).toBe(
    "run 1 hour · 5 miles, 2 times",
  );
  expect(sentence({ action: "Swim", amount: "0", actionDuration: "30m", every: "week", times: "3" })).toBe(
    "swim 30 minutes, 3 times a week",
  );
  expect(sentence({ amount: "2", every: "weekdays", weekdays: [] })).toBe("do 2 times");
  // The sentence leaves out unreadable texts.
  expect(sentence({ amount: "-", actionDuration: "soon" })).toBe("do it once");
});
