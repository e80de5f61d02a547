// Chat blocks: reserving the lines that a person pays for, and refunding unused ones (B-13). The room asks; the ledger
// decides.
import { runBatch } from "#db/connect.server";
import * as blocks from "#db/queries/room/chat-blocks";
import { AppError, brokenConstraint } from "~/domain/errors";
import { type BlockKey, CHAT_CLOSED, type ChatBlock } from "~/domain/room/chat";
import { SESSION_SENTENCES } from "~/domain/sessions/limits";
import type { App } from "~/use-cases/app.server";

type BlockApp = Pick<App, "db" | "now">;
type BlockRef = { sessionId: number; userId: number; n: number };

/** Maximum blocks that one batch settles. */
const MAX_SETTLED_BLOCKS = 20;

/**
 * Reserves block `n` of a person. A repeat is free, for example after a run that died before it stored the block. A
 * room that lost its storage may ask for a settled block and then gets the next one. CONFLICT in a closed session,
 * INSUFFICIENT_TOKENS without tokens.
 */
export async function reserveChatBlock(app: BlockApp, block: BlockRef): Promise<ChatBlock> {
  const { sessionId, userId } = block;
  let { n } = block;
  let reservation = await reserve(app, block);
  if (reservation?.isSettled) {
    const [counts] = await blocks.countChatBlocks(app.db, sessionId, userId);
    n = counts?.count ?? 0;
    reservation = await reserve(app, { sessionId, userId, n });
  }
  if (!reservation || reservation.isSettled) throw new AppError("CONFLICT", CHAT_CLOSED);
  return { userId, n, size: reservation.size };
}

type Reservation = Awaited<ReturnType<typeof blocks.findChatBlock>>[number];
async function reserve(app: BlockApp, block: BlockRef): Promise<Reservation | undefined> {
  try {
    const results: unknown[] = await runBatch(app.db, [
      ...blocks.reserveChatBlock(app.db, block, app.now),
      blocks.findChatBlock(app.db, block),
    ]);
    return (results.at(-1) as Reservation[])[0];
  } catch (error) {
    const constraint = brokenConstraint(error);
    if (constraint === "tokens_sufficient" && (await blocks.findGuestSeat(app.db, block))[0])
      throw new AppError("INSUFFICIENT_TOKENS", SESSION_SENTENCES.hostOutOfTokens, { lacksTokens: "host" });
    if (constraint !== "entry_written_once") throw error;
    return (await blocks.findChatBlock(app.db, block))[0];
  }
}

/**
 * Refunds the rest of one person's blocks, or of everybody's, except those `inUse`; idempotent. The ledger knows the
 * open blocks, even those that the room lost in a crash. `used`: lines of each block.
 */
export async function settleChatBlocks(
  app: BlockApp,
  settlement: {
    sessionId: number;
    userId?: number | undefined;
    used: ReadonlyMap<BlockKey, number>;
    inUse: ReadonlySet<BlockKey>;
  },
): Promise<void> {
  const openBlocks = (
    await blocks.listOpenChatBlocks(app.db, settlement.sessionId, settlement.userId)
  ).filter(({ reference }) => !settlement.inUse.has(blocks.blockOfReference(reference)));
  for (let start = 0; start < openBlocks.length; start += MAX_SETTLED_BLOCKS)
    await runBatch(
      app.db,
      openBlocks
        .slice(start, start + MAX_SETTLED_BLOCKS)
        .flatMap(({ reference, size }) =>
          blocks.closeChatBlock(
            app.db,
            reference,
            size,
            settlement.used.get(blocks.blockOfReference(reference)) ?? 0,
            app.now,
          ),
        ),
    );
}
