// Chat blocks: reserving the lines that a person pays for, and refunding unused ones (B-13). The room asks; the ledger
// decides.
import { runBatch } from "#db/connect.server";
import * as blocks from "#db/queries/room/chat-blocks";
import { AppError, brokenConstraint } from "~/domain/errors";
import { type BlockKey, CHAT_CLOSED, type ChatBlock } from "~/domain/room/chat";
import { SESSION_SENTENCES } from "~/domain/sessions/limits";
import type { App } from "~/use-cases/app.server";

type BlockApp = Pick<App, "db" | "now">;
type BlockPlace = { sessionId: number; userId: number; n: number };

/** Blocks settled in one batch. */
const SETTLED_AT_ONCE = 20;

/**
 * Block `n` of a person, paid now or by a run that died before storing it: a repeat is free. A room that lost its
 * storage may ask for a settled block and then gets the next one. CONFLICT in a closed session, INSUFFICIENT_TOKENS
 * without tokens.
 */
export async function reserveChatBlock(app: BlockApp, place: BlockPlace): Promise<ChatBlock> {
  const { sessionId, userId } = place;
  let { n } = place;
  let reservation = await reserve(app, place);
  if (reservation?.isSettled) {
    const [counts] = await blocks.countChatBlocks(app.db, sessionId, userId);
    n = counts?.count ?? 0;
    reservation = await reserve(app, { sessionId, userId, n });
  }
  if (!reservation || reservation.isSettled) throw new AppError("CONFLICT", CHAT_CLOSED);
  return { userId, n, size: reservation.size };
}

type Reserved = Awaited<ReturnType<typeof blocks.findChatBlock>>[number];
async function reserve(app: BlockApp, place: BlockPlace): Promise<Reserved | undefined> {
  try {
    const results: unknown[] = await runBatch(app.db, [
      ...blocks.reserveChatBlock(app.db, place, app.now),
      blocks.findChatBlock(app.db, place),
    ]);
    return (results.at(-1) as Reserved[])[0];
  } catch (error) {
    const broken = brokenConstraint(error);
    if (broken === "tokens_sufficient" && (await blocks.findGuestSeat(app.db, place))[0])
      throw new AppError("INSUFFICIENT_TOKENS", SESSION_SENTENCES.hostOutOfTokens, { lacksTokens: "host" });
    if (broken !== "entry_written_once") throw error;
    return (await blocks.findChatBlock(app.db, place))[0];
  }
}

/**
 * Refunds the rest of one person's blocks, or of everybody's, except those `inUse`; idempotent. The ledger knows the
 * open blocks, even those that the room lost in a crash. `used`: lines of each block.
 */
export async function settleChatBlocks(
  app: BlockApp,
  purchase: {
    sessionId: number;
    userId?: number | undefined;
    used: ReadonlyMap<BlockKey, number>;
    inUse: ReadonlySet<BlockKey>;
  },
): Promise<void> {
  const open = (await blocks.listOpenChatBlocks(app.db, purchase.sessionId, purchase.userId)).filter(
    ({ reference }) => !purchase.inUse.has(blocks.blockOfReference(reference)),
  );
  for (let i = 0; i < open.length; i += SETTLED_AT_ONCE)
    await runBatch(
      app.db,
      open
        .slice(i, i + SETTLED_AT_ONCE)
        .flatMap(({ reference, size }) =>
          blocks.closeChatBlock(
            app.db,
            reference,
            size,
            purchase.used.get(blocks.blockOfReference(reference)) ?? 0,
            app.now,
          ),
        ),
    );
}
