// Copies for backups in R2. `chat/12` is the chat of session 12; `deleted/7-1790000000000` records a deleted account by its
// id and creation, because another installation may use the same id.
import { chatCopyText, readChatCopy } from "~/domain/room/chat-copy";
import type { Copies } from "~/use-cases/ports.server";
import type { Env } from "../env";

export function createCopies({ COPIES }: Pick<Env, "COPIES">): Copies {
  return {
    async putChat(copy) {
      await COPIES.put(`chat/${copy.sessionId}`, chatCopyText(copy));
    },
    async getChat(sessionId) {
      const storedCopy = await COPIES.get(`chat/${sessionId}`);
      return storedCopy ? readChatCopy(await storedCopy.text()) : null;
    },
    async deleteChat(sessionId) {
      await COPIES.delete(`chat/${sessionId}`);
    },
    async noteDeletion({ id, createdAt }) {
      await COPIES.put(`deleted/${id}-${createdAt}`, "");
    },
  };
}
