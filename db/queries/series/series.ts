// Statements on series, their days and standing seats (G-04 to G-15). Use cases run them.
import { and, asc, desc, eq, getTableColumns, gt, isNull, type SQL, sql } from "drizzle-orm";
import { type Database, type Statement, schema } from "#db/connect.server";
import { insertFrom } from "#db/queries/insert-from";
import { isHiddenFrom, isUnblocked, newEventId, recordEvent } from "#db/queries/notices/events";
import { personInHut, personInRota, personNameOf, personOf } from "#db/queries/person-of-row";
import { isLetIn } from "#db/queries/safety/sanctions";
import { laterVersion } from "#db/queries/sessions/guest-limits";
import { mayHostSeries } from "#db/queries/sessions/hand-over";
import { STANDING_SEAT_PREFIX, standingReferenceOf } from "#db/queries/sessions/paid-seats";
import { isHostOf } from "#db/queries/sessions/participants";
import { idOf } from "#db/queries/sessions/writes";
import { raiseLots, selectNextEntryIds } from "#db/queries/tokens";
import { isSeriesOpen, isVisible, type Viewer } from "#db/queries/visibility";
import type { NewEvent } from "~/domain/notices/cause";
import { subjectOf } from "~/domain/notices/events";
import type { SeriesStop } from "~/domain/series/stops";
import type { Instant } from "~/domain/time";
import { PRICES } from "~/domain/tokens";
import { selectGuestLimit, selectOwnersAnswer } from "./rota";
import { type SeriesRef, seriesIdAt } from "./slugs";

const { series, seriesDays, standingSeats, sessions, participants, tokenEntries, users, persons } = schema;

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
 * no guests, for which nobody else may make this host pay (H-17). The new host keeps the person that the rota or the hut
 * knows. `keepsFree`: the new host has accepted to pay for everybody who joins (R-55). The donation link was the former
 * host's, and without `keepsCall` so was the call, unless each date has one of its own.
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

// ---- standing seats

/** The series `r` still has this code. Somebody may have changed the code since it was read (R-95). */
const hasCode = (joinCode: string): SQL => sql`coalesce(r.template ->> '$.joinCode', '') = ${joinCode}`;

/**
 * Gives the user a standing seat. It does nothing for a person who is kept out or does not see the hut, nor where the
 * series now has another code than `joinCode`. A retry keeps the first instant.
 */
export const takeStandingSeat = (
  db: Database,
  seat: { seriesId: number; userId: number; personId: number; now: Instant; viewer: Viewer },
  joinCode: string,
) =>
  insertFrom(
    db,
    standingSeats,
    { seriesId: sql`r.id`, userId: seat.userId, personId: seat.personId, since: seat.now },
    sql`FROM series r WHERE r.id = ${seat.seriesId} AND r.ended_at IS NULL AND r.owner_id <> ${seat.userId}
        AND ${isLetIn(seat, { id: sql`0`, seriesId: sql`r.id`, hutId: sql`r.hut_id` })}
        AND ${isSeriesOpen("r", seat.viewer)} AND ${hasCode(joinCode)}`,
  ).onConflictDoNothing();

/**
 * Asks the holders of standing seats for the new code and notifies them (R-95), except people whom the host has invited
 * by name to host in turn. Two statements.
 */
export const askHoldersForCode = (
  db: Database,
  { seriesId, now }: { seriesId: number; now: Instant },
  cause: NewEvent<"standing-asked">,
): [Statement, Statement] => {
  const mustGiveCode = sql`series_id = ${seriesId} AND NOT EXISTS (SELECT 1 FROM rota_hosts rh WHERE rh.series_id = ${seriesId} AND rh.user_id = standing_seats.user_id)`;
  return [
    recordEvent(db, cause, {
      idLists: { to: sql`SELECT user_id AS id FROM standing_seats WHERE ${mustGiveCode}` },
    }),
    db.update(standingSeats).set({ codeAskedAt: now }).where(mustGiveCode),
  ];
};

/** Stops asking the holders for a code, because the series no longer has one. */
export const stopAskingForCode = (db: Database, seriesId: number): Statement =>
  db
    .update(standingSeats)
    .set({ codeAskedAt: null })
    .where(sql`series_id = ${seriesId} AND code_asked_at IS NOT NULL`);

/** Records that the user has given the code `joinCode`; changes nothing if the series now has another code. */
export const recordCodeGiven = (
  db: Database,
  { seriesId, userId }: { seriesId: number; userId: number },
  joinCode: string,
): Statement =>
  db
    .update(standingSeats)
    .set({ codeAskedAt: null })
    .where(
      sql`series_id = ${seriesId} AND user_id = ${userId}
        AND EXISTS (SELECT 1 FROM series r WHERE r.id = ${seriesId} AND ${hasCode(joinCode)})`,
    );

/** Deletes standing seats of people who were asked for the code before `before` and have not given it. */
export const deleteUnansweredStandingSeats = (db: Database, before: Instant): Statement =>
  db.delete(standingSeats).where(sql`code_asked_at < ${before}`);

export const deleteStandingSeat = (db: Database, seriesId: number, userId: number) =>
  db.delete(standingSeats).where(and(eq(standingSeats.seriesId, seriesId), eq(standingSeats.userId, userId)));

/** Holders of standing seats, in the order in which seats are laid out. */
export const listHolders = (db: Database, seriesId: number, viewerId: number, limit: number) =>
  db
    .select({
      username: personNameOf(sql`${standingSeats.personId}`, sql`${standingSeats.userId}`).as("holder_name"),
      since: standingSeats.since,
      isHidden: isHiddenFrom(sql`${viewerId}`, sql`${users.id}`),
    })
    .from(standingSeats)
    .innerJoin(users, eq(users.id, standingSeats.userId))
    .where(eq(standingSeats.seriesId, seriesId))
    .orderBy(asc(standingSeats.since), asc(standingSeats.userId))
    .limit(limit);

/** Consecutive occurrences without tokens after which a standing seat ends (G-15). */
const MAX_SKIPS = 3;

const isStandingSeatIn = (sessionId: number): SQL =>
  and(
    eq(participants.sessionId, sessionId),
    sql`${participants.seat} >= ${STANDING_SEAT_PREFIX} AND ${participants.seat} < ${`${STANDING_SEAT_PREFIX}~`}`,
  ) as SQL;

/** Selects the ids of the people with standing seats in a session. */
export const selectHoldersIn = (sessionId: number): SQL =>
  sql`SELECT user_id AS id FROM participants WHERE ${isStandingSeatIn(sessionId)}`;

/**
 * Asks the holders of standing seats in a session to confirm them. It runs before the session moves, in its batch
 * (G-16).
 */
export const askHoldersToConfirm = (
  db: Database,
  sessionId: number,
  now: Instant,
  condition: SQL,
): Statement =>
  db
    .update(participants)
    .set({ askedAt: now })
    .where(and(isStandingSeatIn(sessionId), condition));

/** Records that the holder keeps the seat after the move. */
export const keepSeat = (db: Database, sessionId: number, userId: number): Statement =>
  db
    .update(participants)
    .set({ askedAt: null })
    .where(
      and(
        eq(participants.userId, userId),
        eq(participants.sessionId, sessionId),
        sql`${participants.askedAt} IS NOT NULL`,
      ),
    );

/** A session that its series lays out in this batch. */
type LaidOutSession = {
  seriesId: number;
  slug: string;
  capacity: number;
  title: string;
  startedAt: Instant;
  now: Instant;
};

// D1 binds numbers as floats, and LIMIT takes whole numbers.
const JOIN_PRICE = sql.raw(String(PRICES.join));

const isUsableLot = (now: Instant): SQL =>
  sql`l.scope = 'all' AND l.remaining > 0 AND (l.expires_at IS NULL OR l.expires_at > ${now})`;
const selectBalance = (user: SQL, now: Instant): SQL =>
  sql`(SELECT coalesce(sum(l.remaining), 0) FROM token_lots l WHERE l.user_id = ${user} AND ${isUsableLot(now)})`;
const selectFreeSeats = ({ slug, capacity }: LaidOutSession): SQL =>
  sql`(SELECT min(coalesce(nullif(f.participant_limit, 0), ${capacity}), ${capacity}) - f.participants_count FROM sessions f WHERE f.id = ${idOf(slug)})`;

/**
 * Seats and charges the holders of standing seats in a session inserted in this batch: by `since`, up to the limit, if
 * they (or a host who pays) have enough tokens (G-13 to G-15). The number of statements does not grow with the seats.
 */
export const seatStandingHolders = (db: Database, session: LaidOutSession): Statement[] => [
  ...insertStandingSeats(db, session),
  ...chargeSeats(db, session),
  ...skipUnpaidHolders(db, session),
];

/** Inserts the seats and corrects the session's count. */
function insertStandingSeats(db: Database, session: LaidOutSession): Statement[] {
  const sessionId = idOf(session.slug);
  const user = sql`st.user_id`;
  const payableSeats = sql`(SELECT CASE WHEN f.is_free THEN ${selectBalance(sql`f.owner_id`, session.now)} / ${JOIN_PRICE} ELSE 1000000 END FROM sessions f WHERE f.id = ${sessionId})`;
  return [
    insertFrom(
      db,
      participants,
      {
        sessionId: sql`s.id`,
        userId: sql`st.user_id`,
        personId: sql`p.id`,
        username: sql`p.username`,
        seat: standingReferenceOf(sql`s.id`, sql`st.user_id`),
        paidBy: sql`CASE WHEN s.is_free THEN s.owner_id ELSE st.user_id END`,
        joinedAt: session.now,
        joinedStart: sql`s.started_at`,
      },
      sql`FROM standing_seats st JOIN sessions s ON s.id = ${sessionId} JOIN users u ON u.id = st.user_id
          JOIN persons p ON p.id = ${personOf(sql`st.person_id`, user)}
          WHERE st.series_id = ${session.seriesId} AND st.user_id <> s.owner_id AND st.code_asked_at IS NULL AND u.deletion_due_at IS NULL
          AND (s.is_free = 1 OR ${selectBalance(user, session.now)} >= ${JOIN_PRICE})
          AND ${isLetIn({ userId: user, now: session.now }, { id: sql`s.id`, seriesId: sql`s.series_id`, hutId: sql`s.hut_id` })}
          AND ${isVisible("sessions", "s", user)}
          ORDER BY st.since, st.user_id LIMIT CAST(max(0, min(${selectFreeSeats(session)}, ${payableSeats})) AS INTEGER)`,
    ),
    db
      .update(sessions)
      .set({ participantsCount: sql`(SELECT count(*) FROM participants c WHERE c.session_id = sessions.id)` })
      .where(
        sql`id = ${sessionId} AND (SELECT count(*) FROM participants c WHERE c.session_id = sessions.id) > participants_count`,
      ),
  ];
}

/** Charges the payers of the seats. */
function chargeSeats(db: Database, session: LaidOutSession): Statement[] {
  const sessionId = idOf(session.slug);
  return [
    // The seats and lots of a payer are ranges of tokens; a seat takes from the lots that it overlaps.
    insertFrom(
      db,
      tokenEntries,
      {
        id: selectNextEntryIds(sql`x.payer`, sql`PARTITION BY x.payer`),
        userId: sql`x.payer`,
        lotId: sql`x.lot`,
        amount: sql`-x.amount`,
        reason: sql`x.reason`,
        reference: sql`x.seat`,
        createdAt: session.now,
        paidBefore: sql`x.before`,
      },
      sql`FROM (
        WITH owed AS (
          SELECT paid_by, user_id, seat, ${JOIN_PRICE} * (row_number() OVER (PARTITION BY paid_by ORDER BY user_id) - 1) AS first
          FROM participants WHERE session_id = ${sessionId} AND is_host = 0),
        lots AS (
          SELECT l.user_id, l.id, l.remaining,
            sum(l.remaining) OVER (PARTITION BY l.user_id ORDER BY coalesce(l.expires_at, 9e15), l.id ROWS UNBOUNDED PRECEDING) - l.remaining AS before
          FROM token_lots l WHERE l.user_id IN (SELECT paid_by FROM owed) AND ${isUsableLot(session.now)})
          SELECT o.paid_by AS payer, l.id AS lot, min(l.before + l.remaining, o.first + ${JOIN_PRICE}) - max(l.before, o.first) AS amount,
            CASE WHEN o.paid_by = o.user_id THEN 'join' ELSE 'host_join' END AS reason, o.seat AS seat, max(0, l.before - o.first) AS before
          FROM owed o JOIN lots l ON l.user_id = o.paid_by AND l.before < o.first + ${JOIN_PRICE} AND l.before + l.remaining > o.first) x`,
    ),
    raiseLots(
      db,
      sql`SELECT e.lot_id, sum(e.amount) AS amount FROM participants p JOIN token_entries e ON e.reference = p.seat AND e.amount < 0
        WHERE p.session_id = ${sessionId} AND p.is_host = 0 GROUP BY e.lot_id`,
    ),
  ];
}

/** Notifies holders without enough tokens, counts what they skipped, and ends the seats that were skipped too often. */
function skipUnpaidHolders(db: Database, session: LaidOutSession): Statement[] {
  const sessionId = idOf(session.slug);
  const isSeated = sql`EXISTS (SELECT 1 FROM participants h WHERE h.session_id = ${sessionId} AND h.user_id = standing_seats.user_id)`;
  const isSkipped = sql`NOT ${isSeated} AND standing_seats.code_asked_at IS NULL AND ${selectFreeSeats(session)} > 0
    AND EXISTS (SELECT 1 FROM users u WHERE u.id = standing_seats.user_id AND u.deletion_due_at IS NULL)
    AND EXISTS (SELECT 1 FROM sessions f WHERE f.id = ${sessionId} AND f.is_free = 0 AND f.owner_id <> standing_seats.user_id
      AND ${isLetIn({ userId: sql`standing_seats.user_id`, now: session.now }, { id: sql`f.id`, seriesId: sql`f.series_id`, hutId: sql`f.hut_id` })})
    AND ${selectBalance(sql`standing_seats.user_id`, session.now)} < ${JOIN_PRICE}`;
  const isEnding = sql`series_id = ${session.seriesId} AND skips >= ${MAX_SKIPS}`;
  const selectHolders = (condition: SQL) => ({
    to: sql`SELECT user_id AS id FROM standing_seats WHERE ${condition}`,
  });
  const causeFields = { subject: subjectOf("series", session.seriesId), actorId: null, at: session.now };
  const { title, startedAt } = session;
  const path = `/my/series/${session.seriesId}`;
  return [
    recordEvent(
      db,
      {
        ...causeFields,
        id: newEventId(session.now, { isFirst: true }),
        kind: "standing-unpaid",
        body: { title, path, startedAt },
      },
      { idLists: selectHolders(sql`series_id = ${session.seriesId} AND ${isSkipped}`) },
    ),
    db
      .update(standingSeats)
      .set({ skips: sql`CASE WHEN ${isSeated} THEN 0 ELSE skips + 1 END` })
      .where(sql`series_id = ${session.seriesId} AND (${isSeated} AND skips > 0 OR ${isSkipped})`),
    recordEvent(
      db,
      {
        ...causeFields,
        id: newEventId(session.now),
        kind: "standing-ended",
        body: { title, path: "/my/series" },
      },
      { idLists: selectHolders(isEnding) },
    ),
    db.delete(standingSeats).where(isEnding),
  ];
}
