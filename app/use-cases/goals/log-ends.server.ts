// Interval timers of goals end after their last set: a log past its end is Done at that end. The first request of
// its user stores it, or the minute cron.
import { runBatch } from "#db/connect.server";
import * as logs from "#db/queries/goals/logs";
import { type Log, pendingEnd } from "~/domain/goals/logs";
import type { Owned } from "~/domain/owned";
import type { App } from "~/use-cases/app.server";
import { runEachRow } from "~/use-cases/each-row.server";
import { followLogs } from "~/use-cases/notify-room.server";

/** At most this many logs are ended by one run. */
const LOGS_A_RUN = 200;

/** Stores the ended timers of a user, or of everybody. Idempotent; a log that changed meanwhile stays as it is. */
export async function endOverdueTimers(
  app: App,
  userId: number | null = null,
): Promise<{ ended: number; failed: number }> {
  const overdueLogs = await logs.listEndedTimers(app.db, app.now, { userId, limit: LOGS_A_RUN });
  const { done, failed } = await runEachRow(app, overdueLogs, {
    job: "end-timers",
    nameOf: ({ id, userId: owner }) => `${owner}-${id}`,
    runRow: (log) => endTimerIfOverdue(app, log),
  });
  return { ended: done.filter(({ result }) => result).length, failed: failed.length };
}

/** False for a log that has not ended, or has changed since it was read. */
export async function endTimerIfOverdue(app: App, log: Owned<Log>): Promise<boolean> {
  const end = pendingEnd(log, app.now);
  if (!end) return false;
  const { counters, row } = logs.updateLog(app.db, log, { ...end, updatedAt: app.now });
  const results = await runBatch(app.db, [...counters, row]);
  const [storedLog] = results.at(-1) as Owned<Log>[];
  if (storedLog?.sessionId != null) await followLogs(app, [storedLog.sessionId]);
  return storedLog !== undefined;
}
