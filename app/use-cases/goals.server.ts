// Goals: made, changed, completed, opened again, deleted. A new goal costs a token, paid in the batch that makes it.
import { runBatch } from "#db/connect.server";
import type { NewGoal } from "#db/queries/goals";
import * as goals from "#db/queries/goals";
import * as logs from "#db/queries/logs";
import * as tokens from "#db/queries/tokens";
import { AppError, brokenConstraint } from "~/domain/errors";
import {
  GOAL_STATUS,
  type Goal,
  type GoalDraft,
  isPersonal,
  NEW_GOAL,
  ownsGoal,
  searchText,
  timersSpan,
} from "~/domain/goals";
import { moveLog } from "~/domain/logs";
import { canManageGoal, isSuperAdmin, requireUser } from "~/domain/permissions";
import { HOUR } from "~/domain/time";
import type { App, CurrentUser } from "./app.server";
import { countChange } from "./rate-limits.server";
import { tellRoom } from "./tell-room.server";

/** A goal with what stands beside it, as its owner sees it. */
export type OwnGoal = { goal: Goal; tags: string[]; activeLogId: number | null; username: string };

const GOALS_PER_HOUR = 200;
const SIGN_IN = "Please sign in to use that feature.";

/** A goal of one's own (C-32). The same uuid again answers the goal that it made. */
export async function createGoal(app: App, draft: GoalDraft): Promise<OwnGoal> {
  const user = requireUser(app.user, SIGN_IN);
  await app.attempts.take(`goal:${user.id}`, GOALS_PER_HOUR, HOUR / 1000);
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

/** The goal that the same uuid made before; CONFLICT when it is somebody else's. */
export async function answerRepeat(app: App, user: CurrentUser, uuid: string): Promise<OwnGoal> {
  const [first] = await goals.findGoalByUuid(app.db, uuid);
  if (!first || !ownsGoal(user, first)) throw new AppError("CONFLICT", "Another goal has this uuid.");
  return readManagedGoal(app, user, first.id);
}

/**
 * The columns of a new goal: what was said, the defaults (K-03), its text made into HTML, its timers' sum. Also the base
 * of a session's and an activity's goals; whose it is and where it stands is for the caller.
 */
export async function goalRow(app: App, draft: GoalDraft): Promise<Omit<NewGoal, "uuid" | "userId">> {
  const { uuid: _, tags, content, ...said } = draft;
  const kept = withSpan({
    ...NEW_GOAL,
    ...Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)),
    action: said.action || NEW_GOAL.action,
    title: said.title ?? "",
  });
  const text = await app.richText.render(content ?? "");
  return {
    ...kept,
    ...text,
    searchText: searchTextOf({ ...kept, summary: text.summary }, tags ?? []),
    createdAt: app.now,
    updatedAt: app.now,
  };
}

/** An interval goal lasts as long as its timers, times its sets (E-09). */
const withSpan = <G extends Partial<Pick<Goal, "isInterval" | "timers" | "sets" | "duration">>>(
  goal: G,
): G =>
  goal.isInterval && goal.timers && goal.timers.length > 0
    ? { ...goal, duration: timersSpan(goal.timers, goal.sets ?? 1) }
    : goal;

export const searchTextOf = (
  goal: { title: string; unit?: string; summary: string },
  tags: readonly string[],
) => searchText([goal.title, goal.unit ?? "", goal.summary, ...tags].join(" ")).slice(0, 2000);

/** What was said of it changes, the rest stays (C-33). */
export async function updateGoal(app: App, input: GoalDraft & { goal: number }): Promise<OwnGoal> {
  const user = requireUser(app.user, SIGN_IN);
  await countChange(app, user, "goal");
  const before = await readManagedGoal(app, user, input.goal);
  const { goal: _, uuid: __, tags = before.tags, content, ...said } = input;
  const change = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
  const text = content === undefined ? {} : await app.richText.render(content);
  const after = withSpan({ ...before.goal, ...change, ...text });
  const isShared = before.goal.sessionId !== null;
  const results = await runBatch(app.db, [
    goals.updateGoal(app.db, before.goal.id, managerOf(user), {
      ...change,
      ...text,
      action: after.action || NEW_GOAL.action,
      duration: after.duration,
      ...(isShared ? { sharedTags: tags } : {}),
      searchText: searchTextOf(after, tags),
      updatedAt: app.now,
    }),
    ...(isShared ? [] : goals.replaceTags(app.db, { goalUuid: before.goal.uuid, userId: user.id, tags })),
  ]);
  const [goal] = results[0] as Goal[];
  if (!goal) throw new AppError("NOT_FOUND");
  tellSession(app, goal);
  return { ...before, goal, tags };
}

/** Status 2 (C-34, S-14); a timer that runs for it is done too. A repeat changes nothing. */
export async function completeGoal(app: App, input: { goal: number }): Promise<OwnGoal> {
  const user = requireUser(app.user, SIGN_IN);
  await countChange(app, user, "goal");
  const before = await readManagedGoal(app, user, input.goal);
  const [running] =
    before.activeLogId === null ? [] : await logs.findLog(app.db, before.activeLogId, user.id);
  const stop = running
    ? logs.updateLog(app.db, running, { ...moveLog(running, "complete", app.now), updatedAt: app.now })
    : null;
  const results = await runBatch(app.db, [
    ...(stop ? [...stop.counters, stop.row] : []),
    goals.completeGoal(app.db, before.goal.id, managerOf(user), app.now),
  ]);
  const [goal] = results.at(-1) as Goal[];
  if (!goal) throw new AppError("NOT_FOUND");
  tellSession(app, goal);
  return { ...before, goal, activeLogId: null };
}

/** A completed goal is opened again; what was done of it stays. */
export async function reopenGoal(app: App, input: { goal: number }): Promise<OwnGoal> {
  const user = requireUser(app.user, SIGN_IN);
  await countChange(app, user, "goal");
  const before = await readManagedGoal(app, user, input.goal);
  const [goal] = await goals.updateGoal(app.db, before.goal.id, managerOf(user), {
    status: GOAL_STATUS.open,
    completedAt: null,
    updatedAt: app.now,
  });
  if (!goal) throw new AppError("NOT_FOUND");
  tellSession(app, goal);
  return { ...before, goal };
}

/** With its logs, notes and days. A session's goal goes with its session's form, not here. */
export async function deleteGoal(app: App, input: { goal: number }): Promise<{ title: string }> {
  const user = requireUser(app.user, SIGN_IN);
  await countChange(app, user, "goal");
  const { goal } = await readManagedGoal(app, user, input.goal);
  if (!isPersonal(goal)) throw new AppError("CONFLICT", "This goal belongs to a session or an activity.");
  await runBatch(app.db, goals.deleteGoal(app.db, goal.id, user.id));
  return { title: goal.title };
}

/** A goal of one's own, or of a session that `user` runs; for anybody else there is none. */
async function readManagedGoal(app: App, user: CurrentUser, goalId: number): Promise<OwnGoal> {
  const [row] = await goals.findGoal(app.db, goalId, user.id);
  if (!row || !canManage(user, row)) throw new AppError("NOT_FOUND");
  return asOwnGoal(row, user);
}

const managerOf = (user: CurrentUser) => ({ userId: user.id, isSuperAdmin: isSuperAdmin(user) });
export const canManage = (user: CurrentUser, row: GoalRow): boolean =>
  canManageGoal(user, row, row.seatRole === null ? null : { role: row.seatRole, isHost: row.seatIsHost });

type GoalRow = Awaited<ReturnType<typeof goals.findGoal>>[number];
export function asOwnGoal(row: GoalRow, user: CurrentUser): OwnGoal {
  const { tags, activeLogId, ownerName: _, seatRole: __, seatIsHost: ___, ...goal } = row;
  // The tags of a session's goal belong to everybody there; `goal_tags` holds a person's own.
  return {
    goal,
    tags: goal.sessionId === null ? tags : goal.sharedTags,
    activeLogId,
    username: user.username,
  };
}

/** Everybody in the session reads its goals again. */
function tellSession(app: App, goal: Goal): void {
  if (goal.sessionId !== null) tellRoom(app, goal.sessionId);
}

/** A goal of one's own, as its change answers. */
export const readGoal = async (app: App, input: { goal: number }): Promise<OwnGoal> =>
  readManagedGoal(app, requireUser(app.user, SIGN_IN), input.goal);
