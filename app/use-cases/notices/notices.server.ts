// The user's notices in the app, and the settings of all channels (N-08 to N-14).
import { runBatch } from "#db/connect.server";
import * as notices from "#db/queries/notices/notices";
import { invalid } from "~/domain/errors";
import { noticeOfKey } from "~/domain/notices/deliveries";
import { eventRule, noticeOf, SHOWN_KINDS } from "~/domain/notices/event-rules";
import { listOfSubject } from "~/domain/notices/events";
import {
  CHANNELS,
  type Channel,
  type Digest,
  FIXED_KIND,
  isNoticeKind,
  isSettingValue,
  kindRule,
  type NoticeKind,
  settingOf,
} from "~/domain/notices/notices";
import { minuteOfText, textOfMinute } from "~/domain/notices/quiet-hours";
import * as noticeRefusals from "~/domain/notices/refusals";
import { writeNotice } from "~/domain/notices/texts";
import { requireUser } from "~/domain/permissions";
import type { Instant } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import { countUse } from "~/use-cases/rate-limits.server";
import { differencesIn } from "./events.server";

export type NoticeShown = {
  id: string;
  kind: NoticeKind;
  text: string;
  path: string;
  at: Instant;
  isUnread: boolean;
  /** The person whose act it is, the first where several merged; null where nobody is named. */
  name: string | null;
  /** The label of the notice's button; null where it has none. */
  asks: string | null;
};
export type NoticeList = {
  rows: NoticeShown[];
  /** The cursor of the next page; null on the last. */
  after: string | null;
  unread: number;
};
type ListInput = { after?: string | undefined };

/** Newest first, by keyset; a page's last row is the cursor of the next (N-08). */
export async function listNotices(app: App, { after }: ListInput): Promise<NoticeList> {
  const user = requireUser(app.user);
  const limit = app.settings.perPage;
  const rows = await notices.listNotices(app.db, user.id, { after, limit });
  return asNoticeList(app, rows, user.unreadNotices);
}

/** The list for its page, which marks the rows as read (N-10). The answer has their state before that. */
export async function listNoticesAndMarkRead(app: App, { after }: ListInput): Promise<NoticeList> {
  const user = requireUser(app.user);
  const page = { after, limit: app.settings.perPage };
  const [rows] = await app.db.batch([
    notices.listNotices(app.db, user.id, page),
    notices.markPageRead(app.db, user.id, page, app.now),
    notices.updateUnreadCount(app.db, user.id),
  ]);
  return asNoticeList(app, rows, user.unreadNotices);
}

type NoticeRow = Awaited<ReturnType<typeof notices.listNotices>>[number];
/** A notice as its reader sees it; the path of a place that is closed to them is that of its list. */
export const showNotice = (app: App, row: NoticeRow): NoticeShown => ({
  ...writeNotice(row, app),
  ...(row.isOpen ? {} : { path: listOfSubject(row.subject) }),
  id: row.id,
  kind: noticeOf(row.kind),
  at: row.at,
  isUnread: row.readAt === null,
  name: (row.body as { name?: string }).name || null,
  asks: (row.isOpen && eventRule(row.kind).asks) || null,
});
const asNoticeList = (app: App, rows: NoticeRow[], unread: number): NoticeList => {
  const page = rows.slice(0, app.settings.perPage);
  return {
    rows: page.map((row) => showNotice(app, row)),
    after: rows.length > page.length ? (page.at(-1)?.id ?? null) : null,
    unread,
  };
};

/** Marks as read the notices with these ids, or that of a pressed push by its key (N-40); without either, all (N-10). */
export async function readNotices(
  app: App,
  { ids, key }: { ids?: string[] | undefined; key?: string | undefined },
): Promise<{ unread: number }> {
  const user = requireUser(app.user);
  await countUse(app, "change-notice", user.id);
  const pressedNotice = key === undefined ? null : noticeOfKey(key);
  // The push may be that of another account in this browser.
  const isOwn = pressedNotice?.userId === user.id;
  const [, counts] = await app.db.batch([
    key === undefined
      ? notices.markNoticesRead(app.db, user.id, ids, app.now)
      : isOwn
        ? notices.markSubjectRead(app.db, pressedNotice, app.now)
        : notices.markNoticesRead(app.db, user.id, [], app.now),
    notices.updateUnreadCount(app.db, user.id),
  ]);
  return { unread: counts[0]?.unread ?? (ids === undefined && key === undefined ? 0 : user.unreadNotices) };
}

// ---- settings

type KindShown = {
  kind: NoticeKind;
  label: string;
  isFixed: boolean;
  /** The value by channel, as in a setting; null where the kind has no such channel. */
  values: Record<Channel, number | null>;
};
export type NoticeSettings = {
  kinds: KindShown[];
  /** Push is left out where this server sends none. */
  channels: Channel[];
  quiet: { from: string; to: string } | null;
  digest: Digest;
};

export async function viewNoticeSettings(app: App): Promise<NoticeSettings> {
  const user = requireUser(app.user);
  const [row] = await notices.findSettings(app.db, user.id);
  const differences = differencesIn(row?.differences ?? "{}");
  const quietFrom = row?.quietFrom ?? null;
  const quietTo = row?.quietTo ?? null;
  return {
    kinds: SHOWN_KINDS.map((kind) => {
      const rule = kindRule(kind);
      const value = (channel: Channel) =>
        rule[channel] === null ? null : settingOf(differences, kind, channel);
      return {
        kind,
        label: rule.label,
        isFixed: rule.isFixed === true,
        values: { app: value("app"), mail: value("mail"), push: value("push") },
      };
    }),
    channels: CHANNELS.filter((channel) => channel !== "push" || app.push !== null),
    quiet:
      quietFrom === null || quietTo === null
        ? null
        : { from: textOfMinute(quietFrom), to: textOfMinute(quietTo) },
    digest: row?.digest ?? "off",
  };
}

export type SettingsInput = {
  settings: { kind: string; channel: Channel; value: number }[];
  /** Null turns quiet hours off; without it they stay. */
  quiet?: { from: string; to: string } | null | undefined;
  digest?: Digest | undefined;
};

/** INVALID for an unknown kind, for security emails, and for a value that the kind does not have (N-14). */
export async function changeNoticeSettings(app: App, input: SettingsInput): Promise<NoticeSettings> {
  const user = requireUser(app.user);
  await countUse(app, "change-notice", user.id);
  const changed = input.settings.map(({ kind, channel, value }) => {
    if (!isNoticeKind(kind)) throw invalid("settings", noticeRefusals.noKind(kind));
    if (kindRule(kind).isFixed) throw invalid("settings", FIXED_KIND);
    if (kindRule(kind)[channel] === null || !isSettingValue(kind, value))
      throw invalid("settings", noticeRefusals.noValue(kind));
    const isDefault = value === settingOf({}, kind, channel);
    return { kind, channel, value, isDefault };
  });
  const { quiet, digest } = input;
  const hours = quiet
    ? { quietFrom: minuteOfText(quiet.from), quietTo: minuteOfText(quiet.to) }
    : quiet === null
      ? { quietFrom: null, quietTo: null }
      : {};
  if (quiet && (hours.quietFrom === null || hours.quietTo === null))
    throw invalid("quiet", noticeRefusals.badHours);
  await runBatch(app.db, [
    ...notices.changeSettings(app.db, user.id, changed),
    ...(quiet === undefined && digest === undefined
      ? []
      : [
          notices.updateMailTimes(app.db, user.id, { ...hours, ...(digest === undefined ? {} : { digest }) }),
        ]),
  ]);
  return viewNoticeSettings(app);
}
