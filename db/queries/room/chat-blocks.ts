// Statements on blocks of 100 chat messages (B-13), whose ledger entries give their size and whether they are settled.
// The room knows a block's reference before the payment, so a retry after a crash pays nothing.
import { and, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import { type Database, type Statement, schema } from "#db/connect.server";
import { returnTokens, spendTokens } from "#db/queries/tokens";
import { type BlockKey, linesLeft } from "~/domain/room/chat";
import type { Instant } from "~/domain/time";
import { CHAT_BLOCK, PRICES } from "~/domain/tokens";

const { participants, tokenEntries } = schema;

export type ChatBlock = { sessionId: number; userId: number; n: number };

export const blockReference = ({ sessionId, userId, n }: ChatBlock): string =>
  `chat:${sessionId}:${userId}:${n}`;

/** The person and number in a block's reference. */
export const blockOfReference = (reference: string): BlockKey =>
  reference.split(":").slice(2).join(":") as BlockKey;

/** Selects the payer of a person's lines and logs in a session: for a guest the host who let them in (H-20). */
export const selectPayer = ({ sessionId, userId }: { sessionId: number; userId: number }): SQL =>
  sql`coalesce((SELECT payer_seat.paid_by FROM participants payer_seat WHERE payer_seat.session_id = ${sessionId} AND payer_seat.user_id = ${userId} AND payer_seat.guest_name <> ''), ${userId})`;

export const findGuestSeat = (db: Database, { sessionId, userId }: { sessionId: number; userId: number }) =>
  db
    .select({ paidBy: participants.paidBy })
    .from(participants)
    .where(sql`session_id = ${sessionId} AND user_id = ${userId} AND guest_name <> ''`);

/** The entry belongs to a block of the session, or to one of this person's blocks in it. */
const isBlockOf = (sessionId: number, userId?: number): SQL | undefined => {
  const prefix = userId === undefined ? `chat:${sessionId}` : `chat:${sessionId}:${userId}`;
  return and(gte(tokenEntries.reference, `${prefix}:`), lt(tokenEntries.reference, `${prefix};`));
};
const hasReturn = (reference: unknown): SQL =>
  sql`EXISTS (SELECT 1 FROM token_entries r WHERE r.reference = 'chat_return:' || ${reference})`;
const blockSize = sql<number>`-sum(${tokenEntries.amount}) / ${PRICES.chat}`;

/**
 * Takes the price of a block, or all remaining tokens if they pay for at least one message; otherwise
 * INSUFFICIENT_TOKENS. A repeat breaks `entry_written_once`. A closed session takes nothing and makes no block.
 */
export const reserveChatBlock = (db: Database, block: ChatBlock, now: Instant): [Statement, Statement] =>
  spendTokens(db, {
    userId: selectPayer(block),
    what: "chat",
    upTo: CHAT_BLOCK * PRICES.chat,
    reference: blockReference(block),
    now,
    condition: sql`EXISTS (SELECT 1 FROM sessions WHERE id = ${block.sessionId} AND closed_at IS NULL)`,
  });

export const findChatBlock = (db: Database, block: ChatBlock) =>
  db
    .select({
      size: blockSize.as("size"),
      isSettled: hasReturn(blockReference(block)).mapWith(Boolean).as("is_settled"),
    })
    .from(tokenEntries)
    .where(eq(tokenEntries.reference, blockReference(block)))
    .groupBy(tokenEntries.reference);

/** The number of a person's blocks in a session. */
export const countChatBlocks = (db: Database, sessionId: number, userId: number) =>
  db
    .select({ count: sql<number>`count(DISTINCT ${tokenEntries.reference})`.as("count") })
    .from(tokenEntries)
    .where(isBlockOf(sessionId, userId));

/** The blocks of a session without a return, of one person or of all. */
export const listOpenChatBlocks = (db: Database, sessionId: number, userId?: number) =>
  db
    .select({ reference: sql<string>`${tokenEntries.reference}`.as("reference"), size: blockSize.as("size") })
    .from(tokenEntries)
    .where(and(isBlockOf(sessionId, userId), sql`NOT ${hasReturn(sql`token_entries.reference`)}`))
    .groupBy(tokenEntries.reference);

/** Refunds the unused part to the lots that paid, once. */
export const closeChatBlock = (
  db: Database,
  reference: string,
  size: number,
  usedLines: number,
  now: Instant,
): Statement[] =>
  linesLeft(size, usedLines) > 0
    ? returnTokens(db, {
        reference,
        reason: "chat_return",
        upTo: linesLeft(size, usedLines) * PRICES.chat,
        now,
      })
    : [];
