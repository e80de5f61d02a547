// The people that a text mentions.
import { type SQL, sql } from "drizzle-orm";

/** The users with these names in lower case except the actor, as a SELECT of a column `id`. Every seat has such a name. */
export const peopleNamed = (names: readonly string[], actorId: number): SQL =>
  sql`SELECT pe.user_id AS id FROM persons pe WHERE lower(pe.username) IN (SELECT value FROM json_each(${JSON.stringify(names)}))
    AND pe.user_id <> ${actorId}`;
