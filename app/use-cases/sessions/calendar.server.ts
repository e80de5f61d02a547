// Calendar addresses, feeds and files (F-01 to F-19).
import { recordIfChanged } from "#db/queries/accounts/change-emails";
import * as seriesPage from "#db/queries/series/page";
import * as queries from "#db/queries/sessions/calendar";
import {
  type CalendarEntry,
  type CalendarRow,
  type CalendarSite,
  entryOf,
  isInFeed,
  linkTo,
  MAX_FEED_ENTRIES,
  nearestEntries,
  type OnlineCalendar,
} from "~/domain/calendar";
import { AppError } from "~/domain/errors";
import { requireUser } from "~/domain/permissions";
import { seriesAddress } from "~/domain/series/address";
import * as sessionRefusals from "~/domain/sessions/refusals";
import type { Instant } from "~/domain/time";
import { accountChangeCause } from "~/use-cases/accounts/change-emails.server";
import type { App } from "~/use-cases/app.server";
import { networkOf } from "~/use-cases/network.server";
import { wakeEvents } from "~/use-cases/notices/events.server";
import { type Attempt, countAttempts, countUse, giveBackAttempts } from "~/use-cases/rate-limits.server";
import { logSecurity } from "~/use-cases/security-log.server";
import { hashToken, newToken } from "~/use-cases/tokens.server";
import { calendarSite, findSiteName } from "./calendar-site.server";
import { mayRead, readSession } from "./read.server";

// ---- the address

/** The user's calendar address, without its secret. */
export async function viewCalendar(app: App): Promise<{ since: Instant | null }> {
  const [feed] = await queries.findFeedOf(app.db, requireUser(app.user).id);
  return { since: feed?.createdAt ?? null };
}

/** The answer is the only copy of the address, because the database stores a hash of its secret (F-02). */
type NewAddress = { address: string };

const newSecret = async () => {
  const secret = newToken();
  return { secret, secretHash: await hashToken(secret) };
};
const addressOf = (app: App, secret: string): NewAddress => ({
  address: `${app.settings.origin}/account/calendar/${secret}.ics`,
});

/** CONFLICT when the user has an address: only renewing replaces it. */
export const createCalendarAddress = (app: App): Promise<NewAddress> =>
  writeAddress(app, {
    write: queries.createFeed,
    refusal: sessionRefusals.hasCalendar,
    sentence: "A calendar address was created for your account just now.",
  });

/** Replaces the secret in one statement (F-03). CONFLICT without an address. */
export const renewCalendarAddress = (app: App): Promise<NewAddress> =>
  writeAddress(app, {
    write: queries.renewFeed,
    refusal: sessionRefusals.noCalendar,
    sentence: "The calendar address of your account was renewed just now.",
  });

/** Writes the hash of a new secret and notifies the user; `write` returns no row where the refusal applies. */
async function writeAddress(
  app: App,
  {
    write,
    refusal,
    sentence,
  }: { write: typeof queries.createFeed | typeof queries.renewFeed; refusal: string; sentence: string },
): Promise<NewAddress> {
  const user = requireUser(app.user);
  await countUse(app, "change-calendar", user.id);
  const { secret, secretHash } = await newSecret();
  const change = accountChangeCause(app, "calendar", sentence);
  const [[writtenFeed]] = await app.db.batch([
    write(app.db, { userId: user.id, secretHash, now: app.now }),
    recordIfChanged(app.db, change, user.id),
  ]);
  if (!writtenFeed) throw new AppError("CONFLICT", refusal);
  logSecurity(app, { event: "calendar-address-made", userId: user.id });
  wakeEvents(app, [change]);
  return addressOf(app, secret);
}

/** Does nothing without an address. */
export async function turnCalendarOff(app: App): Promise<void> {
  const user = requireUser(app.user);
  await countUse(app, "change-calendar", user.id);
  await queries.deleteFeed(app.db, user.id);
  logSecurity(app, { event: "calendar-address-off", userId: user.id });
}

// ---- feeds

/**
 * The personal feed of a secret (F-05): null for an unknown secret, and `text` null when the caller has a recent copy.
 * With a copy it reads one row. RATE_LIMITED beyond 60 requests an hour (F-16), and beyond 200 unknown addresses from a
 * network.
 */
export async function readFeed(
  app: App,
  { secret, hasCopy }: { secret: string; hasCopy: boolean },
): Promise<{ text: string | null } | null> {
  const network: Attempt = { what: "calendar-network", by: networkOf(app) };
  await countAttempts(app, network);
  const secretHash = await hashToken(secret);
  const feedQuery = queries.findFeed(app.db, secretHash, app.now);
  const [[feed], rows, name] = hasCopy
    ? [await feedQuery, [], []]
    : await app.db.batch([feedQuery, queries.listFeedSessions(app.db, secretHash), findSiteName(app)]);
  if (!feed || feed.suspension !== null) return null;
  app.defer(giveBackAttempts(app, network));
  await countAttempts(app, { what: "calendar", by: secretHash });
  if (hasCopy) return { text: null };
  const feedRows = rows.filter((row) => !row.isTemplate && isInFeed(row, app.now));
  const entries = entriesOf(app, await calendarSite(app, name), feedRows, () => true);
  return { text: await writeFeed(app, `${app.settings.appName}: my sessions`, entries) };
}

/** A public feed reads this many sessions at most, of which the nearest are shown. */
const MAX_OPEN_SESSIONS = 2 * MAX_FEED_ENTRIES;

/** The public feed of a hut (F-17). NOT_FOUND for a private hut, to its members too: the feed has no login. */
export async function readHutFeed(app: App, { hut }: { hut: string }): Promise<string> {
  const statements = queries.readHutFeed(app.db, hut, app.now, MAX_OPEN_SESSIONS);
  return writePublicFeed(app, await app.db.batch([...statements, findSiteName(app)]));
}

/** The public feed of an activity (F-17). */
export async function readActivityFeed(app: App, { activity }: { activity: string }): Promise<string> {
  const statements = queries.readActivityFeed(app.db, activity, app.now, MAX_OPEN_SESSIONS);
  return writePublicFeed(app, await app.db.batch([...statements, findSiteName(app)]));
}

/** The public feed of a series (H-15). */
export async function readSeriesFeed(app: App, { series }: { series: string }): Promise<string> {
  const statements = seriesPage.readSeriesFeed(app.db, series, app.now, MAX_OPEN_SESSIONS);
  return writePublicFeed(app, await app.db.batch([...statements, findSiteName(app)]));
}

type PublicRow = CalendarRow & { needsCode: boolean };

async function writePublicFeed(
  app: App,
  [[source], rows, name]: readonly [{ title: string }[], PublicRow[], { mark: string }[]],
): Promise<string> {
  if (!source) throw new AppError("NOT_FOUND");
  const feedRows = rows.filter((row) => isInFeed(row, app.now));
  const entries = entriesOf(app, await calendarSite(app, name), feedRows, (row) => !row.needsCode);
  return writeFeed(app, `${source.title} (${app.settings.appName})`, entries);
}

function entriesOf<R extends CalendarRow>(
  app: App,
  site: CalendarSite,
  rows: readonly R[],
  mayRead: (row: R) => boolean,
) {
  const entries = rows.map((row) => entryOf(row, site, mayRead(row)));
  return nearestEntries(
    entries.filter((entry) => entry !== null),
    app.now,
  );
}

const writeFeed = (app: App, name: string, entries: readonly CalendarEntry[]): Promise<string> =>
  app.calendar.write(entries, { name, method: "PUBLISH" });

// ---- one session

/** A session as a file (F-19), or the form of a calendar `to` which it is added (F-18). NOT_FOUND without a start. */
export async function exportSession(
  app: App,
  { session, to }: { session: number; to?: OnlineCalendar | undefined },
): Promise<{ name: string; text: string } | { link: string }> {
  const [row, name] = await Promise.all([readSession(app, { session }), findSiteName(app)]);
  const series = row.series && seriesAddress(row.series);
  const site = await calendarSite(app, name);
  const entry = row.isTemplate ? null : entryOf({ ...row, series }, site, mayRead(app, row));
  if (entry === null) throw new AppError("NOT_FOUND", sessionRefusals.noDate);
  if (to) return { link: linkTo(to, entry) };
  return { name: `${row.slug}.ics`, text: await writeFeed(app, row.title, [entry]) };
}
