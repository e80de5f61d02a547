// The goals of a session, which its participants share, and its host and admins edit. They are free; a goal
// with logs cannot be removed.
import type { SQL } from "drizzle-orm";
import { runBatch, type Statement } from "#db/connect.server";
import * as goalCopies from "#db/queries/goals/copies";
import { recomputeTotals } from "#db/queries/room/record";
import type { SessionRow } from "#db/queries/sessions/sessions";
import * as sessionWrites from "#db/queries/sessions/writes";
import { AppError, brokenConstraint, errorAt, invalid, type Newer, takenGoalUuid } from "~/domain/errors";
import {
  type Goal,
  type GoalDraft,
  NEW_GOAL,
  timersSpan,
  withKeptDistances,
  withTicks,
} from "~/domain/goals/goals";
import { requireUser } from "~/domain/permissions";
import { SESSION_LIMITS } from "~/domain/sessions/limits";
import * as sessionRefusals from "~/domain/sessions/refusals";
import { CHANGED_ELSEWHERE, findNewerSave } from "~/domain/stale-edits";
import { type Instant, instant } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import { goalRow, searchTextOf } from "~/use-cases/goals/goals.server";
import { refuseStaleEdit } from "~/use-cases/stale-edits.server";
import { recordOverseen } from "~/use-cases/super-admin-acts.server";
import { overseenBy } from "./read.server";

const TOO_MANY = sessionRefusals.tooManyGoals(SESSION_LIMITS.goals);

/** A new goal of the session, at `index` (from 0) of its group or at the end. */
export async function addGoal(app: App, row: SessionRow, draft: GoalDraft, index?: number): Promise<Goal> {
  const user = requireUser(app.user);
  const goals = await goalCopies.listSessionGoals(app.db, row.id);
  if (goals.length >= SESSION_LIMITS.goals) throw invalid("tasks", TOO_MANY);
  const uuid = draft.uuid ?? app.newId();
  try {
    const goalInsert = sessionWrites.insertSessionGoal(app.db, {
      position: (goals.at(-1)?.position ?? -1) + 1,
      ...(await sharedGoalRow(app, draft)),
      uuid,
      userId: user.id,
      sessionId: row.id,
    });
    const group = goals.filter(({ partGroupId }) => partGroupId === (draft.partGroupId ?? null));
    const ordered = group.map((goal) => goal.uuid).toSpliced(index ?? group.length, 0, uuid);
    const order = Object.fromEntries(ordered.map((name, position) => [name, position]));
    const ordering =
      index === undefined ? [] : [sessionWrites.orderSessionGoals(app.db, row.id, order, null)];
    await runBatch(app.db, [goalInsert, ...ordering, ...recordGoalsChanged(app, row)]);
  } catch (error) {
    // A repeated request returns the goal that the first request created.
    const currentGoals = await goalCopies.listSessionGoals(app.db, row.id);
    if (brokenConstraint(error) !== "goals.uuid" || !currentGoals.some((goal) => goal.uuid === uuid))
      throw error;
  }
  return findGoal(await goalCopies.listSessionGoals(app.db, row.id), uuid);
}

export async function changeGoal(
  app: App,
  row: SessionRow,
  uuid: string,
  draft: GoalDraft,
  since?: Instant,
): Promise<Goal> {
  const goal = findGoal(await goalCopies.listSessionGoals(app.db, row.id), uuid);
  refuseStaleEdit(goal, draft, since);
  const change = await goalChanges(app, goal, draft);
  const [rows] = await runBatch(app.db, [
    sessionWrites.updateSessionGoal(app.db, row.id, uuid, change),
    ...recordGoalsChanged(app, row, goal.title),
  ]);
  return findGoal(rows as Goal[], uuid);
}

export async function removeGoal(app: App, row: SessionRow, uuid: string): Promise<void> {
  const { title } = findGoal(await goalCopies.listSessionGoals(app.db, row.id), uuid);
  const deletion = sessionWrites.deleteSessionGoal(app.db, row.id, uuid);
  const [, deletedGoal] = await runBatch(app.db, [
    deletion.kept,
    deletion.row,
    ...recordGoalsChanged(app, row, title),
  ]);
  if ((deletedGoal as unknown[]).length === 0) throw new AppError("CONFLICT", sessionRefusals.goalHasLogs);
}

/** `order` maps uuids to positions: within one group, or among all goals of the session if `groupId` is null. */
export async function orderGoals(
  app: App,
  row: SessionRow,
  order: Record<string, number>,
  groupId: string | null,
): Promise<void> {
  const goals = await goalCopies.listSessionGoals(app.db, row.id);
  for (const uuid of Object.keys(order)) findGoal(goals, uuid);
  await runBatch(app.db, [
    sessionWrites.orderSessionGoals(app.db, row.id, order, groupId),
    ...recordGoalsChanged(app, row),
  ]);
}

/** The audit row, if a super admin changes goals without the right of a host or admin. */
const recordGoalsChanged = (app: App, row: SessionRow, previous = ""): Statement[] =>
  recordOverseen(app, overseenBy(app, row, "goals-changed", { previous }));

/**
 * The statements that replace the list, each under `condition`: update known goals, insert new ones, delete the rest.
 * INVALID if a goal to delete has logs; CONFLICT if a new one has the uuid of another, since a run is saved outside D1, or
 * if a goal was added or changed after `since`.
 */
export async function replaceGoalStatements(
  app: App,
  row: SessionRow,
  drafts: GoalDraft[],
  { since, condition }: { since: Instant | undefined; condition: SQL | undefined },
): Promise<Statement[]> {
  const user = requireUser(app.user);
  const uuids = drafts.flatMap(({ uuid }) => uuid ?? []);
  const [currentGoals, takenUuids, ownGoals] = await app.db.batch([
    goalCopies.listSessionGoals(app.db, row.id),
    sessionWrites.listTakenUuids(app.db, row.id, uuids),
    goalCopies.listUuidsOfAuthor(app.db, row.id, user.id),
  ]);
  if (takenUuids.length > 0 || new Set(uuids).size < uuids.length) throw takenGoalUuid();
  const goalByUuid = new Map(currentGoals.map((goal) => [goal.uuid, goal]));
  const remainingUuids = new Set(drafts.map(({ uuid }) => uuid));
  const removedGoals = currentGoals.filter(({ uuid }) => !remainingUuids.has(uuid));
  if (removedGoals.some(({ logsCount }) => logsCount > 0))
    throw invalid("goals", sessionRefusals.goalHasLogs);
  const ownUuids = new Set(ownGoals.map(({ uuid }) => uuid));
  const newer = unseenGoals(removedGoals, drafts, { since, ownUuids });
  const statements = removedGoals.flatMap(({ uuid }): Statement[] => {
    const deletion = sessionWrites.deleteSessionGoal(app.db, row.id, uuid, condition);
    return [deletion.kept, deletion.row];
  });
  for (const [position, draft] of drafts.entries()) {
    const goal = draft.uuid ? goalByUuid.get(draft.uuid) : undefined;
    if (goal) {
      const change = { ...(await goalChanges(app, goal, draft)), position };
      // As they would be stored, so that a repeated save differs in nothing.
      const typed = Object.fromEntries(Object.entries(change).filter(([name]) => name in draft));
      const save = findNewerSave(goal, typed, since);
      if (save) newer.push(save.newer);
      statements.push(sessionWrites.updateSessionGoal(app.db, row.id, goal.uuid, change, condition));
    } else {
      const newGoal = { ...(await sharedGoalRow(app, draft)), position, userId: user.id, sessionId: row.id };
      const uuid = draft.uuid ?? app.newId();
      statements.push(sessionWrites.insertSessionGoal(app.db, { ...newGoal, uuid }, condition));
    }
  }
  if (newer.length > 0) throw changedElsewhere(newer);
  return [...statements, recomputeTotals(app.db, row.id)];
}

/**
 * The goals that somebody added after `since` and that the list would delete unseen. `ownUuids`: those that the user
 * added.
 */
function unseenGoals(
  removedGoals: readonly Goal[],
  drafts: readonly GoalDraft[],
  { since, ownUuids }: { since: Instant | undefined; ownUuids: ReadonlySet<string> },
): Newer[] {
  // A repeat is by the same person, and sends its new goals without their uuids again. Their lines and timers have got new
  // ones.
  const newTexts = drafts.filter(({ uuid }) => !uuid).map(({ title, content = "" }) => ({ title, content }));
  const isRepeated = (goal: Goal) =>
    ownUuids.has(goal.uuid) && newTexts.some((texts) => !findNewerSave(goal, texts, since));
  return removedGoals
    .filter((goal) => since !== undefined && goal.createdAt > since && !isRepeated(goal))
    .map(({ updatedAt, title }) => ({ updatedAt, texts: [{ label: "Goal", text: title }] }));
}

const changedElsewhere = (newer: readonly Newer[]): AppError =>
  errorAt("CONFLICT", CHANGED_ELSEWHERE, ["goals"], {
    updatedAt: instant(Math.max(...newer.map(({ updatedAt }) => updatedAt))),
    texts: newer.flatMap(({ texts }) => texts),
  });

function findGoal(goals: Goal[], uuid: string): Goal {
  const goal = goals.find((candidate) => candidate.uuid === uuid);
  if (!goal) throw new AppError("NOT_FOUND", sessionRefusals.noGoal);
  return goal;
}

/** A goal of a session or an activity, with its shared tags. */
export const sharedGoalRow = async (app: App, draft: GoalDraft) => ({
  ...(await goalRow(app, draft)),
  remindAt: null,
  sharedTags: draft.tags ?? [],
});

/** The columns of a partial update: fields that the draft lacks stay unchanged. */
export async function goalChanges(app: App, goal: Goal, draft: GoalDraft) {
  const { uuid: _, tags, content, ...fields } = draft;
  const items = fields.items && withTicks(fields.items, goal.items);
  const goalFields = { ...withKeptDistances(goal, fields), items, sharedTags: tags };
  const change = Object.fromEntries(Object.entries(goalFields).filter(([, value]) => value !== undefined));
  const text = content === undefined ? {} : await app.richText.render(content);
  const changedGoal = { ...goal, ...change, ...text };
  return {
    ...change,
    ...text,
    action: changedGoal.action || NEW_GOAL.action,
    duration:
      changedGoal.isInterval && changedGoal.timers.length > 0
        ? timersSpan(changedGoal.timers, changedGoal.sets)
        : changedGoal.duration,
    searchText: searchTextOf(changedGoal, tags ?? goal.sharedTags),
    updatedAt: app.now,
  };
}
