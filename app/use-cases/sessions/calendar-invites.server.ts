// Calendar mail: its causes, and the email with the version of the session that a person gets next (F-20 to F-24).
import { newEventId } from "#db/queries/notices/events";
import * as queries from "#db/queries/sessions/calendar-invites";
import { type CalendarSite, entryOf } from "~/domain/calendar";
import type { TimeReader } from "~/domain/days";
import {
  type CalendarInvite,
  type CalendarInviteBody,
  knownByOf,
  mailedOf,
  nextInvitation,
} from "~/domain/notices/calendar-invites";
import { subjectOf } from "~/domain/notices/events";
import { calendarSentence } from "~/domain/notices/texts";
import type { Instant } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import type { Email } from "~/use-cases/ports.server";
import { calendarSite, findSiteName } from "./calendar-site.server";

type CauseOptions = {
  isNew?: true;
  /** The planned starts before and after a change. */
  starts?: readonly (Instant | null)[];
  /** The planned start is over. */
  isLate?: boolean;
};

/**
 * The cause of calendar mail. It precedes other causes of its batch, whose email then joins it (F-24). The actor is a
 * recipient too: the mail is about the actor's calendar.
 */
export const calendarCause = (
  app: Pick<App, "now">,
  sessionId: number,
  { isNew, starts = [], isLate = false }: CauseOptions = {},
) => ({
  id: newEventId(app.now, { isFirst: true }),
  kind: "calendar" as const,
  subject: subjectOf("session", sessionId),
  actorId: null,
  body: {
    ...(isNew ? { isNew } : {}),
    knownBy: isLate ? app.now : knownByOf(starts, app.now),
  },
  at: app.now,
});

type ClaimedDelivery = { key: string; body: object; tries: number; leaseUntil: Instant | null };

/** The facts of an invitation, and how this installation names its entries. */
export type CalendarInviteFacts = queries.CalendarInviteFacts & { site: CalendarSite };

export async function listInvitations(app: App, keys: string[]): Promise<CalendarInviteFacts[]> {
  const [rows, name] = await app.db.batch([queries.listCalendarInviteFacts(app.db, keys), findSiteName(app)]);
  const site = await calendarSite(app, name);
  return rows.map((row) => ({ ...row, site }));
}

/** The next version for the person of a claimed delivery, or the reason to send none. */
export function nextVersion(
  app: App,
  delivery: ClaimedDelivery,
  row: CalendarInviteFacts | undefined,
): CalendarInvite | "started" | "stale" {
  const session = row && hasSession(row) && !row.isTemplate ? row : null;
  const { mailed, isNew } = delivery.body as CalendarInviteBody;
  return nextInvitation({
    entry: session ? entryOf(session, session.site, true) : null,
    hasSeat: row?.isSeated === 1,
    mailed,
    isNew: isNew === 1,
    isRepeat: delivery.tries > 1,
    now: app.now,
  });
}

/** Checks one column of a left join, because all of them are set, or none. */
const hasSession = (row: CalendarInviteFacts): row is CalendarInviteFacts & SessionColumns => row.id !== null;
type SessionColumns = Parameters<typeof entryOf>[0];

export const sentenceOf = ({ news, entry }: CalendarInvite, reader: TimeReader): string =>
  calendarSentence(news, entry, reader);

/** The email with `invite.ics`; its key names the version. */
export async function withCalendarInvite(
  app: App,
  email: Email,
  invite: CalendarInvite,
  host: string | null,
): Promise<Email> {
  const { method, entry } = invite;
  const content = await app.calendar.write([entry], {
    name: entry.title,
    method,
    people: { host: host ?? app.settings.appName, attendee: email.to },
  });
  return {
    ...email,
    key: `${email.key}:${entry.sequence}`,
    attachments: [
      { filename: "invite.ics", type: `text/calendar; method=${method}; charset=utf-8`, content },
    ],
  };
}

/** False when a newer change has renewed the delivery since its claim: that one is sent instead. */
export async function reserveInvite(
  app: App,
  delivery: ClaimedDelivery,
  invite: CalendarInvite,
): Promise<boolean> {
  const claim = { key: delivery.key, lease: delivery.leaseUntil as Instant };
  return (await queries.reserveVersion(app.db, claim, mailedOf(invite))).length > 0;
}
