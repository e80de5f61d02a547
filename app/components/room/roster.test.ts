// Free places as placeholders or as a count; who is typing.
import { expect, test } from "vitest";
import { typingWords } from "./chat-box";
import { placeholders } from "./roster";

test.each<[number, number | null, string[], number]>([
  [2, 4, ["Participant 3", "Participant 4"], 0],
  [4, 4, [], 0],
  [2, null, [], 0],
  [2, 0, [], 0],
  [1, 100, [], 99],
])("U-42 %i of %s places taken", (taken, limit, names, more) => {
  expect(placeholders(taken, limit)).toEqual({ names, more });
});

test.each([
  [["ann"], "ann is typing…"],
  [["ann", "bob"], "ann and bob are typing…"],
  [["ann", "bob", "cy"], "ann and 2 others are typing…"],
])("%j", (names, words) => {
  expect(typingWords(names)).toBe(words);
});
