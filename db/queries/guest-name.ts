// The name that a guest typed, for rows that store only the username (H-23).
import { type SQL, sql } from "drizzle-orm";

/** The name of the guest behind a row, as typed or as the host has changed it; null for an account, empty once erased. */
export const guestNameOf = (row: SQL): SQL<string | null> =>
  sql<
    string | null
  >`iif(${row}.username LIKE '~%', (SELECT g.first_name FROM users g WHERE g.id = ${row}.user_id), NULL)`;
