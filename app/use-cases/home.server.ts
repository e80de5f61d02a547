// Home: sessions soon or running, and activities (P-01, R-23).
import { listCategories, listActivities as listRows } from "#db/queries/activities";
import { selectSessionCards } from "#db/queries/sessions";
import { type ListQuery, searchWordsOf } from "~/domain/lists";
import { requireUser } from "~/domain/permissions";
import type { App } from "./app.server";

const SESSIONS_SHOWN = 6;

export async function viewHome(app: App, query: ListQuery) {
  if (query.joined) requireUser(app.user, "Please sign in to use that feature.");
  const { perPage } = app.settings;
  const userId = app.user?.id ?? 0;
  const words = searchWordsOf(query.q);
  const category = query.category || null;
  const { difficulty } = query;
  const [sessions, activities, categories] = await app.db.batch([
    selectSessionCards(app.db, {
      now: app.now,
      userId,
      perPage: SESSIONS_SHOWN,
      page: 1,
      isJoined: query.joined,
      category,
      difficulty,
      words,
    }),
    listRows(app.db, {
      userId,
      isJoined: query.joined,
      isTemplates: query.templates,
      category,
      difficulty,
      words,
      limit: perPage + 1,
      offset: (query.page - 1) * perPage,
    }),
    listCategories(app.db),
  ]);
  return {
    sessions: sessions.slice(0, SESSIONS_SHOWN),
    activities: activities.slice(0, perPage),
    categories,
    query,
    page: query.page,
    perPage,
    hasNext: activities.length > perPage,
  };
}
