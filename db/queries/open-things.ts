// The things whose pages the edge may answer from a copy.
import { sql } from "drizzle-orm";
import type { Database } from "#db/connect.server";
import type { ShownThing } from "~/domain/shown-thing";
import { isPublic } from "./seen";

/** A row for a thing that visitors may read whole; one statement by its primary key. */
export const findOpen = (db: Database, { of, id }: ShownThing) =>
  db.all<{ id: number }>(
    sql`SELECT t.id FROM ${sql.identifier(of)} t WHERE t.id = ${id} AND ${isPublic("t")} ${of === "sessions" ? sql`AND t.join_code = ''` : sql``}`,
  );
