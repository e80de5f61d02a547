// Goals shared with sessions (E-27): copying a session's goal, attaching a personal goal to a session, and checklist
// ticks that count for both.
import { runBatch } from "#db/connect.server";
import * as goalCopies from "#db/queries/goals/copies";
import * as goals from "#db/queries/goals/goals";
import * as logs from "#db/queries/goals/logs";
import * as tokens from "#db/queries/tokens";
import { AppError, brokenConstraint, invalid } from "~/domain/errors";
import { canLogGoal, type Goal, ownsGoal } from "~/domain/goals/goals";
import { isSuperAdmin, requireUser } from "~/domain/permissions";
import * as refusals from "~/domain/refusals";
import { SESSION_SENTENCES } from "~/domain/sessions/limits";
import * as sessionRefusals from "~/domain/sessions/refusals";
import { MINUTE } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import { answerRepeat, asOwnGoal, type OwnGoal } from "~/use-cases/goals/goals.server";
import { countUse } from "~/use-cases/rate-limits.server";

/** Copies a goal without its progress; it costs a goal (C-35, R-11). Everybody who sees the session may copy. */
export async function copyGoal(
  app: App,
  input: { sessionId: number; goalUuid: string; uuid?: string | undefined },
): Promise<OwnGoal> {
  const user = requireUser(app.user);
  await countUse(app, "goal", user.id);
  const [source] = await goalCopies.findSessionGoal(app.db, input.sessionId, input.goalUuid, user.id);
  if (!source || (source.needsCode && !source.hasSeat && !isSuperAdmin(user)))
    throw new AppError("NOT_FOUND");
  const uuid = input.uuid ?? app.newId();
  try {
    const results = await runBatch(app.db, [
      goalCopies.insertGoalCopies(app.db, {
        from: { goalUuid: input.goalUuid },
        userId: user.id,
        uuid,
        now: app.now,
      }),
      ...goals.replaceTags(app.db, { goalUuid: uuid, userId: user.id, tags: source.sharedTags }),
      ...tokens.spendTokens(app.db, {
        userId: user.id,
        what: "goal",
        reference: `goal:${uuid}`,
        now: app.now,
      }),
    ]);
    const [goal] = results[0] as Goal[];
    if (!goal) throw new AppError("NOT_FOUND");
    return { goal, tags: source.sharedTags, activeLogId: null, username: user.username };
  } catch (error) {
    if (brokenConstraint(error) !== "goals.uuid") throw error;
    return answerRepeat(app, user, uuid);
  }
}

/** Attaches a goal to a session. New logs of the goal then also appear in the session, until it ends (C-36). */
export async function attachGoal(app: App, input: { session: number; goal: number }): Promise<OwnGoal> {
  const user = requireUser(app.user);
  await countUse(app, "change-attachment", user.id);
  const tie = { goalId: input.goal, sessionId: input.session, userId: user.id, now: app.now };
  const [[attached], [attachment], [goal]] = await app.db.batch([
    goals.attachGoal(app.db, tie),
    goals.findAttachment(app.db, tie),
    goals.findGoal(app.db, input.goal, user.id),
  ]);
  if (attached && goal) return asOwnGoal(goal, user);
  if (!attachment?.hasGoal) throw new AppError("NOT_FOUND");
  if (!attachment.hasSeat) throw new AppError("FORBIDDEN", sessionRefusals.joinToAttachGoal);
  throw new AppError("CONFLICT", SESSION_SENTENCES.ended);
}

/** A page sends ticks 50 seconds after the last one (S-16), so those of a session's last minute come after its end. */
const LATE_TICKS_MS = 2 * MINUTE;

/**
 * Sets exactly these ticks (C-83), or with `base`, the ticks that the page last knew, only what differs from it.
 * Those of a personal goal are stored on the goal, in a session on the participant, and of an attached goal on both.
 */
export async function saveListProgress(
  app: App,
  input: {
    goalId: number;
    items: string[];
    base?: string[] | undefined;
    sessionId?: number | undefined;
  },
): Promise<OwnGoal & { checked: string[]; isOwner: boolean }> {
  const user = requireUser(app.user, refusals.signInToLog);
  await countUse(app, "change-log", user.id);
  const [row] = await logs.findGoalToLog(app.db, input.goalId, user.id, app.now - LATE_TICKS_MS);
  if (!row || !canLogGoal(user, row.goal, row.seatName !== null)) throw new AppError("NOT_FOUND");
  const { goal, tiedSessionId, seatName } = row;
  if (goal.sessionId !== null && row.hasEnded) throw new AppError("CONFLICT", SESSION_SENTENCES.ended);
  if (input.sessionId !== undefined && input.sessionId !== tiedSessionId)
    throw invalid("challenge_event_id", sessionRefusals.goalNotOfSession);
  const isShared = goal.sessionId !== null;
  const { items, base } = input;
  const uuids = goal.items.map(({ uuid }) => uuid);
  const addedTicks = uuids.filter((uuid) => items.includes(uuid) && !base?.includes(uuid));
  const removedTicks = uuids.filter((uuid) => !items.includes(uuid) && (base?.includes(uuid) ?? true));
  // An attached goal also brings its earlier ticks into the session.
  const ticked = goal.items.flatMap(({ uuid, isChecked }) =>
    addedTicks.includes(uuid) || (!isShared && isChecked && !removedTicks.includes(uuid)) ? uuid : [],
  );
  const results = await runBatch(app.db, [
    ...(isShared
      ? []
      : [goals.tickItems(app.db, goal.id, user.id, { added: addedTicks, removed: removedTicks })]),
    ...(tiedSessionId !== null && seatName !== null && (isShared || !row.hasEnded)
      ? [
          goals.tickInSession(app.db, {
            sessionId: tiedSessionId,
            userId: user.id,
            goalUuid: goal.uuid,
            action: goal.action,
            added: ticked,
            removed: removedTicks,
          }),
        ]
      : []),
    goals.findGoal(app.db, goal.id, user.id),
  ]);
  const ownGoal = isShared ? undefined : (results[0] as Goal[])[0];
  const [total] = isShared ? (results[0] as { listProgress: string[] | null }[]) : [];
  const [current] = results.at(-1) as Awaited<ReturnType<typeof goals.findGoal>>;
  if (!current) throw new AppError("NOT_FOUND");
  const checkedUuids = ownGoal
    ? new Set(ownGoal.items.flatMap(({ uuid, isChecked }) => (isChecked ? uuid : [])))
    : new Set(total?.listProgress);
  return {
    ...asOwnGoal(current, user),
    checked: uuids.filter((uuid) => checkedUuids.has(uuid)),
    isOwner: ownsGoal(user, goal),
  };
}
