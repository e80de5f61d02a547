// The wire format of goals (E-09 to E-11). Amounts and distances are decimals, spans are seconds.
import { milesOut } from "~/domain/distances";
import {
  type ChecklistItem,
  distanceRemaining,
  GOAL_STATUS,
  type Goal,
  type GoalTimer,
  isProgressComplete,
  progressOf,
  type QuickLogButton,
  type Totals,
} from "~/domain/goals/goals";
import type { LogShown } from "~/domain/goals/logs";
import { textOfMinute } from "~/domain/notices/quiet-hours";
import { decimalOut, flagOut, instantOut } from "~/wire/values";
import { logOut } from "./logs";
import type { OutsideGoal } from "./names";

/** The fields of a goal that depend on its viewer. */
export type GoalDetails = {
  isOwner: boolean;
  /** The goal's owner. */
  username: string;
  activeLogId: number | null;
  logs?: readonly LogShown[];
  tags?: readonly string[];
  /** In a session: the totals of this participant instead of everybody's. */
  totals?: Totals;
  /** In a session: the checklist items that this participant has ticked. */
  checked?: readonly string[];
};

const timerOut = (timer: GoalTimer) => ({
  uuid: timer.uuid,
  title: timer.title,
  duration: timer.duration,
  is_interval: flagOut(timer.isInterval),
  sets: timer.sets,
  // A goal's timer at rest; the log of a running one determines its state (T-14).
  setsRemaining: timer.sets,
  timers: timer.timers.map(({ title, duration }) => ({ title, duration })),
});

export const buttonOut = (button: QuickLogButton) => ({
  uuid: button.uuid,
  amount: decimalOut(button.amount),
  distance: milesOut(button.distance),
  duration: button.duration,
  status: button.status,
  title: button.title,
  content: button.content,
  action: button.action,
  completions_required: button.completionsRequired,
  order: button.order,
});

const itemOut = (item: ChecklistItem, checkedItems: readonly string[] | undefined) => ({
  uuid: item.uuid,
  title: item.title,
  link: item.link,
  x: flagOut(checkedItems ? checkedItems.includes(item.uuid) : item.isChecked),
});

export function goalOut(goal: Goal, details: GoalDetails) {
  const totals = details.totals ?? goal;
  return {
    id: goal.id,
    uuid: goal.uuid,
    title: goal.title,
    link: goal.link,
    content: goal.content,
    content_html: goal.contentHtml,
    summary: goal.summary,
    type: "task" as const,
    action: goal.action,
    unit: goal.unit,
    amount: decimalOut(goal.amount),
    distance: milesOut(goal.distance),
    duration: goal.duration,
    action_duration: goal.actionDuration,
    amount_elapsed: decimalOut(totals.amountElapsed),
    duration_elapsed: totals.durationElapsed,
    distance_elapsed: milesOut(totals.distanceElapsed),
    distance_mm: goal.distance,
    distance_elapsed_mm: totals.distanceElapsed,
    distance_remaining: milesOut(distanceRemaining(goal, totals)),
    progress: Math.round(progressOf(goal, totals) * 1000) / 1000,
    is_progress_complete: flagOut(isProgressComplete(goal, totals)),
    sets: goal.sets,
    is_interval: flagOut(goal.isInterval),
    timers: goal.timers.map(timerOut),
    is_list: flagOut(goal.isList),
    items: goal.items.map((item) => itemOut(item, details.checked)),
    quick_log_buttons: goal.quickLogButtons.map(buttonOut),
    completions_required: goal.completionsRequired,
    status: goal.status,
    completed_at: instantOut(goal.completedAt),
    can_complete: flagOut(details.isOwner && goal.status !== GOAL_STATUS.completed),
    is_owner: flagOut(details.isOwner),
    username: details.username,
    active: flagOut(details.activeLogId !== null),
    active_log_id: details.activeLogId,
    logs: (details.logs ?? []).map(logOut),
    logs_count: goal.logsCount,
    tags: details.tags ?? goal.sharedTags,
    recurrence: goal.recurrence,
    remind_at: goal.remindAt === null ? null : textOfMinute(goal.remindAt),
    challenge_event_id: goal.sessionId ?? goal.attachedSessionId,
    task_uuids: [goal.uuid, goal.copiedFromUuid].filter((uuid) => uuid !== null),
    started_at: instantOut(goal.startedAt),
    ended_at: instantOut(goal.endedAt),
    per_participant: flagOut(goal.isPerParticipant),
    edit_content: flagOut(goal.mayEditContent),
    edit_summary: flagOut(goal.mayEditSummary),
    order: goal.position,
    events_group_uuid: goal.partGroupId,
    // The date rules of parts do not move a goal.
    linked: flagOut(false),
    relative_dates: flagOut(false),
    time_from: 0,
    start_of: null,
    is_custom_duration: flagOut(!goal.isInterval && goal.duration !== null),
    created_at: instantOut(goal.createdAt),
    updated_at: instantOut(goal.updatedAt),
  } satisfies OutsideGoal & Record<string, unknown>;
}

export type OwnGoal = { goal: Goal; tags: string[]; activeLogId: number | null; username: string };
/** A goal as its owner sees it. */
export const ownGoalOut = ({ goal, tags, activeLogId, username }: OwnGoal) =>
  goalOut(goal, { isOwner: true, username, activeLogId, tags });
