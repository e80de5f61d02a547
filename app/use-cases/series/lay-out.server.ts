// Laying out the occurrences of series (G-08, G-09): 28 days ahead, each through `createSession`. The unique day of a
// series makes repeated and parallel runs harmless.
import { runBatch } from "#db/connect.server";
import { listTurns } from "#db/queries/series/rota";
import * as seriesQueries from "#db/queries/series/series";
import { formatDay, plusDays } from "~/domain/days";
import { asAppError, brokenConstraint, isAppError } from "~/domain/errors";
import { logLine } from "~/domain/log-line";
import { subjectOf } from "~/domain/notices/events";
import { parseRule } from "~/domain/series/rule";
import { DAY, earlier, type Instant, instant, later } from "~/domain/time";
import { actingUser } from "~/use-cases/acting-user.server";
import type { App } from "~/use-cases/app.server";
import { eachAlone } from "~/use-cases/each-alone.server";
import { loadDates } from "~/use-cases/load-dates.server";
import { newEvent, wakeEvents } from "~/use-cases/notices/events.server";
import { createOccurrence, type Occurrence } from "~/use-cases/sessions/create.server";

/** How far ahead sessions exist. */
export const AHEAD = 28 * DAY;
/** A day is moved by at most this much, so that its layout begins in time. */
export const MOST_MOVED = 7 * DAY;
const JOB = "lay-out-series";
const OCCURRENCES_A_NIGHT = 500;
const SERIES_A_NIGHT = 1000;

type Stop = { at: Instant; problem: string; why?: Why };
/** Why a day is not laid out: its host has too few tokens, no host in turn could make it, or an error. */
type Why = "unpaid" | "no-turn" | "refused";
type Due = { row: seriesQueries.SeriesToLayOut; day: string; at: Instant };

/** The nightly job. A failing series does not stop the others. */
export const layOutSeries = (
  app: App,
  limit = OCCURRENCES_A_NIGHT,
): Promise<{ created: number; failed: number }> => layOut(app, limit);

/** The job for the series of one host, when they create or change it. */
export const layOutOne = (app: App, seriesId: number): Promise<{ created: number; failed: number }> =>
  layOut(app, OCCURRENCES_A_NIGHT, seriesId);

async function layOut(app: App, limit: number, only?: number): Promise<{ created: number; failed: number }> {
  const horizon = instant(app.now + AHEAD);
  const rows = await seriesQueries.listToLayOut(app.db, horizon, app.now, SERIES_A_NIGHT, only);
  const stopped = new Map<number, Stop>();
  const dates = await eachAlone(app, rows, {
    job: JOB,
    nameOf: ({ id }) => id,
    run: (row) => missingDates(app, row, horizon),
    // The next night begins where this one did.
    whenFailed: ({ id, laidUntil, problem }) => stopped.set(id, { at: laidUntil, problem }),
  });
  const due = dates.done.flatMap(({ did }) => did).sort((a, b) => a.at - b.at);
  let created = 0;
  let refused = 0;
  const days = await eachAlone(app, due, {
    job: JOB,
    nameOf: ({ row }) => row.id,
    async run({ row, day, at }) {
      if (stopped.has(row.id)) return;
      if (created >= limit) {
        stopped.set(row.id, { at, problem: row.problem });
        return;
      }
      try {
        const occurrence = { seriesId: row.id, day, startedAt: at, ownerId: row.ownerId };
        const outcome = await layOutDay(app, row, occurrence);
        if (outcome.ok) created += outcome.isNew ? 1 : 0;
        else {
          stopped.set(row.id, { at, problem: problemOf(row, at, outcome.code, null), why: outcome.code });
          refused++;
          logRefusal(row.id, outcome.code);
        }
      } catch (error) {
        const why = brokenConstraint(error) === "tokens_sufficient" ? "unpaid" : "refused";
        stopped.set(row.id, { at, problem: problemOf(row, at, why, error), why });
        // A refusal is the host's to solve; anything else is ours.
        if (why === "refused" && !isAppError(error)) throw error;
        refused++;
        logRefusal(row.id, error);
      }
    },
  });
  const settled = await eachAlone(app, rows, {
    job: JOB,
    nameOf: ({ id }) => id,
    run: (row) => settle(app, row, stopped.get(row.id), horizon),
  });
  return {
    created,
    failed: refused + dates.failed.length + days.failed.length + settled.failed.length,
  };
}

/** The dates ahead that have no session and are not skipped. */
async function missingDates(app: App, row: seriesQueries.SeriesToLayOut, horizon: Instant): Promise<Due[]> {
  const rule = parseRule(row.rule);
  if (!rule) return [];
  const { datesOf, localStartOf } = await loadDates();
  const from = later(app.now, instant(row.laidUntil - MOST_MOVED));
  const today = plusDays(localStartOf(from, row.timeZone).slice(0, 10), -1);
  const [changes, sessions] = await app.db.batch([
    seriesQueries.listDays(app.db, row.id, today),
    seriesQueries.listSessions(app.db, row.id, today),
  ]);
  const changed = new Map(changes.map(({ day, movedTo }) => [day, movedTo]));
  const exists = new Set(sessions.map(({ day }) => day));
  const times = { rule, localStart: row.localStart, timeZone: row.timeZone };
  return datesOf(times, { from, before: horizon }).flatMap(({ day, at }) => {
    const movedTo = changed.get(day);
    const start = movedTo ?? at;
    const isOpen = !exists.has(day) && movedTo !== null && start > app.now;
    return isOpen ? [{ row, day, at: start }] : [];
  });
}

/**
 * By the next host of the rota, who pays; a host who cannot is passed over (G-17). Without a rota, by the host of the
 * series. Overlapping runs choose the same host, and the unique day decides between them.
 */
async function layOutDay(
  app: App,
  row: seriesQueries.SeriesToLayOut,
  occurrence: Occurrence,
): Promise<{ ok: true; isNew: boolean } | { ok: false; code: "no-turn" }> {
  const turns = await listTurns(app.db, row.id, app.now);
  const last = turns.findIndex(({ id, last }) => id === last);
  const inTurn = [...turns.slice(last + 1), ...turns.slice(0, last + 1)];
  const hosts = inTurn.map((host) => ({ ...app, user: actingUser(host) }));
  let refused: unknown = null;
  for (const host of hosts.length > 0 ? hosts : [asHost(app, row)]) {
    try {
      // Without the template's hut once it is deleted.
      const { hutId, isPrivate } = row;
      return {
        ok: true,
        isNew: await createOccurrence(host, { ...row.template, hutId, isPrivate }, occurrence),
      };
    } catch (error) {
      const isRefusal = isAppError(error) || brokenConstraint(error) === "tokens_sufficient";
      if (!isRefusal) throw error;
      refused ??= error;
    }
  }
  if (turns.length === 0) throw refused;
  return { ok: false, code: "no-turn" };
}

const asHost = (app: App, row: seriesQueries.SeriesToLayOut): App => ({
  ...app,
  user: actingUser({
    id: row.ownerId,
    email: row.email,
    username: row.username,
    personId: row.personId,
    timeZone: row.zone,
  }),
});

/** Writes only what has changed, so that a quiet night costs nothing. */
async function settle(
  app: App,
  row: seriesQueries.SeriesToLayOut,
  stop: Stop | undefined,
  horizon: Instant,
): Promise<void> {
  const laidUntil = stop ? earlier(stop.at, horizon) : horizon;
  const problem = stop?.problem ?? "";
  if (laidUntil === row.laidUntil && problem === row.problem) return;
  // The sentence names the day: a night that meets the same day again tells nobody.
  const isTold = stop?.why === "unpaid" || stop?.why === "no-turn";
  const causes = stop && isTold && problem !== row.problem ? [unpaidAt(app, row, stop)] : [];
  const settled = seriesQueries.settleSeries(app.db, row, { laidUntil, problem });
  await runBatch(app.db, [...causes.map((cause) => seriesQueries.recordUnpaid(app.db, row, cause)), settled]);
  wakeEvents(app, causes);
}

/** From the clock, because the host hears of it even after creating the series. */
const unpaidAt = (
  app: App,
  { id, title, ownerId }: seriesQueries.SeriesToLayOut,
  { at: startedAt, why }: Stop,
) =>
  newEvent(
    { now: app.now, user: null },
    {
      kind: "series-unpaid",
      subject: subjectOf("series", id),
      body: {
        title,
        path: `/my/series/${id}`,
        startedAt,
        to: [ownerId],
        ...(why === "no-turn" ? { isRota: true } : {}),
      },
    },
  );

const dateOf = (row: seriesQueries.SeriesToLayOut, at: Instant) => formatDay(at, row.timeZone);
const REASONS = { unpaid: "you are out of tokens.", "no-turn": "no host in turn could make it." };
const problemOf = (row: seriesQueries.SeriesToLayOut, at: Instant, why: Why, error: unknown): string =>
  `${row.title} on ${dateOf(row, at)} was not created: ${why === "refused" ? asAppError(error).message : REASONS[why]}`;

const logRefusal = (series: number, error: unknown) =>
  console.error(logLine({ event: "series-not-laid-out", series, error: String(error).slice(0, 200) }));
