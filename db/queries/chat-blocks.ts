// Chat is paid in blocks of 100 messages (B-13): reserved in one batch under a reference the room knows beforehand, so
// that a repeat after a crash finds the same block; closed once, what is unused returns.
import { and, desc, eq, isNull, sql } from "drizzle-orm";
import { type Database, type Statement, schema } from "#db/connect.server";
import type { Instant } from "~/domain/time";
import { CHAT_BLOCK, PRICES } from "~/domain/tokens";
import { returnTokens } from "./tokens";

const { chatBlocks, tokenEntries, tokenLots } = schema;

export type ChatBlock = { reference: string; sessionId: number; userId: number };

/**
 * Takes up to one block's price, at least one message's; INSUFFICIENT_TOKENS when nothing is left. Of a session that is
 * closed nothing is taken and no block is made.
 */
export function reserveChatBlock(db: Database, block: ChatBlock, now: Instant): Statement[] {
  const { reference, userId, sessionId } = block;
  const cost = CHAT_BLOCK * PRICES.chat;
  const isNew = sql`NOT EXISTS (SELECT 1 FROM chat_blocks WHERE reference = ${reference})
    AND EXISTS (SELECT 1 FROM sessions WHERE id = ${sessionId} AND closed_at IS NULL)`;
  return [
    db.insert(tokenEntries).select(sql`
      WITH eligible AS (
        SELECT id, remaining,
          sum(remaining) OVER (ORDER BY coalesce(expires_at, 9e15), id ROWS UNBOUNDED PRECEDING) - remaining AS before
        FROM token_lots
        WHERE user_id = ${userId} AND remaining > 0 AND (expires_at IS NULL OR expires_at > ${now}) AND scope = 'all'
      )
      SELECT NULL, ${userId}, id, -min(remaining, ${cost} - before), 'chat', ${reference}, ${now}, before
      FROM eligible WHERE before < ${cost} AND ${isNew}
      UNION ALL
      SELECT NULL, ${userId}, NULL, 0, 'shortfall', ${reference}, ${now}, 0
      WHERE ${isNew} AND (SELECT coalesce(sum(remaining), 0) FROM eligible) < ${PRICES.chat}`),
    // From the sum of all entries, so that a repeat changes nothing.
    db
      .update(tokenLots)
      .set({
        remaining: sql`granted + (SELECT coalesce(sum(amount), 0) FROM token_entries WHERE lot_id = token_lots.id)`,
      })
      .where(sql`id IN (SELECT lot_id FROM token_entries WHERE reference = ${reference})`),
    db
      .insert(chatBlocks)
      .select(sql`
        SELECT ${reference}, ${sessionId}, ${userId}, -sum(amount) / ${PRICES.chat}, NULL, ${now}, NULL
        FROM token_entries WHERE reference = ${reference} HAVING sum(amount) < 0`)
      .onConflictDoNothing(),
  ];
}

/** A person's blocks in a session, the newest first. */
export const listChatBlocks = (db: Database, sessionId: number, userId: number) =>
  db
    .select()
    .from(chatBlocks)
    .where(and(eq(chatBlocks.sessionId, sessionId), eq(chatBlocks.userId, userId)))
    .orderBy(desc(chatBlocks.openedAt), desc(chatBlocks.reference));

/** The blocks of a session that are not settled; of one person, or everybody's. */
export const listOpenChatBlocks = (db: Database, sessionId: number, userId?: number) =>
  db
    .select()
    .from(chatBlocks)
    .where(
      and(
        eq(chatBlocks.sessionId, sessionId),
        isNull(chatBlocks.closedAt),
        userId === undefined ? undefined : eq(chatBlocks.userId, userId),
      ),
    );

export const findChatBlock = (db: Database, reference: string) =>
  db.select().from(chatBlocks).where(eq(chatBlocks.reference, reference)).limit(1);

/** Settles a block: what was not used goes back to the lots it came from, once. */
export function closeChatBlock(
  db: Database,
  reference: string,
  size: number,
  used: number,
  now: Instant,
): Statement[] {
  const isOpen = sql`EXISTS (SELECT 1 FROM chat_blocks WHERE reference = ${reference} AND closed_at IS NULL)`;
  return [
    ...(used < size
      ? returnTokens(db, {
          reference,
          reason: "chat_return",
          upTo: (size - used) * PRICES.chat,
          now,
          when: isOpen,
        })
      : []),
    db
      .update(chatBlocks)
      .set({ used, closedAt: now })
      .where(and(eq(chatBlocks.reference, reference), isNull(chatBlocks.closedAt))),
  ];
}
