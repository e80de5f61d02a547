// The person as whom a user has a row, such as a membership or a standing seat. Another person of the user must
// not show there, because the two names would tie them together.
import { and, eq, type SQL, sql } from "drizzle-orm";
import { type Database, schema } from "#db/connect.server";

const { series, standingSeats, rotaHosts } = schema;

/**
 * The last release hands a series over without a change of `person_id`, so a person counts only for the row's own user.
 */
const fromOwn = (personId: SQL, userId: SQL): SQL =>
  sql`FROM persons own WHERE own.id = ${personId} AND own.user_id = ${userId}`;

/** The id of the row's person; in a row without one, of the person as whom the user acts now. */
export const personOf = (personId: SQL, userId: SQL): SQL<number> =>
  sql`coalesce((SELECT own.id ${fromOwn(personId, userId)}), (SELECT account.person_id FROM users account WHERE account.id = ${userId}))`;

/** The name of the row's person; in a row without one, the account's. */
export const personNameOf = (personId: SQL, userId: SQL): SQL<string> =>
  sql`coalesce((SELECT own.username ${fromOwn(personId, userId)}), (SELECT account.username FROM users account WHERE account.id = ${userId}))`;

/** The id of the person as whom a user belongs to a hut; null for people outside it. */
export const personInHut = (hutId: SQL, userId: SQL): SQL<number | null> =>
  sql`(SELECT m.person_id FROM hut_members m WHERE m.hut_id = ${hutId} AND m.user_id = ${userId})`;

/** The id of the person as whom a user hosts a series in turn; null for people outside its rota. */
export const personInRota = (seriesId: SQL, userId: SQL): SQL<number | null> =>
  sql`(SELECT t.person_id FROM rota_hosts t WHERE t.series_id = ${seriesId} AND t.user_id = ${userId})`;

/** The name of a user in a hut, whose owner and makers of links need not be members. */
export const nameInHut = (hutId: SQL, userId: SQL): SQL<string> =>
  personNameOf(personInHut(hutId, userId), userId);

/**
 * Stores the person in the rows from which dates are laid out, before a switch: in a row without one, the next dates
 * would name the other person. Three statements.
 */
export const storePersons = (db: Database, userId: number) => {
  const person = (table: string) => personOf(sql.raw(`${table}.person_id`), sql`${userId}`);
  return [
    db
      .update(series)
      .set({ personId: person("series") })
      .where(and(eq(series.ownerId, userId), sql`person_id IS NOT ${person("series")}`)),
    db
      .update(standingSeats)
      .set({ personId: person("standing_seats") })
      .where(and(eq(standingSeats.userId, userId), sql`person_id IS NOT ${person("standing_seats")}`)),
    db
      .update(rotaHosts)
      .set({ personId: person("rota_hosts") })
      .where(and(eq(rotaHosts.userId, userId), sql`person_id IS NOT ${person("rota_hosts")}`)),
  ] as const;
};
