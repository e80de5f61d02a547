// Goals: their types, progress and permissions (E-10, E-25). Pure, and without zod, because every goal page bundles it;
// wire/goals/input.ts parses them.

import { keptDistance } from "~/domain/distances";
import type { Owned } from "~/domain/owned";
import { type Instant, SECOND, type Seconds } from "~/domain/time";
import { LOG_STATUS } from "./log-state";
import type { Log } from "./logs";

/** A line of a checklist. */
export type ChecklistItem = { uuid: string; title: string; link: string; isChecked: boolean };
/** A line as people write it. Without `isChecked` it keeps the tick of the stored line. */
export type DraftItem = Omit<ChecklistItem, "isChecked"> & { isChecked?: boolean | undefined };

/** A timer of a goal. With intervals, these run in order `sets` times, and `duration` is the total. */
export type GoalTimer = {
  uuid: string;
  title: string;
  duration: Seconds;
  isInterval: boolean;
  sets: number;
  timers: { title: string; duration: Seconds }[];
};

/** A button that logs with one tap (E-11). Amount in thousandths, distance in millimetres. */
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

/** When a recurring goal starts over, at midnight in the person's time zone. */
export type Recurrence =
  | { every: "day" }
  | { every: "weekdays"; weekdays: number[] }
  | { every: "week"; times: number };

export const GOAL_CREATED = "Goal created successfully!";

export const GOAL_STATUS = { open: 1, completed: 2 } as const;

/** A goal. Amounts in thousandths, distances in millimetres; `durationElapsed` in milliseconds. */
export type Goal = {
  id: number;
  uuid: string;
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
  /** The reminder's minute of the local day (N-23); null without. A goal of a session or activity has none. */
  remindAt: number | null;
  /** The tags of a goal of a session or activity; those of a personal goal are stored per user. */
  sharedTags: string[];
  amountElapsed: number;
  durationElapsed: number;
  distanceElapsed: number;
  logsCount: number;
  createdAt: Instant;
  updatedAt: Instant;
};

export type Totals = Pick<Goal, "amountElapsed" | "durationElapsed" | "distanceElapsed">;
type Targets = Pick<Goal, "amount" | "distance" | "duration" | "actionDuration" | "completionsRequired">;

/** The target duration in seconds: the action's, else the goal's. */
export const targetSpan = (goal: Pick<Goal, "duration" | "actionDuration">): number =>
  goal.actionDuration ?? goal.duration ?? 0;

/** The ratio of each measure to its target, where 1 is complete; null without a target. */
function ratiosOf(goal: Targets, totals: Totals) {
  const ratio = (done: number, target: number | null) =>
    target !== null && target > 0 ? done / target : null;
  return {
    amount: ratio(totals.amountElapsed, goal.amount),
    duration: ratio(totals.durationElapsed, targetSpan(goal) * SECOND),
    distance: ratio(totals.distanceElapsed, goal.distance),
  };
}

/** The highest ratio, divided by the required completions; complete from 1 (E-25). */
export function progressOf(goal: Targets, totals: Totals): number {
  const { amount, duration, distance } = ratiosOf(goal, totals);
  return Math.max(amount ?? 0, duration ?? 0, distance ?? 0) / Math.max(1, goal.completionsRequired);
}

export const isProgressComplete = (goal: Targets, totals: Totals): boolean => progressOf(goal, totals) >= 1;

export const distanceRemaining = (goal: Pick<Goal, "distance">, totals: Totals): number | null =>
  goal.distance === null ? null : Math.max(0, goal.distance - totals.distanceElapsed);

/** A personal goal belongs to no session and no activity. */
export const isPersonal = (goal: Pick<Goal, "sessionId" | "activityId">): boolean =>
  goal.sessionId === null && goal.activityId === null;

/** The tags of a session's goal are shared; `tags` are those of a personal one. */
export const tagsOf = (goal: Pick<Goal, "sessionId" | "sharedTags">, tags: string[]): string[] =>
  goal.sessionId === null ? tags : goal.sharedTags;

/** The owner sees, edits and completes a personal goal (A-10, U-24). */
export const ownsGoal = (actor: { id: number } | null, goal: Pick<Owned<Goal>, "userId">): boolean =>
  actor !== null && actor.id === goal.userId;

/**
 * A personal goal, or a goal of a session in which the user has a seat. Nobody logs an activity's goals, which are
 * templates.
 */
export const canLogGoal = (
  actor: { id: number } | null,
  goal: Pick<Owned<Goal>, "userId" | "sessionId" | "activityId">,
  hasSeat: boolean,
): boolean =>
  goal.activityId === null && (goal.sessionId === null ? ownsGoal(actor, goal) : actor !== null && hasSeat);

/**
 * The log that Start Progress creates, with the goal's duration as its plan. A goal counted in a unit (pages, glasses)
 * starts at 0; any other counts 1.
 */
export const progressDraft = (goal: Pick<Goal, "unit" | "actionDuration" | "duration">) => ({
  amount: goal.unit === "" ? 1000 : 0,
  duration: targetSpan(goal) > 0 ? (targetSpan(goal) as Seconds) : null,
});

/** The log of a quick-log button. */
export const buttonDraft = (button: QuickLogButton) => ({
  title: button.title,
  content: button.content,
  action: button.action,
  amount: button.amount,
  distance: button.distance,
  duration: button.duration,
  status: button.status,
});

/** The draft with the stored distances wherever the form sent back the rounded ones that it showed (H-07). */
export function withKeptDistances<D extends Pick<GoalDraft, "distance" | "quickLogButtons">>(
  storedGoal: Pick<Goal, "distance" | "quickLogButtons">,
  draft: D,
): D {
  const distanceOf = new Map(storedGoal.quickLogButtons.map(({ uuid, distance }) => [uuid, distance]));
  const keptDraft = { ...draft };
  if (draft.distance !== undefined) keptDraft.distance = keptDistance(storedGoal.distance, draft.distance);
  if (draft.quickLogButtons)
    keptDraft.quickLogButtons = draft.quickLogButtons.map((button) => ({
      ...button,
      distance: keptDistance(distanceOf.get(button.uuid) ?? null, button.distance),
    }));
  return keptDraft;
}

export type Countable = Pick<Goal, "quickLogButtons" | "amount" | "unit" | "duration" | "actionDuration">;

/** The quick-log buttons of a goal. Without any, a goal in minutes gets default ones, and a countable goal "one more". */
export function quickLogsOf(goal: Countable): readonly QuickLogButton[] {
  if (goal.quickLogButtons.length > 0) return goal.quickLogButtons;
  const minutes = targetMinutes(goal);
  if (minutes > 0) return minuteButtons(goal, minutes);
  return (goal.amount ?? 0) > 0 ? [ONE_MORE] : [];
}

/** A default button, which is not stored; its logs name no button. */
export const ONE_MORE: QuickLogButton = {
  uuid: "",
  title: "",
  content: "",
  action: "",
  amount: 1000,
  distance: null,
  duration: null,
  status: LOG_STATUS.done,
  completionsRequired: 1,
  order: 0,
};

export const isUnitMinutes = (goal: Pick<Goal, "unit">): boolean => /^min(ute)?s?$/i.test(goal.unit.trim());
/** The target of a goal in minutes: its time, or an amount in that unit; 0 for any other goal. */
export function targetMinutes(goal: Pick<Goal, "amount" | "unit" | "duration" | "actionDuration">): number {
  const amount = goal.amount ?? 0;
  if (isUnitMinutes(goal)) return Math.floor(amount / 1000);
  return amount > 0 && (amount !== NEW_GOAL.amount || goal.unit !== "")
    ? 0
    : Math.floor(targetSpan(goal) / 60);
}

const MINUTES = [5, 10, 15, 20, 25, 30, 45, 60];
/** At most three buttons, up to `minutes` or an hour. */
export function minuteButtons(goal: Pick<Goal, "unit">, minutes: number): QuickLogButton[] {
  const last = Math.min(minutes, 60);
  const steps = [...MINUTES.filter((step) => step < last), last].slice(-3);
  return steps.map((step) =>
    isUnitMinutes(goal)
      ? { ...ONE_MORE, amount: step * 1000 }
      : { ...ONE_MORE, amount: null, duration: (step * 60) as Seconds },
  );
}

/** The interval timer or plain timer of a running log. */
export const timerOf = (goal: Pick<Goal, "timers">, log: Pick<Log, "timerUuid">): GoalTimer | null =>
  goal.timers.find(({ uuid }) => uuid === log.timerUuid) ?? null;

/** True if a log of the goal runs intervals: those of its timer, or of a goal that is an interval timer itself. */
export const runsIntervals = (
  goal: Pick<Goal, "timers" | "isInterval">,
  log: Pick<Log, "timerUuid" | "qlButtonUuid">,
): boolean =>
  log.timerUuid === null
    ? log.qlButtonUuid === null && goal.isInterval && goal.timers.length > 0
    : (timerOf(goal, log)?.isInterval ?? false);

/** The length of a goal that is an interval timer itself: the sum of its timers, times its sets. */
export const timersSpan = (timers: readonly { duration: Seconds }[], sets: number): Seconds =>
  (timers.reduce((sum, { duration }) => sum + duration, 0) * sets) as Seconds;

/** E-09: the length of an interval timer is the sum of its intervals, times its sets. */
export const timerSpan = (timer: Pick<GoalTimer, "isInterval" | "sets" | "timers" | "duration">): Seconds =>
  timer.isInterval ? timersSpan(timer.timers, timer.sets) : timer.duration;

/** The fields that belong to only one goal: another goal made from it takes all others. */
export const OWN_FIELDS = [
  "id",
  "uuid",
  "sessionId",
  "activityId",
  "position",
  "startedAt",
  "endedAt",
  "status",
  "completedAt",
  "copiedFromUuid",
  "attachedSessionId",
  "amountElapsed",
  "durationElapsed",
  "distanceElapsed",
  "logsCount",
  "createdAt",
  "updatedAt",
] as const satisfies readonly (keyof Goal)[];

/** The fields that users do not set. */
type ServerSet =
  | Exclude<(typeof OWN_FIELDS)[number], "uuid" | "position" | "startedAt" | "endedAt">
  | "contentHtml"
  | "summary"
  | "sharedTags";

/** The fields that users set. Missing fields stay unchanged, or take the defaults of a new goal (K-03). */
export type GoalDraft = { [Name in Exclude<keyof Goal, ServerSet | "items">]?: Goal[Name] | undefined } & {
  items?: DraftItem[] | undefined;
  tags?: string[] | undefined;
};

/** The lines of a draft with the ticks that they name, or else those of `stored`. */
export const withTicks = (items: readonly DraftItem[], stored: readonly ChecklistItem[]): ChecklistItem[] =>
  items.map((item) => ({
    ...item,
    isChecked: item.isChecked ?? stored.some(({ uuid, isChecked }) => isChecked && uuid === item.uuid),
  }));

/** A shared goal as the input of another one: without ticks, progress and uuid. */
export function draftOf({ contentHtml: _, summary: __, sharedTags, ...goal }: Goal): GoalDraft {
  const isOwn = (name: string) => OWN_FIELDS.some((field) => field === name);
  return {
    ...Object.fromEntries(Object.entries(goal).filter(([name]) => !isOwn(name))),
    items: goal.items.map((item) => ({ ...item, isChecked: false })),
    tags: sharedTags,
  };
}

export const GOAL_LIMITS = {
  title: 200,
  word: 60,
  timers: 30,
  items: 300,
  buttons: 30,
  tags: 20,
  sets: 1000,
};

/** The defaults of a new goal (K-03). */
export const NEW_GOAL = { amount: 1000, sets: 1, action: "Do", completionsRequired: 1 } as const;
/** The defaults of a new quick-log button in calls (K-03, S-15). The form proposes Done instead. */
export const NEW_BUTTON = { amount: 1000, completionsRequired: 1, status: LOG_STATUS.active } as const;

/** Trimmed tags, unique regardless of case. */
export const tidyTags = (tags: readonly string[]): string[] =>
  [...new Set(tags.map((tag) => tag.trim().replace(/\s+/g, " ").toLowerCase()).filter(Boolean))].slice(
    0,
    GOAL_LIMITS.tags,
  );

/** True if the goal has details or a link to show. */
export const hasText = (goal: Pick<Goal, "contentHtml" | "link">): boolean =>
  goal.contentHtml !== "" || goal.link !== "";
