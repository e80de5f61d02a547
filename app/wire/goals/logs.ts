// The wire format of logs (E-12). A running log contains `started_at` and the time measured before it, and the client
// counts from there.
import { milesOut } from "~/domain/distances";
import type { LogShown } from "~/domain/goals/logs";
import { decimalOut, flagOut, instantOut } from "~/wire/values";

export const logOut = (log: LogShown) => ({
  id: log.id,
  uuid: log.uuid,
  goal: log.goal && {
    id: log.goal.id,
    uuid: log.goal.uuid,
    title: log.goal.title,
    action: log.goal.action,
    unit: log.goal.unit,
  },
  goal_id: log.goalId,
  task_uuid: log.sessionGoalUuid,
  challenge_event_id: log.sessionId,
  title: log.title,
  content: log.content,
  content_html: log.contentHtml,
  summary: log.summary,
  action: log.action,
  status: log.status,
  amount: decimalOut(log.amount),
  distance: milesOut(log.distance),
  distance_mm: log.distance,
  duration: log.duration,
  is_timed: flagOut(log.isTimed),
  elapsed_duration: log.elapsedDuration,
  remaining_duration: log.remainingDuration,
  started_at: instantOut(log.startedAt),
  ended_at: instantOut(log.endedAt),
  paused_at: instantOut(log.pausedAt),
  username: log.username,
  ql_button_uuid: log.qlButtonUuid,
  timer_uuid: log.timerUuid,
  day: log.day,
  created_at: instantOut(log.createdAt),
  updated_at: instantOut(log.updatedAt),
  /** Clients generate it for optimistic logs. */
  timeKey: null,
});
