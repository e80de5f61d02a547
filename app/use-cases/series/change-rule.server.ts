// Changes the rule of a series, and with it the sessions that have not begun (G-10).
import { runBatch, type Statement } from "#db/connect.server";
import * as seriesQueries from "#db/queries/series/series";
import { invalid } from "~/domain/errors";
import * as refusals from "~/domain/refusals";
import type { RuleTyped } from "~/domain/series/form";
import { formatRule, parseRule } from "~/domain/series/rule";
import type { SeriesView } from "~/domain/series/view";
import type { SessionChange } from "~/domain/sessions/input";
import { isCancelled } from "~/domain/sessions/status";
import { type Instant, instant } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import { loadSeriesDates } from "~/use-cases/load-series-dates.server";
import type { SeriesTimes } from "~/use-cases/series-dates.server";
import { requireStartAhead } from "~/use-cases/sessions/create.server";
import { cancelUpcoming } from "~/use-cases/sessions/run.server";
import { checkUpdate, updateInSeries } from "~/use-cases/sessions/update.server";
import { layOutOne } from "./lay-out.server";
import { readOwnSeries, requireOpen, requireRule, requireZone, YEARS_AHEAD } from "./series.server";
import { isAhead, readView, requireTyped } from "./view.server";

type SeriesRow = seriesQueries.ShownSeriesRow;

export type RuleChange = {
  rule?: string | undefined;
  timeZone?: string | undefined;
  /** The first start of the new rule; the present one stays without it. */
  startedAt?: Instant | undefined;
};

/** Changes the rule by the fields of its form (G-10, R-86). */
export async function changeRuleByForm(
  app: App,
  { series, typed }: { series: number; typed: RuleTyped },
): Promise<SeriesView> {
  const row = await readOwnSeries(app, series);
  requireOpen(row);
  const input = await requireTyped(app, typed, { rule: parseRule(row.rule) });
  await changeRule(app, row, await planRule(app, row, input));
  return readView(app, series);
}

/** A checked rule, and what becomes of the sessions that have not begun. */
type RulePlan = {
  times: SeriesTimes;
  /** Days that the rule does not name: their moves and skips, and their sessions that were cancelled before. */
  forgotten: Statement[];
  moved: (SessionChange & { startedAt: Instant })[];
  cancelledIds: number[];
};

/**
 * Plans the new rule, zone and first start. Sessions of days that the new rule names stay, at its time unless the host
 * moved them; the others are to be cancelled. A day that is over keeps the session that its host moved to a later start.
 * Everything is checked here, together with the `fields` that the same request changes, so that a refused change changes
 * nothing.
 */
export async function planRule(
  app: App,
  row: SeriesRow,
  input: RuleChange,
  fields: readonly SessionChange[] = [],
): Promise<RulePlan> {
  const times = await requireTimes(app, row, input);
  const { localStart, timeZone } = times;
  const { datesOf, instantOf, localStartOf } = await loadSeriesDates();
  const startOn = (day: string): Instant => instantOf(day, localStart.slice(11), timeZone);
  const isNamed = (day: string): boolean => {
    const at = startOn(day);
    return datesOf(times, { from: at, before: instant(at + 1) }).length > 0;
  };
  const today = localStartOf(app.now, timeZone).slice(0, 10);
  const isOver = (day: string): boolean =>
    day < today || instantOf(day, row.localStart.slice(11), row.timeZone) <= app.now;
  const [changes, sessions] = await app.db.batch([
    seriesQueries.listDays(app.db, row.id, ""),
    seriesQueries.listSessions(app.db, row.id, ""),
  ]);
  const days = changes.map(({ day }) => day);
  // A later rule that names such a day again lays it out as any other.
  const unnamedDays = days.filter((day) => day >= today && !isNamed(day));
  const closed = sessions.filter(
    (session) => isCancelled(session) && !isOver(session.day) && !isNamed(session.day),
  );
  const movedDays = new Set(days.filter((day) => !unnamedDays.includes(day)));
  const ahead = sessions.filter((session) => isAhead(session, app.now));
  const moved = ahead.flatMap(({ id, day, startedAt }) => {
    const at = startOn(day);
    const isMoved = startedAt !== null && !movedDays.has(day) && at > app.now && at !== startedAt;
    return isMoved && isNamed(day) ? [{ session: id, startedAt: at }] : [];
  });
  for (const change of moved)
    await checkUpdate(
      app,
      { ...fields.find(({ session }) => session === change.session), ...change },
      "other",
    );
  return {
    times,
    forgotten: [
      ...unnamedDays.map((day) => seriesQueries.deleteDay(app.db, row.id, day)),
      ...closed.map(({ id }) => seriesQueries.detachSession(app.db, id)),
    ],
    moved,
    cancelledIds: ahead.filter(({ day }) => !isNamed(day) && !isOver(day)).map(({ id }) => id),
  };
}

/** The new rule, zone and first start. INVALID if they have no date ahead. */
async function requireTimes(app: App, row: SeriesRow, input: RuleChange): Promise<SeriesTimes> {
  const rule = requireRule(input.rule ?? row.rule);
  const timeZone = requireZone(input.timeZone ?? row.timeZone);
  requireStartAhead(app, input.startedAt);
  const { datesOf, localStartOf } = await loadSeriesDates();
  const localStart = input.startedAt === undefined ? row.localStart : localStartOf(input.startedAt, timeZone);
  const times = { rule, localStart, timeZone };
  if (datesOf(times, { from: app.now, before: instant(app.now + YEARS_AHEAD), most: 1 }).length === 0)
    throw invalid("rule", refusals.noDateAhead);
  return times;
}

/** Writes a planned rule, with refunds for the sessions that it cancels. Idempotent. */
export async function changeRule(
  app: App,
  { id }: SeriesRow,
  { times: { rule, localStart, timeZone }, forgotten, moved, cancelledIds }: RulePlan,
): Promise<void> {
  await runBatch(app.db, [
    seriesQueries.updateSeries(app.db, id, {
      rule: formatRule(rule),
      timeZone,
      localStart,
      laidUntil: app.now,
      updatedAt: app.now,
    }),
    ...forgotten,
  ]);
  for (const session of cancelledIds) {
    await cancelUpcoming(app, session);
    await seriesQueries.detachSession(app.db, session);
  }
  for (const change of moved) await updateInSeries(app, change);
  await layOutOne(app, id);
}
