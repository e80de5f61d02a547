// Goals: create, update, complete, reopen, delete. A new goal costs a token, paid in the batch that creates it.

import { type Database, runBatch, type Statement } from "#db/connect.server";
import { listGoalDays } from "#db/queries/goals/days";
import type { NewGoal } from "#db/queries/goals/goals";
import * as goals from "#db/queries/goals/goals";
import * as logs from "#db/queries/goals/logs";
import { changeMeasure, listMeasures } from "#db/queries/goals/measures";
import { recomputeTotals } from "#db/queries/room/record";
import * as sessionLogs from "#db/queries/sessions/logs";
import * as tokens from "#db/queries/tokens";
import { type Day, dayAt, weekOf } from "~/domain/days";
import { AppError, brokenConstraint } from "~/domain/errors";
import {
  GOAL_STATUS,
  type Goal,
  type GoalDraft,
  isPersonal,
  NEW_GOAL,
  ownsGoal,
  tagsOf,
  timersSpan,
  withKeptDistances,
  withTicks,
} from "~/domain/goals/goals";
import { moveLog } from "~/domain/goals/logs";
import { type DayTotals, periodProgress } from "~/domain/goals/recurrence";
import * as goalRefusals from "~/domain/goals/refusals";
import { countsFrom, type GoalMeasure, goalOn, isSameMeasure, targetOf } from "~/domain/goals/target-changes";
import { asOrdinary, canManageGoal, isSuperAdmin, requireUser } from "~/domain/permissions";
import * as refusals from "~/domain/refusals";
import { indexedWords } from "~/domain/search-words";
import { type Instant, instant } from "~/domain/time";
import type { App, CurrentUser } from "~/use-cases/app.server";
import { followLogs, notifyRoom } from "~/use-cases/notify-room.server";
import { countUse } from "~/use-cases/rate-limits.server";
import { refuseStaleEdit } from "~/use-cases/stale-edits.server";
import { recordOverseen } from "~/use-cases/super-admin-acts.server";
import { requireMayWrite, sessionPlace } from "~/use-cases/writing.server";

/** A goal with related data, as its owner sees it. `username`: the name on the user's new logs of it. */
export type OwnGoal = { goal: Goal; tags: string[]; activeLogId: number | null; username: string };

/** Creates a personal goal (C-32). A repeated request with the same uuid returns the goal of the first request. */
export async function createGoal(app: App, draft: GoalDraft): Promise<OwnGoal> {
  const user = requireUser(app.user, refusals.signIn);
  await countUse(app, "goal", user.id);
  const uuid = draft.uuid ?? app.newId();
  const tags = draft.tags ?? [];
  const row = { ...(await goalRow(app, draft)), uuid, userId: user.id };
  const spend = tokens.spendTokens(app.db, {
    userId: user.id,
    what: "goal",
    reference: `goal:${uuid}`,
    now: app.now,
  });
  try {
    const [[goal]] = await app.db.batch([
      goals.insertGoal(app.db, row),
      ...goals.replaceTags(app.db, { goalUuid: uuid, userId: user.id, tags }),
      ...spend,
    ]);
    if (!goal) throw new AppError("SERVER_ERROR");
    return { goal, tags, activeLogId: null, username: user.username };
  } catch (error) {
    if (brokenConstraint(error) !== "goals.uuid") throw error;
    return answerRepeat(app, user, uuid);
  }
}

/** The goal that the same uuid created before; CONFLICT if it belongs to another user. */
export async function answerRepeat(app: App, user: CurrentUser, uuid: string): Promise<OwnGoal> {
  const [existingGoal] = await goals.findGoalByUuid(app.db, uuid);
  if (!existingGoal || !ownsGoal(user, existingGoal) || existingGoal.activityId !== null)
    throw new AppError("CONFLICT", goalRefusals.usedUuid);
  return readManagedGoal(app, user, existingGoal.id);
}

/**
 * The columns of a new goal: the input, the defaults (K-03), its rendered text, its timers' sum. Goals of sessions and
 * activities use it too; the caller adds owner and position.
 */
export async function goalRow(app: App, draft: GoalDraft): Promise<Omit<NewGoal, "uuid" | "userId">> {
  const { uuid: _, tags, content, ...fields } = draft;
  const columns = withIntervalDuration({
    ...NEW_GOAL,
    ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)),
    action: fields.action || NEW_GOAL.action,
    title: fields.title ?? "",
    ...(fields.items ? { items: withTicks(fields.items, []) } : {}),
  });
  const text = await app.richText.render(content ?? "");
  return {
    ...columns,
    ...text,
    searchText: searchTextOf({ ...columns, summary: text.summary }, tags ?? []),
    createdAt: app.now,
    updatedAt: app.now,
  };
}

/** An interval goal lasts the sum of its timers, times its sets (E-09). */
const withIntervalDuration = <G extends Partial<Pick<Goal, "isInterval" | "timers" | "sets" | "duration">>>(
  goal: G,
): G =>
  goal.isInterval && goal.timers && goal.timers.length > 0
    ? { ...goal, duration: timersSpan(goal.timers, goal.sets ?? 1) }
    : goal;

export const searchTextOf = (
  goal: { title: string; unit?: string; summary: string },
  tags: readonly string[],
) => indexedWords(goal.title, goal.unit ?? "", goal.summary, ...tags);

/** A partial update (C-33). `since`: the version from which the edit began. */
export async function updateGoal(
  app: App,
  input: GoalDraft & { goal: number; since?: Instant | undefined },
): Promise<OwnGoal> {
  const user = requireUser(app.user, refusals.signIn);
  await countUse(app, "change-goal", user.id);
  const today = dayAt(app.now, app.timeZone);
  const [[row], measures, days] = await app.db.batch([
    goals.findGoal(app.db, input.goal, user.id),
    listMeasures(app.db, input.goal),
    listGoalDays(app.db, input.goal, user.id, weekOf(today)),
  ]);
  const before = asManagedGoal(row, user);
  const { goal: _, uuid: __, tags = before.tags, content, since, ...draft } = input;
  const fields = withKeptDistances(before.goal, draft);
  const goalFields = { ...fields, content, tags: input.tags };
  refuseStaleEdit({ ...before.goal, tags: before.tags }, goalFields, since);
  await requireMayWriteWords(app, user, before.goal, fields);
  const change = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const text = content === undefined ? {} : await app.richText.render(content);
  const after = withIntervalDuration({ ...before.goal, ...change, ...text });
  const isShared = before.goal.sessionId !== null;
  const columns = {
    ...change,
    ...text,
    action: after.action || NEW_GOAL.action,
    duration: after.duration,
    ...(isShared ? { sharedTags: tags, remindAt: null } : {}),
    searchText: searchTextOf(after, tags),
    updatedAt: instant(Math.max(app.now, before.goal.updatedAt + 1)),
  };
  const knownUpdatedAt = since === undefined ? undefined : before.goal.updatedAt;
  const results = await runBatch(app.db, [
    goals.updateGoal(app.db, before.goal.id, managerOf(user), columns, knownUpdatedAt),
    ...measuresAfter(app.db, before.goal, after, { measures, days, today }),
    ...recordGoalChanged(app, before),
    ...(isShared ? [] : goals.replaceTags(app.db, { goalUuid: before.goal.uuid, userId: user.id, tags })),
    ...(before.goal.sessionId === null ? [] : [recomputeTotals(app.db, before.goal.sessionId)]),
    listRooms(app, before.goal.id),
  ]);
  const [goal] = results[0] as Goal[];
  if (!goal) {
    const current = await readManagedGoal(app, user, input.goal);
    refuseStaleEdit({ ...current.goal, tags: current.tags }, goalFields, since);
    // Somebody else saved the same values first.
    return withoutRight(current);
  }
  if (SHOWN_IN_LOGS.some((name) => goal[name] !== before.goal[name]))
    await notifyRoomsOfGoal(app, results.at(-1));
  notifySession(app, goal);
  return { ...withoutRight(before), goal, tags };
}

/** Statements that store the former target of a recurring goal, so that it still applies to earlier days. */
function measuresAfter(
  db: Database,
  before: Goal,
  after: Goal,
  { measures, days, today }: { measures: GoalMeasure[]; days: DayTotals[]; today: Day },
): Statement[] {
  const { recurrence } = before;
  const hasHistory = recurrence !== null || measures.length > 0;
  if (!hasHistory || isSameMeasure(before, after)) return [];
  const current = goalOn(before, measures, today);
  const isDone =
    current.recurrence !== null &&
    periodProgress({ ...current, recurrence: current.recurrence }, days, today, measures).isDone;
  const from = current.recurrence === null ? today : countsFrom(current.recurrence, isDone, today);
  return changeMeasure(db, {
    goalId: before.id,
    before: { target: targetOf(before), recurrence, unit: before.unit },
    after: { day: from, target: targetOf(after), recurrence: after.recurrence, unit: after.unit },
  });
}

/**
 * Refuses a change of words to people who may not write in the session that shows them: the words of a session's goal, or
 * those of a personal goal that the logs of an open session show.
 */
async function requireMayWriteWords(
  app: App,
  user: CurrentUser,
  goal: Goal,
  fields: Partial<GoalDraft>,
): Promise<void> {
  const sessionId = goal.sessionId ?? goal.attachedSessionId;
  const isNamed = fields.title !== undefined || fields.unit !== undefined || fields.action !== undefined;
  if (sessionId === null || (goal.sessionId === null && !isNamed)) return;
  const [session] = await logs.findSeatAndSanctions(app.db, sessionId, user.id);
  if (!session || (goal.sessionId === null && session.hasEnded)) return;
  requireMayWrite(app, sessionPlace(session, true));
}

/** Sets status 2 (C-34, S-14) and ends the goal's running timer. A repeat changes nothing. */
export async function completeGoal(app: App, input: { goal: number }): Promise<OwnGoal> {
  const user = requireUser(app.user, refusals.signIn);
  await countUse(app, "change-goal", user.id);
  const before = await readManagedGoal(app, user, input.goal);
  const [runningLog] =
    before.activeLogId === null ? [] : await logs.findLog(app.db, before.activeLogId, user.id);
  const stop = runningLog
    ? logs.updateLog(app.db, runningLog, { ...moveLog(runningLog, "complete", app.now), updatedAt: app.now })
    : null;
  const results = await runBatch(app.db, [
    ...(stop ? [...stop.counters, stop.row] : []),
    goals.completeGoal(app.db, before.goal.id, managerOf(user), app.now),
    ...recordGoalChanged(app, before),
  ]);
  const [goal] = results[runningLog && stop ? stop.counters.length + 1 : 0] as Goal[];
  if (!goal) throw new AppError("NOT_FOUND");
  if (runningLog?.sessionId != null) await followLogs(app, [runningLog.sessionId]);
  notifySession(app, goal);
  return { ...withoutRight(before), goal, activeLogId: null };
}

/** Reopens a completed goal, with its progress. */
export async function reopenGoal(app: App, input: { goal: number }): Promise<OwnGoal> {
  const user = requireUser(app.user, refusals.signIn);
  await countUse(app, "change-goal", user.id);
  const before = await readManagedGoal(app, user, input.goal);
  const change = { status: GOAL_STATUS.open, completedAt: null, updatedAt: app.now };
  const [rows] = await runBatch(app.db, [
    goals.updateGoal(app.db, before.goal.id, managerOf(user), change),
    ...recordGoalChanged(app, before),
  ]);
  const [goal] = rows as Goal[];
  if (!goal) throw new AppError("NOT_FOUND");
  notifySession(app, goal);
  return { ...withoutRight(before), goal };
}

/** Deletes a goal with its logs, notes and days. A session's goal is deleted in the session's form instead. */
export async function deleteGoal(app: App, input: { goal: number }): Promise<{ title: string }> {
  const user = requireUser(app.user, refusals.signIn);
  await countUse(app, "change-goal", user.id);
  const { goal } = await readManagedGoal(app, user, input.goal);
  if (!isPersonal(goal)) throw new AppError("CONFLICT", goalRefusals.notOwn);
  const [rooms] = await runBatch(app.db, [
    listRooms(app, goal.id),
    ...goals.deleteGoal(app.db, goal.id, user.id),
  ]);
  await notifyRoomsOfGoal(app, rooms);
  return { title: goal.title };
}

/** The fields of a goal that its logs show in rooms. */
const SHOWN_IN_LOGS = ["title", "action", "unit"] as const;
/**
 * At most this many rooms are notified of a changed goal before the answer; cron notifies the others within a minute
 * (R-90).
 */
const MAX_NOTIFIED_ROOMS = 20;
const listRooms = (app: App, goalId: number) =>
  sessionLogs.listSessionsOfGoal(app.db, goalId, MAX_NOTIFIED_ROOMS);
const notifyRoomsOfGoal = (app: App, rows: unknown): Promise<void> =>
  followLogs(
    app,
    (rows as { sessionId: number }[]).map(({ sessionId }) => sessionId),
  );

/** The audit row of a super admin who changes a goal of a session that others run. */
const recordGoalChanged = (app: App, { goal, isOwnRight }: ManagedGoal): Statement[] =>
  recordOverseen(app, {
    action: "goals-changed",
    target: { kind: "session", id: goal.sessionId ?? 0 },
    isOwnRight,
    previous: goal.title,
  });

type ManagedGoal = OwnGoal & { isOwnRight: boolean };
const withoutRight = ({ isOwnRight: _, ...goal }: ManagedGoal): OwnGoal => goal;

/**
 * A personal goal, or one of a session that `user` runs; NOT_FOUND for anybody else. The goals of an activity
 * change with it (C-52), under the rules of its hut.
 */
async function readManagedGoal(app: App, user: CurrentUser, goalId: number): Promise<ManagedGoal> {
  const [row] = await goals.findGoal(app.db, goalId, user.id);
  return asManagedGoal(row, user);
}

function asManagedGoal(row: GoalRow | undefined, user: CurrentUser): ManagedGoal {
  if (!row || row.activityId !== null || !canManage(user, row)) throw new AppError("NOT_FOUND");
  return { ...asOwnGoal(row, user), isOwnRight: canManage(asOrdinary(user), row) };
}

const managerOf = (user: CurrentUser) => ({ userId: user.id, isSuperAdmin: isSuperAdmin(user) });
export const canManage = (user: CurrentUser, row: GoalRow): boolean =>
  canManageGoal(user, row, row.seatRole === null ? null : { role: row.seatRole, isHost: row.seatIsHost });

type GoalRow = Awaited<ReturnType<typeof goals.findGoal>>[number];
export function asOwnGoal(row: GoalRow, user: CurrentUser): OwnGoal {
  const {
    userId: _,
    tags,
    activeLogId,
    ownerName: __,
    seatName,
    seatRole: ___,
    seatIsHost: ____,
    ...goal
  } = row;
  return { goal, tags: tagsOf(goal, tags), activeLogId, username: seatName ?? user.username };
}

/** Makes everybody's page in the session reload its goals. */
function notifySession(app: App, goal: Goal): void {
  if (goal.sessionId !== null) notifyRoom(app, goal.sessionId);
}

/** The answer of a goal call: a goal that the user manages. */
export const readGoal = async (app: App, input: { goal: number }): Promise<OwnGoal> =>
  withoutRight(await readManagedGoal(app, requireUser(app.user, refusals.signIn), input.goal));
