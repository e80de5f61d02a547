// A round follows people: next, pass, end, undo, and people who are away, come back, come new or leave.
import { expect, test } from "vitest";
import { type Instant, instant, plusMillis, SECOND } from "~/domain/time";
import { advanceSchedule, nextTransitionAt, type RunContext } from "./advance";
import { accepted, context, part, START, schedule, startedSchedule } from "./fixtures";
import { PASSED_AFTER, type PresenceOf, presenceBy, type RoundPresence, withOrder } from "./round";
import {
  adjustPart,
  endRound,
  nextTurn,
  passTurn,
  pausePart,
  putPartsBack,
  resumePart,
  updateTurns,
} from "./run";
import { findPart, type Part, type Schedule } from "./shape";
import { pieceStart, turnAt } from "./timer-pieces";

const PEOPLE = ["ann", "bob", "cy", "dee"];
/** Two minutes for each of four people, then five minutes. */
const round = () =>
  startedSchedule(schedule([part("r", 2, { isPerParticipant: true }), part("after", 5)]), 0, PEOPLE);
const second = (n: number): Instant => plusMillis(START, n * SECOND);
/** Everybody but `away` has been here from the start. */
const without =
  (...away: string[]): PresenceOf =>
  (name) => ({ isHere: !away.includes(name), since: START });
const followed = (of: PresenceOf | undefined): RoundPresence | undefined => of && presenceBy(of);
const at = (seconds: number, presence?: PresenceOf, roster: readonly string[] = PEOPLE): RunContext => ({
  now: second(seconds),
  roster,
  presence: followed(presence),
});
const roundOf = (value: Schedule): Part => findPart(value, "r") as Part;
const speakerAt = (value: Schedule, seconds: number) => turnAt(roundOf(value), second(seconds))?.username;
/** The ends of the round and of the part after it, in seconds. */
const endsOf = (value: Schedule) =>
  ["r", "after"].map((id) => ((findPart(value, id)?.endedAt ?? 0) - START) / SECOND);
/** The speakers with the seconds at which they begin, until the round ends; the alarm rings at each transition. */
function heard(value: Schedule, from: number, presence?: PresenceOf): string[] {
  const spoken: string[] = [];
  let current = value;
  let now = second(from);
  for (let i = 0; i < 40 && roundOf(current).state === "running"; i++) {
    const speaker = turnAt(roundOf(current), now)?.username;
    const entry = `${speaker} ${(now - START) / SECOND}`;
    if (speaker && spoken.at(-1)?.split(" ")[0] !== speaker) spoken.push(entry);
    const ctx = { roster: PEOPLE, presence: followed(presence) };
    const next = nextTransitionAt(current, { ...ctx, now });
    if (next === null) break;
    now = instant(Math.max(next, now));
    current = advanceSchedule(current, { ...ctx, now }).schedule;
  }
  return [...spoken, `end ${endsOf(current)[0] ?? 0}`];
}

test("R-83 next begins the turn of the next person with its whole length, and later linked parts move earlier", () => {
  const next = accepted(nextTurn(round(), "r", at(30)));
  expect([speakerAt(next, 30), turnAt(roundOf(next), second(30))?.remaining]).toEqual(["bob", 120_000]);
  expect(endsOf(next)).toEqual([390, 690]);
  expect(roundOf(next).startedAt).toBe(START);
  expect(heard(next, 30)).toEqual(["bob 30", "cy 150", "dee 270", "end 390"]);
});

test("R-83 the round ends with next in the last turn, and the unused time is added to nobody", () => {
  let value = round();
  for (const [i] of PEOPLE.entries()) value = accepted(nextTurn(value, "r", at(10 * (i + 1))));
  expect(roundOf(value)).toMatchObject({ state: "finished", endedAt: second(40), turns: [] });
  expect(endsOf(value)).toEqual([40, 340]);
});

test("R-83 next for a speaker whose turn is over changes nothing", () => {
  const next = accepted(nextTurn(round(), "r", at(30), "ann"));
  expect(accepted(nextTurn(next, "r", at(31), "ann"))).toEqual(next);
});

test("R-83 only the speaker passes", () => {
  expect(passTurn(round(), "r", at(30), "bob")).toMatchObject({ ok: false, code: "not-speaker" });
  expect(speakerAt(accepted(passTurn(round(), "r", at(30), "ann")), 30)).toBe("bob");
});

test("R-83 next goes to the next person who is in the room, and people who are away come once more after the last", () => {
  const presence = without("bob", "cy");
  const next = accepted(nextTurn(round(), "r", at(30, presence)));
  expect(roundOf(next).turns).toEqual(["ann", "dee", "bob", "cy"]);
  // Bob is back for his second turn, and Cy is not.
  const back = without("cy");
  expect(heard(next, 30, back)).toEqual(["dee 30", "bob 150", "cy 270", "end 275"]);
});

test("R-83 the turn of a person who is away is passed after 5 seconds, and their second turn as well", () => {
  expect(heard(round(), 0, without("bob"))).toEqual([
    "ann 0",
    "bob 120",
    "cy 125",
    "dee 245",
    "bob 365",
    "end 370",
  ]);
  expect(heard(round(), 0, without("dee"))).toEqual(["ann 0", "bob 120", "cy 240", "dee 360", "end 370"]);
});

test("R-83 a person who comes back within 5 seconds keeps the turn, and later takes the second one", () => {
  const back =
    (n: number): PresenceOf =>
    (name) =>
      name === "bob" ? { isHere: true, since: second(n) } : { isHere: true, since: START };
  const away = without("bob");
  const waiting = advanceSchedule(round(), at(123, away)).schedule;
  expect(heard(waiting, 123, back(123))).toEqual(["bob 123", "cy 240", "dee 360", "end 480"]);
  const passed = advanceSchedule(round(), at(125, away)).schedule;
  expect(speakerAt(passed, 125)).toBe("cy");
  expect(heard(passed, 125, back(130))).toEqual(["cy 125", "dee 245", "bob 365", "end 485"]);
});

test("R-83 a person who goes away in the middle of the turn is passed 5 seconds later", () => {
  const gone: PresenceOf = (name) =>
    name === "ann" ? { isHere: false, since: second(60) } : { isHere: true, since: START };
  expect(nextTransitionAt(round(), at(60, gone))).toBe(second(60) + PASSED_AFTER);
  expect(heard(round(), 60, gone)).toEqual(["ann 60", "bob 65", "cy 185", "dee 305", "ann 425", "end 430"]);
});

test("R-83 presence moves nobody while fewer than two people of the round are in the room", () => {
  const alone = without("bob", "cy", "dee");
  const order = ["ann 0", "bob 120", "cy 240", "dee 360", "end 480"];
  expect(heard(round(), 0, alone)).toEqual(order);
  expect(heard(round(), 0)).toEqual(order);
  const next = accepted(nextTurn(round(), "r", at(30, alone)));
  expect(speakerAt(next, 30)).toBe("bob");
  // A second one comes in the middle of an absent person's turn, which then waits 5 seconds more.
  const joined: PresenceOf = (name) => ({
    isHere: name === "ann" || name === "dee",
    since: name === "dee" ? second(200) : START,
  });
  expect(nextTransitionAt(advanceSchedule(round(), at(200, joined)).schedule, at(200, joined))).toBe(
    second(205),
  );
});

test("R-83 a late look takes time from nobody: the next person begins when the room looks", () => {
  const passed = advanceSchedule(round(), at(160, without("bob"))).schedule;
  expect([speakerAt(passed, 160), turnAt(roundOf(passed), second(160))?.remaining]).toEqual(["cy", 120_000]);
});

test("R-83 R-61 an added minute belongs to its turn, and goes on to later ones where it was given to all", () => {
  const longer = accepted(adjustPart(round(), "r", 60, at(10)));
  const next = accepted(nextTurn(longer, "r", at(30)));
  expect(endsOf(next)[0]).toBe(390);
  const all = accepted(adjustPart(round(), "r", 60, at(10), true));
  expect(endsOf(accepted(nextTurn(all, "r", at(30))))[0]).toBe(30 + 3 * 180);
  const second_ = accepted(adjustPart(next, "r", 60, at(40)));
  expect(endsOf(second_)[0]).toBe(450);
  expect(endsOf(accepted(nextTurn(second_, "r", at(50))))[0]).toBe(50 + 2 * 120);
});

test("R-83 a paused round stays paused at the next person's turn, and passes nobody", () => {
  const paused = accepted(pausePart(round(), "r", at(30)));
  const presence = without("bob");
  const next = accepted(nextTurn(paused, "r", at(60)));
  expect(turnAt(roundOf(next), second(900))).toMatchObject({ username: "bob", remaining: 120_000 });
  expect(advanceSchedule(next, at(900, presence)).schedule).toEqual(next);
  expect(endsOf(accepted(resumePart(next, "r", at(900))))[0]).toBe(900 + 3 * 120);
});

test("R-83 T-15 a leaver's turn is gone, a newcomer comes last, and a removed speaker's turn goes on at once", () => {
  const next = accepted(nextTurn(round(), "r", at(30)));
  const roster = ["ann", "cy", "dee", "eve"];
  const changed = updateTurns(next, at(60, undefined, roster));
  expect(roundOf(changed).turns).toEqual(["ann", "cy", "dee", "eve"]);
  expect([speakerAt(changed, 60), endsOf(changed)[0]]).toEqual(["cy", 60 + 3 * 120]);
});

test("R-83 undo restores all instants of next and of the end, for the people of this moment", () => {
  const before = advanceSchedule(round(), at(30)).schedule;
  for (const step of [nextTurn, endRound]) {
    const after = accepted(step(before, "r", at(30)));
    expect(putPartsBack(after, [roundOf(before), findPart(before, "after") as Part], at(38))).toEqual(before);
    const left = putPartsBack(after, [roundOf(before)], at(38, undefined, ["ann", "bob", "dee"]));
    expect(roundOf(left).turns).toEqual(["ann", "bob", "dee"]);
  }
});

test("R-83 a part without turns has no round", () => {
  expect(nextTurn(startedSchedule(schedule([part("r", 2)]), 0), "r", context(1))).toMatchObject({
    code: "no-round",
  });
});

test("R-83 with intervals each turn begins with its first, also after a pass", () => {
  const intervals = [60, 30].map((duration, i) => ({
    id: `i${i}`,
    title: `I${i}`,
    duration: duration as never,
  }));
  const value = startedSchedule(
    schedule([part("r", 0, { isPerParticipant: true, intervals }), part("after", 5)]),
    0,
    PEOPLE,
  );
  const next = accepted(nextTurn(value, "r", at(70)));
  expect(endsOf(next)[0]).toBe(70 + 3 * 90);
  const passed = accepted(nextTurn(next, "r", at(75)));
  expect(turnAt(roundOf(passed), second(140))).toMatchObject({ username: "cy", remaining: 25_000 });
});

test("R-83 R-61 seconds given to all from an interval on keep that interval when later people change places", () => {
  const intervals = [60, 30].map((duration, i) => ({
    id: `i${i}`,
    title: `I${i}`,
    duration: duration as never,
  }));
  const value = startedSchedule(schedule([part("r", 0, { isPerParticipant: true, intervals })]), 0, PEOPLE);
  // From the second interval of the second turn on.
  const longer: Part = { ...roundOf(value), added: [{ at: 3, seconds: 20, isOnward: true }] };
  expect(withOrder(longer, [0, 1, 3, 2]).added).toEqual(longer.added);
  // Each piece after the interval begins later by all seconds before it, and the pieces before it as planned.
  const starts = [0, 2, 3, 4, 5].map(
    (index) => pieceStart(longer, index) - pieceStart(roundOf(value), index),
  );
  expect(starts).toEqual([0, 0, 0, 20_000, 40_000]);
  // Without that turn they begin with the first of the later ones.
  expect(withOrder(longer, [0, 3, 2]).added).toEqual([{ at: 2, seconds: 20, isOnward: true }]);
});
