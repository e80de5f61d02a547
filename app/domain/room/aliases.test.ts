import { describe, expect, test } from "vitest";
import { usernameRule } from "~/domain/accounts/rules";
import { hiddenOf } from "~/domain/safety/blocks";
import { part, schedule } from "~/domain/schedule/fixtures";
import { aliasesIn, canBeNamed, isAlias, isHandle, nameForActs, roomSeenBy } from "./aliases";
import { guest, person, room } from "./fixtures";

const cid = hiddenOf([{ userId: 3, username: "cid" }]);

describe("Q-12 a room as a viewer with a block sees it", () => {
  const turns = room({ schedule: schedule([part("a", 5, { turns: ["ann", "zed", "cid"] })]) });

  test("shows a hidden participant by place in the order of joining, in roster and turns", () => {
    const seen = roomSeenBy(turns, cid);
    expect(seen.participants.map(({ username }) => username)).toEqual(["ann", "ben", "Participant 3"]);
    expect(JSON.stringify(seen.schedule)).not.toContain("cid");
    expect(seen.participants[2]).toMatchObject({ ...person(guest), username: "Participant 3" });
  });

  test("numbers the past turn of a leaver after the present participants", () => {
    expect([...aliasesIn(turns, hiddenOf([{ userId: 9, username: "zed" }]))]).toEqual([
      ["zed", "Participant 4"],
    ]);
  });

  test("gives each leaver with a past turn a number of their own", () => {
    const gone = hiddenOf([
      { userId: 8, username: "yan" },
      { userId: 9, username: "zed" },
    ]);
    const past = room({ schedule: schedule([part("a", 5, { turns: ["zed", "yan"] })]) });
    expect(Object.fromEntries(aliasesIn(past, gone))).toEqual({ zed: "Participant 4", yan: "Participant 5" });
  });

  test("Q-11 J-12 lacks the line of a hidden person who has left, and keeps the line of anybody else", () => {
    const line = { seq: 1, userId: 9, content: "Back at ten", partId: null };
    const left = room({ line });
    expect(roomSeenBy(left, hiddenOf([{ userId: 9, username: "zed" }])).line).toBeNull();
    expect(roomSeenBy(left, hiddenOf([{ userId: 77, username: "far" }]))).toBe(left);
    expect(roomSeenBy(left, cid).line).toBe(line);
  });

  test("is the room itself if nobody is hidden", () => {
    expect(roomSeenBy(turns, hiddenOf([{ userId: 77, username: "far" }]))).toBe(turns);
  });
});

test("Q-12 no username is an alias or a handle", () => {
  expect(isAlias("Participant 3")).toBe(true);
  for (const name of ["Participant", "participant 3", "Participant 0", "ann"])
    expect([isAlias(name), isHandle(name)], name).toEqual([false, false]);
  expect(usernameRule("~0123456789abcdef", {})).not.toBeNull();
});

test("Q-12 an act names a person by the handle where there is one, and an alias alone names nobody", () => {
  expect(nameForActs({ username: "Participant 3", handle: "~a1" })).toBe("~a1");
  expect(nameForActs({ username: "ann", handle: null })).toBe("ann");
  expect([
    canBeNamed({ username: "ann" }),
    canBeNamed({ username: "Participant 3", handle: "~a1" }),
    canBeNamed({ username: "Participant 3", handle: null }),
  ]).toEqual([true, true, false]);
});
