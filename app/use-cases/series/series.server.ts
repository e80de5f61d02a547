// Series of sessions: create, change, pause, end, and deviating days (G-04 to G-12).
import { runBatch, type Statement } from "#db/connect.server";
import * as seriesQueries from "#db/queries/series/series";
import { findSeriesSlugs, insertSeriesSlug } from "#db/queries/series/slugs";
import { type Day, isDay } from "~/domain/days";
import { AppError, invalid } from "~/domain/errors";
import { isSuperAdmin, requireUser } from "~/domain/permissions";
import * as refusals from "~/domain/refusals";
import { fitRow } from "~/domain/row-size";
import { emptySchedule, withoutDates } from "~/domain/schedule/schedule";
import { titleForSlug } from "~/domain/series/address";
import { FIRST_START, type RuleTyped } from "~/domain/series/form";
import * as seriesRefusals from "~/domain/series/refusals";
import { formatRule, parseRule, RULE_REFUSED, type SeriesRule } from "~/domain/series/rule";
import type { SeriesView } from "~/domain/series/view";
import type { SeriesTemplate, SessionInput } from "~/domain/sessions/input";
import { privacyOfDates } from "~/domain/sessions/place";
import { planForLength, planSession } from "~/domain/sessions/planning";
import { DAY, type Instant, instant, MINUTE } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import { takeSteps } from "~/use-cases/ending-steps.server";
import { withFreeSlug } from "~/use-cases/free-slug.server";
import { loadSeriesDates } from "~/use-cases/load-series-dates.server";
import { countUse } from "~/use-cases/rate-limits.server";
import { createSession, type NewSession, requireStartAhead } from "~/use-cases/sessions/create.server";
import { requireGuestsAllowed } from "~/use-cases/sessions/guest-seats.server";
import { type FoundPlace, readsOfPlace, requirePlace } from "~/use-cases/sessions/place.server";
import { cancelUpcoming } from "~/use-cases/sessions/run.server";
import { readTemplate } from "~/use-cases/sessions/template.server";
import { updateInSeries } from "~/use-cases/sessions/update.server";
import { viewerOf } from "~/use-cases/viewer.server";
import { layOutOne, MAX_MOVE } from "./lay-out.server";
import { isAhead, knownZone, readView, requireTyped } from "./view.server";

/** Active series of one host. */
const SERIES_LIMIT = 50;
export const YEARS_AHEAD = 5 * 366 * DAY;

export type SeriesInput = { rule: string; timeZone: string; startedAt: Instant; session: SessionInput };

/** INVALID at `rule` for anything outside the allowed part, or without a date ahead (G-05). */
export function requireRule(text: string): SeriesRule {
  const rule = parseRule(text);
  if (!rule) throw invalid("rule", RULE_REFUSED);
  return rule;
}

export function requireZone(timeZone: string): string {
  const zone = knownZone(timeZone);
  if (zone === null) throw invalid("timeZone", refusals.noTimeZone);
  return zone;
}

/** A series with the fields of a session (G-04). The host pays each session when it is laid out (G-09). */
export async function createSeries(app: App, input: SeriesInput): Promise<SeriesView> {
  return storeSeries(app, input, null);
}

/**
 * Creates a series from a session of the host, which becomes its first if it has not begun. The rule dates the sessions
 * of a series, even where a person started the first.
 */
export async function createSeriesFrom(
  app: App,
  { session, typed }: { session: number; typed: RuleTyped },
): Promise<SeriesView> {
  const { row, template, hasBegun } = await readTemplate(app, session);
  const input = await requireTyped(app, typed, { start: row.startedAt });
  const isFirst = row.startedAt === input.startedAt && !hasBegun && row.closedAt === null;
  return storeSeries(
    app,
    { ...input, session: { ...template, isManuallyStarted: false } },
    isFirst && row.seriesId === null ? row.id : null,
  );
}

/**
 * A series and its first session in one batch, which a repeat with the session's uuid answers again; the other
 * dates are laid out after it. INVALID at `repeatEvery` for a start that is no day of the rule.
 */
export async function createSeriesWithFirst(
  app: App,
  { session, ...rule }: { rule: string; timeZone: string; session: SessionInput },
): Promise<NewSession> {
  const { startedAt } = session;
  if (!startedAt) throw invalid("startedAt", FIRST_START);
  const { row, next } = await planSeries(app, { ...rule, startedAt, session });
  if (next.at !== startedAt) throw invalid("repeatEvery", seriesRefusals.startOnOtherDay);
  const result = await withPlace(app, row, (statements) =>
    createSession(app, session, { day: next.day, statements }),
  );
  const { series } = result.me;
  if (series) await layOutOne(app, series.id);
  return result;
}

/** Inserts a series, adopts the session `firstId` if there is one, and lays out the other dates. */
async function storeSeries(app: App, input: SeriesInput, firstId: number | null): Promise<SeriesView> {
  const { user, row, next } = await planSeries(app, input);
  // A call may start a session within a minute, which the rule does not know.
  const isFirst = next.at <= input.startedAt && input.startedAt < next.at + MINUTE;
  const isAdopted = firstId !== null && isFirst;
  const results = await withPlace(app, row, (statements) =>
    runBatch(app.db, [
      ...statements,
      ...(isAdopted ? [seriesQueries.adoptSession(app.db, user.id, firstId, next.day)] : []),
    ]),
  );
  const [insertedSeries] = results[0] as seriesQueries.SeriesRow[];
  if (!insertedSeries) throw new AppError("SERVER_ERROR");
  await layOutOne(app, insertedSeries.id);
  return readView(app, insertedSeries.id);
}

type PlannedSeries = Omit<seriesQueries.NewSeries, "hutId" | "isPrivate"> & { template: SeriesTemplate };

/**
 * Calls `insert` with the statements of a new series in its place and with a free address (H-09). CONFLICT beyond the
 * limit of its host; INVALID for a place or for guests that it cannot have.
 */
const withPlace = <T>(
  app: App,
  row: PlannedSeries,
  insert: (statements: Statement[]) => Promise<T>,
): Promise<T> => {
  let placed: seriesQueries.NewSeries = row;
  return withFreeSlug(
    titleForSlug(row.title),
    async (candidates) => {
      const [activities, huts, sanctions, hiddenActivities, takenSlugs, [{ count } = { count: 0 }]] =
        await app.db.batch([
          ...readsOfPlace(app, row.template),
          findSeriesSlugs(app.db, candidates),
          seriesQueries.countSeriesOf(app.db, row.ownerId),
        ]);
      placed = placedSeries(
        app,
        row,
        requirePlace(app, row.template, [activities, huts, sanctions, hiddenActivities]),
      );
      if (count >= SERIES_LIMIT) throw new AppError("CONFLICT", seriesRefusals.tooMany(SERIES_LIMIT));
      return takenSlugs;
    },
    (slug) =>
      insert([seriesQueries.insertSeries(app.db, { ...placed, slug }), insertSeriesSlug(app.db, slug)]),
  );
};

/** A series is in the place of its first session, whatever becomes of its activity. */
function placedSeries(app: App, row: PlannedSeries, place: FoundPlace): seriesQueries.NewSeries {
  requireGuestsAllowed(requireUser(app.user), { ...row.template, isPrivate: place.isHidden });
  const { hutId, isPrivate } = place;
  const { repeatedHutId: _, ...fields } = row.template;
  const template = { ...fields, hutId, isPrivate: privacyOfDates(place, place.activity) };
  return { ...row, hutId, isPrivate, template };
}

/** The row of a new series, without its place, and its next date. INVALID for fields that no series can have. */
async function planSeries(app: App, input: SeriesInput) {
  const user = requireUser(app.user);
  await countUse(app, "change-series", user.id);
  const rule = requireRule(input.rule);
  const timeZone = requireZone(input.timeZone);
  requireStartAhead(app, input.startedAt);
  const template = templateOf(input.session);
  requirePlan(template, input.startedAt);
  const { datesOf, localStartOf } = await loadSeriesDates();
  const localStart = localStartOf(input.startedAt, timeZone);
  const span = { from: app.now, before: instant(app.now + YEARS_AHEAD), most: 1 };
  const [next] = datesOf({ rule, localStart, timeZone }, span);
  if (!next) throw invalid("rule", refusals.noDateAhead);
  const row = {
    ownerId: user.id,
    personId: user.personId,
    title: template.title,
    rule: formatRule(rule),
    timeZone,
    localStart,
    template,
    laidUntil: app.now,
    createdAt: app.now,
    updatedAt: app.now,
  };
  return { user, row, next };
}

/** The fields of a session without its start, which the rule gives, and without dates of its timers. */
export function templateOf(session: SeriesTemplate): SeriesTemplate {
  const { startedAt: _, endedAt: __, uuid: ___, ...fields } = withoutDates(session);
  if (session.isManuallyStarted) throw invalid("isManuallyStarted", seriesRefusals.needsDate);
  if (session.isTemplate) throw invalid("isTemplate", seriesRefusals.templateRepeats);
  if (!fitRow(JSON.stringify(fields))) throw invalid("content", seriesRefusals.tooLong);
  return { ...fields, isManuallyStarted: false };
}

/** INVALID for a plan with errors, which otherwise only the first night would meet. */
export function requirePlan(template: SessionInput, startedAt: Instant): void {
  if (template.schedule === undefined) return;
  const { duration, schedule } = template;
  planSession({
    schedule: planForLength(schedule ?? emptySchedule(), { duration, isPlanSent: true, rosterSize: 1 }),
    startedAt,
    duration: duration ?? null,
    isManuallyStarted: false,
    rosterSize: 1,
  });
}

// ---- by its host

/**
 * A series of the user, or any for a super admin. FORBIDDEN for holders of standing seats and hosts of the rota,
 * NOT_FOUND for others. Counts a `change-series`.
 */
export async function readOwnSeries(app: App, id: number): Promise<seriesQueries.ShownSeriesRow> {
  const user = requireUser(app.user);
  const [row] = await seriesQueries.findSeries(app.db, id, viewerOf(app));
  const isMine = row && (row.ownerId === user.id || isSuperAdmin(user));
  if (!row?.isOpen || (!isMine && row.standingSince === null && row.turn === null)) throw seriesNotFound();
  if (!isMine) throw new AppError("FORBIDDEN", seriesRefusals.hostOnly);
  await countUse(app, "change-series", user.id);
  return row;
}
export const seriesNotFound = () => new AppError("NOT_FOUND", seriesRefusals.noSeries);
export const requireOpen = (row: seriesQueries.ShownSeriesRow) => {
  if (row.endedAt !== null) throw new AppError("CONFLICT", seriesRefusals.ended);
};

/**
 * Pauses or resumes a series. Pausing stops the layout and keeps sessions; resuming lays out the days ahead (G-12).
 * Idempotent.
 */
export async function pauseSeries(
  app: App,
  input: { series: number; isPaused: boolean },
): Promise<SeriesView> {
  const row = await readOwnSeries(app, input.series);
  requireOpen(row);
  if (input.isPaused !== (row.pausedAt !== null)) {
    const change = input.isPaused ? { pausedAt: app.now } : { pausedAt: null, laidUntil: app.now };
    await seriesQueries.updateSeries(app.db, row.id, { ...change, updatedAt: app.now });
  }
  if (!input.isPaused) await layOutOne(app, row.id);
  return readView(app, row.id);
}

/** Ends a series and cancels its sessions that have not begun, with refunds (G-12). Idempotent. */
export async function endSeries(app: App, input: { series: number }): Promise<void> {
  const row = await readOwnSeries(app, input.series);
  // The end is stored first, so that no night creates the cancelled sessions again.
  if (row.endedAt === null)
    await seriesQueries.updateSeries(app.db, row.id, { endedAt: app.now, updatedAt: app.now });
  await takeSteps(app, "series", "ended", { seriesId: row.id });
}

export const openSessions = async (app: App, row: seriesQueries.ShownSeriesRow, fromDay = "") =>
  (await seriesQueries.listSessions(app.db, row.id, fromDay)).filter((session) => isAhead(session, app.now));

export type DayChange = {
  series: number;
  day: Day;
  isSkipped?: boolean | undefined;
  startedAt?: Instant | undefined;
};

/** Skips, restores or moves a day, before or after its layout (G-11). Idempotent. */
export async function changeDay(app: App, input: DayChange): Promise<SeriesView> {
  const row = await readOwnSeries(app, input.series);
  requireOpen(row);
  const rule = requireRule(row.rule);
  const { datesOf, instantOf } = await loadSeriesDates();
  if (!isDay(input.day)) throw noDay();
  const at = instantOf(input.day, row.localStart.slice(11), row.timeZone);
  const times = { rule, localStart: row.localStart, timeZone: row.timeZone };
  const [date] = datesOf(times, { from: at, before: instant(at + 1) });
  const existing = (await seriesQueries.listSessions(app.db, row.id, input.day)).find(
    ({ day }) => day === input.day,
  );
  const isOpen = existing !== undefined && isAhead(existing, app.now);
  // A new rule keeps the session that was moved past its day, and may not name that day.
  if (!date && !isOpen) throw noDay();
  if (existing && !isOpen) throw new AppError("CONFLICT", seriesRefusals.dayIsOver);
  if (input.startedAt !== undefined)
    await moveDay(app, row, { day: input.day, at, to: input.startedAt, existing });
  else if (input.isSkipped === true) {
    await runBatch(app.db, [seriesQueries.setDay(app.db, row.id, input.day, null)]);
    if (existing) await cancelUpcoming(app, existing.id);
  } else if (input.isSkipped === false && !existing) {
    await app.db.batch([
      seriesQueries.deleteDay(app.db, row.id, input.day),
      seriesQueries.updateSeries(app.db, row.id, { laidUntil: app.now }),
    ]);
    await layOutOne(app, row.id);
  }
  return readView(app, row.id);
}
const noDay = () => new AppError("NOT_FOUND", seriesRefusals.noDay);

async function moveDay(
  app: App,
  row: seriesQueries.ShownSeriesRow,
  { day, at, to, existing }: { day: Day; at: Instant; to: Instant; existing: { id: number } | undefined },
): Promise<void> {
  requireStartAhead(app, to);
  if (Math.abs(to - at) > MAX_MOVE) throw invalid("startedAt", seriesRefusals.movedTooFar);
  // A moved day has a start, even if its session had none.
  if (existing) await updateInSeries(app, { session: existing.id, startedAt: to, isManuallyStarted: false });
  await runBatch(app.db, [
    seriesQueries.moveDay(app.db, row.id, { day, at, to }),
    // The layout has passed a day that was skipped or whose session was deleted, so it begins again at now.
    ...(existing || at >= row.laidUntil
      ? []
      : [seriesQueries.updateSeries(app.db, row.id, { laidUntil: app.now })]),
  ]);
  if (!existing) await layOutOne(app, row.id);
}
