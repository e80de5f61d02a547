// Erases what deleted accounts said in the chat of rooms. The rooms are known from the batch that deleted the account.
import * as chatOfUser from "#db/queries/chat-of-user";
import { deletedName } from "~/domain/account-deletion";
import { isAppError } from "~/domain/errors";
import type { App } from "./app.server";

/** Rooms that one night erases at most; the others wait for the next. */
const ROOMS_A_NIGHT = 500;

/** The nightly run. A room that fails keeps its row and is asked again the next night. */
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
      // The room of a session that is gone has nothing left to erase.
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
