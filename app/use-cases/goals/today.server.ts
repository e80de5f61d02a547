// Today: a user's goals by their place on this day, with running logs first.
import type { Database } from "#db/connect.server";
import * as logs from "#db/queries/goals/logs";
import { listGoalsOfToday } from "#db/queries/goals/today";
import { type Day, dayAt, plusDays } from "~/domain/days";
import { isToDo } from "~/domain/goals/log-state";
import type { LogShown } from "~/domain/goals/logs";
import { type DayTotals, periodProgress, totalsOn } from "~/domain/goals/recurrence";
import { goalOn, targetOf } from "~/domain/goals/target-changes";
import { daysAtPace, placeOn, sortByPlace, type Today, type TodayGoal } from "~/domain/goals/today";
import type { App } from "~/use-cases/app.server";
import { firstDayRead, recentStreak } from "~/use-cases/streaks.server";

/** Logs that run or wait. */
const MAX_OPEN_LOGS = 50;

/** Two statements: the goals of Today, none where it is not shown, and the open logs of all goals. */
export const todayStatements = (db: Database, userId: number, today: Day, isShown = true) =>
  [
    listGoalsOfToday(db, isShown ? userId : 0, {
      since: firstDayRead(today),
      yesterday: plusDays(today, -1),
    }),
    logs.listOpenLogs(db, userId, null, MAX_OPEN_LOGS),
  ] as const;

type GoalRow = Awaited<ReturnType<typeof listGoalsOfToday>>[number];

export function showToday(app: App, rows: readonly GoalRow[], openLogs: readonly LogShown[]): Today {
  const today = dayAt(app.now, app.timeZone);
  const yesterday = plusDays(today, -1);
  return {
    openLogs: openLogs.filter((log) => !isToDo(log)),
    goals: sortByPlace(rows.map((row) => asTodayGoal(app, row, today))).filter(
      ({ place }) => place !== "off",
    ),
    yesterday: rows.filter(({ days }) => days.some(hasProgressOn(yesterday))).map(({ title }) => title),
  };
}

const hasProgressOn =
  (day: Day) =>
  (totals: DayTotals): boolean =>
    totals.day === day && (totals.logs > 0 || totals.duration > 0);

function asTodayGoal(app: App, row: GoalRow, today: Day): TodayGoal {
  const { days, measures, status: _, startedAt, createdAt, ...goal } = row;
  const { amountElapsed, durationElapsed, distanceElapsed, ...goalFields } = goal;
  const { recurrence } = goal;
  const allTimeTotals = { amountElapsed, durationElapsed, distanceElapsed };
  const week =
    recurrence?.every === "week" ? periodProgress({ ...goal, recurrence }, days, today, measures) : null;
  return {
    ...goalFields,
    ...targetOf(goalOn(goal, measures, today)),
    place: placeOn(row, today),
    totals: recurrence ? totalsOn(days, today) : allTimeTotals,
    streak: recentStreak(goal, { days, measures }, today),
    week: week && { done: week.done, asked: week.asked },
    daysLeft: recurrence ? null : daysAtPace(goal, { from: startedAt ?? createdAt, now: app.now }),
  };
}
