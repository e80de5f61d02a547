// The marks of logs that a room must correct in its history, because they were changed or deleted, or their goal was
// renamed. Triggers write the marks in the batch of the change; the room reads and drops them.
import { runBatch } from "#db/connect.server";
import * as logMarks from "#db/queries/sessions/log-marks";
import { roomLogOf } from "~/domain/goals/room-log";
import type { MarkedLog } from "~/domain/room/room";
import type { App } from "~/use-cases/app.server";
import { runEachRow } from "~/use-cases/each-row.server";
import { followLogsOf } from "~/use-cases/notify-room.server";

/** The statements that read the marks of a session, and the logs and goals as they are now, for a batch. */
export const listMarks = (db: App["db"], sessionId: number) =>
  [
    logMarks.listLogMarks(db, sessionId),
    logMarks.listMarkedLogs(db, sessionId),
    logMarks.listMarkedGoals(db, sessionId),
  ] as const;

/** The logs to correct, from the results of `listMarks`. */
export function markedLogs(
  marks: Awaited<ReturnType<typeof logMarks.listLogMarks>>,
  logs: Awaited<ReturnType<typeof logMarks.listMarkedLogs>>,
  goals: Awaited<ReturnType<typeof logMarks.listMarkedGoals>>,
): MarkedLog[] {
  return marks.map(({ uuid, logId, version }) => {
    const log = logs.find((candidate) => candidate.uuid === uuid);
    const goal = goals.find(({ id }) => id === log?.goalId) ?? null;
    return {
      uuid,
      id: logId,
      version,
      userId: log?.userId ?? 0,
      log: log ? roomLogOf(log, goal) : null,
    };
  });
}

/** Deletes the marks of logs that the room has corrected. */
export async function dropMarks(
  app: Pick<App, "db">,
  { sessionId, marks }: { sessionId: number; marks: readonly MarkedLog[] },
): Promise<void> {
  await runBatch(app.db, [logMarks.deleteReadMarks(app.db, sessionId, marks)]);
}

/** At most this many rooms are notified by one run. */
const ROOMS_A_RUN = 100;

/** Every minute, notifies the rooms that did not answer when a log changed. */
export async function notifyMarkedRooms(app: App): Promise<{ followed: number; failed: number }> {
  const rows = await logMarks.listMarkedSessions(app.db, ROOMS_A_RUN);
  const { done, failed } = await runEachRow(app, rows, {
    job: "follow-logs",
    nameOf: ({ sessionId }) => String(sessionId),
    runRow: ({ sessionId }) => followLogsOf(app, sessionId),
  });
  return { followed: done.length, failed: failed.length };
}
