// Whether the site works, for GET /api/health, and the mark that the minute cron leaves for it.
import { readHealth } from "#db/queries/health";
import { insertMarkOnce, setMark } from "#db/queries/upkeep";
import { RELEASE } from "~/domain/log-line";
import { MINUTE, SECOND } from "~/domain/time";
import type { App } from "./app.server";

const JOB = "minute";
/** The platform may skip a minute; five in a row mean that no job runs. */
const MAX_LATENESS = 5 * MINUTE;
/** A new trigger of the platform may take that long until its first run. */
const FIRST_RUN_GRACE = 10 * MINUTE;
const MARK_OF_RELEASE = `release ${RELEASE}`;

export type Health = {
  ok: boolean;
  release: string;
  migration: string | null;
  /** Seconds since the last minute cron; null before the first. */
  cron_age: number | null;
  /** `starting`: the release is younger than ten minutes, so a late cron is no fault yet. */
  cron: "running" | "starting" | "late";
};

/** Throws when D1 does not answer. */
export async function viewHealth(app: Pick<App, "db" | "now">): Promise<Health> {
  const [row] = await readHealth(app.db, JOB, MARK_OF_RELEASE);
  if (!row?.first) await insertMarkOnce(app.db, MARK_OF_RELEASE, String(app.now));
  const isNew = app.now - Number(row?.first ?? app.now) < FIRST_RUN_GRACE;
  const age = row?.mark ? Math.max(0, app.now - Number(row.mark)) : null;
  const cron = age !== null && age <= MAX_LATENESS ? "running" : isNew ? "starting" : "late";
  return {
    ok: cron !== "late",
    release: RELEASE,
    migration: row?.migration ?? null,
    cron_age: age === null ? null : Math.round(age / SECOND),
    cron,
  };
}

export async function recordMinuteCron(app: Pick<App, "db" | "now">): Promise<object> {
  await setMark(app.db, JOB, String(app.now));
  return {};
}
