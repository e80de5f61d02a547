// The optimistic log, which a press shows before the server answers, and the progress that includes it.
import { type Goal, runsIntervals, type Totals } from "~/domain/goals/goals";
import { LOG_STATUS } from "~/domain/goals/log-state";
import { countOf, type LogDraft, type LogShown, newLog } from "~/domain/goals/logs";
import type { Instant } from "~/domain/time";

export type Progress = { totals: Totals; openLogs: LogShown[] };

export type RequestedLog = Partial<LogDraft> & { status: LogDraft["status"] };

/** The progress of a goal with this log. */
export function withLog({ totals, openLogs }: Progress, log: LogShown): Progress {
  const counts = countOf(log);
  return {
    totals: {
      amountElapsed: totals.amountElapsed + counts.amount,
      durationElapsed: totals.durationElapsed + counts.duration,
      distanceElapsed: totals.distanceElapsed + counts.distance,
    },
    openLogs: log.status === LOG_STATUS.done ? openLogs : [log, ...openLogs],
  };
}

export type DraftedGoal = Pick<Goal, "id" | "uuid" | "title" | "action" | "unit" | "timers" | "isInterval">;

/** The optimistic log; it has no id, and browsers know no user id. */
export function draftLog(
  goal: DraftedGoal,
  requested: RequestedLog,
  uuid: string,
  username: string,
  now: Instant,
): LogShown {
  const source = { qlButtonUuid: requested.qlButtonUuid ?? null, timerUuid: requested.timerUuid ?? null };
  const row = newLog(
    {
      uuid,
      title: requested.title ?? "",
      content: { content: "", contentHtml: "", summary: "" },
      action: requested.action || goal.action,
      status: requested.status,
      amount: requested.amount ?? null,
      distance: requested.distance ?? null,
      duration: requested.duration ?? null,
      ...source,
      isInterval: requested.duration != null && runsIntervals(goal, source),
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
