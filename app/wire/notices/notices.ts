// The wire format of notices.
import { oneLine } from "~/domain/text-fields";
import type { Instant } from "~/domain/time";
import { flagOut, instantOut } from "~/wire/values";

/** The id of the last notice of a page; anything else begins at the newest. */
export const noticeCursor = oneLine()
  .regex(/^e[a-z\d-]{1,60}$/)
  .optional()
  .catch(undefined);

type Notice = { id: string; text: string; path: string; at: Instant; isUnread: boolean };
export const noticeOut = ({ id, text, path, at, isUnread }: Notice) => ({
  id,
  text,
  path,
  is_unread: flagOut(isUnread),
  created_at: instantOut(at),
});
