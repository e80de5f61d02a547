// The columns of goals, notes and logs as pages and answers show them, without the text that only the search reads.
import { getTableColumns } from "drizzle-orm";
import { schema } from "#db/connect.server";

const { userId, searchText: _, ...columnsWithoutOwner } = getTableColumns(schema.goals);
export const goalColumns = columnsWithoutOwner;
const { searchText: noteSearchText, ...noteColumns } = getTableColumns(schema.notes);
const { searchText: logSearchText, ...logColumns } = getTableColumns(schema.logs);

export { logColumns, noteColumns };
/** Includes the owner's id, for use cases that check who owns the goal. */
export const ownedGoalColumns = { ...columnsWithoutOwner, userId };
