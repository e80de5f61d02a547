// Recording progress: quick logs, manual logs and Start Progress all write the log, its counters and its price in one
// batch. The client creates the uuid, so a repeat records once; log-moves.server.ts changes logs afterwards.
import { runBatch, type Statement } from "#db/connect.server";
import type { NewLog } from "#db/queries/goals/logs";
import * as logs from "#db/queries/goals/logs";
import { selectPayer } from "#db/queries/room/chat-blocks";
import { listTotalsOf } from "#db/queries/sessions/logs";
import * as tokens from "#db/queries/tokens";
import { type Day, dayAt } from "~/domain/days";
import { AppError, belowZero, brokenConstraint, invalid } from "~/domain/errors";
import {
  buttonDraft,
  canLogGoal,
  type Goal,
  progressDraft,
  runsIntervals,
  tagsOf,
} from "~/domain/goals/goals";
import { LOG_STATUS } from "~/domain/goals/log-state";
import { type Log, type LogDraft, type LogShown, newLog, TIMER_NEEDS_GOAL } from "~/domain/goals/logs";
import * as goalRefusals from "~/domain/goals/refusals";
import { roomLogOf } from "~/domain/goals/room-log";
import { guestRefused, isGuest } from "~/domain/guest-rights";
import { writingRefusalOf } from "~/domain/may-write";
import { type Owned, withoutOwner } from "~/domain/owned";
import { requireUser } from "~/domain/permissions";
import * as refusals from "~/domain/refusals";
import { GUEST_SENTENCES, GUEST_WRITES } from "~/domain/room/guest-names";
import { SESSION_SENTENCES } from "~/domain/sessions/limits";
import type { TotalRow } from "~/domain/sessions/totals";
import type { App, CurrentUser } from "~/use-cases/app.server";
import { requireGoalOfKey } from "~/use-cases/goal-keys.server";
import { notifyRoomOfLog } from "~/use-cases/notify-room.server";
import { countUse } from "~/use-cases/rate-limits.server";
import { sessionPlace } from "~/use-cases/writing.server";

/** The request of a log. The button and then the defaults fill missing fields (S-15, E-26). */
export type LogRequest = {
  [Name in Exclude<keyof LogDraft, "content" | "isInterval">]?: LogDraft[Name] | undefined;
} & { /** Markdown. */ content?: string | undefined };

/** The session in which a log appears too, with the session goal's uuid and the name of the user's seat. */
export type LogTie = {
  sessionId: number;
  sessionGoalUuid: string | null;
  username: string;
  /** The user may not write in the session: the log counts, but nobody else reads its words. */
  isWithheld: boolean;
};
export type Logged = LogAnswer & { goal: Goal };
/** `isOwner`: the goal is the user's own, not one of a session. `activeLogId`: the user's running timer of the goal. */
export type LogAnswer = {
  log: LogShown;
  goal: Goal | null;
  isOwner: boolean;
  tags: string[];
  activeLogId: number | null;
};
type GoalBesideLog = Awaited<ReturnType<typeof logs.findGoalBesideLog>>[number];
/** An answer, with the user's totals in the session of the tie; no totals without a tie. */
type Recorded<Answer extends LogAnswer> = { logged: Answer; totals: TotalRow[] };

/** Logs a personal goal, or a goal of a session that the user participates in (C-37). */
export async function storeQuickLog(app: App, input: LogRequest & { goalId: number }): Promise<Logged> {
  requireGoalOfKey(app, input.goalId);
  const user = requireUser(app.user, refusals.signInToLog);
  return recordUnlessEnded(app, user, input, () => input);
}

/** Start Progress: a running timed log (U-25), or one timer of the goal. */
export async function startProgress(app: App, input: LogRequest & { goalId: number }): Promise<Logged> {
  const user = requireUser(app.user, refusals.signInToLog);
  return recordUnlessEnded(app, user, input, (goal) => {
    const timer = goal.timers.find(({ uuid }) => uuid === input.timerUuid);
    const planned = timer ? { title: timer.title, amount: 0, duration: timer.duration } : progressDraft(goal);
    return { ...planned, ...definedFields(input), status: LOG_STATUS.active };
  });
}

/** CONFLICT for a goal of a session that has ended, unless its first request came in time (S-12). */
async function recordUnlessEnded(
  app: App,
  user: CurrentUser,
  input: LogRequest & { goalId: number },
  requestOf: (goal: Goal) => LogRequest,
): Promise<Logged> {
  const { goal, tie, isOver } = await findLoggable(app, user, input.goalId);
  if (!isOver) return (await recordLog(app, { user, goal, tie, request: requestOf(goal) })).logged;
  const firstLog = await answerFirst(app, user, input.uuid, (log) => log.goalId === goal.id);
  return { ...firstLog, goal: firstLog.goal ?? withoutOwner(goal) };
}

/** The answer of a first request that came before the end of its session (S-12); else CONFLICT. */
export async function answerFirst(
  app: App,
  user: CurrentUser,
  uuid: string | undefined,
  isMeant: (log: LogShown) => boolean,
): Promise<LogAnswer> {
  const firstLog = uuid === undefined ? null : await answerRepeat(app, user, uuid);
  if (firstLog && isMeant(firstLog.log)) return firstLog;
  throw new AppError("CONFLICT", SESSION_SENTENCES.ended);
}

/**
 * The goal, and the session that shows its logs: its own, or the one it is attached to until that ends (E-27). `isOver`:
 * it is a goal of a session that has ended.
 */
export async function findLoggable(app: App, user: CurrentUser, goalId: number) {
  const [[row]] = await Promise.all([
    logs.findGoalToLog(app.db, goalId, user.id, app.now),
    countUse(app, "log", user.id),
  ]);
  if (!row || !canLogGoal(user, row.goal, row.seatName !== null)) throw new AppError("NOT_FOUND");
  const { goal, tiedSessionId, seatName, hasEnded } = row;
  const isTied = tiedSessionId !== null && seatName !== null && (goal.sessionId !== null || !hasEnded);
  const tie: LogTie | null = isTied
    ? {
        sessionId: tiedSessionId,
        sessionGoalUuid: goal.uuid,
        username: seatName,
        isWithheld: writingRefusalOf(app, sessionPlace(row), app.now) !== null,
      }
    : null;
  return { goal, tie, isOver: goal.sessionId !== null && hasEnded };
}

/** The constraints that a repeated log may break. */
const REPEATED = ["logs.uuid", "one_running_log", "entry_written_once"];

/**
 * Writes a log; session logs use it too. The caller has checked permissions. `goal` null: a manual log in a session,
 * without a goal. A repeat with the same uuid answers the first log.
 */
export async function recordLog(
  app: App,
  write: { user: CurrentUser; goal: Owned<Goal>; tie: LogTie | null; request: LogRequest },
): Promise<Recorded<Logged>>;
export async function recordLog(
  app: App,
  write: { user: CurrentUser; goal: Owned<Goal> | null; tie: LogTie | null; request: LogRequest },
): Promise<Recorded<LogAnswer>>;
export async function recordLog(
  app: App,
  write: { user: CurrentUser; goal: Owned<Goal> | null; tie: LogTie | null; request: LogRequest },
): Promise<Recorded<LogAnswer>> {
  const { user, goal, tie } = write;
  const draft = await draftOf(app, goal, write.request);
  if (goal === null) {
    refuseCorrection(draft);
    if (draft.status === LOG_STATUS.active) throw invalid("status", TIMER_NEEDS_GOAL);
  }
  const row: NewLog = {
    ...newLog(draft, app.now),
    userId: user.id,
    username: tie?.username ?? user.username,
    goalId: goal?.id ?? null,
    sessionId: tie?.sessionId ?? null,
    sessionGoalUuid: tie?.sessionGoalUuid ?? null,
    isWithheld: tie?.isWithheld ?? false,
  };
  const seat = tie && { sessionId: tie.sessionId, userId: user.id };
  const insert = logs.insertLog(app.db, row, isGuest(user) ? await guestLogLimit(app, seat) : null);
  const spend = tokens.spendTokens(app.db, {
    userId: isGuest(user) && seat ? selectPayer(seat) : user.id,
    what: "log",
    reference: `log:${draft.uuid}`,
    now: app.now,
    condition: insert.isInserted,
  });
  const listTotals = tie ? [listTotalsOf(app.db, tie.sessionId, user.id)] : [];
  try {
    const results = await runBatch<Statement>(app.db, [
      insert.row,
      ...insert.counters,
      ...spend,
      logs.findGoalBesideLog(app.db, goal?.id ?? 0, user.id),
      ...listTotals,
    ]);
    const totals = tie ? (results.at(-1) as TotalRow[]) : [];
    const [log] = results[0] as Owned<Log>[];
    if (!log) throw new AppError("FORBIDDEN", GUEST_SENTENCES.written);
    const updatedGoal = (results.at(tie ? -2 : -1) as GoalBesideLog[])[0] ?? null;
    notifyLog(app, log, updatedGoal);
    return { logged: logAnswer(log, updatedGoal), totals };
  } catch (error) {
    // A repeated start breaks the rule of one running timer before that of its uuid.
    const constraint = brokenConstraint(error);
    if (constraint === "tokens_sufficient" && isGuest(user))
      throw new AppError("INSUFFICIENT_TOKENS", SESSION_SENTENCES.hostOutOfTokens, { lacksTokens: "host" });
    // A guest's repeat beyond the limit inserts no second log, and pays for none.
    if (constraint === null || !REPEATED.includes(constraint)) throw error;
    const repeated = await answerRepeat(app, user, draft.uuid);
    if (repeated) return { logged: repeated, totals: (await listTotals[0]) ?? [] };
    throw constraint === "logs.uuid" ? new AppError("CONFLICT", goalRefusals.usedLogUuid) : error;
  }
}

/** How many logs a guest may have in the session where they sit, beside what else their block has paid for (H-20). */
async function guestLogLimit(app: App, seat: { sessionId: number; userId: number } | null): Promise<number> {
  if (seat === null) throw guestRefused();
  return GUEST_WRITES - (await app.rooms.of(seat.sessionId).writtenBy(seat.userId));
}

/** The answer for the log that the first request with this uuid recorded; null if the user has no such log. */
export async function answerRepeat(app: App, user: CurrentUser, uuid: string): Promise<LogAnswer | null> {
  const [log] = await logs.findLogByUuid(app.db, uuid, user.id);
  if (!log) return null;
  requireGoalOfKey(app, log.goalId);
  const [goal] = log.goalId === null ? [] : await logs.findGoalBesideLog(app.db, log.goalId, user.id);
  return logAnswer(log, goal ?? null);
}

/** The request, completed from the button, then by the defaults. */
async function draftOf(app: App, goal: Goal | null, request: LogRequest): Promise<LogDraft> {
  const button = goal?.quickLogButtons.find(({ uuid }) => uuid === request.qlButtonUuid);
  const draft = { ...(button ? buttonDraft(button) : {}), ...definedFields(request) };
  const today = dayAt(app.now, app.timeZone);
  if (draft.day !== undefined) requireToday(app, draft.day);
  const source = { qlButtonUuid: draft.qlButtonUuid ?? null, timerUuid: draft.timerUuid ?? null };
  return {
    uuid: draft.uuid ?? app.newId(),
    title: draft.title ?? "",
    content: await app.richText.render(draft.content ?? ""),
    action: draft.action || goal?.action || "",
    status: draft.status ?? LOG_STATUS.done,
    amount: draft.amount ?? null,
    distance: draft.distance ?? null,
    duration: draft.duration ?? null,
    ...source,
    isInterval: goal !== null && draft.duration != null && runsIntervals(goal, source),
    day: draft.day ?? today,
  };
}

type Measures = { amount?: number | null; distance?: number | null };
/** INVALID for a new negative measure of a log without a goal, which has no total to correct (V-12). */
export function refuseCorrection(log: Measures, before: Measures = {}): void {
  for (const measure of ["amount", "distance"] as const)
    if ((log[measure] ?? 0) < 0 && log[measure] !== before[measure]) throw belowZero(measure);
}

/** INVALID at `day` for a day in the future. */
export function requireToday(app: App, day: Day): void {
  if (day > dayAt(app.now, app.timeZone)) throw invalid("day", goalRefusals.futureDay);
}

/** A missing field must not override the button's value. */
const definedFields = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };

/** A log and its goal as calls and forms answer them. */
export function logAnswer(log: Owned<Log>, row: GoalBesideLog | null): LogAnswer {
  if (row === null)
    return {
      log: { ...withoutOwner(log), goal: null },
      goal: null,
      isOwner: false,
      tags: [],
      activeLogId: null,
    };
  const { tags, activeLogId, ...goal } = row;
  const { id, uuid, title, action, unit } = goal;
  return {
    log: { ...withoutOwner(log), goal: { id, uuid, title, action, unit } },
    goal: withoutOwner(goal),
    isOwner: goal.userId === log.userId,
    tags: tagsOf(goal, tags),
    activeLogId,
  };
}

/** Broadcasts a new log in its session, without waiting for delivery. */
function notifyLog(app: App, log: Owned<Log>, goal: Goal | null): void {
  if (log.sessionId === null) return;
  const { userId, uuid } = log;
  notifyRoomOfLog(app, log.sessionId, { log: roomLogOf(log, goal), userId, uuid });
}
