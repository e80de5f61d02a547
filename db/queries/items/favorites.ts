// Statements on favourites: items, snippets, huts and activities; use cases run them.
import { and, eq, inArray, sql } from "drizzle-orm";
import { type Database, schema } from "#db/connect.server";
import { isVisible } from "#db/queries/visibility";
import { literal } from "#db/schema/columns";
import { ITEM_STATUS } from "~/domain/items/status";
import { findSnippetId, type Reader } from "./books";

const { items, huts, activities, favorites } = schema;

export type FavoriteKind = (typeof favorites.$inferInsert)["kind"];

/** The target of a favourite, if it exists and the user sees it; an item only if their person may read it. */
export const findFavoriteTarget = (
  db: Database,
  kind: FavoriteKind,
  id: number,
  { id: viewer, personId }: Reader,
) => {
  if (kind === "item")
    return db
      .select({ id: items.id })
      .from(items)
      .where(
        and(
          eq(items.id, id),
          sql`(${items.status} = ${literal(ITEM_STATUS.published)} OR ${items.personId} = ${personId})`,
          isVisible("items", "items", viewer),
        ),
      )
      .limit(1);
  if (kind === "snippet") return findSnippetId(db, id, { id: viewer, personId });
  const [table, name] = kind === "hut" ? ([huts, "huts"] as const) : ([activities, "activities"] as const);
  return db
    .select({ id: table.id })
    .from(table)
    .where(and(eq(table.id, id), isVisible(name, name, viewer)))
    .limit(1);
};

export const insertFavorite = (db: Database, row: typeof favorites.$inferInsert) =>
  db.insert(favorites).values(row).onConflictDoNothing();
export const deleteFavorite = (db: Database, userId: number, kind: FavoriteKind, targetId: number) =>
  db
    .delete(favorites)
    .where(and(eq(favorites.userId, userId), eq(favorites.kind, kind), eq(favorites.targetId, targetId)));
export const listFavorites = (db: Database, userId: number, kind: FavoriteKind, ids: number[]) =>
  db
    .select({ targetId: favorites.targetId })
    .from(favorites)
    .where(and(eq(favorites.userId, userId), eq(favorites.kind, kind), inArray(favorites.targetId, ids)));
