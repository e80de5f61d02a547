// Home: upcoming and running sessions, and activities (P-01, R-23).
import * as activityQueries from "#db/queries/activities/activities";
import * as categoryQueries from "#db/queries/activities/categories";
import { findTourAddresses } from "#db/queries/library";
import * as sessionCards from "#db/queries/sessions/cards";
import { dayAt } from "~/domain/days";
import { TOUR_IDS } from "~/domain/library";
import type { ListQuery } from "~/domain/lists";
import { activityFilter } from "~/use-cases/activities/list.server";
import type { App } from "./app.server";
import { showToday, todayStatements } from "./goals/today.server";
import { asLogShown } from "./my.server";
import { findForgivingly } from "./search.server";
import { cardFilter, MAX_LISTED_TEMPLATES, pageOf, showCard } from "./sessions/list.server";

const SESSIONS_SHOWN = 6;

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
        activityQueries.listTemplates(app.db, MAX_LISTED_TEMPLATES),
        activityQueries.countActivities(app.db, activityFilter(app, query, words)),
        findTourAddresses(app.db, TOUR_IDS),
        ...todayStatements(app.db, app.user?.id ?? 0, today),
      ]),
    ([sessions, activities]) => sessions.length === 0 && activities.length === 0,
  );
  const [sessions, activities, categories, templates, [activityCount], [tour], goalRows, openLogs] = result;
  const { rows, ...page } = pageOf(app, query, activities, corrected);
  return {
    ...page,
    appName: app.settings.appName,
    sessions: sessions.slice(0, SESSIONS_SHOWN).map((row) => showCard(app, row)),
    hasMoreSessions: sessions.length > SESSIONS_SHOWN,
    activities: rows,
    activitiesCount: activityCount?.count ?? 0,
    categories,
    templates,
    tour: tour ?? { activity: null, session: null },
    goalsOfToday: app.user ? showToday(app, goalRows, openLogs.map(asLogShown)) : null,
  };
}
