// Activities in lists, and the page of an activity with its open sessions (P-03, P-30, C-49).

import type { ActivityFilter } from "#db/queries/activities";
import * as activities from "#db/queries/activities";
import * as categoryQueries from "#db/queries/categories";
import * as goalCopies from "#db/queries/goal-copies";
import * as goalQueries from "#db/queries/goals";
import type { Words } from "#db/queries/search";
import * as sessionCards from "#db/queries/session-cards";
import { cursorOf } from "~/domain/list-pages";
import type { ListQuery } from "~/domain/lists";
import { requireActivity, showActivity, showTied } from "./activities.server";
import type { App } from "./app.server";
import { findForgivingly } from "./search.server";
import { askerOf, cardFilter, pageOf, showCard, TEMPLATES } from "./sessions/list.server";

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

type InHut = { id: number; isPrivate: boolean };
/** The scope of a list of what is in this hut. */
export const insideOf = ({ id, isPrivate }: InHut) => ({ hutId: id, isPrivateHut: isPrivate });

/** All activities, those that the user follows, or those of a hut. */
export async function listActivities(app: App, query: ListQuery, hut?: InHut) {
  const inside = hut ? insideOf(hut) : {};
  const { result, corrected } = await findForgivingly(
    app,
    { q: query.q, within: ["activity"] },
    (words) =>
      app.db.batch([
        activities.listActivities(app.db, { ...activityFilter(app, query, words), ...inside }),
        categoryQueries.listCategories(app.db),
        activities.listTemplates(app.db, TEMPLATES),
        activities.countActivities(app.db, { ...activityFilter(app, query, words), ...inside }),
      ]),
    ([rows]) => rows.length === 0,
  );
  const [found, categories, templates, [counted]] = result;
  const { rows, ...page } = pageOf(app, query, found, corrected);
  return { ...page, activities: rows, activitiesCount: counted?.count ?? 0, categories, templates };
}

/** /activities/{challenge}: the activity and its open sessions, without a filter. */
export async function viewActivity(app: App, input: ListQuery & { slug: string }) {
  const row = await requireActivity(app, input.slug);
  const [cards, goals, tied] = await app.db.batch([
    sessionCards.selectSessionCards(app.db, {
      ...cardFilter(app, { ...input, category: "", difficulty: null, templates: false }, []),
      activityId: row.id,
    }),
    goalCopies.listActivityGoals(app.db, row.id),
    goalQueries.listGoalsTiedTo(app.db, row.slug, app.user?.id ?? 0),
  ]);
  const { rows, ...page } = pageOf(app, input, cards);
  return {
    ...page,
    activity: showActivity(app, row),
    goals,
    myGoals: showTied(app, tied),
    sessions: rows.map((card) => showCard(app, card)),
  };
}
