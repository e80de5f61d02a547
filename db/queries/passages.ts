// Statements on the passages of books as prompts of sessions (H-06); use cases run them.
import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import { type Database, schema } from "#db/connect.server";
import { isVisible } from "#db/queries/visibility";
import { literal } from "#db/schema/columns";
import { ITEM_STATUS } from "~/domain/items/status";

const { items, snippets } = schema;

const isReadableBook = (userId: number): SQL =>
  sql`${items.isBook} = 1 AND ${items.status} = ${literal(ITEM_STATUS.published)} AND ${isVisible("items", "items", userId)}`;

export const listBookTitles = (db: Database, userId: number, limit: number) =>
  db
    .select({ slug: items.slug, title: items.title })
    .from(items)
    .where(isReadableBook(userId))
    .orderBy(asc(items.title))
    .limit(limit);

/** How many earlier sessions are searched for a passage of the book: the prompt of a session may be edited. */
const MAX_SESSIONS_READ = 5;

/** The latest sessions of the series before `day`; without a series, those of the host. */
type EarlierSessions = { userId: number; occurrence: { seriesId: number; day: string } | null };
const selectEarlierPrompts = ({ userId, occurrence }: EarlierSessions): SQL =>
  occurrence
    ? sql`SELECT e.prompt, e.series_day AS place FROM sessions e WHERE e.series_id = ${occurrence.seriesId} AND e.series_day < ${occurrence.day} ORDER BY e.series_day DESC LIMIT ${MAX_SESSIONS_READ}`
    : sql`SELECT e.prompt, e.id AS place FROM participants h JOIN sessions e ON e.id = h.session_id AND e.owner_id = h.user_id
      WHERE h.user_id = ${userId} ORDER BY e.id DESC LIMIT ${MAX_SESSIONS_READ}`;

/**
 * The passage that follows the one of the latest earlier session that has one; the first passage if none follows or none
 * was used.
 */
export const findNextPassage = (db: Database, bookSlug: string, earlier: EarlierSessions) =>
  db
    .select({ content: snippets.content })
    .from(items)
    .innerJoin(snippets, eq(snippets.itemId, items.id))
    .where(
      and(
        eq(items.slug, bookSlug),
        isReadableBook(earlier.userId),
        sql`${snippets.number} = coalesce((SELECT min(n.number) FROM snippets n WHERE n.item_id = ${items.id} AND n.number > coalesce(
          (SELECT u.number FROM (${selectEarlierPrompts(earlier)}) p JOIN snippets u ON u.item_id = ${items.id} AND u.content = p.prompt ORDER BY p.place DESC LIMIT 1), 0)),
          (SELECT min(n.number) FROM snippets n WHERE n.item_id = ${items.id}))`,
      ),
    )
    .limit(1);
