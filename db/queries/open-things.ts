// The statement that checks whether the edge may answer a page from its cache, by the records that the page shows.
import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/connect.server";
import { literal } from "#db/schema/columns";
import { ITEM_STATUS } from "~/domain/items/status";
import type { ShownThing } from "~/domain/shown-thing";
import { isPublic } from "./visibility";

/** The conditions for visitors in addition to `isPublic`. */
const EXTRA_CONDITIONS: Record<ShownThing["of"], SQL> = {
  huts: sql``,
  activities: sql``,
  sessions: sql`AND t.join_code = ''`,
  series: sql`AND coalesce(t.template ->> '$.joinCode', '') = ''`,
  items: sql`AND t.status = ${literal(ITEM_STATUS.published)}`,
};

/** A row if each record exists and visitors may read all of it. */
export const findAllOpen = (db: Database, things: readonly ShownThing[]) => {
  const areOpen = things.map(
    ({ of: table, id }) =>
      sql`EXISTS (SELECT 1 FROM ${sql.identifier(table)} t WHERE t.id = ${id} AND ${isPublic("t")} ${EXTRA_CONDITIONS[table]})`,
  );
  return db.all<{ open: number }>(sql`SELECT 1 AS open WHERE ${sql.join(areOpen, sql` AND `)}`);
};
