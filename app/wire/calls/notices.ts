// Notices and their settings (N-08, N-10, N-14).
import { z } from "zod";
import { CHANNELS, type Channel, DIGESTS, type Digest } from "~/domain/notices/notices";
import { oneLine } from "~/domain/text-fields";
import type { Instant } from "~/domain/time";
import { call, fields, listCall } from "../call";
import { noticeCursor, noticeOut, settingOut } from "../notices/notices";

type NoticeList = {
  rows: { id: string; text: string; path: string; at: Instant; isUnread: boolean }[];
  after: string | null;
  unread: number;
};
type Settings = {
  kinds: { kind: string; values: Record<Channel, number | null> }[];
  quiet: { from: string; to: string } | null;
  digest: Digest;
};

const time = oneLine().max(10);
const A_VALUE = "Please give a number of minutes from 0 to 1,440.";
const setting = z.object({
  kind: oneLine().max(40),
  channel: z.enum(CHANNELS, "Please name a channel: app, mail or push."),
  value: z.number(A_VALUE).int(A_VALUE).min(0, A_VALUE).max(1440, A_VALUE),
});

export const noticeCalls = {
  listMyNotices: listCall("GET /api/my/notices", "List your notices", {
    scope: "read",
    rows: "rows",
    input: fields({ query: { after: noticeCursor } }),
    who: "signed-in",
    answer: ({ rows, after, unread }: NoticeList) => ({ notices: rows.map(noticeOut), after, unread }),
  }),
  readNotices: call("POST /api/my/notices/read", "Mark notices as read", {
    scope: "write",
    limits: ["change-notice"],
    input: fields({
      body: { ids: z.array(oneLine().max(80)).max(1000).optional(), key: oneLine().max(300).optional() },
    }),
    bodyLimit: 128 * 1024,
    answer: ({ unread }: { unread: number }) => ({ unread }),
  }),
  changeNoticeSettings: call("PATCH /account/notifications", "Change which notices reach you, and how", {
    scope: "none",
    limits: ["change-notice"],
    input: fields({
      body: {
        settings: z.array(setting).max(100).optional().default([]),
        quiet: z.object({ from: time, to: time }).nullable().optional(),
        digest: z.enum(DIGESTS, "Please choose off, daily or weekly.").optional(),
      },
    }),
    bodyLimit: 16 * 1024,
    answer: ({ kinds, quiet, digest }: Settings) => ({
      settings: kinds.flatMap(({ kind, values }) =>
        CHANNELS.flatMap((channel) =>
          values[channel] === null ? [] : [settingOut({ kind, channel, value: values[channel] })],
        ),
      ),
      quiet,
      digest,
    }),
  }),
};
