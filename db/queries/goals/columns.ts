// The columns of goals, notes and logs as pages and answers show them, without the text that only the search reads.
import { getTableColumns, sql } from "drizzle-orm";
import { schema } from "#db/connect.server";
import { literal } from "#db/schema/columns";
import { LOG_STATUS } from "~/domain/goals/log-state";

const { userId, searchText: _, ...columnsWithoutOwner } = getTableColumns(schema.goals);
export const goalColumns = columnsWithoutOwner;
const { searchText: noteSearchText, ...noteColumns } = getTableColumns(schema.notes);
const { searchText: logSearchText, ...logColumns } = getTableColumns(schema.logs);

export { logColumns, noteColumns };
/** Includes the owner's id, for use cases that check who owns the goal. */
export const ownedGoalColumns = { ...columnsWithoutOwner, userId };

// Drizzle leaves out the table name in a select of one table, so the subselects write it.

/** The running timer of this goal and user, by the index that allows only one. */
export const activeLogId = (userId: number) =>
  sql<
    number | null
  >`(SELECT l.id FROM logs l WHERE l.goal_id = goals.id AND l.user_id = ${userId} AND l.status = ${literal(LOG_STATUS.active)} AND l.is_timed = 1)`.as(
    "active_log_id",
  );
export const tagsColumn = sql<
  string[]
>`(SELECT json_group_array(tag) FROM goal_tags t WHERE t.goal_id = goals.id)`
  .mapWith((text: string) => (JSON.parse(text) as string[]).sort())
  .as("tags");
