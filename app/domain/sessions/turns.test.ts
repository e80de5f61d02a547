// Turns, and permissions to edit a session's texts.
import { describe, expect, test } from "vitest";
import { minute, part, schedule, startedSchedule } from "~/domain/schedule/fixtures";
import { partsInOrder } from "~/domain/schedule/shape";
import { activeParts, contributionVerdict, mayEditNow, turnHolder } from "./turns";

const turns = startedSchedule(schedule([part("t", 2, { isPerParticipant: true })]), 0, ["ann", "bob"]);
const plain = (mayEditContent: boolean) =>
  startedSchedule(schedule([part("p", 5, { mayEditContent }), part("q", 5)]));

test("T-15 the turn passes on, and nobody has it in parts without turns", () => {
  const active = activeParts(turns);
  expect(active.map(({ id }) => id)).toEqual(["t"]);
  expect([0, 1, 2, 3].map((at) => turnHolder(active, minute(at)))).toEqual(["ann", "ann", "bob", "bob"]);
  expect(turnHolder(activeParts(plain(true)), minute(1))).toBeNull();
  expect(turnHolder([], minute(1))).toBeNull();
});

test("T-15 waiting and finished parts are not active, a paused part is", () => {
  const [first] = partsInOrder(plain(true));
  expect(activeParts(plain(true)).map(({ id }) => id)).toEqual(["p"]);
  const states = (["waiting", "running", "paused", "finished"] as const).map(
    (state) => activeParts(schedule([{ ...(first ?? part("p", 5)), state }])).length,
  );
  expect(states).toEqual([0, 1, 1, 0]);
});

test("A-08 in a part with turns only the person whose turn it is contributes", () => {
  const active = activeParts(turns);
  expect(contributionVerdict("ann", 1, active, minute(1))).toBe("may");
  expect(contributionVerdict("bob", 1, active, minute(1))).toBe("not-their-turn");
  expect(contributionVerdict("bob", 1, active, minute(3))).toBe("may");
});

test("A-08 with turns in two parts at once, the holder of either contributes", () => {
  const others = startedSchedule(schedule([part("u", 2, { isPerParticipant: true })]), 0, ["cat", "dan"]);
  const active = [...activeParts(turns), ...activeParts(others)];
  const may = (username: string) => contributionVerdict(username, 1, active, minute(1));
  expect(["ann", "bob", "cat", "dan"].filter((username) => may(username) === "may")).toEqual(["ann", "cat"]);
});

test("A-08 a part without turns takes contributions from everybody or nobody", () => {
  expect(contributionVerdict("ann", 1, activeParts(plain(true)), minute(1))).toBe("may");
  expect(contributionVerdict("ann", 1, activeParts(plain(false)), minute(1))).toBe("not-taken");
  expect(contributionVerdict("ann", 1, [], minute(1))).toBe("not-taken");
});

test("A-08 nobody contributes before the start or after the end", () => {
  for (const status of [0, 2] as const)
    expect(contributionVerdict("ann", status, activeParts(turns), minute(1))).toBe("not-running");
});

describe("A-05 A-06 A-07 editing the texts of a session", () => {
  const host = { canRun: true, canHost: true };
  const admin = { canRun: true, canHost: false };
  const participant = { canRun: false, canHost: false };
  const open = activeParts(plain(true));
  const closed = activeParts(plain(false));
  const may = (who: typeof host, status: 0 | 1 | 2, active = closed) =>
    mayEditNow(who, status, active, "mayEditContent");

  test("A-05 A-06 host and admins edit them before the start", () => {
    expect([host, admin, participant].map((who) => may(who, 0))).toEqual([true, true, false]);
  });

  test("A-05 A-07 during the run the host edits them, and admins if the part allows it", () => {
    expect([host, admin, participant].map((who) => may(who, 1))).toEqual([true, false, false]);
    expect([host, admin, participant].map((who) => may(who, 1, open))).toEqual([true, true, false]);
    // The part opens the content, not the prompt.
    expect(mayEditNow(admin, 1, open, "mayEditPrompt")).toBe(false);
  });

  test("A-05 nobody edits them after the end", () => {
    expect([host, admin, participant].map((who) => may(who, 2, open))).toEqual([false, false, false]);
  });
});
