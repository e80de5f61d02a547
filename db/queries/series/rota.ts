// Statements on the rota of a series: its hosts in turn, and people invited to host in turn (G-17); use cases run them.
import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import { type Database, type Statement, schema } from "#db/connect.server";
import { insertFrom } from "#db/queries/insert-from";
import { isHiddenFrom, recordEvent } from "#db/queries/notices/events";
import { personOf } from "#db/queries/person-of-row";
import { mayHostSeries } from "#db/queries/sessions/hand-over";
import type { NewEvent } from "~/domain/notices/cause";
import { MAX_HOSTS } from "~/domain/series/form";
import type { Instant } from "~/domain/time";

const { rotaHosts, users, persons, series } = schema;

/** The row of `persons` is the person as whom the host has the place. */
const isPersonOfHost = sql`${persons.id} = ${personOf(sql`${rotaHosts.personId}`, sql`${rotaHosts.userId}`)}`;

/** In order of their turns. */
export const listRota = (db: Database, seriesId: number, viewerId: number) =>
  db
    .select({
      userId: rotaHosts.userId,
      username: persons.username,
      acceptedAt: rotaHosts.acceptedAt,
      handle: rotaHosts.handle,
      isHidden: isHiddenFrom(sql`${viewerId}`, sql`${rotaHosts.userId}`),
    })
    .from(rotaHosts)
    .innerJoin(persons, isPersonOfHost)
    .where(eq(rotaHosts.seriesId, seriesId))
    .orderBy(asc(rotaHosts.place), asc(rotaHosts.userId));

/**
 * The answer of the series' own host, with a rota or without: seats for guests in the sessions that this host has. The
 * template keeps it as a field of the session form (H-17, R-86).
 */
export const selectOwnersAnswer = (series: string): SQL =>
  sql`coalesce(CAST(${sql.raw(series)}.template ->> '$.guestLimit' AS INTEGER), 0)`;

/** The seats for guests by a host's answer: none while the address of the user is unconfirmed (H-17). */
export const selectGuestLimit = (answer: SQL) =>
  sql<number>`iif(${users.emailConfirmedAt} IS NULL, 0, ${answer})`;

/**
 * The hosts who have accepted and may host, in their order (R-88); `last` is the host of the latest day laid out before
 * `day`, because a change of the rule lays out days between others.
 */
export const listHostsInTurn = (db: Database, seriesId: number, day: string, now: Instant) =>
  db
    .select({
      id: rotaHosts.userId,
      email: users.email,
      username: persons.username,
      personId: persons.id,
      timeZone: users.timeZone,
      guestLimit: selectGuestLimit(
        sql`iif(${rotaHosts.userId} = r.owner_id, ${selectOwnersAnswer("r")}, ${rotaHosts.guestLimit})`,
      ).as("guests_of_turn"),
      last: sql<
        number | null
      >`(SELECT s.owner_id FROM sessions s WHERE s.series_id = ${seriesId} AND s.series_day < ${day} ORDER BY s.series_day DESC LIMIT 1)`.as(
        "last_host",
      ),
    })
    .from(rotaHosts)
    .innerJoin(users, eq(users.id, rotaHosts.userId))
    .innerJoin(persons, isPersonOfHost)
    .innerJoin(sql`series r`, sql`r.id = ${rotaHosts.seriesId}`)
    .where(
      sql`${rotaHosts.seriesId} = ${seriesId} AND ${rotaHosts.acceptedAt} IS NOT NULL AND ${mayHostSeries(sql`${rotaHosts.userId}`, now)}`,
    )
    .orderBy(asc(rotaHosts.place), asc(rotaHosts.userId));

const selectHostCount = (seriesId: number) =>
  sql`(SELECT count(*) FROM rota_hosts c WHERE c.series_id = ${seriesId})`;

type Invitation = { seriesId: number; username: string; now: Instant };
/** The series and the person of that name who may host in it, as `r` and `u`. */
const fromInvitable = ({ seriesId, username, now }: Invitation): SQL =>
  sql`FROM series r JOIN persons n ON lower(n.username) = lower(${username}) JOIN users u ON u.person_id = n.id
    WHERE r.id = ${seriesId} AND ${mayHostSeries(sql`u.id`, now)}`;

/**
 * Adds a person at the end of the rota. The series' host has accepted at once, anybody else is invited. Inserts nothing
 * for an unknown person, for a person whom R-88 refuses, and beyond `MAX_HOSTS`. A retry keeps the place.
 */
export const insertRotaHost = (db: Database, host: Invitation): Statement =>
  insertFrom(
    db,
    rotaHosts,
    {
      seriesId: sql`r.id`,
      userId: sql`u.id`,
      personId: sql`n.id`,
      place: selectHostCount(host.seriesId),
      acceptedAt: sql`CASE WHEN u.id = r.owner_id THEN ${host.now} END`,
    },
    sql`${fromInvitable(host)} AND ${selectHostCount(host.seriesId)} < ${MAX_HOSTS}`,
  ).onConflictDoNothing();

/** Adds the host of the series to an empty rota, before the first invitation. A refused invitation changes nothing. */
export const insertOwnersTurn = (db: Database, host: Invitation): Statement =>
  insertFrom(
    db,
    rotaHosts,
    {
      seriesId: sql`id`,
      userId: sql`owner_id`,
      personId: personOf(sql`${series}.person_id`, sql`${series}.owner_id`),
      place: 0,
      acceptedAt: host.now,
    },
    sql`FROM ${series} WHERE id = ${host.seriesId} AND ${selectHostCount(host.seriesId)} = 0
        AND EXISTS (SELECT 1 ${fromInvitable(host)})`,
  ).onConflictDoNothing();

/** Notifies the person whom the previous statement of the batch has invited. */
export const recordInvitation = (
  db: Database,
  invitation: NewEvent<"rota-invited">,
  { seriesId, username }: { seriesId: number; username: string },
): Statement =>
  recordEvent(db, invitation, {
    condition: sql`changes() > 0`,
    idLists: {
      to: sql`SELECT h.user_id AS id FROM rota_hosts h JOIN persons n ON n.user_id = h.user_id WHERE h.series_id = ${seriesId} AND h.accepted_at IS NULL AND lower(n.username) = lower(${username})`,
    },
  });

/** Stores the places of the users as they come in `order`. */
export const orderRota = (db: Database, seriesId: number, order: readonly number[]): Statement =>
  db
    .update(rotaHosts)
    .set({
      place: sql`coalesce((SELECT key FROM json_each(${JSON.stringify(order)}) WHERE value = rota_hosts.user_id), place)`,
    })
    .where(eq(rotaHosts.seriesId, seriesId));

/**
 * Accepts a turn, as the person who was invited, or changes the answer of a host who has accepted. Without a
 * `guestLimit` a new turn takes no guests, and an accepted one stays as it is. Without `knowsPrice` it applies only while
 * joining costs a token, because in a free series the host pays for all (R-55).
 */
export const acceptTurn = (
  db: Database,
  {
    seriesId,
    userId,
    personId,
    guestLimit,
    knowsPrice,
    now,
  }: {
    seriesId: number;
    userId: number;
    personId: number;
    guestLimit: number | undefined;
    knowsPrice: boolean;
    now: Instant;
  },
) =>
  db
    .update(rotaHosts)
    .set({
      acceptedAt: sql`coalesce(accepted_at, ${now})`,
      personId: sql`coalesce(person_id, ${personId})`,
      guestLimit: guestLimit ?? sql`iif(accepted_at IS NULL, 0, guest_limit)`,
    })
    .where(
      and(
        eq(rotaHosts.seriesId, seriesId),
        eq(rotaHosts.userId, userId),
        knowsPrice
          ? undefined
          : sql`EXISTS (SELECT 1 FROM series r WHERE r.id = ${seriesId} AND coalesce(r.template ->> '$.isFree', 0) = 0)`,
      ),
    )
    .returning({ userId: rotaHosts.userId });

/** Keeps the answer of the series' own host in the template, after `acceptTurn`; changes nothing for anybody else. */
export const answerAsOwner = (
  db: Database,
  {
    seriesId,
    userId,
    guestLimit,
    now,
  }: { seriesId: number; userId: number; guestLimit: number; now: Instant },
): Statement =>
  db
    .update(series)
    .set({
      template: sql`json_set(template, '$.guestLimit', CAST(${guestLimit} AS INTEGER))`,
      updatedAt: now,
    })
    .where(and(eq(series.id, seriesId), eq(series.ownerId, userId), sql`changes() > 0`));

/**
 * Invites and notifies hosts again who accepted to pay only for themselves: two statements, which run before the series
 * becomes free in the same batch (R-55).
 */
export const inviteHostsAgain = (
  db: Database,
  seriesId: number,
  cause: NewEvent<"rota-asked-again">,
): [Statement, Statement] => {
  const hostsToInvite = sql`SELECT h.user_id AS id FROM rota_hosts h JOIN series r ON r.id = h.series_id
    WHERE r.id = ${seriesId} AND h.user_id <> r.owner_id AND h.accepted_at IS NOT NULL AND coalesce(r.template ->> '$.isFree', 0) = 0`;
  return [
    recordEvent(db, cause, { idLists: { to: hostsToInvite } }),
    db
      .update(rotaHosts)
      .set({ acceptedAt: null })
      .where(sql`series_id = ${seriesId} AND user_id IN (${hostsToInvite})`),
  ];
};

export const deleteRotaHost = (db: Database, seriesId: number, userId: number): Statement =>
  db.delete(rotaHosts).where(and(eq(rotaHosts.seriesId, seriesId), eq(rotaHosts.userId, userId)));
