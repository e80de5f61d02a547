// The free places as a number, the names of hidden people, and the words for people who type.
import { expect, test } from "vitest";
import type { LiveRoom } from "~/wire/room/live-room";
import { typingSentence } from "./chat-box";
import { withPeopleOf } from "./live-context";
import { freePlacesText } from "./roster";

test.each<[number, number | null, string | null]>([
  [2, 4, "2 places are free."],
  [3, 4, "1 place is free."],
  [4, 4, "No place is free."],
  [5, 4, "No place is free."],
  [1, 100, "99 places are free."],
  [2, null, null],
  [2, 0, null],
])("R-74 %i of %s places taken are a number: %s", (taken, limit, words) => {
  expect(freePlacesText(taken, limit)).toBe(words);
});

test('U-42 R-74 people whom a viewer may not see are "Participant N"', () => {
  const page = { count: 2, participants: [] } as unknown as LiveRoom;
  const hidden = withPeopleOf(page, page, { mayRead: false, isJoined: false, needsCode: true });
  expect(hidden.participants.map(({ username }) => username)).toEqual(["Participant 1", "Participant 2"]);
});

test.each([
  [["ann"], "ann is typing…"],
  [["ann", "bob"], "ann and bob are typing…"],
  [["ann", "bob", "cy"], "ann and 2 others are typing…"],
])("%j", (names, words) => {
  expect(typingSentence(names)).toBe(words);
});
