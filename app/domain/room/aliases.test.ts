import { describe, expect, test } from "vitest";
import { hiddenOf } from "~/domain/safety/blocks";
import { part, schedule } from "~/domain/schedule/fixtures";
import { aliasesIn, placeOfAlias, roomSeenBy } from "./aliases";
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

  test("is the room itself if nobody is hidden", () => {
    expect(roomSeenBy(turns, hiddenOf([{ userId: 77, username: "far" }]))).toBe(turns);
  });
});

test("Q-12 an alias names a place, and no username is an alias", () => {
  expect(placeOfAlias("Participant 3")).toBe(2);
  for (const name of ["Participant", "participant 3", "Participant 0", "ann"])
    expect(placeOfAlias(name)).toBeNull();
});
