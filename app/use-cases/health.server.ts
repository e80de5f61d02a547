// Whether the site works, for GET /api/health, and the mark that the minute cron leaves for it.
import { readHealth } from "#db/queries/health";
import { setMark } from "#db/queries/upkeep";
import { RELEASE } from "~/domain/log-line";
import { MINUTE, SECOND } from "~/domain/time";
import type { App } from "./app.server";

const JOB = "minute";
/** The platform may skip a minute; five in a row mean that no job runs. */
const LATEST = 5 * MINUTE;

export type Health = {
  ok: boolean;
  release: string;
  migration: string | null;
  /** Seconds since the last minute cron; null before the first. */
  cron_age: number | null;
};

/** Throws when D1 does not answer. */
export async function viewHealth(app: Pick<App, "db" | "now">): Promise<Health> {
  const [row] = await readHealth(app.db, JOB);
  const age = row?.mark ? Math.max(0, app.now - Number(row.mark)) : null;
  return {
    ok: age !== null && age <= LATEST,
    release: RELEASE,
    migration: row?.migration ?? null,
    cron_age: age === null ? null : Math.round(age / SECOND),
  };
}

export async function markMinute(app: Pick<App, "db" | "now">): Promise<object> {
  await setMark(app.db, JOB, String(app.now));
  return {};
}
