// The buttons of a goal's reminder, and the content of their token (W-01, W-02). Pure.
import { beginningOf } from "~/domain/beginnings";
import type { Day } from "~/domain/days";
import type { Reader } from "~/domain/numbers";
import { DAY, type Instant } from "~/domain/time";
import { type Goal, type QuickLogButton, quickLogsOf } from "./goals";
import { LOG_STATUS } from "./log-state";
import { buttonLabel } from "./measure-text";

/** Browsers show two. */
const MAX_BUTTONS = 2;
const LONGEST_LABEL = 40;
export const REMINDER_IS_OVER = "This reminder is over. The goal's page still logs.";
export const GOAL_IS_COMPLETED = "This goal is completed, so nothing was logged.";

/** The actions of the buttons: the position of a quick-log button, or skipping the day and undoing that. */
export const PRESSES = ["0", "1", "skip", "unskip"] as const;
export type Press = (typeof PRESSES)[number];

/** The right that a token gives, whatever becomes of the goal's buttons meanwhile. */
export type ReminderToken = {
  user: number;
  goal: number;
  day: Day;
  /** The last instant at which it works. */
  until: Instant;
  /** The uuid of its only log. */
  uuid: string;
  buttons: Pick<QuickLogButton, "uuid" | "amount" | "distance" | "duration">[];
  canSkip: boolean;
};

/** A press without a network waits in its browser for so long at most (W-05). */
const LONGEST_WAIT = 30 * DAY;

/** A press that has waited counts as of `pressedAt`, by the clock of its browser. */
export const isReminderOver = (
  { until }: Pick<ReminderToken, "until">,
  { now, pressedAt = now }: { now: Instant; pressedAt?: Instant | undefined },
): boolean => Math.max(Math.min(pressedAt, now), now - LONGEST_WAIT) > until;

/**
 * The buttons of a goal's reminder (W-01). `by` is the account that the token names, `about` the goal; an action names a
 * press.
 */
export type PushButtons = {
  token: string;
  by: string;
  about: string;
  actions: { action: string; title: string }[];
};

/** Buttons whose logs count at once: a timer needs its page. */
export const reminderButtons = (goal: Goal): QuickLogButton[] =>
  quickLogsOf(goal)
    .filter(({ status }) => status === LOG_STATUS.done)
    .slice(0, MAX_BUTTONS);

/** The reminder of a recurring goal offers to skip the day, where a button is left for that. */
export const canSkip = (goal: Pick<Goal, "recurrence">, buttons: readonly QuickLogButton[]): boolean =>
  goal.recurrence !== null && buttons.length < MAX_BUTTONS;

export function buttonsOfPush(
  goal: Goal,
  { token, by }: { token: string; by: string },
  reader: Reader,
): PushButtons {
  const buttons = reminderButtons(goal);
  const actions = buttons.map((button, index) => ({
    action: PRESSES[index] as Press,
    title: beginningOf(buttonLabel(button, goal.unit, reader), LONGEST_LABEL),
  }));
  if (canSkip(goal, buttons)) actions.push({ action: "skip", title: "Skip today" });
  return { token, by, about: beginningOf(goal.title, LONGEST_LABEL), actions };
}
