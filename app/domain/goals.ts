// Goals: their shapes, how far they are, and who may log against them (E-10, E-25). Pure, and free of zod: the browser
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

export const GOAL_CREATED = "Goal created successfully!";

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
  /** Of a goal of a session or an activity; one's own has its tags beside it. */
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

/** The span a goal asks for, seconds: the action's, else the goal's own. */
export const targetSpan = (goal: Pick<Goal, "duration" | "actionDuration">): number =>
  goal.actionDuration ?? goal.duration ?? 0;

/** How much of each measure is done, 1 is once through; null where the goal does not ask for it. */
function ratiosOf(goal: Targets, totals: Totals) {
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

/** A goal that counts something has one tap for it even when nobody made a button: one more. */
export const quickLogsOf = (goal: Pick<Goal, "quickLogButtons" | "amount">): readonly QuickLogButton[] =>
  goal.quickLogButtons.length > 0 || !goal.amount || goal.amount <= 0 ? goal.quickLogButtons : [ONE_MORE];

/** No button of the goal's: what it logs names none. */
const ONE_MORE: QuickLogButton = {
  uuid: "",
  title: "",
  content: "",
  action: "",
  amount: 1000,
  distance: null,
  duration: null,
  status: 2,
  completionsRequired: 1,
  order: 0,
};

/** The interval timer or plain timer a running log belongs to. */
export const timerOf = (goal: Pick<Goal, "timers">, log: Pick<Log, "timerUuid">): GoalTimer | null =>
  goal.timers.find(({ uuid }) => uuid === log.timerUuid) ?? null;

/** A goal that is itself an interval timer: all its timers, times its sets. */
export const timersSpan = (timers: readonly { duration: Seconds }[], sets: number): Seconds =>
  (timers.reduce((sum, { duration }) => sum + duration, 0) * sets) as Seconds;

/** E-09: an interval timer lasts as long as its intervals, times its sets. */
export const timerSpan = (timer: Pick<GoalTimer, "isInterval" | "sets" | "timers" | "duration">): Seconds =>
  timer.isInterval ? timersSpan(timer.timers, timer.sets) : timer.duration;

/** What nobody says of a goal: the product keeps it. */
type Kept =
  | "id"
  | "userId"
  | "sessionId"
  | "activityId"
  | "contentHtml"
  | "summary"
  | "status"
  | "completedAt"
  | "copiedFromUuid"
  | "attachedSessionId"
  | "sharedTags"
  | keyof Totals
  | "logsCount"
  | "createdAt"
  | "updatedAt";

/** What may be said of a goal; what is left out stays as it is (or takes the defaults of a new one, K-03). */
export type GoalDraft = { [Name in Exclude<keyof Goal, Kept>]?: Goal[Name] | undefined } & {
  tags?: string[] | undefined;
};

export const GOAL_LIMITS = {
  title: 200,
  word: 60,
  timers: 30,
  items: 300,
  buttons: 30,
  tags: 20,
  sets: 1000,
};

/** A new goal, where nothing else was said (K-03). */
export const NEW_GOAL = { amount: 1000, sets: 1, action: "Do", completionsRequired: 1 } as const;
/** A new quick-log button (K-03, S-15). */
export const NEW_BUTTON = { amount: 1000, completionsRequired: 1, status: 1 } as const;

/** Tags are found without regard to case and spaces, each once. */
export const tidyTags = (tags: readonly string[]): string[] =>
  [...new Set(tags.map((tag) => tag.trim().replace(/\s+/g, " ").toLowerCase()).filter(Boolean))].slice(
    0,
    GOAL_LIMITS.tags,
  );

/** What search looks at: lower case, accents off. */
export const searchText = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .replace(/\s+/g, " ")
    .trim();

/** The words of a search; all of them must be found. */
export const searchWords = (query: string): string[] =>
  searchText(query.slice(0, 100)).split(" ").filter(Boolean).slice(0, 6);
