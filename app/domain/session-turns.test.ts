// Who has the turn, and who may write into a session's texts.
import { describe, expect, test } from "vitest";
import { begun, minute, part, schedule } from "./schedule-fixtures";
import { partsInOrder } from "./schedule-shape";
import { activeParts, contributionOf, mayEditNow, turnHolder } from "./session-turns";

const turns = begun(schedule([part("t", 2, { isPerParticipant: true })]), 0, ["ann", "bob"]);
const plain = (mayEditContent: boolean) => begun(schedule([part("p", 5, { mayEditContent }), part("q", 5)]));

test("T-15 the turn goes round; nobody has it where no turns go round", () => {
  const active = activeParts(turns);
  expect(active.map(({ id }) => id)).toEqual(["t"]);
  expect([0, 1, 2, 3].map((at) => turnHolder(active, minute(at)))).toEqual(["ann", "ann", "bob", "bob"]);
  expect(turnHolder(activeParts(plain(true)), minute(1))).toBeNull();
  expect(turnHolder([], minute(1))).toBeNull();
});

test("T-15 parts that wait or are over are not under way, a paused one is", () => {
  const [first] = partsInOrder(plain(true));
  expect(activeParts(plain(true)).map(({ id }) => id)).toEqual(["p"]);
  const states = (["waiting", "running", "paused", "finished"] as const).map(
    (state) => activeParts(schedule([{ ...(first ?? part("p", 5)), state }])).length,
  );
  expect(states).toEqual([0, 1, 1, 0]);
});

test("A-08 in turns only the person whose turn it is contributes", () => {
  const active = activeParts(turns);
  expect(contributionOf("ann", 1, active, minute(1))).toBe("may");
  expect(contributionOf("bob", 1, active, minute(1))).toBe("not-their-turn");
  expect(contributionOf("bob", 1, active, minute(3))).toBe("may");
});

test("A-08 without turns a part takes contributions of everybody, or of nobody", () => {
  expect(contributionOf("ann", 1, activeParts(plain(true)), minute(1))).toBe("may");
  expect(contributionOf("ann", 1, activeParts(plain(false)), minute(1))).toBe("not-taken");
  expect(contributionOf("ann", 1, [], minute(1))).toBe("not-taken");
});

test("A-08 before the start and after the end nobody contributes, whoever has the turn", () => {
  for (const status of [0, 2] as const)
    expect(contributionOf("ann", status, activeParts(turns), minute(1))).toBe("not-running");
});

describe("A-05 A-06 A-07 the texts of a session", () => {
  const host = { canRun: true, canHost: true };
  const admin = { canRun: true, canHost: false };
  const participant = { canRun: false, canHost: false };
  const open = activeParts(plain(true));
  const closed = activeParts(plain(false));
  const may = (who: typeof host, status: 0 | 1 | 2, active = closed) =>
    mayEditNow(who, status, active, "mayEditContent");

  test("A-05 A-06 before the start host and admins edit them", () => {
    expect([host, admin, participant].map((who) => may(who, 0))).toEqual([true, true, false]);
  });

  test("A-05 A-07 while it runs the host does, and admins where the part says so", () => {
    expect([host, admin, participant].map((who) => may(who, 1))).toEqual([true, false, false]);
    expect([host, admin, participant].map((who) => may(who, 1, open))).toEqual([true, true, false]);
    // The part opens the content, not the prompt.
    expect(mayEditNow(admin, 1, open, "mayEditPrompt")).toBe(false);
  });

  test("A-05 after the end nobody does", () => {
    expect([host, admin, participant].map((who) => may(who, 2, open))).toEqual([false, false, false]);
  });
});
