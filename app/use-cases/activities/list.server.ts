// Activities in lists, and the page of an activity with its open sessions (P-03, P-30, C-49).

import type { BatchResponse } from "drizzle-orm/batch";
import type { ActivityFilter } from "#db/queries/activities/activities";
import * as activities from "#db/queries/activities/activities";
import * as categoryQueries from "#db/queries/activities/categories";
import * as goalQueries from "#db/queries/goals/goals";
import type { Scope, Words } from "#db/queries/search";
import * as sessionCards from "#db/queries/sessions/cards";
import { cursorOf } from "~/domain/list-pages";
import type { ListQuery } from "~/domain/lists";
import type { App } from "~/use-cases/app.server";
import { findForgivingly } from "~/use-cases/search.server";
import { viewerOf } from "~/use-cases/viewer.server";
import { askerOf, cardFilter, MAX_LISTED_TEMPLATES, pageOf, showCard } from "../sessions/list.server";
import { noActivity, showActivity, showTiedGoals } from "./activities.server";

/** The part of a list's query that concerns activities. */
export const activityFilter = (app: App, query: ListQuery, words: Words): ActivityFilter => ({
  userId: askerOf(app, query),
  isJoined: query.joined,
  isTemplate: query.templates,
  category: query.category || null,
  difficulty: query.difficulty,
  words,
  page: query.page,
  perPage: app.settings.perPage,
  after: cursorOf(query),
});

/** The statements of a list of activities, for a batch. */
export const activityStatements = (app: App, query: ListQuery, words: Words, scope: Scope = {}) =>
  [
    activities.listActivities(app.db, { ...activityFilter(app, query, words), ...scope }),
    categoryQueries.listCategories(app.db),
    activities.listTemplates(app.db, MAX_LISTED_TEMPLATES),
    activities.countActivities(app.db, { ...activityFilter(app, query, words), ...scope }),
  ] as const;
type ActivityRows = BatchResponse<ReturnType<typeof activityStatements>>;

export function showActivities(app: App, query: ListQuery, results: ActivityRows, corrected: string | null) {
  const [cards, categories, templates, [total]] = results;
  const { rows, ...page } = pageOf(app, query, cards, corrected);
  return { ...page, activities: rows, activitiesCount: total?.count ?? 0, categories, templates };
}

/** All activities, or those that the user follows. */
export async function listActivities(app: App, query: ListQuery) {
  const { result, corrected } = await findForgivingly(
    app,
    { q: query.q, within: ["activity"] },
    (words) => app.db.batch(activityStatements(app, query, words)),
    ([rows]) => rows.length === 0,
  );
  return showActivities(app, query, result, corrected);
}

/** /activities/{challenge}: the activity and its open sessions, without a filter. */
export async function viewActivity(app: App, input: ListQuery & { slug: string }) {
  const userId = app.user?.id ?? 0;
  const [[row], cards, goals, tiedRows] = await app.db.batch([
    activities.findActivity(app.db, input.slug, viewerOf(app)),
    sessionCards.selectSessionCards(app.db, {
      ...cardFilter(app, { ...input, category: "", difficulty: null, templates: false }, []),
      hasExample: true,
      activityId: activities.activityIdOf(input.slug),
    }),
    activities.listGoalsByActivitySlug(app.db, input.slug),
    goalQueries.listOwnGoalsOfActivity(app.db, input.slug, userId),
  ]);
  if (!row) throw noActivity();
  app.shownRecords.push({ of: "activities", id: row.id });
  const { rows, ...page } = pageOf(app, input, cards);
  return {
    ...page,
    activity: showActivity(app, row),
    goals,
    myGoals: showTiedGoals(app, tiedRows),
    sessions: rows.map((card) => showCard(app, card)),
  };
}
