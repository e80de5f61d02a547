// The statement behind GET /api/health; a use case runs it.
import { sql } from "drizzle-orm";
import type { Database } from "../connect.server";

/** The newest migration, and the marks of this cron job and of this release. */
export const readHealth = (db: Database, job: string, release: string) =>
  db
    .select({
      migration: sql<string | null>`(SELECT name FROM d1_migrations ORDER BY id DESC LIMIT 1)`,
      mark: sql<string | null>`(SELECT mark FROM cron_marks WHERE job = ${job})`,
      first: sql<string | null>`(SELECT mark FROM cron_marks WHERE job = ${release})`,
    })
    .from(sql`(SELECT 1)`);
