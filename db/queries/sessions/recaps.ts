// The names of the people in the recap of a session. Statements; use cases run them.
import { sql } from "drizzle-orm";
import type { Database } from "#db/connect.server";

/** The present names of the people in the recap; a seat has its own. */
export const listRecapNames = (db: Database, sessionId: number) =>
  db
    .select({
      userId: sql<number>`u.id`.as("recap_user_id"),
      username: sql<string>`coalesce(p.username, u.username)`.as("recap_name"),
    })
    .from(
      sql`sessions s JOIN json_each(s.recap, '$.people') j JOIN users u ON u.id = j.value ->> 'userId'
        LEFT JOIN participants p ON p.user_id = u.id AND p.session_id = s.id`,
    )
    .where(sql`s.id = ${sessionId} AND s.recap IS NOT NULL`);
