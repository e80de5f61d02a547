// Statements on the hashes of names that nobody may take for a year; use cases run them.
import { inArray, lte, sql } from "drizzle-orm";
import { type Database, type Statement, schema } from "#db/connect.server";
import type { Instant } from "~/domain/time";

const { keptNames } = schema;

/** Runs in the batch that erases the account. */
export const keepNames = (db: Database, hashes: readonly string[], until: Instant): Statement[] =>
  hashes.map((hash) =>
    db
      .insert(keptNames)
      .values({ hash, until })
      .onConflictDoUpdate({ target: keptNames.hash, set: { until: sql`max(until, ${until})` } }),
  );

export const findKeptNames = (db: Database, hashes: readonly string[], now: Instant) =>
  db
    .select({ hash: keptNames.hash })
    .from(keptNames)
    .where(sql`${inArray(keptNames.hash, [...hashes])} AND until > ${now}`)
    .limit(1);

export const deleteOldNames = (db: Database, now: Instant): Statement =>
  db.delete(keptNames).where(lte(keptNames.until, now));
