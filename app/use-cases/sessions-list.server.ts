// Lists of sessions: running ones first, then what begins soonest (P-02, C-49). Home and the pages of huts and activities
// build theirs from the same `selectSessionCards`.
import {
  type CardKey,
  type CardRow,
  listCategories,
  listTemplates,
  selectSessionCards,
} from "#db/queries/sessions";
import { searchWordsOf } from "~/domain/lists";
import type { SessionCard, SessionListFilter, SessionListView } from "~/domain/session-view";
import { canJoin, spotsLeft, statusAt } from "~/domain/sessions";
import type { App } from "./app.server";
import { sessionPath } from "./session-read.server";

export type SessionListQuery = Partial<SessionListFilter> & { page: number; after?: string | undefined };
const TEMPLATES = 6;

export async function listSessions(app: App, query: SessionListQuery): Promise<SessionListView> {
  const { perPage } = app.settings;
  const filter: SessionListFilter = {
    page: query.page,
    isJoined: query.isJoined ?? false,
    isTemplates: query.isTemplates ?? false,
    category: query.category ?? null,
    difficulty: query.difficulty ?? null,
    q: query.q?.trim() ?? "",
  };
  const [rows, categories, templates] = await app.db.batch([
    selectSessionCards(app.db, {
      ...filter,
      now: app.now,
      userId: app.user?.id ?? 0,
      perPage,
      after: keyOf(query.after, query.page),
      words: searchWordsOf(filter.q),
    }),
    listCategories(app.db),
    listTemplates(app.db, TEMPLATES),
  ]);
  return {
    ...showCards(app, rows, query.page),
    filter,
    categories,
    templates,
  };
}

/** A page of cards out of `perPage` + 1 rows. */
export function showCards(app: App, rows: CardRow[], page: number) {
  const { perPage } = app.settings;
  const shown = rows.slice(0, perPage);
  const last = shown.at(-1);
  const hasNext = rows.length > perPage;
  return {
    sessions: shown.map((row) => showCard(app, row)),
    page,
    perPage,
    hasNext,
    after: hasNext && last ? `${page + 1}~${last.listAt}~${last.id}` : null,
  };
}

/** `page~listAt~id`: good for that page only, so that an old one in an address leads nowhere else. */
function keyOf(after: string | undefined, page: number): CardKey | null {
  const [, ofPage, listAt, id] = /^(\d+)~(-?\d+)~(\d+)$/.exec(after ?? "") ?? [];
  return Number(ofPage) === page ? { listAt: Number(listAt), id: Number(id) } : null;
}

export function showCard(app: App, row: CardRow): SessionCard {
  const { listAt: _, hutId, hutSlug, hutTitle, activityId, activitySlug, activityTitle, ...rest } = row;
  return {
    ...rest,
    path: sessionPath(row.id),
    status: statusAt(row, app.now),
    spotsLeft: spotsLeft(row),
    hut: hutId === null ? null : { id: hutId, slug: hutSlug ?? "", title: hutTitle ?? "" },
    activity:
      activityId === null ? null : { id: activityId, slug: activitySlug ?? "", title: activityTitle ?? "" },
    canJoin: canJoin(row, row.isJoined, app.settings.roomCapacity, app.now),
  };
}
