// The calls of the frame around every page. They are rare, so a page loads them when it makes the first.
import { callServer } from "~/hooks/call-server";

export async function readUnread(): Promise<number> {
  const answer = await callServer<{ serverData: { unread: number } }>("listMyNotices");
  return answer.serverData.unread;
}

export const postReadMessage = (key: string): Promise<unknown> =>
  callServer("readNewMessage", { body: { message_key: key } });
