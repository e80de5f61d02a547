// Huts in lists, and the pages of a hut: sessions and activities (P-37 to P-41, C-49). sessions/posts.server.ts has its
// forum.

import * as categoryQueries from "#db/queries/activities/categories";
import { listFacesInside } from "#db/queries/huts/entry";
import type { HutFilter } from "#db/queries/huts/huts";
import * as huts from "#db/queries/huts/huts";
import type { Scope } from "#db/queries/search";
import * as sessionCards from "#db/queries/sessions/cards";
import { cursorOf } from "~/domain/list-pages";
import type { ListQuery } from "~/domain/lists";
import { activityStatements, showActivities } from "~/use-cases/activities/list.server";
import type { App } from "~/use-cases/app.server";
import { findForgivingly } from "~/use-cases/search.server";
import { viewerOf } from "~/use-cases/viewer.server";
import { askerOf, cardFilter, pageOf, showCard } from "../sessions/list.server";
import { requireFoundHut, requireHut, showHut } from "./huts.server";

/** The number of sessions on a hut's first page. */
const SESSIONS_SHOWN = 3;
/** The number of members whose faces the pages of a hut show. */
const MAX_FACES = 12;

export async function listHuts(app: App, query: ListQuery) {
  const { perPage } = app.settings;
  const filter: HutFilter = {
    userId: askerOf(app, query),
    now: app.now,
    isJoined: query.joined,
    page: query.page,
    perPage,
    after: cursorOf(query),
  };
  const { result, corrected } = await findForgivingly(
    app,
    { q: query.q, within: ["hut"] },
    (words) => huts.listHuts(app.db, { ...filter, words }),
    (foundHuts) => foundHuts.length === 0,
  );
  const { rows, ...page } = pageOf(app, query, result, corrected);
  return { ...page, huts: rows.map((row) => showHut(app, row)) };
}

/** The scope of a hut's list. Only the full-text index needs the hut itself: without words, both come in one batch. */
async function scopeOf(app: App, { slug, q }: { slug: string; q: string }): Promise<Scope> {
  if (q === "") return { hutId: huts.hutIdOf(slug) };
  const { id, isPrivate } = await requireHut(app, slug);
  return { hutId: id, isPrivateHut: isPrivate };
}

const findHutBySlug = (app: App, slug: string) => huts.findHut(app.db, slug, viewerOf(app), app.now);
/** The statement that lists members for members; others get no rows. */
const listFaces = (app: App, slug: string) =>
  listFacesInside(app.db, {
    hutId: huts.hutIdOf(slug),
    userId: app.user?.id ?? 0,
    now: app.now,
    limit: MAX_FACES,
  });
const namesOf = (rows: readonly { username: string }[]) => rows.map(({ username }) => username);

/** /group/{slug}: the hut, its next sessions and its activities. */
export async function viewHut(app: App, input: ListQuery & { slug: string }) {
  const { slug, ...query } = input;
  const scope = await scopeOf(app, input);
  const { result, corrected } = await findForgivingly(
    app,
    { q: query.q, within: ["activity"] },
    (words) =>
      app.db.batch([
        findHutBySlug(app, slug),
        listFaces(app, slug),
        sessionCards.selectSessionCards(app.db, {
          now: app.now,
          userId: viewerOf(app),
          page: 1,
          perPage: SESSIONS_SHOWN,
          hutId: scope.hutId,
        }),
        ...activityStatements(app, query, words, scope),
      ]),
    ([, , , rows]) => rows.length === 0,
  );
  const [[row], faces, cards, ...activityRows] = result;
  const hut = showHut(app, requireFoundHut(app, row));
  const sessions = cards.slice(0, SESSIONS_SHOWN).map((card) => showCard(app, card));
  return { ...showActivities(app, query, activityRows, corrected), hut, faces: namesOf(faces), sessions };
}

/** /group/{slug}/activities. */
export async function viewHutActivities(app: App, input: ListQuery & { slug: string }) {
  const { slug, ...query } = input;
  const scope = await scopeOf(app, input);
  const { result, corrected } = await findForgivingly(
    app,
    { q: query.q, within: ["activity"] },
    (words) =>
      app.db.batch([
        findHutBySlug(app, slug),
        listFaces(app, slug),
        ...activityStatements(app, query, words, scope),
      ]),
    ([, , rows]) => rows.length === 0,
  );
  const [[row], faces, ...activityRows] = result;
  const hut = showHut(app, requireFoundHut(app, row));
  return { ...showActivities(app, query, activityRows, corrected), hut, faces: namesOf(faces) };
}

/** /group/{slug}/sessions. */
export async function viewHutSessions(app: App, input: ListQuery & { slug: string }) {
  const { slug, ...query } = input;
  const scope = await scopeOf(app, input);
  const { result, corrected } = await findForgivingly(
    app,
    { q: query.q, within: ["session"] },
    (words) =>
      app.db.batch([
        findHutBySlug(app, slug),
        listFaces(app, slug),
        sessionCards.selectSessionCards(app.db, { ...cardFilter(app, query, words), ...scope }),
        categoryQueries.listCategories(app.db),
      ]),
    ([, , cards]) => cards.length === 0,
  );
  const [[row], faces, cards, categories] = result;
  const hut = showHut(app, requireFoundHut(app, row));
  const { rows, ...page } = pageOf(app, query, cards, corrected);
  return {
    ...page,
    hut,
    faces: namesOf(faces),
    sessions: rows.map((card) => showCard(app, card)),
    categories,
  };
}
