// Selects the people whom a text mentions.
import { type SQL, sql } from "drizzle-orm";

/** Selects the ids of the users with these names, which are in lower case, except the actor. */
export const selectPeopleNamed = (names: readonly string[], actorId: number): SQL =>
  sql`SELECT pe.user_id AS id FROM persons pe WHERE lower(pe.username) IN (SELECT value FROM json_each(${JSON.stringify(names)}))
    AND pe.user_id <> ${actorId}`;
