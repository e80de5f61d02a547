// Goals: their shapes, how far they are, and who may log against them (rulings 8). Pure, and free of zod: the browser
// imports it with every goal page. What a form or a call may say is goal-input.ts.
import type { Log } from "./logs";
import { type Instant, SECOND, type Seconds } from "./time";

/** One line of a checklist. */
export type ChecklistItem = { uuid: string; title: string; link: string; isChecked: boolean };

/** A timer of a goal; with intervals they run in order, `sets` times, and `duration` is their sum times sets. */
export type GoalTimer = {
  uuid: string;
  title: string;
  duration: Seconds;
  isInterval: boolean;
  sets: number;
  timers: { title: string; duration: Seconds }[];
};

/** Logs at one tap (E-11). Amount and distance in thousandths. */
export type QuickLogButton = {
  uuid: string;
  title: string;
  content: string;
  action: string;
  amount: number | null;
  distance: number | null;
  duration: Seconds | null;
  status: 1 | 2 | 3;
  completionsRequired: number;
  order: number;
};

/** When a recurring goal begins anew, at midnight of the person's own zone. */
export type Recurrence =
  | { every: "day" }
  | { every: "weekdays"; weekdays: number[] }
  | { every: "week"; times: number };

export const GOAL_STATUS = { open: 1, completed: 2 } as const;

/** A goal as it is kept. Amounts and distances in thousandths; `durationElapsed` in milliseconds. */
export type Goal = {
  id: number;
  uuid: string;
  userId: number;
  sessionId: number | null;
  activityId: number | null;
  partGroupId: string | null;
  position: number;
  title: string;
  link: string;
  content: string;
  contentHtml: string;
  summary: string;
  action: string;
  unit: string;
  amount: number | null;
  distance: number | null;
  duration: Seconds | null;
  actionDuration: Seconds | null;
  sets: number;
  timers: GoalTimer[];
  isInterval: boolean;
  isList: boolean;
  items: ChecklistItem[];
  quickLogButtons: QuickLogButton[];
  completionsRequired: number;
  isPerParticipant: boolean;
  mayEditContent: boolean;
  mayEditSummary: boolean;
  startedAt: Instant | null;
  endedAt: Instant | null;
  status: number;
  completedAt: Instant | null;
  copiedFromUuid: string | null;
  attachedSessionId: number | null;
  recurrence: Recurrence | null;
  amountElapsed: number;
  durationElapsed: number;
  distanceElapsed: number;
  logsCount: number;
  createdAt: Instant;
  updatedAt: Instant;
};

export type Totals = Pick<Goal, "amountElapsed" | "durationElapsed" | "distanceElapsed">;
type Targets = Pick<Goal, "amount" | "distance" | "duration" | "actionDuration" | "completionsRequired">;

/** The span a goal asks for, seconds: the action's, else the goal's own. */
export const targetSpan = (goal: Pick<Goal, "duration" | "actionDuration">): number =>
  goal.actionDuration ?? goal.duration ?? 0;

/** How much of each measure is done, 1 is once through; null where the goal does not ask for it. */
export function ratiosOf(goal: Targets, totals: Totals) {
  const ratio = (done: number, asked: number | null) => (asked !== null && asked > 0 ? done / asked : null);
  return {
    amount: ratio(totals.amountElapsed, goal.amount),
    duration: ratio(totals.durationElapsed, targetSpan(goal) * SECOND),
    distance: ratio(totals.distanceElapsed, goal.distance),
  };
}

/** The measure that is furthest, over what is required: 1 and more is complete (E-25). */
export function progressOf(goal: Targets, totals: Totals): number {
  const { amount, duration, distance } = ratiosOf(goal, totals);
  return Math.max(amount ?? 0, duration ?? 0, distance ?? 0) / Math.max(1, goal.completionsRequired);
}

export const isProgressComplete = (goal: Targets, totals: Totals): boolean => progressOf(goal, totals) >= 1;

export const distanceRemaining = (goal: Pick<Goal, "distance">, totals: Totals): number | null =>
  goal.distance === null ? null : Math.max(0, goal.distance - totals.distanceElapsed);

/** A goal of one's own life: no session's, no activity's. */
export const isPersonal = (goal: Pick<Goal, "sessionId" | "activityId">): boolean =>
  goal.sessionId === null && goal.activityId === null;

/** Own goal pages, editing and completing are for the owner (A-10, U-24). */
export const ownsGoal = (actor: { id: number } | null, goal: Pick<Goal, "userId">): boolean =>
  actor !== null && actor.id === goal.userId;

/** One's own goal, or one of a session in which one has a seat. An activity's goals are patterns: nobody logs them. */
export const canLogGoal = (
  actor: { id: number } | null,
  goal: Pick<Goal, "userId" | "sessionId" | "activityId">,
  hasSeat: boolean,
): boolean =>
  goal.activityId === null && (goal.sessionId === null ? ownsGoal(actor, goal) : actor !== null && hasSeat);

/**
 * What Start Progress logs: the goal's span as the plan. A goal counted in units (pages, glasses) starts at 0 of them,
 * told when it is done; any other counts once.
 */
export const progressDraft = (goal: Pick<Goal, "unit" | "actionDuration" | "duration">) => ({
  amount: goal.unit === "" ? 1000 : 0,
  duration: targetSpan(goal) > 0 ? (targetSpan(goal) as Seconds) : null,
});

/** What a tap on a quick-log button logs. */
export const buttonDraft = (button: QuickLogButton) => ({
  title: button.title,
  content: button.content,
  action: button.action,
  amount: button.amount,
  distance: button.distance,
  duration: button.duration,
  status: button.status,
});

/** The interval timer or plain timer a running log belongs to. */
export const timerOf = (goal: Pick<Goal, "timers">, log: Pick<Log, "timerUuid">): GoalTimer | null =>
  goal.timers.find(({ uuid }) => uuid === log.timerUuid) ?? null;

/** E-09: an interval timer lasts as long as its intervals, times its sets. */
export const timerSpan = (timer: Pick<GoalTimer, "isInterval" | "sets" | "timers" | "duration">): Seconds =>
  timer.isInterval
    ? ((timer.timers.reduce((sum, { duration }) => sum + duration, 0) * timer.sets) as Seconds)
    : timer.duration;
