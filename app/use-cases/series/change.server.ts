// Changes several sessions of a series at once (G-10): from one of its sessions, or from the series. Sessions that have
// begun never change.
import { runBatch, type Statement } from "#db/connect.server";
import { inviteHostsAgain } from "#db/queries/series/rota";
import * as seriesQueries from "#db/queries/series/series";
import { AppError, invalid } from "~/domain/errors";
import { allow, isSuperAdmin, requireUser } from "~/domain/permissions";
import * as refusals from "~/domain/refusals";
import {
  asOnOtherDates,
  partsInOrder,
  type Schedule,
  withoutDates,
  withoutRunState,
} from "~/domain/schedule/schedule";
import * as seriesRefusals from "~/domain/series/refusals";
import type { SeriesView } from "~/domain/series/view";
import type { ScopedChange, SessionChange, SessionFields } from "~/domain/sessions/input";
import { SESSION_SENTENCES } from "~/domain/sessions/limits";
import { SESSION_STATUS, statusAt } from "~/domain/sessions/status";
import { type Instant, SECOND, seconds } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import { loadSeriesDates } from "~/use-cases/load-series-dates.server";
import { wakeEvents } from "~/use-cases/notices/events.server";
import { countUse } from "~/use-cases/rate-limits.server";
import { planCodeChange } from "~/use-cases/sessions/code-changes.server";
import type { NewSession } from "~/use-cases/sessions/create.server";
import { requireGuestsAllowed } from "~/use-cases/sessions/guest-seats.server";
import { newCall } from "~/use-cases/sessions/new-call.server";
import { requireHutToMoveTo } from "~/use-cases/sessions/place.server";
import { mayRun, readSession } from "~/use-cases/sessions/read.server";
import { checkUpdate, updateInSeries, updateSession } from "~/use-cases/sessions/update.server";
import { viewerOf } from "~/use-cases/viewer.server";
import { changeRule, planRule, type RuleChange } from "./change-rule.server";
import { renameStatements } from "./renamed.server";
import { newRotaAskedAgainEvent } from "./rota.server";
import {
  openSessions,
  pauseSeries,
  readOwnSeries,
  requireOpen,
  requirePlan,
  templateOf,
} from "./series.server";
import { readView } from "./view.server";

type SeriesRow = seriesQueries.ShownSeriesRow;

/**
 * Changes a session, and by `scope` the upcoming sessions of its series. Only fields that differ from this session's
 * reach the others.
 */
export async function changeSessions(app: App, { scope, ...sent }: ScopedChange): Promise<NewSession> {
  if (scope === undefined || scope === "this") return changeOne(app, sent);
  const user = requireUser(app.user);
  await countUse(app, "change-series", user.id);
  const row = await readSession(app, sent);
  allow(mayRun(app, row), refusals.hostAndAdminsChange);
  const day = row.seriesDay;
  const [series] =
    row.seriesId === null ? [] : await seriesQueries.findSeries(app.db, row.seriesId, viewerOf(app));
  if (!series || day === null) throw new AppError("CONFLICT", seriesRefusals.noSeriesOfSession);
  allow(series.ownerId === user.id || isSuperAdmin(user), seriesRefusals.hostChangesOthers);
  requireOpen(series);
  if (statusAt(row, app.now) !== SESSION_STATUS.waiting || row.closedAt !== null)
    throw new AppError("CONFLICT", SESSION_SENTENCES.started);
  const input = endAsLength(row, sent);
  const { keepsWaiting } = input;
  const { startedAt, endedAt: _, ...fields } = changedFields(row, input);
  const time = startedAt == null ? undefined : await timeOn(series, day, startedAt);
  const upcoming = await planUpcoming(app, series, {
    fields,
    time,
    fromDay: scope === "later" ? day : "",
    except: row.id,
    keepsWaiting,
  });
  await checkUpdate(app, input, "edited");
  // This day has the rule's new time, whether or not it was moved before.
  const movedDay = time === undefined ? [] : [seriesQueries.deleteDay(app.db, series.id, day)];
  await changeUpcoming(app, { ...upcoming, series: [...upcoming.series, ...movedDay] });
  // This session changes last, so that a retry after a failure finds the same differences.
  return updateInSeries(app, input, "edited");
}

/**
 * Gives a new call to this session and to all dates that have not begun. With `isEach` the template is marked, and each
 * date gets a call of its own (J-01).
 */
export async function changeCallsOfSeries(
  app: App,
  row: StoredSession,
  { base, isEach }: { base: string; isEach: boolean },
): Promise<void> {
  const user = requireUser(app.user);
  await countUse(app, "change-series", user.id);
  const [series] =
    row.seriesId === null ? [] : await seriesQueries.findSeries(app.db, row.seriesId, viewerOf(app));
  if (!series) throw new AppError("CONFLICT", seriesRefusals.noSeriesOfSession);
  allow(series.ownerId === user.id || isSuperAdmin(user), seriesRefusals.hostChangesOthers);
  requireOpen(series);
  const link = newCall(base);
  const upcoming = await planUpcoming(app, series, {
    fields: { meetingLink: isEach ? base : link },
    hasOwnCalls: isEach,
    time: undefined,
    fromDay: "",
    except: row.id,
  });
  const callOfOne = () => (isEach ? newCall(base) : link);
  const sessions = upcoming.sessions.map((change) => ({ ...change, meetingLink: callOfOne() }));
  await changeUpcoming(app, { ...upcoming, sessions });
  await updateInSeries(app, { session: row.id, meetingLink: callOfOne() });
}

/**
 * Changes one session. A new start makes its day a moved day, which later changes of the rule do not move; the rule's own
 * start makes it a plain day again.
 */
async function changeOne(app: App, input: ScopedChange): Promise<NewSession> {
  const result = await updateSession(app, input);
  if (result.me.series === null || input.startedAt == null) return result;
  const { seriesDay: day, startedAt } = await readSession(app, { session: input.session });
  const [series] = await seriesQueries.findSeries(app.db, result.me.series.id, viewerOf(app));
  if (!series || day === null || startedAt === null) return result;
  const { instantOf } = await loadSeriesDates();
  const at = instantOf(day, series.localStart.slice(11), series.timeZone);
  await app.db.batch([seriesQueries.moveDay(app.db, series.id, { day, at, to: startedAt })]);
  return result;
}

/** The local time of a new start. INVALID on another day, which needs another rule. */
async function timeOn(series: SeriesRow, day: string, startedAt: Instant): Promise<string> {
  const { localStartOf } = await loadSeriesDates();
  const [newDay, time = ""] = localStartOf(startedAt, series.timeZone).split("T");
  if (newDay === day) return time;
  throw invalid("startedAt", seriesRefusals.otherDay);
}

type StoredSession = Awaited<ReturnType<typeof readSession>>;
/** The fields that other dates take. They get the plan without dates, so only such a plan is compared. */
function changedFields(row: StoredSession, input: SessionFields): SessionFields {
  // A call cannot send `isUndated`, and a cleared date also has no rule.
  const planText = (schedule: Schedule) =>
    JSON.stringify(asOnOtherDates(schedule), (name, value) => (name === "isUndated" ? undefined : value));
  const isPlanChanged = (sent: Schedule): boolean =>
    planText(withoutRunState(sent)) !== planText(row.schedule) || losesDate(row.schedule, sent);
  const isChanged = ([name, value]: [string, unknown]): boolean => {
    if (value === undefined || ["session", "keepsWaiting", "since"].includes(name)) return false;
    if (name === "goals") return true;
    if (name === "schedule") return isPlanChanged(value as Schedule);
    return (value || null) !== (row[name as keyof StoredSession] || null);
  };
  return Object.fromEntries(Object.entries(input).filter(isChanged)) as SessionFields;
}

/** A timer that had a date of its own counts from another one again, as it may on other dates. */
function losesDate(before: Schedule, after: Schedule): boolean {
  const relativeIds = new Set(partsInOrder(after).flatMap((part) => (part.relativeStart ? [part.id] : [])));
  return partsInOrder(before).some((part) => part.relativeStart === null && relativeIds.has(part.id));
}

/**
 * An end as the length that it gives this session, because other dates have other ends (C-71). A new end comes before a
 * length as it was (T-08), and a session without a start keeps the end.
 */
function endAsLength<T extends SessionFields>(row: StoredSession, input: T): T {
  const startedAt = input.startedAt === undefined ? row.startedAt : input.startedAt;
  const { endedAt, ...fields } = input;
  if (endedAt === undefined || startedAt === null) return input;
  const isEndNew = endedAt !== row.endedAt && fields.duration === row.duration;
  if (endedAt === null || (fields.duration != null && !isEndNew)) return fields as T;
  return { ...fields, duration: seconds(Math.round((endedAt - startedAt) / SECOND)) } as T;
}

/** A checked change: the batch of the series with its events, and the change of each session. */
type Upcoming = { causes: { id: string }[]; series: Statement[]; sessions: SessionChange[] };

/**
 * Plans the change of the template and of the sessions that have not begun, except the one that the caller changes.
 * Everything is checked here, so that a refused change changes nothing.
 */
async function planUpcoming(
  app: App,
  series: SeriesRow,
  change: {
    fields: SessionFields;
    /** The new call is one for each date. */
    hasOwnCalls?: boolean;
    time: string | undefined;
    fromDay: string;
    except: number | null;
    keepsWaiting?: boolean | undefined;
  },
): Promise<Upcoming> {
  const { hasOwnCalls = false, time, fromDay, except, keepsWaiting } = change;
  const user = requireUser(app.user);
  const { guestLimit: _guestLimit, ...otherFields } = change.fields;
  // The template has the answer of the series' own host, whom nobody else makes pay for guests (H-17).
  const fields: SessionFields = user.id === series.ownerId ? change.fields : otherFields;
  // The template may still name a hut that was deleted.
  const template = templateOf({
    ...series.template,
    hutId: series.hutId,
    ...fields,
    // A new prompt replaces the book of the former one.
    ...(fields.prompt === undefined ? {} : { promptBook: undefined }),
    ...(fields.meetingLink === undefined ? {} : { hasOwnCalls: hasOwnCalls || undefined }),
  } as SeriesRow["template"]);
  const localStart = time === undefined ? series.localStart : `${series.localStart.slice(0, 11)}${time}`;
  requirePlan(template, app.now);
  if (fields.hutId && fields.hutId !== series.hutId) await requireHutToMoveTo(app, fields.hutId);
  requireGuestsAllowed(user, {
    before: series.template.guestLimit,
    guestLimit: fields.guestLimit,
    // A change of a date takes at most the limit of each.
    participantLimit: except === null ? template.participantLimit : null,
    isPrivate: series.isPrivate && fields.isPrivate !== false,
  });
  const unstarted = await openSessions(app, series);
  const upcoming = unstarted.filter(({ day }) => day >= fromDay);
  const mostParticipants = Math.max(0, ...upcoming.map(({ participantsCount }) => participantsCount));
  if (fields.participantLimit && fields.participantLimit < mostParticipants)
    throw invalid("participantLimit", refusals.participantsAlready(mostParticipants));
  const { instantOf } = await loadSeriesDates();
  const movedDays = new Set((await seriesQueries.listDays(app.db, series.id, "")).map(({ day }) => day));
  // A goal belongs to its session, so the others get copies.
  const goals = fields.goals?.map(({ uuid: _, ...goal }) => goal);
  const { isFree: _isFree, ...fieldsWithoutFree } = fields;
  const sessions = upcoming.flatMap(({ id, day, startedAt, hostId }): SessionChange[] => {
    if (id === except) return [];
    // The host of a session pays for free joining, and alone switches it on.
    const allowedFields = withoutDates(
      fields.isFree && hostId !== series.ownerId ? fieldsWithoutFree : fields,
    );
    const isTimed = time !== undefined && startedAt !== null && !movedDays.has(day);
    const at = isTimed ? instantOf(day, time, series.timeZone) : null;
    const start = at !== null && at > app.now && at !== startedAt ? { startedAt: at } : {};
    return [{ ...allowedFields, ...(goals ? { goals } : {}), ...start, keepsWaiting, session: id }];
  });
  for (const session of sessions) await checkUpdate(app, session, "other");
  const { title, hutId = null, joinCode } = template;
  const rotaAsk = newRotaAskedAgainEvent(app, { id: series.id, title });
  const { id } = series;
  const formerCode = series.template.joinCode ?? "";
  const codedSeries = { of: "series", id, title, path: `/my/series/${id}`, joinCode: formerCode } as const;
  const code = planCodeChange(app, codedSeries, keepsWaiting && joinCode ? undefined : (joinCode ?? ""));
  return {
    causes: [rotaAsk, ...code.causes],
    series: [
      ...code.statements,
      ...(await renameStatements(app, series, title)),
      ...(template.isFree ? inviteHostsAgain(app.db, series.id, rotaAsk) : []),
      seriesQueries.updateSeries(app.db, series.id, {
        template,
        title,
        hutId,
        ...(hutId === null && fields.isPrivate === false ? { isPrivate: false } : {}),
        localStart,
        updatedAt: app.now,
      }),
      // Earlier sessions keep their time, whatever the rule says later.
      ...unstarted.flatMap(({ day, startedAt }) =>
        time !== undefined && day < fromDay && startedAt !== null && !movedDays.has(day)
          ? [seriesQueries.setDay(app.db, series.id, day, startedAt)]
          : [],
      ),
    ],
    sessions,
  };
}

/** Writes a planned change. Idempotent. */
async function changeUpcoming(app: App, { causes, series, sessions }: Upcoming): Promise<void> {
  await runBatch(app.db, series);
  wakeEvents(app, causes);
  for (const change of sessions) await updateInSeries(app, change);
}

export type SeriesChange = RuleChange & {
  series: number;
  isPaused?: boolean | undefined;
  session?: SessionFields | undefined;
};

/** Pauses or resumes a series, and changes its rule or the fields of all upcoming sessions. Idempotent. */
export async function changeSeries(app: App, input: SeriesChange): Promise<SeriesView> {
  const { series, isPaused, rule, timeZone, startedAt, session } = input;
  const isRuleNew = [rule, timeZone, startedAt].some((value) => value !== undefined);
  if (session !== undefined || isRuleNew) {
    const row = await readOwnSeries(app, series);
    requireOpen(row);
    if (session?.startedAt !== undefined || session?.endedAt !== undefined)
      throw invalid("session", seriesRefusals.ruleGivesStart);
    const change = {
      fields: session ? withoutUndefined(session) : {},
      time: undefined,
      fromDay: "",
      except: null,
    };
    const upcoming = session ? await planUpcoming(app, row, change) : null;
    const rulePlan = isRuleNew ? await planRule(app, row, input, upcoming?.sessions) : null;
    if (upcoming) await changeUpcoming(app, upcoming);
    if (rulePlan) await changeRule(app, row, rulePlan);
  } else if (isPaused === undefined) throw invalid("paused", seriesRefusals.zeroOrOne);
  return isPaused === undefined ? readView(app, series) : pauseSeries(app, { series, isPaused });
}
const withoutUndefined = (session: SessionFields): SessionFields =>
  Object.fromEntries(Object.entries(session).filter(([, value]) => value !== undefined)) as SessionFields;
