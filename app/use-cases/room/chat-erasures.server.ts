// Erases the chat lines of deleted accounts from rooms. The batch that deletes the account records the rooms.
import * as chatOfUser from "#db/queries/chat-of-user";
import { isAppError } from "~/domain/errors";
import type { App } from "~/use-cases/app.server";
import { runEachRow } from "~/use-cases/each-row.server";

/** Maximum rooms of one night; the others wait for the next. */
const ROOMS_A_NIGHT = 500;

/** The nightly job. A failing room keeps its row and is retried the next night. */
export async function eraseChats(
  app: App,
  limit = ROOMS_A_NIGHT,
): Promise<{ erased: number; failed: number }> {
  const { done, failed } = await runEachRow(app, await chatOfUser.listErasures(app.db, limit), {
    job: "erase-chats",
    nameOf: ({ userId, sessionId }) => `account ${userId} in session ${sessionId}`,
    runRow: (erasure) => eraseChat(app, erasure),
  });
  return { erased: done.length, failed: failed.length };
}

/** Erases the chat of one user in one room, where the user has this name from now on. Idempotent. */
export async function eraseChat(
  app: App,
  { userId, sessionId, username }: { userId: number; sessionId: number; username: string },
): Promise<void> {
  try {
    await app.rooms.of(sessionId).eraseAuthor({ userId, username });
  } catch (error) {
    // The room of a deleted session has nothing left to erase.
    if (!(isAppError(error) && error.code === "NOT_FOUND")) throw error;
  }
  await chatOfUser.deleteErasure(app.db, { userId, sessionId });
}
