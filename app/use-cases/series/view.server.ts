// The series pages: the viewer's series, one series with its days, and the dates of a rule before it is saved.
import { listRota } from "#db/queries/series/rota";
import * as seriesQueries from "#db/queries/series/series";
import * as standingQueries from "#db/queries/series/standing";
import { findViewLink } from "#db/queries/sessions/view-links";
import { parseFormDate } from "~/domain/date-text";
import { plusDays } from "~/domain/days";
import { AppError, invalid } from "~/domain/errors";
import { isSuperAdmin, requireUser } from "~/domain/permissions";
import * as refusals from "~/domain/refusals";
import { aliasAt } from "~/domain/room/aliases";
import { seriesAddress } from "~/domain/series/address";
import { FIRST_START, problemsOfTyped, type RuleTyped } from "~/domain/series/form";
import * as seriesRefusals from "~/domain/series/refusals";
import { describeRule, parseRule, type SeriesRule } from "~/domain/series/rule";
import { stopSentence } from "~/domain/series/stops";
import type {
  RuleDraft,
  SeriesDay,
  SeriesDraft,
  SeriesList,
  SeriesPage,
  SeriesPreview,
  SeriesView,
  ShownSeries,
} from "~/domain/series/view";
import { viewLinkOf } from "~/domain/sessions/stage";
import { isCancelled } from "~/domain/sessions/status";
import { codeExpiryOf } from "~/domain/sessions/waiting";
import { DAY, type Instant, instant } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import { loadSeriesDates } from "~/use-cases/load-series-dates.server";
import { readTemplate } from "~/use-cases/sessions/template.server";
import { viewerOf } from "~/use-cases/viewer.server";
import { LAYOUT_HORIZON } from "./lay-out.server";
import { ruleTextFor, typedOfSeries } from "./rule-form.server";

const MAX_SHOWN_SERIES = 100;
const MAX_SHOWN_HOLDERS = 500;
const MAX_SHOWN_DATES = 60;

export const seriesPath = (id: number): string => `/my/series/${id}`;
export const ruleTextOf = (row: { rule: string; localStart: string; timeZone: string }): string => {
  const rule = parseRule(row.rule);
  return rule ? describeRule(rule, row.localStart, row.timeZone) : "";
};

export function showSeries(app: App, row: seriesQueries.ShownSeriesRow): ShownSeries {
  const isMine = row.ownerId === app.user?.id;
  return {
    id: row.id,
    path: seriesPath(row.id),
    address: seriesAddress(row),
    title: row.title,
    ruleText: ruleTextOf(row),
    rule: row.rule,
    timeZone: row.timeZone,
    hostUsername: row.ownerName,
    isMine,
    isPaused: row.pausedAt !== null,
    hasEnded: row.endedAt !== null,
    needsCode: (row.template.joinCode ?? "") !== "",
    isFree: row.template.isFree ?? false,
    problem: isMine && row.stop ? stopSentence(row.stop, row) : "",
    turn: row.turn,
    standingSince: row.standingSince,
    codeExpiresAt: codeExpiryOf(row.codeAskedAt),
    holdersCount: row.holdersCount,
  };
}

/** The viewer's series, as host or with a standing seat; those that have ended come last. */
export async function listMySeries(app: App): Promise<{ series: ShownSeries[]; now: Instant }> {
  const user = requireUser(app.user);
  const rows = await seriesQueries.listMySeries(app.db, user.id, MAX_SHOWN_SERIES);
  return { series: rows.map((row) => showSeries(app, row)), now: app.now };
}

/** A series, for its host, the holders of standing seats, the hosts of its rota and super admins; NOT_FOUND otherwise. */
export const viewSeries = (app: App, input: { series: number }): Promise<SeriesView> =>
  readView(app, input.series);

export const readView = async (app: App, id: number): Promise<SeriesView> => (await readShown(app, id)).view;

async function readShown(
  app: App,
  id: number,
): Promise<{ view: SeriesView; row: seriesQueries.ShownSeriesRow }> {
  const user = requireUser(app.user);
  // A day earlier than UTC's, so that no time zone loses its present day.
  const firstDay = plusDays(new Date(app.now).toISOString().slice(0, 10), -1);
  const [[row], changes, sessions, holders, hosts, [link]] = await app.db.batch([
    seriesQueries.findSeries(app.db, id, viewerOf(app)),
    seriesQueries.listDays(app.db, id, firstDay),
    seriesQueries.listSessions(app.db, id, firstDay, { orOpen: true }),
    standingQueries.listHolders(app.db, id, user.id, MAX_SHOWN_HOLDERS),
    listRota(app.db, id, user.id),
    findViewLink(app.db, { seriesId: id }),
  ]);
  const mayManage = row && (row.ownerId === user.id || isSuperAdmin(user));
  if (!row?.isOpen || (!mayManage && row.standingSince === null && row.turn === null))
    throw new AppError("NOT_FOUND", seriesRefusals.noSeries);
  const view = {
    series: showSeries(app, row),
    days: row.endedAt === null ? await daysOf(app, row, changes, sessions) : [],
    holders: mayManage
      ? holders.map((holder, index) => ({ username: shownName(holder, index), since: holder.since }))
      : [],
    hosts: (mayManage || row.turn !== null ? hosts : []).map((host, index) => ({
      username: shownName(host, index),
      isAccepted: host.acceptedAt !== null,
      handle: host.isHidden ? host.handle : null,
    })),
    ownGuests: row.ownGuests,
    viewLink: viewLinkOf(hiddenAs(row), row.ownerId === user.id, link),
    unstarted: sessions.filter((session) => isAhead(session, app.now)).length,
    timeZone: row.timeZone,
    now: app.now,
  };
  return { view, row };
}

/** The two properties that hide a series' sessions: its privacy, and the join code of its template. */
export const hiddenAs = ({ isPrivate, template }: seriesQueries.ShownSeriesRow) => ({
  isPrivate,
  joinCode: template.joinCode ?? "",
});

/** The name of a person with whom a block exists stays hidden. */
const shownName = (person: { username: string; isHidden: boolean }, index: number): string =>
  person.isHidden ? aliasAt(index) : person.username;

/** True for a session that has not begun, on any day: a change or the end of its series changes it. */
export const isAhead = (
  { closedAt, startedAt }: Pick<seriesQueries.SessionOfSeries, "closedAt" | "startedAt">,
  now: Instant,
): boolean => closedAt === null && (startedAt === null || startedAt > now);

/** The dates of the next four weeks, but at least the next `minDates`, and every session that has not begun. */
export async function daysOf(
  app: App,
  row: seriesQueries.ShownSeriesRow,
  changes: Awaited<ReturnType<typeof seriesQueries.listDays>>,
  sessions: readonly seriesQueries.SessionOfSeries[],
  minDates = 5,
): Promise<SeriesDay[]> {
  const rule = parseRule(row.rule);
  if (!rule) return [];
  const { datesOf, instantOf } = await loadSeriesDates();
  const times = { rule, localStart: row.localStart, timeZone: row.timeZone };
  const farAhead = instant(app.now + 400 * DAY);
  const dates = datesOf(times, { from: instant(app.now - DAY), before: farAhead, most: MAX_SHOWN_DATES });
  const ruleDays = new Set(dates.map(({ day }) => day));
  const offRule = sessions.filter((session) => isAhead(session, app.now) && !ruleDays.has(session.day));
  const movedToByDay = new Map(changes.map(({ day, movedTo }) => [day, movedTo]));
  const sessionsByDay = new Map(sessions.map((session) => [session.day, session]));
  const atOf = (day: string) => instantOf(day, row.localStart.slice(11), row.timeZone);
  const days = [...offRule.map(({ day }) => ({ day, at: atOf(day) })), ...dates].flatMap(
    ({ day, at }): SeriesDay[] => {
      const movedTo = movedToByDay.get(day);
      const session = sessionsByDay.get(day);
      const isUndated = session !== undefined && session.closedAt === null && session.startedAt === null;
      const start = isUndated ? at : (session?.startedAt ?? movedTo ?? at);
      const isOver = !isUndated && (session?.endedAt ?? start) <= app.now;
      if (isOver && session?.closedAt == null) return [];
      const isOff = session !== undefined && isCancelled(session);
      // A session that was held before its planned time is over, like the others that have ended.
      if (session?.closedAt != null && (!isOff || at <= app.now)) return [];
      const state = isOff ? "cancelled" : session ? "laid" : movedTo === null ? "skipped" : "planned";
      return [
        {
          day,
          at: isOff ? at : start,
          state,
          isMoved: !isOff && start !== at,
          isUndated,
          session: session
            ? { id: session.id, title: session.title, participantsCount: session.participantsCount }
            : null,
        },
      ];
    },
  );
  return days
    .sort((a, b) => a.at - b.at)
    .filter(({ at, state }, index) => index < minDates || at < app.now + LAYOUT_HORIZON || state === "laid");
}

/** The list, with the form of a new series if a session is chosen, which only that session's host may do. */
export async function viewSeriesList(
  app: App,
  input: { session: number | undefined; isStartTyped: boolean; typed: RuleTyped },
): Promise<SeriesList> {
  const { series } = await listMySeries(app);
  return {
    series,
    draft:
      input.session === undefined
        ? null
        : {
            ...(await draftOf(app, input.session, input.typed)),
            isStartTyped: input.isStartTyped,
          },
  };
}

/** A series, with the form of another rule for its host (G-10). */
export async function viewSeriesPage(
  app: App,
  input: { series: number; change: boolean; typed: RuleTyped },
): Promise<SeriesPage> {
  const { view, row } = await readShown(app, input.series);
  const { series, timeZone, days } = view;
  const rule = parseRule(series.rule);
  if (!series.isMine || series.hasEnded || !rule) return { ...view, draft: null };
  const { instantOf } = await loadSeriesDates();
  const times = { rule, localStart: row.localStart, timeZone };
  const time = row.localStart.slice(11);
  // The form shows the first day, wherever its host moved the others, and the rule's own time, so that sending it
  // unchanged moves and cancels no session.
  const [first = null] = days
    .filter(({ day, state }) => state !== "cancelled" && instantOf(day, time, timeZone) > app.now)
    .map(({ day }) => day)
    .sort();
  const typed = input.change
    ? { ...input.typed, timeZone: input.typed.timeZone || timeZone }
    : await typedOfSeries(times, first);
  const startedAt = parseFormDate(typed.startedAt, knownZone(typed.timeZone) ?? timeZone);
  const draft = await ruleDraft(app, typed, startedAt, rule);
  return { ...view, draft: { ...draft, isAsked: input.change } };
}

/**
 * The rule, zone and first start by the fields of a form, for the session or the series that is its `origin`. INVALID at a
 * field that gives none.
 */
export async function requireTyped(
  app: App,
  typed: RuleTyped,
  origin: { start: Instant | null } | { rule: SeriesRule | null },
): Promise<{ rule: string; timeZone: string; startedAt: Instant }> {
  const timeZone = typed.timeZone.trim() === "" ? app.timeZone : knownZone(typed.timeZone);
  const { localStartOf } = await loadSeriesDates();
  const [field, sentence] = Object.entries(problemsOfTyped(typed))[0] ?? [];
  if (field && sentence) throw invalid(field, sentence);
  if (timeZone === null) throw invalid("timeZone", refusals.noTimeZone);
  const { start: ownStart, rule } = { start: null, rule: null, ...origin };
  // The picker has no seconds, so the start of the session is compared by its minute.
  const isOwn =
    ownStart !== null && localStartOf(ownStart, timeZone).slice(0, 16) === typed.startedAt.slice(0, 16);
  const startedAt = isOwn ? ownStart : parseFormDate(typed.startedAt, timeZone);
  if (startedAt === null) throw invalid("startedAt", FIRST_START);
  return { rule: await ruleTextFor(typed, { startedAt, timeZone }, rule), timeZone, startedAt };
}

async function ruleDraft(
  app: App,
  typed: RuleTyped,
  startedAt: Instant | null,
  stored: SeriesRule | null,
): Promise<RuleDraft> {
  const { localStartOf } = await loadSeriesDates();
  const timeZone = knownZone(typed.timeZone) ?? app.timeZone;
  const localStart = startedAt === null ? "" : localStartOf(startedAt, timeZone);
  const isWrong = startedAt === null || Object.keys(problemsOfTyped(typed)).length > 0;
  const rule = isWrong ? "" : await ruleTextFor(typed, { startedAt, timeZone }, stored);
  return {
    typed: { ...typed, timeZone, startedAt: localStart },
    rule,
    startedAt,
    preview: startedAt === null ? null : await previewSeries(app, { rule, timeZone, startedAt }),
  };
}

async function draftOf(
  app: App,
  session: number,
  typed: RuleTyped,
): Promise<Omit<SeriesDraft, "isStartTyped">> {
  const { row, hasBegun } = await readTemplate(app, session);
  const { weekAhead } = await loadSeriesDates();
  const timeZone = knownZone(typed.timeZone) ?? app.timeZone;
  const ownStart = row.isManuallyStarted ? null : row.startedAt;
  const nextStart = ownStart !== null && hasBegun ? weekAhead(ownStart, timeZone, app.now) : ownStart;
  const startedAt = typed.startedAt === "" ? nextStart : parseFormDate(typed.startedAt, timeZone);
  return { session: { id: row.id, title: row.title }, ...(await ruleDraft(app, typed, startedAt, null)) };
}

/** The name of a zone as the person chose it, or null. The canonical name of Europe/Kyiv is still Europe/Kiev. */
export function knownZone(timeZone: string): string | null {
  const name = timeZone.trim();
  try {
    const { timeZone: canonicalName } = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions();
    return canonicalName.toLowerCase() === name.toLowerCase() ? canonicalName : name;
  } catch {
    return null;
  }
}

/** The rule in words and its next five dates (G-06); null for a rule that is not allowed. */
async function previewSeries(
  app: App,
  input: { rule: string; timeZone: string; startedAt: Instant },
): Promise<SeriesPreview | null> {
  const rule = parseRule(input.rule);
  if (!rule) return null;
  const { datesOf, localStartOf } = await loadSeriesDates();
  const { timeZone } = input;
  const localStart = localStartOf(input.startedAt, timeZone);
  const span = { from: app.now, before: instant(app.now + 5 * 366 * DAY), most: 5 };
  return {
    ruleText: describeRule(rule, localStart, timeZone),
    dates: datesOf({ rule, localStart, timeZone }, span).map(({ at }) => at),
    timeZone,
  };
}
