// The waiting list as a pure value.
import { expect, test } from "vitest";
import { type Instant, instant, MINUTE } from "~/domain/time";
import { heldFromOthers, placeIn, type WaitingList, waitingPhase } from "./waiting";

const START = instant(Date.UTC(2026, 10, 24, 9));
const at = (minutes: number): Instant => instant(START + minutes * MINUTE);

test("G-22 without a start a freed seat is given", () => {
  expect(waitingPhase({ startedAt: null }, at(0))).toBe("given");
});

test("G-22 an offered seat is reserved from everybody but the person it is offered to, until it expires", () => {
  const mine: WaitingList = { length: 4, held: 2, position: 1, offeredUntil: at(10), codeAskedAt: null };
  expect([heldFromOthers(mine, at(9)), heldFromOthers(mine, at(10))]).toEqual([1, 2]);
  expect(placeIn(mine, at(9))).toEqual({ position: 1, offeredUntil: at(10), codeUntil: null });
  expect(placeIn(mine, at(10))).toBe(null);
  const other: WaitingList = { length: 4, held: 2, position: 3, offeredUntil: null, codeAskedAt: null };
  expect(heldFromOthers(other, at(0))).toBe(2);
  expect(placeIn(other, at(0))).toEqual({ position: 3, offeredUntil: null, codeUntil: null });
  expect(placeIn({ ...other, position: null }, at(0))).toBe(null);
  const asked = placeIn({ ...other, codeAskedAt: at(0) }, at(1));
  expect(asked?.codeUntil).toBe(at(7 * 24 * 60));
});
