import { expect, test } from "vitest";
import { HOUR, instant, MINUTE } from "~/domain/time";
import { leavingSentence, paysAgain, returnsToken, type SeatTerms } from "./leaving";

const START = instant(Date.UTC(2026, 10, 26, 18));
const before = (span: number) => instant(START - span);
const own: SeatTerms = {
  joinedStart: START,
  isStanding: false,
  askedAt: null,
  isOwn: true,
  returnsUntil: null,
};
const standing: SeatTerms = { ...own, isStanding: true };

test.each([
  ["late, after a move of 16 minutes", { ...own, joinedStart: before(16 * MINUTE) }, MINUTE, true],
  ["late, after a move to 16 minutes earlier", { ...own, joinedStart: before(-16 * MINUTE) }, MINUTE, true],
  ["late, after the start was given", { ...own, joinedStart: null }, MINUTE, true],
  ["at the start, after it was given", { ...own, joinedStart: null }, 0, false],
  ["a standing seat after a move, half an hour before", { ...standing, joinedStart: null }, HOUR / 2, false],
] as const)("R-64 R-44 a seat given up returns its token: %s", (_, seat, span, isReturned) => {
  expect(returnsToken(seat, START, before(span))).toBe(isReturned);
});

test("R-64 without a start a seat always returns its token", () => {
  expect(returnsToken(standing, null, START)).toBe(true);
  expect(returnsToken(own, null, START)).toBe(true);
});

test("R-64 the dialog says who gets the token, or why nobody does", () => {
  expect(leavingSentence(own, START, before(HOUR))).toBe("You get the token back.");
  expect(leavingSentence({ ...own, isOwn: false }, START, before(HOUR))).toBe(
    "The host, who paid, gets the token back.",
  );
  expect(leavingSentence(own, START, before(MINUTE))).toBe(
    "The token is not returned, because the session starts in less than an hour.",
  );
  expect(leavingSentence(standing, START, before(2 * HOUR))).toBe(
    "The token is not returned, because the session starts in less than a day.",
  );
  expect(leavingSentence(own, START, START)).toBe(
    "The token is not returned, because the session has begun.",
  );
});

test("R-91 the dialog promises the token until the first planned start, to people whom an early start surprised", () => {
  const early = { ...own, returnsUntil: START };
  expect(leavingSentence(early, before(HOUR), before(MINUTE))).toBe("You get the token back.");
  expect(leavingSentence(early, before(HOUR), START)).toBe(
    "The token is not returned, because the session has begun.",
  );
});

test("R-64 H-20 joining again takes a token again, unless the host's payment stays for the seat", () => {
  const again = (isOwn: boolean, isFree: boolean, span: number) =>
    paysAgain({ ...own, isOwn }, { isFree, startedAt: START, now: before(span) });
  for (const isFree of [true, false])
    for (const span of [2 * HOUR, MINUTE]) expect(again(true, isFree, span)).toBe(true);
  expect([again(false, true, 2 * HOUR), again(false, true, MINUTE)]).toEqual([true, false]);
  // A new host, or the same one, has ended free joining since.
  expect([again(false, false, 2 * HOUR), again(false, false, MINUTE)]).toEqual([true, true]);
});
