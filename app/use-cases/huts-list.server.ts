// Huts in lists, and the pages of a hut: sessions and activities (P-37 to P-41, C-49). posts.server.ts has its forum.

import * as categoryQueries from "#db/queries/categories";
import type { HutFilter } from "#db/queries/huts";
import * as huts from "#db/queries/huts";
import * as sessionCards from "#db/queries/session-cards";
import { cursorOf } from "~/domain/list-pages";
import type { ListQuery } from "~/domain/lists";
import { insideOf, listActivities } from "./activities-list.server";
import type { App } from "./app.server";
import { requireHut, showHut } from "./huts.server";
import { findForgivingly } from "./search.server";
import { askerOf, cardFilter, pageOf, showCard } from "./sessions/list.server";

/** The number of sessions on a hut's first page. */
const SESSIONS_SHOWN = 3;

export async function listHuts(app: App, query: ListQuery) {
  const { perPage } = app.settings;
  const filter: HutFilter = {
    userId: askerOf(app, query),
    isJoined: query.joined,
    page: query.page,
    perPage,
    after: cursorOf(query),
  };
  const { result, corrected } = await findForgivingly(
    app,
    { q: query.q, within: ["hut"] },
    (words) => huts.listHuts(app.db, { ...filter, words }),
    (found) => found.length === 0,
  );
  const { rows, ...page } = pageOf(app, query, result, corrected);
  return { ...page, huts: rows.map((row) => showHut(app, row)) };
}

/** /group/{slug}: the hut, its next sessions and its activities. */
export async function viewHut(app: App, input: ListQuery & { slug: string }) {
  const { slug, ...query } = input;
  const row = await requireHut(app, slug);
  const [cards, list] = await Promise.all([
    sessionCards.selectSessionCards(app.db, {
      now: app.now,
      userId: app.user?.id ?? 0,
      page: 1,
      perPage: SESSIONS_SHOWN,
      hutId: row.id,
    }),
    listActivities(app, query, row),
  ]);
  const sessions = cards.slice(0, SESSIONS_SHOWN).map((card) => showCard(app, card));
  return { ...list, hut: showHut(app, row), sessions };
}

/** /group/{slug}/activities. */
export async function viewHutActivities(app: App, input: ListQuery & { slug: string }) {
  const { slug, ...query } = input;
  const row = await requireHut(app, slug);
  return { ...(await listActivities(app, query, row)), hut: showHut(app, row) };
}

/** /group/{slug}/sessions. */
export async function viewHutSessions(app: App, input: ListQuery & { slug: string }) {
  const { slug, ...query } = input;
  const row = await requireHut(app, slug);
  const { result, corrected } = await findForgivingly(
    app,
    { q: query.q, within: ["session"] },
    (words) =>
      app.db.batch([
        sessionCards.selectSessionCards(app.db, {
          ...cardFilter(app, query, words),
          ...insideOf(row),
        }),
        categoryQueries.listCategories(app.db),
      ]),
    ([cards]) => cards.length === 0,
  );
  const [cards, categories] = result;
  const { rows, ...page } = pageOf(app, query, cards, corrected);
  return { ...page, hut: showHut(app, row), sessions: rows.map((card) => showCard(app, card)), categories };
}
