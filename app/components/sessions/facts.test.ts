// The facts beside the face follow the room, and every viewer sees the people that they may see.
import { expect, test } from "vitest";
import { withPeopleOf } from "~/components/room/live-context";
import { instant, MINUTE, seconds } from "~/domain/time";
import { applyOperation, type LiveRoom } from "~/wire/room/live-room";
import { factsOf, spotsText } from "./facts";

const START = instant(Date.UTC(2026, 10, 26, 18));
const iso = (minutes: number) => new Date(START + minutes * MINUTE).toISOString();
const person = (username: string) => ({
  ...{ username, role: 0 as const, isHost: false, isReady: false },
  ...{ completedAt: null, joinedAt: START },
});
const ROOM = {
  ...{ seq: 1, title: "Pages", schedule: { groups: [] }, mutes: [], isManuallyStarted: false },
  ...{ startedAt: START, endedAt: instant(START + 60 * MINUTE), duration: seconds(3600) },
  ...{ count: 3, participants: ["ann", "bob", "cy"].map(person) },
} as unknown as LiveRoom;
const after = (op: Parameters<typeof applyOperation>[1]) => factsOf(applyOperation(ROOM, op));

test("R-61 the length and the end beside the face follow an added minute", () => {
  const status = { type: "status", seq: 2, status: 1, started_at: iso(0), ended_at: iso(61) } as const;
  expect(after({ ...status, duration: 3660, is_manually_started: 0 })).toMatchObject({
    total: 3660,
    endedAt: START + 61 * MINUTE,
  });
});

test("U-39 G-22 the spots are those left, less those offered, until the session ends", () => {
  const words = (
    count: number,
    limit: number | null,
    held = 0,
    hasEnded = false,
    came: number | null = null,
  ) => spotsText({ count, limit, held, came, hasEnded });
  expect(words(3, null)).toBe("3 participants, no limit");
  expect(words(1, 2)).toBe("1 participant, 1 of 2 spots left");
  expect(words(0, 1)).toBe("0 participants, 1 of 1 spot left");
  expect(words(2, 4, 1)).toBe("2 participants, 1 of 4 spots left");
  expect(words(2, 2)).toBe("2 participants, no spots left");
  expect(words(3, 4, 1)).toBe("3 participants, no spots left: 1 offered to the waiting list");
  expect(words(3, 10, 0, true)).toBe("3 participants");
  expect(words(3, 10, 0, true, 4)).toBe("4 came");
});

test("L-01 the number of people beside the face follows a leave", () => {
  expect(after({ type: "participants", seq: 2, participants: [], left: ["cy"], count: 2 }).count).toBe(2);
});

test("Q-45 with a join code the page names people to a super admin without a seat, and counts them for others", () => {
  const heard = { ...ROOM, participants: [], count: 0 };
  const seen = (viewer: Parameters<typeof withPeopleOf>[2]) => {
    const { participants, count } = withPeopleOf(ROOM, heard, viewer);
    return [count, participants.map(({ username }) => username).join(" ")];
  };
  expect(seen({ mayRead: true, isJoined: false, needsCode: true })).toEqual([3, "ann bob cy"]);
  expect(seen({ mayRead: false, isJoined: false, needsCode: true })).toEqual([
    3,
    "Participant 1 Participant 2 Participant 3",
  ]);
  expect(seen({ mayRead: true, isJoined: true, needsCode: true })).toEqual([0, ""]);
});
