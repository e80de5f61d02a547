// The database as use cases see it: Drizzle over one D1 session, so that a request reads its own writes.
import type { BatchItem, BatchResponse } from "drizzle-orm/batch";
import { drizzle } from "drizzle-orm/d1";
import * as schema from "./schema";

export { schema };

/** Drizzle over D1; `batch` is the only transaction there is. */
export type Database = ReturnType<typeof connect>;
export type Statement = BatchItem<"sqlite">;

/** `d1` may be the binding or one of its sessions (`env.DB.withSession(bookmark)`). */
export const connect = (d1: D1Database | D1DatabaseSession) => drizzle(d1 as D1Database, { schema });

/** Runs statements in one atomic round trip, for lists built at run time. */
export async function runBatch<S extends Statement>(
  db: Database,
  statements: S[],
): Promise<BatchResponse<[S, ...S[]]> | []> {
  const [first, ...rest] = statements;
  return first ? db.batch([first, ...rest]) : [];
}
