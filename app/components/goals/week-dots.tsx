// A recurring goal's state today in words, and its last seven days as dots.

import type { ReactNode } from "react";
import { type Day, dayAt, daysFrom, plusDays, weekdayOf } from "~/domain/days";
import type { Goal, Recurrence } from "~/domain/goals/goals";
import { type DayTotals, isDoneOn, isDueOn, periodProgress, WEEKDAYS } from "~/domain/goals/recurrence";
import { type GoalMeasure, goalOn } from "~/domain/goals/target-changes";
import { useShell } from "~/hooks/use-shell";

type RecurringGoal = Goal & { recurrence: Recurrence };

export const isRecurring = (goal: Goal): goal is RecurringGoal => goal.recurrence !== null;

/** The state of the goal's period: "2 of 3 this week", "Done for today", "Not yet today". */
export function periodText({ goal, measures, days, today }: DotsProps): string {
  const { done, asked, isDone, isResting } = periodProgress(goal, days, today, measures);
  const { recurrence } = goalOn<Goal>(goal, measures, today);
  if (recurrence?.every === "week") {
    if (isResting) return "This week is skipped";
    return isDone ? `Done for this week, ${done} of ${asked}` : `${done} of ${asked} this week`;
  }
  if (isDone) return "Done for today";
  if (isResting) return "Nothing due today";
  return done > 0 ? "Started today" : "Not yet today";
}

export type DotsProps = {
  goal: RecurringGoal;
  measures: readonly GoalMeasure[];
  days: readonly DayTotals[];
  today: Day;
};

type DayState = "done" | "skipped" | "open" | "missed" | "free";

/** Each state has a shape besides its colour: a disc with a check, two bars, a ring, a crossed ring, a point. */
const DAY_MARKS: Record<DayState, { colour: string; mark: ReactNode }> = {
  done: {
    colour: "text-pine",
    mark: (
      <>
        <circle cx="8" cy="8" r="7" fill="currentColor" />
        <path d="m4.5 8.3 2.4 2.4 4.6-5" className="stroke-surface" />
      </>
    ),
  },
  skipped: { colour: "text-dusk", mark: <path d="M5.5 3.5v9m5-9v9" /> },
  open: { colour: "text-ember", mark: <circle cx="8" cy="8" r="7" /> },
  missed: {
    colour: "text-edge",
    mark: (
      <>
        <circle cx="8" cy="8" r="7" />
        <path d="m3.1 12.9 9.8-9.8" />
      </>
    ),
  },
  free: { colour: "text-edge", mark: <circle cx="8" cy="8" r="2" fill="currentColor" stroke="none" /> },
};

type DayFacts = { isDone: boolean; isSkipped: boolean | undefined; isDue: boolean; isToday: boolean };

function stateOf({ isDone, isSkipped, isDue, isToday }: DayFacts): DayState {
  if (isDone) return "done";
  if (isSkipped) return "skipped";
  if (!isDue) return "free";
  return isToday ? "open" : "missed";
}

/** The last seven days. */
export function WeekDots({ goal, measures, days, today }: DotsProps) {
  const { timeZone } = useShell();
  const byDay = new Map(days.map((day) => [day.day, day]));
  const createdOn = dayAt(goal.createdAt, timeZone);
  return (
    <ul aria-label="The last seven days" className="flex flex-wrap gap-1.5">
      {daysFrom(plusDays(today, -6), today).map((day) => {
        const totals = byDay.get(day);
        const goalThen = goalOn<Goal>(goal, measures, day);
        const isDue = day >= createdOn && goalThen.recurrence !== null && isDueOn(goalThen.recurrence, day);
        const state = stateOf({
          isDone: isDoneOn(goalThen, totals),
          isSkipped: totals?.isSkipped,
          isDue,
          isToday: day === today,
        });
        const { colour, mark } = DAY_MARKS[state];
        return (
          <li key={day} className="flex flex-col items-center gap-0.5 text-sm text-soft">
            <svg
              viewBox="0 0 16 16"
              aria-hidden="true"
              className={`size-4 fill-none stroke-current stroke-2 ${colour}`}
              strokeLinecap="round"
            >
              {mark}
            </svg>
            <span aria-hidden="true">{WEEKDAYS[weekdayOf(day)]?.slice(0, 2)}</span>
            <span className="sr-only">
              {WEEKDAYS[weekdayOf(day)]}: {state}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
