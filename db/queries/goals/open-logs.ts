// The condition of the partial index of open logs (`logs_open`).
import { sql } from "drizzle-orm";
import { literal } from "#db/schema/columns";
import { LOG_STATUS } from "~/domain/goals/log-state";
import type { Instant } from "~/domain/time";

/** Running or paused; a planned log is a paused one that never ran. */
export const IS_OPEN_LOG = sql`status IN (${literal(LOG_STATUS.active)}, ${literal(LOG_STATUS.paused)})`;

/**
 * The fields of an UPDATE of logs that lose their goal, and with it their timers (S-13). A running timer keeps its time
 * until `now` and is stopped, or Done at its end if it has run out; a paused one is stopped. `updated_at` tells
 * other writers of the change.
 */
export function endTimers(now: Instant) {
  const isRunning = sql`(logs.status = ${LOG_STATUS.active} AND logs.is_timed = 1)`;
  const until = sql`iif(logs.is_interval = 1, min(coalesce(logs.ended_at, ${now}), ${now}), ${now})`;
  const elapsed = sql`(logs.elapsed_duration + max(0, ${until} - coalesce(logs.started_at, ${until})))`;
  const left = sql`(logs.duration * 1000)`;
  return {
    status: sql`CASE WHEN ${isRunning} AND logs.is_interval = 1 AND logs.ended_at <= ${now} THEN ${LOG_STATUS.done}
      WHEN ${isRunning} OR logs.paused_at IS NOT NULL AND logs.status = ${LOG_STATUS.paused} THEN ${LOG_STATUS.stopped} ELSE logs.status END`,
    elapsedDuration: sql`iif(${isRunning}, ${elapsed}, logs.elapsed_duration)`,
    remainingDuration: sql`iif(${isRunning}, max(0, ${left} - ${elapsed}), logs.remaining_duration)`,
    endedAt: sql`iif(${isRunning}, ${until}, coalesce(logs.ended_at, logs.paused_at))`,
    pausedAt: null,
    updatedAt: sql`max(${now}, logs.updated_at + 1)`,
  };
}
