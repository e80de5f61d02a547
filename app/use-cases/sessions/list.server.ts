// Lists of sessions: running ones first, then upcoming ones by start (P-02, C-49). Home and the pages of huts and
// activities use the same cards.

import * as activities from "#db/queries/activities/activities";
import * as categoryQueries from "#db/queries/activities/categories";
import type { Words } from "#db/queries/search";
import type { CardFilter, CardRow } from "#db/queries/sessions/cards";
import * as sessionCards from "#db/queries/sessions/cards";
import type { Viewer } from "#db/queries/visibility";
import { cursorOf, type PageOf, pageOfList } from "~/domain/list-pages";
import type { ListPage, ListQuery } from "~/domain/lists";
import { isSuperAdmin, requireUser } from "~/domain/permissions";
import * as refusals from "~/domain/refusals";
import { canJoin } from "~/domain/sessions/sessions";
import { spotsLeft } from "~/domain/sessions/spots";
import { statusAt } from "~/domain/sessions/status";
import type { SessionCard, SessionListView } from "~/domain/sessions/view";
import type { App } from "~/use-cases/app.server";
import { findForgivingly } from "~/use-cases/search.server";
import { viewerOf } from "~/use-cases/viewer.server";
import { placeOf, sessionPath } from "./read.server";

/** Templates, shown in an empty list (M-37). */
export const MAX_LISTED_TEMPLATES = 6;

/** The user's id; `joined` requires signing in: calls answer 401, pages redirect. 0: a visitor. */
export function askerOf(app: App, query: Pick<ListQuery, "joined">): Viewer {
  if (query.joined) requireUser(app.user, refusals.signIn);
  return viewerOf(app);
}

/** The part of a list's query that concerns sessions. */
export const cardFilter = (app: App, query: ListQuery, words: Words): CardFilter => ({
  now: app.now,
  userId: askerOf(app, query),
  isJoined: query.joined,
  isTemplates: query.templates,
  category: query.category || null,
  difficulty: query.difficulty,
  words,
  page: query.page,
  perPage: app.settings.perPage,
  after: cursorOf(query),
});

export async function listSessions(app: App, query: ListQuery): Promise<SessionListView> {
  const { result, corrected } = await findForgivingly(
    app,
    { q: query.q, within: ["session"] },
    (words) =>
      app.db.batch([
        sessionCards.selectSessionCards(app.db, cardFilter(app, query, words)),
        categoryQueries.listCategories(app.db),
        activities.listTemplates(app.db, MAX_LISTED_TEMPLATES),
      ]),
    ([rows]) => rows.length === 0,
  );
  const [cards, categories, templates] = result;
  const { rows, ...page } = pageOf(app, query, cards, corrected);
  return { ...page, sessions: rows.map((row) => showCard(app, row)), categories, templates };
}

/** A page of rows sorted by `key`, with its search. */
export const pageOf = <Row extends { key: string }>(
  app: App,
  query: ListQuery,
  rows: Row[],
  corrected: string | null = null,
): PageOf<Row> & ListPage => ({
  ...pageOfList(rows, query, app.settings.perPage, ({ key }) => key),
  query,
  corrected,
});

export function showCard(app: App, row: CardRow): SessionCard {
  const {
    key: _,
    heldSeats: _held,
    hutId,
    hutSlug,
    hutTitle,
    activityId,
    activitySlug,
    activityTitle,
    ...otherFields
  } = row;
  // Participants' texts in a session with a join code are visible to participants only (Q-45).
  const mayRead = !row.needsCode || row.isJoined || isSuperAdmin(app.user);
  return {
    ...otherFields,
    summary: mayRead ? row.summary : "",
    path: sessionPath(row.id),
    status: statusAt(row, app.now),
    spotsLeft: spotsLeft(row),
    hut: placeOf(hutId, hutSlug, hutTitle),
    activity: placeOf(activityId, activitySlug, activityTitle),
    canJoin: canJoin(row, row.isJoined, app.settings.roomCapacity, app.now),
  };
}
