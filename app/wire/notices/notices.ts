// The wire format of notices, their settings and deliveries.
import type { Channel } from "~/domain/notices/notices";
import { oneLine } from "~/domain/text-fields";
import type { Instant } from "~/domain/time";
import { flagOut, instantOut } from "~/wire/values";

/** The id of the last notice of a page; anything else begins at the newest. */
export const noticeCursor = oneLine()
  .regex(/^e[a-z\d+-]{1,60}$/)
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

type Setting = { kind: string; channel: Channel; value: number };
export const settingOut = ({ kind, channel, value }: Setting) => ({ kind, channel, value });

type Delivery = {
  kind: string;
  channel: string;
  state: string;
  reason: string;
  dueAt: Instant | null;
  at: Instant;
};
/** A notice's way to its reader by email or push. */
export const deliveryOut = (delivery: Delivery) => ({
  kind: delivery.kind,
  channel: delivery.channel,
  state: delivery.state,
  reason: delivery.reason,
  due_at: instantOut(delivery.dueAt),
  created_at: instantOut(delivery.at),
});
