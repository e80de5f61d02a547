// The columns of a goal as pages and answers show it, without the text that only the search reads.
import { getTableColumns } from "drizzle-orm";
import { schema } from "#db/connect.server";

const { userId, searchText: _, ...shown } = getTableColumns(schema.goals);
export const goalColumns = shown;
/** With the owner's id, for the use cases that decide by it. */
export const ownedGoalColumns = { ...shown, userId };
