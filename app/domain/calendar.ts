// Sessions as entries of a calendar: the window of a feed, and the links that add one entry. Pure.
import { beginningOf } from "~/domain/beginnings";
import type { Instant, Seconds } from "~/domain/time";
import { DAY, instant, later, plusSeconds, SECOND } from "~/domain/time";

/** A session as a calendar shows it. */
export type CalendarEntry = {
  /** `session-{id}@{name}` with the stored name of the installation's calendars; it never changes (F-07). */
  uid: string;
  /** Grows with each change of start, end, title or cancellation (F-08). */
  sequence: number;
  /** The instant of that change. */
  changedAt: Instant;
  start: Instant;
  end: Instant;
  title: string;
  /** The session's summary, its address and that of its series. */
  description: string;
  /** The address of the session's page. */
  address: string;
  isCancelled: boolean;
};

export type CalendarRow = {
  id: number;
  title: string;
  summary: string;
  startedAt: Instant | null;
  endedAt: Instant | null;
  duration: Seconds;
  closedAt: Instant | null;
  cancelledStart: Instant | null;
  sequence: number;
  changedAt: Instant;
  /** `/series/{slug}` of its series (H-11). */
  series?: string | null;
};

const MAX_DESCRIPTION_CHARS = 500;
export const MAX_FEED_ENTRIES = 1000;
const FEED_REACHES = { back: 60 * DAY, ahead: 180 * DAY } as const;
/** How long a cancelled session stays in a feed (F-12). */
const CANCELLED_RETENTION = 30 * DAY;

/** Control characters and lone surrogates would break the lines of a calendar. */
const cleanText = (text: string): string =>
  text.replace(/\r\n?|\u0085|\u2028|\u2029/g, "\n").replace(/[^\P{Cc}\t\n]|\p{Cs}/gu, "");

/** The first 500 characters of a summary, and the address of the session (F-10), with that of its series (H-11). */
export function entryText(summary: string, address: string): string {
  const text = beginningOf(cleanText(summary), MAX_DESCRIPTION_CHARS).trim();
  return text === "" ? address : `${text}\n\n${address}`;
}

/** The planned start and end of a cancelled session, else start and end; null without a start (F-06). */
function timesOf(row: Omit<CalendarRow, "id" | "title" | "summary" | "sequence" | "changedAt">): {
  start: Instant;
  end: Instant;
  isCancelled: boolean;
} | null {
  const { cancelledStart, startedAt, endedAt, closedAt, duration } = row;
  const isCancelled = closedAt !== null && startedAt === closedAt && endedAt === closedAt;
  const start = isCancelled ? cancelledStart : startedAt;
  if (start === null) return null;
  const end = isCancelled || endedAt === null ? plusSeconds(start, duration) : endedAt;
  // An entry ends after its start, also one that ended in its first second.
  return { start, end: later(end, instant(start + SECOND)), isCancelled };
}

/** The address of the site, and the stored name behind the @ of each UID. */
export type CalendarSite = { origin: string; name: string };

/** A session as an entry; null without a start. `mayRead`: its summary is open to the reader. */
export function entryOf(
  row: CalendarRow,
  { origin, name }: CalendarSite,
  mayRead: boolean,
): CalendarEntry | null {
  const times = timesOf(row);
  if (times === null) return null;
  const address = `${origin}/sessions/${row.id}`;
  return {
    ...times,
    uid: `session-${row.id}@${name}`,
    sequence: row.sequence,
    changedAt: row.changedAt,
    title: cleanText(row.title).replace(/\n/g, " "),
    description: entryText(
      mayRead ? row.summary : "",
      row.series == null ? address : `${address}\n${origin}${row.series}`,
    ),
    address,
  };
}

/** True if a feed contains the session at `now` (F-05, F-12). */
export function isInFeed(row: CalendarRow, now: Instant): boolean {
  const times = timesOf(row);
  if (times === null) return false;
  if (times.isCancelled && (row.closedAt ?? 0) <= now - CANCELLED_RETENTION) return false;
  return times.start >= now - FEED_REACHES.back && times.start <= now + FEED_REACHES.ahead;
}

/** The nearest 1,000 entries, by start. */
export function nearestEntries(entries: readonly CalendarEntry[], now: Instant): CalendarEntry[] {
  const distance = ({ start }: CalendarEntry) => Math.abs(start - now);
  const nearest =
    entries.length <= MAX_FEED_ENTRIES
      ? entries
      : [...entries].sort((a, b) => distance(a) - distance(b)).slice(0, MAX_FEED_ENTRIES);
  return [...nearest].sort((a, b) => a.start - b.start || (a.uid < b.uid ? -1 : 1));
}

export const ONLINE_CALENDARS = ["google", "outlook"] as const;
export type OnlineCalendar = (typeof ONLINE_CALENDARS)[number];

/** The form of an online calendar with the entry filled in (F-18). */
export function linkTo(
  calendar: OnlineCalendar,
  { title, start, end, description, address }: CalendarEntry,
): string {
  const iso = (at: Instant) => new Date(at).toISOString();
  const compact = (at: Instant) => iso(at).replace(/[-:]|\.\d+/g, "");
  const [form, query] =
    calendar === "google"
      ? [
          "https://calendar.google.com/calendar/render",
          {
            action: "TEMPLATE",
            text: title,
            dates: `${compact(start)}/${compact(end)}`,
            details: description,
            location: address,
          },
        ]
      : [
          "https://outlook.live.com/calendar/0/deeplink/compose",
          {
            path: "/calendar/action/compose",
            rru: "addevent",
            subject: title,
            startdt: iso(start),
            enddt: iso(end),
            body: description,
            location: address,
          },
        ];
  return `${form}?${new URLSearchParams(query)}`;
}
