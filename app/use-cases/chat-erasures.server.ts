// Erases the chat lines of deleted accounts from rooms. The batch that deletes the account records the rooms.
import * as chatOfUser from "#db/queries/chat-of-user";
import { deletedName } from "~/domain/deleted-account";
import { isAppError } from "~/domain/errors";
import type { App } from "./app.server";

/** Maximum rooms of one night; the others wait for the next. */
const ROOMS_A_NIGHT = 500;

/** The nightly job. A failing room keeps its row and is retried the next night. */
export async function eraseChats(
  app: App,
  limit = ROOMS_A_NIGHT,
): Promise<{ erased: number; failed: number }> {
  let erased = 0;
  let failed = 0;
  for (const erasure of await chatOfUser.listErasures(app.db, limit)) {
    const { userId, sessionId } = erasure;
    try {
      await app.rooms.of(sessionId).eraseAuthor({ userId, username: deletedName(userId) });
    } catch (error) {
      // The room of a deleted session has nothing left to erase.
      if (!(isAppError(error) && error.code === "NOT_FOUND")) {
        failed++;
        console.error(
          JSON.stringify({
            event: "chat-not-erased",
            session: sessionId,
            error: String(error).slice(0, 200),
          }),
        );
        continue;
      }
    }
    await chatOfUser.deleteErasure(app.db, erasure);
    erased++;
  }
  return { erased, failed };
}
