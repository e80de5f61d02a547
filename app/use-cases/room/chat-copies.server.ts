// The job that makes rooms copy their chat for a backup. Otherwise a room does so at night and when it closes.
import * as chatCopies from "#db/queries/room/chat-copies";
import { isAppError } from "~/domain/errors";
import { HOUR, instant } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import { runEachRow } from "~/use-cases/each-row.server";

/** Rooms of one run; the others wait for the next, five minutes later. */
const ROOMS_A_RUN = 100;

/** Idempotent. A room that has copied its chat loses its row; a failing room is retried an hour later. */
export async function copyChats(app: App, limit = ROOMS_A_RUN): Promise<{ copied: number; failed: number }> {
  const dueChats = await chatCopies.listChatsToCopy(app.db, app.now, limit);
  const { done, failed } = await runEachRow(app, dueChats, {
    job: "copy-chats",
    nameOf: ({ sessionId }) => sessionId,
    async runRow({ sessionId }) {
      try {
        await app.rooms.of(sessionId).copyChat();
      } catch (error) {
        // The room of a deleted session has nothing to copy.
        if (!(isAppError(error) && error.code === "NOT_FOUND")) throw error;
      }
      await chatCopies.deleteChatToCopy(app.db, sessionId);
    },
    whenFailed: ({ sessionId }) => chatCopies.delayChatToCopy(app.db, sessionId, instant(app.now + HOUR)),
  });
  return { copied: done.length, failed: failed.length };
}
