// The layout of series, which creates their sessions 28 days ahead, each through `createSession` (G-08, G-09). The
// unique day of a series makes repeated and parallel runs harmless.
import { runBatch } from "#db/connect.server";
import { listHostsInTurn } from "#db/queries/series/rota";
import * as seriesQueries from "#db/queries/series/series";
import { plusDays } from "~/domain/days";
import { asAppError, brokenConstraint, isAppError } from "~/domain/errors";
import { logLine } from "~/domain/log-line";
import { subjectOf } from "~/domain/notices/events";
import { parseRule } from "~/domain/series/rule";
import { isSameStop, type SeriesStop } from "~/domain/series/stops";
import { DAY, earlier, type Instant, instant, later } from "~/domain/time";
import { actingUser } from "~/use-cases/acting-user.server";
import type { App } from "~/use-cases/app.server";
import { runEachRow } from "~/use-cases/each-row.server";
import { loadSeriesDates } from "~/use-cases/load-series-dates.server";
import { newEvent, wakeEvents } from "~/use-cases/notices/events.server";
import { createOccurrence, type Occurrence } from "~/use-cases/sessions/create.server";

/** How far ahead sessions exist. */
export const LAYOUT_HORIZON = 28 * DAY;
/** A day is moved by at most this much, so that its layout begins in time. */
export const MAX_MOVE = 7 * DAY;
const JOB = "lay-out-series";
const OCCURRENCES_A_NIGHT = 500;
const SERIES_A_NIGHT = 1000;

/** The date at which the layout of a series ends tonight. `stop` is the stop to store. */
type Halt = { at: Instant; stop: SeriesStop | null };
type DueDate = { row: seriesQueries.SeriesToLayOut; day: string; at: Instant };

/** Lays out every series, at night. A failing series does not stop the others. */
export const layOutSeries = (
  app: App,
  limit = OCCURRENCES_A_NIGHT,
  seriesLimit = SERIES_A_NIGHT,
): Promise<{ created: number; failed: number }> => layOut(app, { limit, seriesLimit });

/** Lays out one series at once, when its host creates or changes it. */
export const layOutOne = (app: App, seriesId: number): Promise<{ created: number; failed: number }> =>
  layOut(app, { limit: OCCURRENCES_A_NIGHT, seriesLimit: 1, onlyId: seriesId });

async function layOut(
  app: App,
  { limit, seriesLimit, onlyId }: { limit: number; seriesLimit: number; onlyId?: number },
): Promise<{ created: number; failed: number }> {
  const horizon = instant(app.now + LAYOUT_HORIZON);
  const rows = await seriesQueries.listSeriesToLayOut(app.db, horizon, app.now, seriesLimit, onlyId);
  const halts = new Map<number, Halt>();
  const dates = await runEachRow(app, rows, {
    job: JOB,
    nameOf: ({ id }) => id,
    runRow: (row) => listMissingDates(app, row, horizon),
    // The next night begins at the same date again.
    whenFailed: ({ id, laidUntil, stop }) => halts.set(id, { at: laidUntil, stop }),
  });
  const dueDates = dates.done.flatMap(({ result }) => result).sort((a, b) => a.at - b.at);
  let created = 0;
  let refusals = 0;
  const days = await runEachRow(app, dueDates, {
    job: JOB,
    nameOf: ({ row }) => row.id,
    async runRow({ row, day, at }) {
      if (halts.has(row.id)) return;
      if (created >= limit) {
        halts.set(row.id, { at, stop: row.stop });
        return;
      }
      try {
        const { id: seriesId, updatedAt: seriesUpdatedAt, ownerId } = row;
        const occurrence = { seriesId, seriesUpdatedAt, day, startedAt: at, ownerId };
        const outcome = await layOutDay(app, row, occurrence);
        if (outcome.ok) created += outcome.isNew ? 1 : 0;
        else {
          halts.set(row.id, { at, stop: { code: outcome.code, at } });
          refusals++;
          logRefusal(row.id, outcome.code);
        }
      } catch (error) {
        const isUnpaid = brokenConstraint(error) === "tokens_sufficient";
        const stop: SeriesStop = isUnpaid
          ? { code: "unpaid", at }
          : { code: "refused", at, reason: asAppError(error).message };
        halts.set(row.id, { at, stop });
        // A refusal is the host's to solve; anything else is ours.
        if (!isUnpaid && !isAppError(error)) throw error;
        refusals++;
        logRefusal(row.id, error);
      }
    },
  });
  const stored = await runEachRow(app, rows, {
    job: JOB,
    nameOf: ({ id }) => id,
    runRow: (row) => storeProgress(app, row, halts.get(row.id), horizon),
  });
  return {
    created,
    failed: refusals + dates.failed.length + days.failed.length + stored.failed.length,
  };
}

/** The dates ahead that have no session and are not skipped. */
async function listMissingDates(
  app: App,
  row: seriesQueries.SeriesToLayOut,
  horizon: Instant,
): Promise<DueDate[]> {
  const rule = parseRule(row.rule);
  if (!rule) return [];
  const { datesOf, localStartOf } = await loadSeriesDates();
  // A date that was not laid out may have been moved ahead since.
  const from = instant(later(app.now, row.laidUntil) - MAX_MOVE);
  // A day earlier, because a clock change may move a start to the next day.
  const firstDay = plusDays(localStartOf(from, row.timeZone).slice(0, 10), -1);
  const [changes, sessions] = await app.db.batch([
    seriesQueries.listDays(app.db, row.id, firstDay),
    seriesQueries.listSessions(app.db, row.id, firstDay),
  ]);
  const movedToByDay = new Map(changes.map(({ day, movedTo }) => [day, movedTo]));
  const laidOutDays = new Set(sessions.map(({ day }) => day));
  const times = { rule, localStart: row.localStart, timeZone: row.timeZone };
  return datesOf(times, { from, before: horizon }).flatMap(({ day, at }) => {
    const movedTo = movedToByDay.get(day);
    const start = movedTo ?? at;
    const isOpen = !laidOutDays.has(day) && movedTo !== null && start > app.now;
    return isOpen ? [{ row, day, at: start }] : [];
  });
}

/**
 * Creates the session of a day for the next host of the rota, who pays. A host who cannot is passed over (G-17).
 * Without a rota, the host of the series hosts it. Overlapping runs choose the same host, and the unique day decides
 * between them.
 */
async function layOutDay(
  app: App,
  row: seriesQueries.SeriesToLayOut,
  occurrence: Occurrence,
): Promise<{ ok: true; isNew: boolean } | { ok: false; code: "no-turn" }> {
  const turns = await listHostsInTurn(app.db, row.id, occurrence.day, app.now);
  const lastIndex = turns.findIndex(({ id, last }) => id === last);
  const inTurn = [...turns.slice(lastIndex + 1), ...turns.slice(0, lastIndex + 1)];
  const hosts = inTurn.map((host) => ({
    hostApp: { ...app, user: actingUser(host) },
    guestLimit: host.guestLimit,
  }));
  let firstRefusal: unknown = null;
  const candidates = hosts.length > 0 ? hosts : [{ hostApp: asHost(app, row), guestLimit: row.guestLimit }];
  for (const { hostApp, guestLimit } of candidates) {
    try {
      // The hut of the series, or none, replaces the template's, which may have been deleted.
      const { hutId } = row;
      // A private series lays out private dates. A public one asks its activity, which may be private by now.
      const isPrivate = row.isPrivate || row.template.isPrivate;
      return {
        ok: true,
        isNew: await createOccurrence(
          hostApp,
          { ...row.template, hutId, isPrivate },
          { ...occurrence, guestLimit: row.isPrivate ? 0 : guestLimit },
        ),
      };
    } catch (error) {
      const isRefusal = isAppError(error) || brokenConstraint(error) === "tokens_sufficient";
      if (!isRefusal) throw error;
      firstRefusal ??= error;
    }
  }
  if (turns.length === 0) throw firstRefusal;
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

/** Stores how far a series is laid out, and its stop. It writes only changes, so that a quiet night costs nothing. */
async function storeProgress(
  app: App,
  row: seriesQueries.SeriesToLayOut,
  halt: Halt | undefined,
  horizon: Instant,
): Promise<void> {
  const laidUntil = halt ? earlier(halt.at, horizon) : horizon;
  const stop = halt?.stop ?? null;
  const isKnown = isSameStop(stop, row.stop);
  if (laidUntil === row.laidUntil && isKnown) return;
  // A night that stops at the same day again notifies nobody. A refusal is shown only by the page.
  const causes = stop && stop.code !== "refused" && !isKnown ? [newUnpaidEvent(app, row, stop)] : [];
  await runBatch(app.db, [
    ...causes.map((cause) => seriesQueries.recordUnpaid(app.db, row, cause)),
    seriesQueries.markLaidOut(app.db, row, { laidUntil, stop }),
  ]);
  wakeEvents(app, causes);
}

/** The event has no actor, so that the host gets its notice even if the layout follows an act of their own. */
const newUnpaidEvent = (
  app: App,
  { id, title, ownerId }: seriesQueries.SeriesToLayOut,
  { at: startedAt, code }: SeriesStop,
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
        ...(code === "no-turn" ? { isRota: true } : {}),
      },
    },
  );

const logRefusal = (series: number, error: unknown) =>
  console.error(logLine({ event: "series-not-laid-out", series, error: String(error).slice(0, 200) }));
