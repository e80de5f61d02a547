// Scheduled changes of a room: start, parts and end, and how long a waiting timer holds the session open. Minutes count
// from one fixed start.

import { describe, expect, test } from "vitest";
import { byHand, minute, part, START, schedule, statesText } from "~/domain/schedule/fixtures";
import { statusAt } from "~/domain/sessions/status";
import { HOUR, MINUTE, plusMillis, seconds } from "~/domain/time";
import { advanceRoom, nextDueAt, withHost } from "./advance";
import { applyChange } from "./change";
import { host, inMinutes, room, roomAfter } from "./fixtures";
import type { RoomState } from "./room";

const three = () => schedule([part("a", 5), part("b", 5), part("c", 5)]);
const planned = (over: Partial<RoomState> = {}) =>
  room({ startedAt: START, endedAt: minute(15), schedule: three(), ...over });
/** Advances at every due instant, like alarms that fire on time. */
function byAlarms(state: RoomState, until: number): { state: RoomState; looks: number } {
  let current = state;
  let looks = 0;
  for (
    let at = nextDueAt(current, minute(-1));
    at !== null && at <= minute(until) && looks < 10_000;
    looks++
  ) {
    current = advanceRoom(current, at).state;
    at = statusAt(current, at) === 2 ? null : nextDueAt(current, at);
  }
  return { state: current, looks };
}

test("S-05 L-07 the run begins at the planned start: dates are set, auto-start parts run, ready marks are cleared", () => {
  const waiting = planned({ participants: room().participants.map((one) => ({ ...one, isReady: true })) });
  expect(advanceRoom(waiting, plusMillis(START, -1)).state).toBe(waiting);
  const { state, topics } = advanceRoom(waiting, START);
  expect(statesText(state.schedule)).toBe("a> 0-5, b 5-10, c 10-15");
  expect(state.participants.some((one) => one.isReady)).toBe(false);
  expect([...topics].sort()).toEqual(["participants", "parts", "status"]);
});

test.each([0, 3, 5, 7.5, 15, 16, 60])(
  "L-09 an alarm %d minutes late gives the same state as alarms on time, and a second one changes nothing",
  (n) => {
    const late = advanceRoom(planned(), minute(n)).state;
    expect(late).toEqual(byAlarms(planned(), n).state);
    expect(advanceRoom(late, minute(n))).toEqual({ state: late, topics: [] });
  },
);

test("T1 an alarm fires once for each change", () => {
  // The start (with part a), b, c, the end.
  expect(byAlarms(planned(), 1e6).looks).toBe(4);
});

test("S-04 S-07 the session ends on time, and parts that still run stop then", () => {
  const { state, topics } = advanceRoom(planned(), minute(20));
  expect(state).toMatchObject({ endedAt: minute(15), hasEnded: true });
  expect(topics).toContain("status");
  expect(nextDueAt({ ...state, closedAt: minute(20) }, minute(20))).toBeNull();
});

describe("R-04 a waiting timer moves the end", () => {
  const paused = () =>
    roomAfter(
      advanceRoom(planned(), START).state,
      { type: "control-part", by: host, partId: "a", action: "pause" },
      2,
    );

  test("R-04 a paused part holds the session open past its end, which follows the rest after the resume", () => {
    const held = advanceRoom(paused(), minute(200)).state;
    expect(statusAt(held, minute(200))).toBe(1);
    const resumed = roomAfter(held, { type: "control-part", by: host, partId: "a", action: "resume" }, 200);
    // 3 minutes of a, then b and c.
    expect(inMinutes(resumed.endedAt)).toBe(213);
  });

  test("R-04 T1 while a session is held open, alarms are rare and never miss its end", () => {
    const { looks, state } = byAlarms(paused(), 8 * 60);
    expect(looks).toBeLessThan(30);
    expect(statusAt(state, minute(8 * 60))).toBe(1);
    expect((state.endedAt ?? 0) - minute(8 * 60)).toBeLessThanOrEqual(2 * HOUR);
  });

  test("R-04 a part that waits for the host holds the session open too, for at most 30 days", () => {
    const waiting = planned({ schedule: schedule({ ...byHand, parts: [part("a", 1)] }), endedAt: minute(5) });
    const days = (n: number) => minute(n * 24 * 60);
    const held = advanceRoom(waiting, days(29)).state;
    expect(statusAt(held, days(29))).toBe(1);
    const over = advanceRoom(waiting, days(31)).state;
    expect(over).toMatchObject({ endedAt: days(30), hasEnded: true });
  });

  test("R-04 added minutes move the end later, removed minutes never move it earlier", () => {
    const begun = advanceRoom(planned(), START).state;
    const longer = roomAfter(begun, { type: "adjust-part", by: host, partId: "b", seconds: 600 }, 1);
    expect(inMinutes(longer.endedAt)).toBe(25);
    const shorter = roomAfter(longer, { type: "adjust-part", by: host, partId: "b", seconds: -600 }, 2);
    expect(inMinutes(shorter.endedAt)).toBe(25);
  });

  test("R-04 a part that finishes after the planned end also ends the session", () => {
    const held = advanceRoom(paused(), minute(100)).state;
    const skipped = roomAfter(held, { type: "control-part", by: host, partId: "a", action: "finish" }, 100);
    expect(inMinutes(skipped.endedAt)).toBe(110);
  });
});

test("R-13 an early start computes the dates from that instant", () => {
  const outcome = applyChange(planned(), { type: "start", by: host }, minute(-30));
  if (!outcome.ok) throw new Error(outcome.sentence);
  expect(statesText(outcome.state.schedule)).toBe("a> -30--25, b -25--20, c -20--15");
  expect(outcome.state.endedAt).toBe(minute(-15));
  expect(15 * MINUTE).toBe(minute(-15) - minute(-30));
});

test("R-04 while a timer waits for the host, the next alarm is a quarter of the elapsed time later, from 5 minutes to 2 hours", () => {
  const waiting = planned({ schedule: schedule({ ...byHand, parts: [part("a", 1)] }), endedAt: minute(5) });
  const nextLook = (n: number) => inMinutes(advanceRoom(waiting, minute(n)).state.endedAt);
  expect([10, 15, 20, 25].map(nextLook)).toEqual([15, 20, 25, 31.25]);
  const held = nextLook(20 * 60) ?? 0;
  const after = nextLook(held) ?? 0;
  expect(after - held).toBe(120);
});

test("L-09 an end that affects no timer changes only the status", () => {
  const waiting = planned({ schedule: schedule([part("a", 5)]), endedAt: minute(15) });
  const before = advanceRoom(waiting, minute(10)).state;
  const { state, topics } = advanceRoom(before, minute(15));
  expect([state.hasEnded, topics]).toEqual([true, ["status"]]);
});

test("L-09 nothing is due in a room without a start or in a closed room", () => {
  expect(nextDueAt(room(), minute(0))).toBeNull();
  expect(nextDueAt(planned({ closedAt: minute(1) }), minute(0))).toBeNull();
  expect(nextDueAt(planned(), minute(-5))).toBe(START);
  expect(nextDueAt(planned({ hasEnded: true }), minute(16))).toBe(minute(16));
  const open = advanceRoom(planned({ schedule: schedule(), endedAt: minute(15) }), START).state;
  expect(nextDueAt(open, minute(1))).toBe(minute(15));
});

test("S-07 a session that ends keeps its start", () => {
  const begun = advanceRoom(planned(), minute(3)).state;
  expect(roomAfter(begun, { type: "end", by: host }, 4)).toMatchObject({
    startedAt: START,
    endedAt: minute(4),
  });
});

test("L-09 a missed start is still due", () => {
  expect(nextDueAt(planned(), minute(1))).toBe(START);
});

describe("G-31 a session that needs a host", () => {
  const long = (over: Partial<RoomState> = {}) =>
    planned({ needsHost: true, endedAt: minute(60), duration: seconds(3600), ...over });

  test("G-31 without one it is cancelled 15 minutes after the start, however late the alarm", () => {
    for (const n of [15, 16, 90]) {
      const { state, topics } = advanceRoom(long(), minute(n));
      expect(state).toEqual(byAlarms(long(), n).state);
      expect(state).toMatchObject({ startedAt: minute(15), endedAt: minute(15), cancelledStart: START });
      expect(topics).toContain("status");
    }
    expect(advanceRoom(long(), plusMillis(minute(15), -1)).state.hasEnded).toBe(false);
    // A session that is shorter than that is cancelled at its end.
    const short = schedule([part("a", 5)]);
    const over = { schedule: short, endedAt: minute(5), duration: seconds(300) };
    expect(advanceRoom(long(over), minute(5)).state.cancelledStart).toBe(START);
  });

  test("G-31 a session without an end is cancelled too", () => {
    const open = long({ schedule: schedule([]), endedAt: null });
    expect(advanceRoom(open, minute(14)).state.hasEnded).toBe(false);
    expect(advanceRoom(open, minute(15)).state).toMatchObject({ cancelledStart: START, endedAt: minute(15) });
  });

  test("G-31 a host or admin who is online from the start on keeps it", () => {
    const seen = (name: string, n: number) => withHost(long(), new Set([name]), minute(n)).hasHostCome;
    expect([seen("ann", -1), seen("ann", 0), seen("ben", 3), seen("cid", 3)]).toEqual([
      undefined,
      true,
      true,
      undefined,
    ]);
    expect(advanceRoom(long({ hasHostCome: true }), minute(30)).state.hasEnded).toBe(false);
  });
});
