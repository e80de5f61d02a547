// Statements on series and their days (G-04 to G-14). Use cases run them.
import { and, asc, desc, eq, getTableColumns, gt, isNull, type SQL, sql } from "drizzle-orm";
import { type Database, type Statement, schema } from "#db/connect.server";
import { isUnblocked, recordEvent } from "#db/queries/notices/events";
import { personInHut, personInRota, personNameOf, personOf } from "#db/queries/person-of-row";
import { laterVersion } from "#db/queries/sessions/guest-limits";
import { mayHostSeries } from "#db/queries/sessions/hand-over";
import { isHostOf } from "#db/queries/sessions/participants";
import { isSeriesOpen, type Viewer } from "#db/queries/visibility";
import type { NewEvent } from "~/domain/notices/cause";
import type { SeriesStop } from "~/domain/series/stops";
import type { Instant } from "~/domain/time";
import { selectGuestLimit, selectOwnersAnswer } from "./rota";
import { type SeriesRef, seriesIdAt } from "./slugs";

const { series, seriesDays, standingSeats, sessions, users, persons } = schema;

export type NewSeries = typeof series.$inferInsert;
export type SeriesRow = typeof series.$inferSelect;

export const insertSeries = (db: Database, row: NewSeries) => db.insert(series).values(row).returning();

/** Adds the session of the first day to the series inserted in this batch. */
export const adoptSession = (
  db: Database,
  ownerId: number,
  sessionId: number | SQL,
  day: string,
): Statement =>
  db
    .update(sessions)
    .set({ seriesId: sql`(SELECT max(id) FROM series WHERE owner_id = ${ownerId})`, seriesDay: day })
    .where(and(sql`${sessions.id} = ${sessionId}`, isNull(sessions.seriesId), isNull(sessions.closedAt)));

export const countSeriesOf = (db: Database, ownerId: number) =>
  db
    .select({ count: sql<number>`count(*)`.as("series_count") })
    .from(series)
    .where(and(eq(series.ownerId, ownerId), isNull(series.endedAt)));

/** A series with its host's name and the viewer's standing seat. */
const selectSeries = (db: Database, userId: Viewer) =>
  db
    .select({
      ...getTableColumns(series),
      /** Empty for a viewer with whom a block exists (Q-12). */
      ownerName:
        sql<string>`iif(${isUnblocked(sql`${userId}`, sql`${series.ownerId}`)}, ${personNameOf(sql`${series.personId}`, sql`${series.ownerId}`)}, '')`.as(
          "owner_name",
        ),
      /** A person outside its hut, or kept out of it, reads nothing of the series (R-56). */
      isOpen: sql<boolean>`${isSeriesOpen("series", userId)}`.mapWith(Boolean).as("is_open"),
      /** The viewer's own answer for guests as an accepted host of the rota; null for others. */
      ownGuests: sql<
        number | null
      >`(SELECT iif(rh.user_id = ${series.ownerId}, ${selectOwnersAnswer("series")}, rh.guest_limit) FROM rota_hosts rh WHERE rh.series_id = ${series.id} AND rh.user_id = ${userId} AND rh.accepted_at IS NOT NULL)`.as(
        "own_guests",
      ),
      turn: sql<
        "invited" | "host" | null
      >`(SELECT iif(rh.accepted_at IS NULL, 'invited', 'host') FROM rota_hosts rh WHERE rh.series_id = ${series.id} AND rh.user_id = ${userId})`.as(
        "turn",
      ),
      standingSince: sql<Instant | null>`${standingSeats.since}`.as("standing_since"),
      codeAskedAt: sql<Instant | null>`${standingSeats.codeAskedAt}`.as("standing_code_asked"),
      holdersCount: sql<number>`(SELECT count(*) FROM standing_seats h WHERE h.series_id = ${series.id})`.as(
        "holders_count",
      ),
    })
    .from(series)
    .leftJoin(standingSeats, and(eq(standingSeats.seriesId, series.id), eq(standingSeats.userId, userId)));
export type ShownSeriesRow = Awaited<ReturnType<typeof findSeries>>[number];

export const findSeries = (db: Database, ref: SeriesRef, userId: Viewer) =>
  selectSeries(db, userId)
    .where(sql`${series.id} = ${seriesIdAt(ref)}`)
    .limit(1);

/** Series that the user hosts, hosts in turn, or has a standing seat in: active ones first, then the latest first. */
export const listMySeries = (db: Database, userId: number, limit: number) =>
  selectSeries(db, userId)
    .where(
      sql`${series.id} IN (SELECT o.id FROM series o WHERE o.owner_id = ${userId} UNION SELECT t.series_id FROM standing_seats t WHERE t.user_id = ${userId}
        UNION SELECT rh.series_id FROM rota_hosts rh JOIN series i ON i.id = rh.series_id WHERE rh.user_id = ${userId} AND i.ended_at IS NULL AND ${isUnblocked(sql`rh.user_id`, sql`i.owner_id`)})
        AND ${isSeriesOpen("series", userId)}`,
    )
    .orderBy(sql`${series.endedAt} IS NOT NULL`, desc(series.id))
    .limit(limit);

/** The user's own series after an id, oldest first. */
export const exportSeries = (db: Database, ownerId: number, afterId: number, limit: number) =>
  selectSeries(db, ownerId)
    .where(and(eq(series.ownerId, ownerId), gt(series.id, afterId)))
    .orderBy(asc(series.id))
    .limit(limit);

export const updateSeries = (db: Database, id: number, change: Partial<NewSeries>) =>
  db.update(series).set(change).where(eq(series.id, id)).returning();

/**
 * Active series whose dates before `before` are not laid out yet: by turns the most urgent of those that stopped last
 * time and of the others, because a stopped one is urgent every night. Series of suspended hosts are left out, and so
 * are those of hosts whose account is about to be deleted (R-67).
 */
export const listSeriesToLayOut = (
  db: Database,
  before: Instant,
  now: Instant,
  limit: number,
  onlyId?: number,
) =>
  db
    .select({
      ...getTableColumns(series),
      username: sql<string>`${persons.username}`.as("host_name"),
      personId: sql<number>`${persons.id}`.as("host_person"),
      zone: sql<string>`${users.timeZone}`.as("host_zone"),
      email: sql<string>`${users.email}`.as("host_email"),
      guestLimit: selectGuestLimit(selectOwnersAnswer("series")).as("guests_of_host"),
    })
    .from(series)
    .innerJoin(users, eq(users.id, series.ownerId))
    .innerJoin(persons, sql`${persons.id} = ${personOf(sql`${series.personId}`, sql`${series.ownerId}`)}`)
    .where(
      // The inner statement sorts without the templates, which are large.
      sql`${series.id} IN (SELECT due.id FROM series due JOIN users o ON o.id = due.owner_id
        WHERE due.laid_until < ${before} AND due.paused_at IS NULL AND due.ended_at IS NULL
        AND ${onlyId === undefined ? sql`1` : sql`due.id = ${onlyId}`} AND o.deletion_due_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM sanctions b WHERE b.scope = 'site' AND b.user_id = due.owner_id AND (b.until IS NULL OR b.until > ${now}))
        ORDER BY row_number() OVER (PARTITION BY due.stop IS NULL ORDER BY due.laid_until, due.id), due.laid_until LIMIT ${limit})`,
    )
    .orderBy(asc(series.laidUntil));
export type SeriesToLayOut = Awaited<ReturnType<typeof listSeriesToLayOut>>[number];

/** Ends all series of a hut. A series that has ended keeps its end. */
export const endSeriesIn = (db: Database, hutId: number, now: Instant) =>
  db
    .update(series)
    .set({ endedAt: sql`coalesce(ended_at, ${now})`, updatedAt: now })
    .where(eq(series.hutId, hutId))
    .returning({ id: series.id });

type PassedSeries = { id: number; from: number; keepsCall: boolean; isDeleted: boolean };

/**
 * Gives the series to another host, if `from` still hosts it. The template then has the new host's answer to the turn, or
 * no guests, because nobody else may decide that this host pays for them (H-17). The new host keeps the person that the
 * rota or the hut knows. `keepsFree`: the new host has accepted to pay for everybody who joins (R-55). The donation link
 * was the former host's, and without `keepsCall` so was the call, unless each date has one of its own.
 */
export const passSeries = (
  db: Database,
  {
    id,
    from,
    to,
    now,
    keepsFree,
    keepsCall,
  }: Omit<PassedSeries, "isDeleted"> & { to: number; now: Instant; keepsFree: boolean },
) => {
  const dropped = [
    sql`'$.donationLink'`,
    ...(keepsFree ? [] : [sql`'$.isFree'`]),
    ...(keepsCall ? [] : [sql`iif(template ->> '$.hasOwnCalls', '$.donationLink', '$.meetingLink')`]),
  ];
  return db
    .update(series)
    .set({
      ownerId: to,
      personId: sql`coalesce(${personInRota(sql`${series}.id`, sql`${to}`)},
        ${personOf(personInHut(sql`${series}.hut_id`, sql`${to}`), sql`${to}`)})`,
      template: sql`json_set(json_remove(template, ${sql.join(dropped, sql`, `)}), '$.guestLimit', coalesce((SELECT h.guest_limit FROM rota_hosts h
        WHERE h.series_id = ${series}.id AND h.user_id = ${to} AND h.accepted_at IS NOT NULL), 0))`,
      updatedAt: now,
    })
    .where(and(eq(series.id, id), eq(series.ownerId, from), isNull(series.endedAt)));
};

/**
 * Takes the addresses of the host before out of the sessions that others host in turn, as a save of them (R-69). Closed
 * sessions keep them unless the host `isDeleted`. Answers the changed sessions. Runs before `passSeries` in its batch.
 */
export const dropLinksOfSeries = (
  db: Database,
  { id, from, now, keepsCall, isDeleted }: PassedSeries & { now: Instant },
) => {
  const isOwn = (column: SQL, path: SQL) =>
    sql`(${column} <> '' AND ${column} = (SELECT r.template ->> ${path} FROM series r WHERE r.id = ${id} AND r.owner_id = ${from}))`;
  const isOwnPage = isOwn(sql`donation_link`, sql`'$.donationLink'`);
  const isOwnCall = keepsCall ? sql`0` : isOwn(sql`meeting_link`, sql`'$.meetingLink'`);
  return db
    .update(sessions)
    .set({
      donationLink: sql`iif(${isOwnPage}, '', donation_link)`,
      meetingLink: sql`iif(${isOwnCall}, '', meeting_link)`,
      updatedAt: laterVersion(now),
    })
    .where(
      sql`series_id = ${id} AND ${isDeleted ? sql`1` : sql`closed_at IS NULL`} AND (${isOwnPage} OR ${isOwnCall})`,
    )
    .returning({ id: sessions.id, closedAt: sessions.closedAt });
};

/**
 * The user's series that go on, each with the first host of its rota who may host it (R-88), and those that have ended
 * with an address of the user in them.
 */
export const listHeirs = (db: Database, ownerId: number, now: Instant) =>
  db
    .select({
      id: series.id,
      endedAt: series.endedAt,
      // Drizzle would write the column of a single table without its name, and `id` is also that of `r`.
      heirId: sql<number | null>`(SELECT h.user_id FROM rota_hosts h JOIN series r ON r.id = h.series_id
        WHERE h.series_id = series.id AND r.ended_at IS NULL AND h.accepted_at IS NOT NULL AND h.user_id <> ${ownerId} AND ${mayHostSeries(sql`h.user_id`, now)}
        ORDER BY h.place, h.user_id LIMIT 1)`.as("heir"),
      call: sql<string>`coalesce(template ->> '$.meetingLink', '')`.as("call"),
    })
    .from(series)
    .where(
      sql`${series.ownerId} = ${ownerId} AND (${series.endedAt} IS NULL OR template ->> '$.donationLink' <> '' OR template ->> '$.meetingLink' <> '')`,
    );

/** Sessions that have not begun, of series that have ended (G-12). */
export const listUpcomingOfEndedSeries = (
  db: Database,
  owner: { hutId: number } | { seriesId: number } | { userId: number },
  now: Instant,
  limit: number,
) =>
  db
    .select({ id: sessions.id })
    .from(series)
    .innerJoin(sessions, eq(sessions.seriesId, series.id))
    .where(
      and(
        "hutId" in owner
          ? eq(series.hutId, owner.hutId)
          : "seriesId" in owner
            ? eq(series.id, owner.seriesId)
            : eq(series.ownerId, owner.userId),
        sql`${series.endedAt} IS NOT NULL AND ${sessions.closedAt} IS NULL AND (${sessions.startedAt} IS NULL OR ${sessions.startedAt} > ${now})`,
      ),
    )
    .limit(limit);

/** A condition: the series goes on, and its host has not changed it since the read. */
export const goesOnUnchanged = ({ id, updatedAt }: { id: number; updatedAt: Instant }): SQL =>
  sql`EXISTS (SELECT 1 FROM series r WHERE r.id = ${id} AND r.ended_at IS NULL AND r.paused_at IS NULL AND r.updated_at = ${updatedAt})`;

type SeriesVersion = { id: number; laidUntil: Instant; updatedAt: Instant };
/** Stores how far the series is laid out, unless the series has changed meanwhile. */
export const markLaidOut = (
  db: Database,
  version: SeriesVersion,
  change: { laidUntil: Instant; stop: SeriesStop | null },
) => db.update(series).set(change).where(isUnchangedSince(version));
const isUnchangedSince = (version: SeriesVersion): SQL =>
  sql`${series.id} = ${version.id} AND ${series.laidUntil} = ${version.laidUntil} AND ${series.updatedAt} = ${version.updatedAt}`;

/**
 * Notifies the host of a day for which the tokens are missing (G-09). It runs before `markLaidOut` in the same batch.
 */
export const recordUnpaid = (
  db: Database,
  version: SeriesVersion,
  unpaid: NewEvent<"series-unpaid">,
): Statement =>
  recordEvent(db, unpaid, {
    condition: sql`EXISTS (SELECT 1 FROM ${series} WHERE ${isUnchangedSince(version)})`,
  });

/**
 * Takes a cancelled session out of its series, whose new rule skips the day, so that a later rule may name the day
 * again.
 */
export const detachSession = (db: Database, sessionId: number) =>
  db
    .update(sessions)
    .set({ seriesId: null, seriesDay: null })
    .where(and(eq(sessions.id, sessionId), sql`${sessions.closedAt} IS NOT NULL`));

// ---- days

export const listDays = (db: Database, ref: SeriesRef, from: string) =>
  db
    .select({ day: seriesDays.day, movedTo: seriesDays.movedTo })
    .from(seriesDays)
    .where(sql`series_id = ${seriesIdAt(ref)} AND day >= ${from}`)
    .orderBy(asc(seriesDays.day));

export const setDay = (db: Database, seriesId: number, day: string, movedTo: Instant | null): Statement =>
  db
    .insert(seriesDays)
    .values({ seriesId, day, movedTo })
    .onConflictDoUpdate({ target: [seriesDays.seriesId, seriesDays.day], set: { movedTo } });

/** Moves a day whose rule says `at`. Moved back to there, it follows the rule again. */
export const moveDay = (
  db: Database,
  seriesId: number,
  { day, at, to }: { day: string; at: Instant; to: Instant },
): Statement => (to === at ? deleteDay(db, seriesId, day) : setDay(db, seriesId, day, to));

export const deleteDay = (db: Database, seriesId: number, day: string) =>
  db.delete(seriesDays).where(and(eq(seriesDays.seriesId, seriesId), eq(seriesDays.day, day)));

/** The sessions from a day on, closed sessions included. `orOpen` adds the earlier sessions that are open. */
export const listSessions = (db: Database, ref: SeriesRef, from: string, { orOpen = false } = {}) =>
  db
    .select({
      id: sessions.id,
      title: sessions.title,
      day: sql<string>`${sessions.seriesDay}`.as("laid_day"),
      startedAt: sessions.startedAt,
      endedAt: sessions.endedAt,
      closedAt: sessions.closedAt,
      cancelledStart: sessions.cancelledStart,
      participantsCount: sessions.participantsCount,
      participantLimit: sessions.participantLimit,
      hostId: sql<number | null>`(SELECT h.user_id FROM participants h WHERE ${isHostOf(sessions)})`.as(
        "host_id",
      ),
    })
    .from(sessions)
    .where(
      sql`${sessions.seriesId} = ${seriesIdAt(ref)} AND (${sessions.seriesDay} >= ${from} ${orOpen ? sql`OR ${sessions.closedAt} IS NULL` : sql``})`,
    )
    .orderBy(asc(sessions.seriesDay));
export type SessionOfSeries = Awaited<ReturnType<typeof listSessions>>[number];
