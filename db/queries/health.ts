// The rows behind GET /api/health.
import { sql } from "drizzle-orm";
import type { Database } from "../connect.server";

/** The newest migration, and the mark of this cron job. */
export const readHealth = (db: Database, job: string) =>
  db
    .select({
      migration: sql<string | null>`(SELECT name FROM d1_migrations ORDER BY id DESC LIMIT 1)`,
      mark: sql<string | null>`(SELECT mark FROM cron_marks WHERE job = ${job})`,
    })
    .from(sql`(SELECT 1)`);
