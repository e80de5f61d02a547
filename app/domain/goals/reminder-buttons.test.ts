// The end of a reminder's buttons.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { DAY, instant } from "~/domain/time";
import { isReminderOver, REMINDER_IS_OVER } from "./reminder-buttons";

const UNTIL = instant(100 * DAY);
const at = (ms: number) => instant(UNTIL + ms);

test.each([
  [0, undefined, false],
  [1, undefined, true],
  [5 * DAY, 0, false],
  [5 * DAY, 1, true],
  // Neither a clock that is ahead nor one that is far behind moves the end.
  [0, DAY, false],
  [30 * DAY, -DAY, false],
  [30 * DAY + 1, -DAY, true],
])(
  "W-02 a press that is sent %s after the end, of an instant %s from it, is over: %s",
  (now, pressed, isOver) => {
    const pressedAt = pressed === undefined ? undefined : at(pressed);
    expect(isReminderOver({ until: UNTIL }, { now: at(now), pressedAt })).toBe(isOver);
  },
);

test("W-02 the service worker refuses a press that is over in the words of the server", () => {
  expect(readFileSync("public/sw.js", "utf8")).toContain(JSON.stringify(REMINDER_IS_OVER));
});
