// The log that a press shows before the server has answered, and what it counts.
import { type Goal, runsIntervals, type Totals } from "~/domain/goals/goals";
import { LOG_STATUS } from "~/domain/goals/log-state";
import { countOf, type LogDraft, type LogShown, newLog } from "~/domain/goals/logs";
import type { Instant } from "~/domain/time";

export type Progress = { totals: Totals; openLogs: LogShown[] };

export type Ask = Partial<LogDraft> & { status: LogDraft["status"] };

/** The progress of a goal with this log. */
export function withLog({ totals, openLogs }: Progress, log: LogShown): Progress {
  const counted = countOf(log);
  return {
    totals: {
      amountElapsed: totals.amountElapsed + counted.amount,
      durationElapsed: totals.durationElapsed + counted.duration,
      distanceElapsed: totals.distanceElapsed + counted.distance,
    },
    openLogs: log.status === LOG_STATUS.done ? openLogs : [log, ...openLogs],
  };
}

export type DraftedGoal = Pick<Goal, "id" | "uuid" | "title" | "action" | "unit" | "timers" | "isInterval">;

/** The optimistic log; it has no id, and browsers know no user id. */
export function draftLog(
  goal: DraftedGoal,
  ask: Ask,
  uuid: string,
  username: string,
  now: Instant,
): LogShown {
  const source = { qlButtonUuid: ask.qlButtonUuid ?? null, timerUuid: ask.timerUuid ?? null };
  const row = newLog(
    {
      uuid,
      title: ask.title ?? "",
      content: { content: "", contentHtml: "", summary: "" },
      action: ask.action || goal.action,
      status: ask.status,
      amount: ask.amount ?? null,
      distance: ask.distance ?? null,
      duration: ask.duration ?? null,
      ...source,
      isInterval: ask.duration != null && runsIntervals(goal, source),
      day: "",
    },
    now,
  );
  return {
    ...row,
    id: 0,
    username,
    goalId: goal.id,
    sessionId: null,
    sessionGoalUuid: null,
    isWithheld: false,
    goal: { id: goal.id, uuid: goal.uuid, title: goal.title, action: goal.action, unit: goal.unit },
  };
}
