// State changes of a log by its owner: start, pause, stop, done, reset, edit, delete (S-11, S-12, R-06, R-07). Each is
// written only if the log is unchanged since it was read, so of two simultaneous tabs one succeeds and the other is
// refused.
import { runBatch, type Statement } from "#db/connect.server";
import * as logs from "#db/queries/goals/logs";
import { recomputeTotals } from "#db/queries/room/record";
import { AppError } from "~/domain/errors";
import type { Goal } from "~/domain/goals/goals";
import { LOG_STATUS } from "~/domain/goals/log-state";
import {
  type Claim,
  canUndoLog,
  editLog,
  type Log,
  type LogChange,
  type LogEdit,
  type LogMove,
  moveLog,
  moveRefusal,
} from "~/domain/goals/logs";
import * as goalRefusals from "~/domain/goals/refusals";
import { writingRefusalOf } from "~/domain/may-write";
import { type Owned, withoutOwner } from "~/domain/owned";
import { requireUser } from "~/domain/permissions";
import * as refusals from "~/domain/refusals";
import type { Instant } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import { isKeyOfOneGoal, requireGoalOfKey } from "~/use-cases/goal-keys.server";
import { followLogs } from "~/use-cases/notify-room.server";
import type { RenderedText } from "~/use-cases/ports.server";
import { countUse } from "~/use-cases/rate-limits.server";
import { sessionPlace } from "~/use-cases/writing.server";
import { endTimerIfOverdue } from "./log-ends.server";
import { type LogAnswer, logAnswer, refuseCorrection, requireToday } from "./logs.server";

export type LogEditRequest = Omit<LogEdit, "content"> & {
  /** Markdown. */
  content?: string | undefined;
};

/** Starts a paused or stopped log: status 3 or 4 → 1 (C-38, R-07). */
export const startLog = (app: App, input: { log: number; startedAt?: Instant | undefined }) =>
  applyMove(app, input.log, "start", { at: input.startedAt });

/** Stops a running log: status 1 → 4; with status 3, or with `pausedAt` and no status, 1 → 3 (C-39, R-06). */
export function stopLog(
  app: App,
  input: {
    log: number;
    status?: 3 | 4 | undefined;
    pausedAt?: Instant | undefined;
    endedAt?: Instant | undefined;
    elapsed?: number | undefined;
  },
) {
  const isPause =
    input.status === LOG_STATUS.paused || (input.status === undefined && input.pausedAt !== undefined);
  return isPause
    ? applyMove(app, input.log, "pause", { at: input.pausedAt, elapsed: input.elapsed })
    : applyMove(app, input.log, "stop", { at: input.endedAt, elapsed: input.elapsed });
}

/** Pauses a running log: status 1 → 3 (C-82, R-06). */
export const pauseLog = (app: App, input: { log: number; pausedAt?: Instant | undefined }) =>
  applyMove(app, input.log, "pause", { at: input.pausedAt });

/** Resets a log: back to status 3 with nothing elapsed (C-81, R-07). */
export const resetLog = (app: App, input: { log: number }) => applyMove(app, input.log, "reset", {});

/** Completes a log: any status → 2, with the final measures (C-40, R-24). */
export async function completeLog(app: App, input: LogEditRequest & { log: number }): Promise<LogAnswer> {
  await countLogChange(app);
  const readEdit = renderOnce(app, input);
  return changeLog(app, input.log, async (log, session) => {
    const edit = await readEdit();
    const completion = moveLog(log, "complete", app.now);
    const completedLog = { ...log, ...completion };
    // The planned duration, sent back unchanged, is no measure.
    const { duration, ...otherFields } = edit;
    const changes = editLog(completedLog, duration === log.duration ? otherFields : edit);
    return { ...completion, ...changes, ...withheldChange(app, edit, session) };
  });
}

/** Edits any of title, content, amount, duration and distance (C-41, R-24). */
export async function updateLog(app: App, input: LogEditRequest & { log: number }): Promise<LogAnswer> {
  await countLogChange(app);
  const readEdit = renderOnce(app, input);
  return changeLog(app, input.log, async (log, session) => {
    const edit = await readEdit();
    const changes = editLog(log, edit);
    return Object.keys(changes).length === 0
      ? changes
      : { ...changes, ...withheldChange(app, edit, session) };
  });
}

/** The answer of log calls: the current log. */
export const readLog = (app: App, input: { log: number }) => changeLog(app, input.log, () => ({}));

/**
 * Reverts the log's contribution, and within ten minutes of the log its price. CONFLICT after them for a key of
 * one goal, which only undoes (W-04).
 */
export async function deleteLog(app: App, input: { log: number }): Promise<{ goal: Goal | null }> {
  await countLogChange(app);
  const { goal } = await writeIfUnchanged(app, input.log, (log) => {
    if (isKeyOfOneGoal(app) && !canUndoLog(log, app.now))
      throw new AppError("CONFLICT", goalRefusals.keyOnlyUndoes);
    const { counters, row } = logs.deleteLog(app.db, log, app.now);
    return { counters: [...counters, ...recomputeRecap(app, log)], row };
  });
  if (!goal) return { goal };
  const { tags: _, activeLogId: __, ...updatedGoal } = goal;
  return { goal: withoutOwner(updatedGoal) };
}

/** The answer to a repeated deletion, whose log no longer exists. */
export const readDeleted = async (): Promise<{ goal: Goal | null }> => ({ goal: null });

/** The totals of a recap follow a log that is deleted or edited; one that only moves changes none (G-32). */
const recomputeRecap = (app: App, { sessionId }: Log): Statement[] =>
  sessionId === null ? [] : [recomputeTotals(app.db, sessionId)];

async function applyMove(app: App, id: number, move: LogMove, claim: Claim) {
  await countLogChange(app);
  return changeLog(app, id, (log) => {
    const refusal = moveRefusal(log, move);
    if (refusal !== null) throw new AppError("CONFLICT", refusal);
    return moveLog(log, move, app.now, claim);
  });
}

const countLogChange = async (app: App) =>
  countUse(app, "change-log", requireUser(app.user, refusals.signInToLog).id);

type Decide = (log: Log, session: WritingSession | undefined) => LogChange | Promise<LogChange>;
async function changeLog(app: App, id: number, decide: Decide): Promise<LogAnswer> {
  const { currentLog, row, goal } = await writeIfUnchanged(app, id, async (log, session) => {
    const changes = await decide(log, session);
    return Object.keys(changes).length === 0
      ? null
      : editStatements(app, log, { ...changes, updatedAt: app.now });
  });
  const log = row ? (row as Owned<Log>) : currentLog;
  return logAnswer(log, goal);
}

function editStatements(app: App, log: Owned<Log>, changes: LogChange): LogWrites {
  if (log.goalId === null) refuseCorrection(changes, log);
  const { counters, row } = logs.updateLog(app.db, log, changes);
  const isMeasured = "amount" in changes || "distance" in changes;
  return { counters: isMeasured ? [...counters, ...recomputeRecap(app, log)] : counters, row };
}

type LogWrites = { counters: Statement[]; row: Statement };
/** The user's seat and sanctions in the session of a log. */
type WritingSession = Awaited<ReturnType<typeof logs.findSeatAndSanctions>>[number];

/** Reads a log and writes the decided change if the log is unchanged; on a conflict, starts over with the new state. */
async function writeIfUnchanged(
  app: App,
  id: number,
  decide: (
    log: Owned<Log>,
    session: WritingSession | undefined,
  ) => LogWrites | null | Promise<LogWrites | null>,
) {
  const user = requireUser(app.user, refusals.signInToLog);
  for (let attempt = 0; attempt < 3; attempt++) {
    const [[currentLog], [session]] = await app.db.batch([
      logs.findLog(app.db, id, user.id),
      logs.findSeatAndSanctions(app.db, logs.selectSessionOfLog(id, user.id), user.id),
    ]);
    if (!currentLog) throw new AppError("NOT_FOUND");
    requireGoalOfKey(app, currentLog.goalId);
    if (await endTimerIfOverdue(app, currentLog)) continue;
    const writes = await decide(currentLog, session);
    const goal = logs.findGoalBesideLog(app.db, currentLog.goalId ?? 0, user.id);
    if (!writes) return { currentLog, row: null, goal: (await goal)[0] ?? null };
    const results = await runBatch(app.db, [...writes.counters, writes.row, goal]);
    const [row] = results.at(-2) as unknown[];
    const [updatedGoal] = results.at(-1) as Awaited<typeof goal>;
    if (!row) continue;
    if (currentLog.sessionId !== null) await followLogs(app, [currentLog.sessionId]);
    return { currentLog, row, goal: updatedGoal ?? null };
  }
  throw new AppError("CONFLICT", goalRefusals.logChanging);
}

/** New words of a person who may not write in the session of the log are withheld from others. */
function withheldChange(
  app: App,
  { title, content }: LogEdit,
  session: WritingSession | undefined,
): LogChange {
  const hasWords = title !== undefined || content !== undefined;
  return hasWords && session && writingRefusalOf(app, sessionPlace(session), app.now) !== null
    ? { isWithheld: true }
    : {};
}

/**
 * Returns a function that renders the edit: only once for all attempts, and not before the log is known to be the
 * user's.
 */
function renderOnce(app: App, input: LogEditRequest): () => Promise<LogEdit> {
  const { title, content, amount, distance, duration, day } = input;
  let text: RenderedText | undefined;
  return async () => {
    if (day !== undefined) requireToday(app, day);
    if (content !== undefined) text ??= await app.richText.render(content);
    return { title, amount, distance, duration, day, content: text };
  };
}
