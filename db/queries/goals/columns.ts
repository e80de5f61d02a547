// The columns of goals, notes and logs as pages and answers show them, without the text that only the search reads.
import { getTableColumns } from "drizzle-orm";
import { schema } from "#db/connect.server";

const { userId, searchText: _, ...shown } = getTableColumns(schema.goals);
export const goalColumns = shown;
const { searchText: ofNote, ...noteColumns } = getTableColumns(schema.notes);
const { searchText: ofLog, ...logColumns } = getTableColumns(schema.logs);

export { logColumns, noteColumns };
/** With the owner's id, for the use cases that decide by it. */
export const ownedGoalColumns = { ...shown, userId };
