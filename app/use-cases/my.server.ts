// The My pages, each shared by page and JSON twin (P-14 to P-21). A page is one batch; for visitors the lists are
// empty, because the pages show examples.

import * as goalDays from "#db/queries/goals/days";
import * as goalQueries from "#db/queries/goals/goals";
import * as logs from "#db/queries/goals/logs";
import { listMeasures } from "#db/queries/goals/measures";
import * as notes from "#db/queries/goals/notes";
import * as my from "#db/queries/my";
import type { IdPage } from "#db/queries/pagination";
import { findOwnGoals } from "#db/queries/palette";
import * as attendance from "#db/queries/sessions/attendance";
import { parseFormDate } from "~/domain/date-text";
import { type Day, dayAt, plusDays, weekOf } from "~/domain/days";
import { AppError } from "~/domain/errors";
import { GOAL_STATUS, type Goal } from "~/domain/goals/goals";
import { heatStart } from "~/domain/goals/heat-map";
import { type Log, type LogShown, logAt, logSeenBy } from "~/domain/goals/logs";
import type { NoteShown } from "~/domain/goals/notes";
import type { DayTotals } from "~/domain/goals/recurrence";
import { type Streak, streakOf } from "~/domain/goals/streaks";
import type { GoalMeasure } from "~/domain/goals/target-changes";
import type { Today } from "~/domain/goals/today";
import { cursorOf, type PageOf, type PageQuery, pageOfList } from "~/domain/list-pages";
import { requireUser } from "~/domain/permissions";
import { type PastSession, reliabilityOf, reliableSince } from "~/domain/room/presence";
import { ownWordsOf } from "~/domain/search-words";
import type { Instant } from "~/domain/time";
import { asOwnGoal, canManage, type OwnGoal } from "~/use-cases/goals/goals.server";
import { showToday, todayStatements } from "~/use-cases/goals/today.server";
import type { App, CurrentUser } from "./app.server";
import { requireGoalOfKey } from "./goal-keys.server";

/** A page of a list that has page numbers, but no cursor. */
type NumberedPage<T> = Omit<PageOf<T>, "after">;

/** The page that the query asks for. */
const pageOf = (app: App, query: PageQuery): IdPage => ({
  page: query.page,
  perPage: app.settings.perPage,
  after: cursorOf(query),
});
/** A page by its number, of rows with one more than it shows if there is a next page. */
const numberedPage = <T>(app: App, { page }: PageQuery, rows: T[]): NumberedPage<T> => ({
  rows,
  page,
  perPage: app.settings.perPage,
});
/** A page of rows that are sorted by id, with the cursor of the next page. */
const pageById = <T extends { id: number }>(app: App, query: PageQuery, rows: T[]): PageOf<T> =>
  pageOfList(rows, query, app.settings.perPage, ({ id }) => id);
/** The viewer's rows; a visitor has none. */
const ownRows = async <T>(
  app: App,
  query: PageQuery,
  list: (userId: number, page: IdPage) => PromiseLike<T[]>,
): Promise<T[]> => (app.user ? list(app.user.id, pageOf(app, query)) : []);
/** `q`: words to search for in the texts. */
type SearchQuery = { q?: string | undefined };
/** The searched words; null without a search. */
const wordsOf = ({ q }: SearchQuery): string[] | null => (q ? ownWordsOf(q) : null);
const today = (app: App): Day => dayAt(app.now, app.timeZone);

type LogRow = Awaited<ReturnType<typeof logs.listUserLogs>>[number] & Pick<LogShown, "guestName">;
export function asLogShown(row: LogRow): LogShown {
  const { userId: _, goalUuid, goalTitle, goalAction, goalUnit, isGoalShared: __, ...log } = row;
  const goal =
    log.goalId !== null && goalUuid !== null
      ? {
          id: log.goalId,
          uuid: goalUuid,
          title: goalTitle ?? "",
          action: goalAction ?? "",
          unit: goalUnit ?? "",
        }
      : null;
  return { ...(log satisfies Log), goal };
}

/** The log as the viewer may read it, at this moment. */
export const asLogSeenBy =
  (app: App) =>
  (row: LogRow): LogShown =>
    logAt(logSeenBy(asLogShown(row), row.userId === app.user?.id, row.isGoalShared), app.now);

// ---- goals

export type GoalListQuery = {
  page: number;
  q?: string | undefined;
  tag?: string | undefined;
  status?: "open" | "completed" | undefined;
};
/** A goal of the list; a recurring one with its recent days. */
type ListedGoal = OwnGoal & { days: DayTotals[]; measures: GoalMeasure[] };
export type MyGoals = NumberedPage<ListedGoal> & {
  tags: { tag: string; goals: number }[];
  /** Running, paused and to-do logs of all goals, so that a timer shows on every page. */
  openLogs: LogShown[];
  today: Day;
  /** Null for a visitor. */
  goalsOfToday: Today | null;
  /** The uuid of the next goal, so that a repeated submit creates one. */
  newUuid: string;
};

export async function viewMyGoals(app: App, query: GoalListQuery): Promise<MyGoals> {
  const { user } = app;
  const page = pageOf(app, query);
  const day = today(app);
  const empty = { tags: [], openLogs: [], today: day, goalsOfToday: null, newUuid: crypto.randomUUID() };
  if (!user) return { ...numberedPage(app, query, []), ...empty };
  // The goals of today appear only above the first page of the unfiltered list.
  const showsToday = query.page === 1 && !query.q && !query.tag && query.status === undefined;
  const [runningGoals, others, tags, todayRows, openLogRows] = await app.db.batch([
    ...goalQueries.listGoals(app.db, {
      userId: user.id,
      since: plusDays(weekOf(day), -1),
      ...page,
      status: query.status === undefined ? null : GOAL_STATUS[query.status],
      words: wordsOf(query),
      tag: query.tag?.trim().toLowerCase() || null,
    }),
    goalQueries.listTags(app.db, user.id),
    ...todayStatements(app.db, user.id, day, showsToday),
  ]);
  // A running goal is first in the list.
  const goals = [...runningGoals, ...others].slice(0, page.perPage + 1);
  const rows = goals.map(({ tags, activeLogId, recentDays, measures, ...goal }) => ({
    goal,
    tags,
    activeLogId,
    username: user.username,
    days: recentDays,
    measures,
  }));
  const openLogs = openLogRows.map(asLogShown);
  return {
    ...empty,
    ...numberedPage(app, query, rows),
    tags,
    openLogs,
    goalsOfToday: showsToday ? showToday(app, todayRows, openLogs) : null,
  };
}

export type GoalPage = OwnGoal & {
  logs: LogShown[];
  openLogs: LogShown[];
  days: DayTotals[];
  measures: GoalMeasure[];
  streak: Streak | null;
  today: Day;
  newUuid: string;
};

/** The newest logs on the Details page. */
const MAX_RECENT_LOGS = 5;

export async function viewGoal(app: App, input: { goal: number }): Promise<GoalPage> {
  const user = requireUser(app.user);
  const since = heatStart(today(app));
  const [[row], days, measures, openLogRows, recentLogRows] = await app.db.batch([
    goalQueries.findGoal(app.db, input.goal, user.id),
    goalDays.listGoalDays(app.db, input.goal, user.id, since),
    listMeasures(app.db, input.goal),
    logs.listOpenLogs(app.db, user.id, input.goal, 20),
    logs.listGoalLogs(app.db, input.goal, user.id, { page: 1, perPage: MAX_RECENT_LOGS }),
  ]);
  if (!row || !canManage(user, row)) throw new AppError("NOT_FOUND");
  const ownGoal = asOwnGoal(row, user);
  return {
    ...ownGoal,
    logs: recentLogRows.slice(0, MAX_RECENT_LOGS).map(asLogSeenBy(app)),
    openLogs: openLogRows.map(asLogShown),
    days,
    measures,
    streak: await streakOfGoal(app, ownGoal.goal, user.id, { days, measures }, since),
    today: today(app),
    newUuid: crypto.randomUUID(),
  };
}

type History = Pick<GoalPage, "days" | "measures">;
/** The streak, computed from the days that the page shows; a streak that began earlier needs all days of the goal. */
async function streakOfGoal(app: App, goal: Goal, userId: number, { days, measures }: History, since: Day) {
  const { recurrence } = goal;
  if (!recurrence) return null;
  const recentStreak = streakOf({ ...goal, recurrence }, days, today(app), measures);
  const mayBeLonger =
    days[0] !== undefined && recentStreak.since !== null && recentStreak.since <= plusDays(since, 7);
  if (!mayBeLonger) return recentStreak;
  const allDays = await goalDays.listGoalDays(app.db, goal.id, userId, "0000-01-01");
  return streakOf({ ...goal, recurrence }, allDays, today(app), measures);
}

// ---- logs and notes, of all goals or of one

/** `goal` is null unless requested: by the goal's own pages, and in JSON with `with-parent` (C-31). */
export type MyLogs = PageOf<LogShown> & { goal: OwnGoal | null; newUuid: string; today: Day };
export type MyNotes = PageOf<NoteShown> & { goal: OwnGoal | null; newUuid: string };

/** The answer includes the goal unless `isParentWanted` is false. Pages show the goal's title, so they leave it out. */
type GoalListOf = PageQuery & { goal: number; isParentWanted?: boolean };

/** The uuid of the next log, so that a repeated submit creates one. */
const newFormKeys = (app: App) => ({ newUuid: crypto.randomUUID(), today: today(app) });

/** `until`: the last local day of the logs. */
export type LogListQuery = PageQuery & SearchQuery & { until?: Day | undefined };
/** `goals`: goals whose own texts contain the searched words. */
export type FoundLogs = MyLogs & { goals: { id: number; title: string }[] };

/** Maximum goals that a search of logs returns beside the logs. */
const MAX_NAMED_GOALS = 5;

export async function viewMyLogs(app: App, query: LogListQuery): Promise<FoundLogs> {
  const { user } = app;
  const searchWords = wordsOf(query);
  const endOfLogs =
    query.until === undefined ? null : parseFormDate(`${plusDays(query.until, 1)} 00:00`, app.timeZone);
  const [rows, goals] = user
    ? await app.db.batch([
        logs.listUserLogs(app.db, user.id, pageOf(app, query), { words: searchWords, before: endOfLogs }),
        findOwnGoals(app.db, user.id, searchWords ?? [], MAX_NAMED_GOALS),
      ])
    : [[], []];
  return { ...pageById(app, query, rows.map(asLogShown)), goal: null, goals, ...newFormKeys(app) };
}

export async function viewGoalLogs(app: App, query: GoalListOf): Promise<MyLogs> {
  requireGoalOfKey(app, query.goal);
  const user = requireUser(app.user);
  const [[row], rows] = await app.db.batch([
    goalQueries.findGoal(app.db, query.goal, user.id),
    logs.listGoalLogs(app.db, query.goal, user.id, pageOf(app, query)),
  ]);
  if (!row || !canManage(user, row)) throw new AppError("NOT_FOUND");
  return {
    ...pageById(app, query, rows.map(asLogSeenBy(app))),
    goal: parentOf(row, user, query),
    ...newFormKeys(app),
  };
}

const parentOf = (row: Parameters<typeof asOwnGoal>[0], user: CurrentUser, query: GoalListOf) =>
  query.isParentWanted === false ? null : asOwnGoal(row, user);

type NoteRow = Awaited<ReturnType<typeof notes.listUserNotes>>[number];
const asNoteShown = ({ uuid: _, userId: __, ...note }: NoteRow): NoteShown => note;

export async function viewMyNotes(app: App, query: PageQuery & SearchQuery): Promise<MyNotes> {
  const rows = await ownRows(app, query, (userId, page) =>
    notes.listUserNotes(app.db, userId, page, wordsOf(query)),
  );
  return {
    ...pageById(app, query, rows.map(asNoteShown)),
    goal: null,
    newUuid: crypto.randomUUID(),
  };
}

export async function viewGoalNotes(app: App, query: GoalListOf): Promise<MyNotes> {
  const user = requireUser(app.user);
  const [[row], rows] = await app.db.batch([
    goalQueries.findGoal(app.db, query.goal, user.id),
    notes.listGoalNotes(app.db, query.goal, user.id, pageOf(app, query)),
  ]);
  if (!row || !canManage(user, row)) throw new AppError("NOT_FOUND");
  return {
    ...pageById(app, query, rows.map(asNoteShown)),
    goal: parentOf(row, user, query),
    newUuid: crypto.randomUUID(),
  };
}

// ---- sessions and huts

export type MySession = Awaited<ReturnType<typeof my.listMySessions>>[number];
export type MyHut = Awaited<ReturnType<typeof my.listMyHuts>>[number];

export type MySessionList = NumberedPage<MySession> & { now: Instant };

export async function viewMySessions(app: App, query: { page: number }): Promise<MySessionList> {
  const rows = await ownRows(app, query, (userId, page) => my.listMySessions(app.db, userId, page, app.now));
  return { ...numberedPage(app, query, rows), now: app.now };
}

/** `reliability` in percent, null below three sessions in 30 days (G-28). */
type PastSessions = PageOf<PastSession> & { reliability: number | null };

/** The sessions that the user came to or missed, newest first (G-27). */
export async function viewPastSessions(app: App, query: PageQuery): Promise<PastSessions> {
  const { user } = app;
  const [rows, [counts]] = user
    ? await app.db.batch([
        attendance.listAttendance(app.db, user.id, pageOf(app, query)),
        attendance.countAttendance(app.db, user.id, reliableSince(app.now)),
      ])
    : [[], []];
  return { ...pageById(app, query, rows), reliability: counts ? reliabilityOf(counts.counts) : null };
}

export async function viewMyHuts(app: App, query: { page: number }): Promise<NumberedPage<MyHut>> {
  const rows = await ownRows(app, query, (userId, page) => my.listMyHuts(app.db, userId, page, app.now));
  return numberedPage(app, query, rows);
}
