// Home: upcoming and running sessions, and activities (P-01, R-23).
import * as activityQueries from "#db/queries/activities/activities";
import * as categoryQueries from "#db/queries/activities/categories";
import * as goalQueries from "#db/queries/goals/goals";
import * as sessionCards from "#db/queries/sessions/cards";
import { type Day, dayAt, plusDays, weekOf } from "~/domain/days";
import { GOAL_STATUS } from "~/domain/goals/goals";
import { streakOf } from "~/domain/goals/streaks";
import type { ListQuery } from "~/domain/lists";
import { activityFilter } from "~/use-cases/activities/list.server";
import type { App } from "./app.server";
import { findForgivingly } from "./search.server";
import { cardFilter, pageOf, showCard, TEMPLATES } from "./sessions/list.server";

const SESSIONS_SHOWN = 6;
const GOALS_READ = 5;
/** A longer streak is counted from here; its goal's page counts it whole. */
const DAYS_OF_STREAK = 35;

/** `page` and `after` belong to the activities; only the first sessions are shown. */
export async function viewHome(app: App, query: ListQuery) {
  const today = dayAt(app.now, app.timeZone);
  const { result, corrected } = await findForgivingly(
    app,
    { q: query.q, within: ["session", "activity"] },
    (words) =>
      app.db.batch([
        sessionCards.selectSessionCards(app.db, {
          ...cardFilter(app, query, words),
          page: 1,
          perPage: SESSIONS_SHOWN,
          after: null,
        }),
        activityQueries.listActivities(app.db, activityFilter(app, query, words)),
        categoryQueries.listCategories(app.db),
        activityQueries.listTemplates(app.db, TEMPLATES),
        activityQueries.countActivities(app.db, activityFilter(app, query, words)),
        ...goalQueries.listGoals(app.db, {
          userId: app.user?.id ?? 0,
          since: plusDays(weekOf(today), -DAYS_OF_STREAK),
          page: 1,
          perPage: GOALS_READ,
          status: GOAL_STATUS.open,
          words: [],
          tag: null,
        }),
      ]),
    ([sessions, activities]) => sessions.length === 0 && activities.length === 0,
  );
  const [sessions, activities, categories, templates, [counted], running, others] = result;
  const { rows, ...page } = pageOf(app, query, activities, corrected);
  return {
    ...page,
    appName: app.settings.appName,
    sessions: sessions.slice(0, SESSIONS_SHOWN).map((row) => showCard(app, row)),
    hasMoreSessions: sessions.length > SESSIONS_SHOWN,
    activities: rows,
    activitiesCount: counted?.count ?? 0,
    categories,
    templates,
    own: ownThings([...running, ...others], today),
  };
}

type GoalRows = Awaited<ReturnType<typeof goalQueries.listGoals>[number]>;

/** The running goal, otherwise the newest open one, and the longest current streak. */
function ownThings(goals: GoalRows, today: Day) {
  const [first] = goals;
  const goal = goals.find(({ activeLogId }) => activeLogId !== null) ?? first ?? null;
  const streaks = goals.flatMap(({ recentDays, recurrence, ...one }) => {
    if (!recurrence) return [];
    const { current, unit, isDoneNow } = streakOf({ ...one, recurrence }, recentDays, today);
    return current > 0 ? [{ goalId: one.id, title: one.title, count: current, unit, isDoneNow }] : [];
  });
  const [streak = null] = streaks.sort((a, b) => b.count - a.count);
  return {
    goal: goal && { id: goal.id, title: goal.title, isRunning: goal.activeLogId !== null },
    streak,
  };
}
