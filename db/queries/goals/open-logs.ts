// The condition of the partial index of open logs (`logs_open`).
import { sql } from "drizzle-orm";
import { literal } from "#db/schema/columns";
import { LOG_STATUS } from "~/domain/goals/log-state";

/** Running or paused; a planned log is a paused one that never ran. */
export const IS_OPEN_LOG = sql`status IN (${literal(LOG_STATUS.active)}, ${literal(LOG_STATUS.paused)})`;
