import { expect, test } from "vitest";
import { context, part, START, schedule, startedSchedule } from "~/domain/schedule/fixtures";
import { nextTurn } from "~/domain/schedule/run";
import { partsInOrder } from "~/domain/schedule/shape";
import { facesAt } from "./round";

const PEOPLE = ["ann", "bob", "cy", "dee"];
const round = startedSchedule(schedule([part("r", 2, { isPerParticipant: true })]), 0, PEOPLE);
const wordsOf = (me: string | null, online: string[], value = round) => {
  const [only] = partsInOrder(value);
  return only ? facesAt(only, START, me, new Set(online)).map(({ name, word }) => `${name} ${word}`) : [];
};

test("R-83 the faces of a round are done, speaking, next and away, in the order of their turns", () => {
  expect(wordsOf("dee", PEOPLE)).toEqual(["ann speaking", "bob next", "cy ", "dee "]);
  expect(wordsOf("bob", PEOPLE)).toEqual(["ann speaking", "bob next: you", "cy ", "dee "]);
  expect(wordsOf("ann", ["ann", "cy", "dee"])).toEqual(["ann your turn", "bob away", "cy next", "dee "]);
  const gone = nextTurn(round, "r", context(0, PEOPLE));
  if (gone.ok) expect(wordsOf("dee", PEOPLE, gone.schedule)[0]).toBe("ann done");
});

test("R-83 with one phone in the room the next face is the next in order", () => {
  expect(wordsOf("ann", ["ann"])).toEqual(["ann your turn", "bob next", "cy away", "dee away"]);
});
