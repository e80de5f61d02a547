import { expect, test } from "vitest";
import { cuesAhead } from "~/domain/schedule/cues";
import { instant, MINUTE, SECOND, seconds } from "~/domain/time";
import { type LogShown, moveLog, newLog } from "./logs";
import { scheduleOfLog } from "./schedule-of-log";

const NOW = instant(Date.UTC(2026, 10, 26, 9));
const TIMER = {
  uuid: "i",
  title: "Tabata",
  duration: seconds(60),
  isInterval: true,
  sets: 2,
  timers: [
    { title: "Work", duration: seconds(20) },
    { title: "Rest", duration: seconds(10) },
  ],
};
const draft = {
  ...{ uuid: "u", title: "Tabata", content: { content: "", contentHtml: "", summary: "" }, action: "Do" },
  ...{ status: 1 as const, amount: 0, distance: null, duration: seconds(60), day: "2026-11-26" },
  ...{ qlButtonUuid: null, timerUuid: "i", isInterval: true },
};
const running: LogShown = {
  ...newLog(draft, NOW),
  ...{ id: 1, goalId: 1, goal: null, userId: 1, username: "ewan" },
  ...{ sessionId: null, sessionGoalUuid: null, isWithheld: false },
};
const cuesOf = (log: LogShown, from = NOW) =>
  cuesAhead(scheduleOfLog(log, TIMER), {
    now: from,
    until: instant(NOW + 60 * MINUTE),
    roster: [],
    me: null,
  }).map(({ kind, at }) => `${kind} ${(at - NOW) / SECOND}`);

test("R-62 a goal's interval timer sounds at each interval and at its end", () => {
  expect(cuesOf(running)).toEqual(["interval 20", "interval 30", "interval 50", "end 60"]);
});

test("R-62 after a pause the cues come later, and a paused or plain log has none", () => {
  const paused = { ...running, ...moveLog(running, "pause", instant(NOW + 25 * SECOND)) };
  expect(cuesOf(paused)).toEqual([]);
  const again = { ...paused, ...moveLog(paused, "start", instant(NOW + 5 * MINUTE)) };
  expect(cuesOf(again, instant(NOW + 5 * MINUTE))).toEqual(["interval 305", "interval 325", "end 335"]);
  expect(cuesOf({ ...running, isInterval: false })).toEqual([]);
});
