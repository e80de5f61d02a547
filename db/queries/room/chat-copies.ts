// Statements on the rooms that must copy their chat for a backup; use cases run them. `npm run backup` adds the
// rows.
import { asc, eq, lte } from "drizzle-orm";
import { type Database, schema } from "#db/connect.server";
import type { Instant } from "~/domain/time";

const { chatsToCopy } = schema;

export const listChatsToCopy = (db: Database, now: Instant, limit: number) =>
  db
    .select({ sessionId: chatsToCopy.sessionId })
    .from(chatsToCopy)
    .where(lte(chatsToCopy.dueAt, now))
    .orderBy(asc(chatsToCopy.dueAt), asc(chatsToCopy.sessionId))
    .limit(limit);
/** Postpones a room that failed, so that it does not delay the other rooms. */
export const delayChatToCopy = (db: Database, sessionId: number, dueAt: Instant) =>
  db.update(chatsToCopy).set({ dueAt }).where(eq(chatsToCopy.sessionId, sessionId));
export const deleteChatToCopy = (db: Database, sessionId: number) =>
  db.delete(chatsToCopy).where(eq(chatsToCopy.sessionId, sessionId));
