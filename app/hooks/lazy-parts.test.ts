// Calls that wait until the lazy parts of a page are hydrated.
import { expect, test } from "vitest";
import { afterParts, awaitPart } from "./lazy-parts";

test("without an awaited part the call is made at once", () => {
  let calls = 0;
  afterParts(() => calls++);
  expect(calls).toBe(1);
});

test("the call is made once, after the last part, however often it is asked for", () => {
  let calls = 0;
  const goOn = () => void calls++;
  const [first, second] = [awaitPart(), awaitPart()];
  afterParts(goOn);
  afterParts(goOn);
  first();
  first();
  expect(calls).toBe(0);
  second();
  expect(calls).toBe(1);
  awaitPart()();
  expect(calls).toBe(1);
});

test("a call that gives up is not made, and another one is", () => {
  const calls: string[] = [];
  const end = awaitPart();
  afterParts(() => calls.push("gone"))();
  afterParts(() => calls.push("stays"));
  end();
  expect(calls).toEqual(["stays"]);
});

test("a part that is awaited meanwhile holds later calls only", () => {
  const calls: string[] = [];
  const end = awaitPart();
  let later = () => {};
  afterParts(() => {
    later = awaitPart();
    afterParts(() => calls.push("second"));
    calls.push("first");
  });
  end();
  expect(calls).toEqual(["first"]);
  later();
  expect(calls).toEqual(["first", "second"]);
});
