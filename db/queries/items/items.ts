// Statements on items and their parents; use cases run them. Books are in books.ts.
import { and, asc, desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteInsertValue } from "drizzle-orm/sqlite-core";
import { type Database, schema } from "#db/connect.server";
import { withTitlePairs } from "#db/queries/search";
import { isPublic, isVisible, type Viewer } from "#db/queries/visibility";
import { literal } from "#db/schema/columns";
import { ITEM_STATUS } from "~/domain/items/status";
import type { Instant } from "~/domain/time";

const { items, persons, huts } = schema;
const parents = alias(items, "parents");

/** A parent that the user does not see counts as unpublished. */
const parentStatus = (viewer: Viewer) =>
  sql`CASE WHEN ${parents.id} IS NULL OR ${isVisible("items", "parents", viewer)} THEN ${parents.status} ELSE 0 END`;

/** Selects the items that meet `where` and that the viewer sees. */
const selectItemCards = (db: Database, viewer: Viewer, where: SQL | undefined) =>
  db
    .select({
      id: items.id,
      personId: items.personId,
      parentId: items.parentId,
      hutId: items.hutId,
      title: items.title,
      slug: items.slug,
      content: items.content,
      contentHtml: items.contentHtml,
      summary: items.summary,
      status: items.status,
      type: items.type,
      isBook: items.isBook,
      url: items.url,
      orderMs: items.orderMs,
      createdAt: items.createdAt,
      updatedAt: items.updatedAt,
      username: sql<string>`${persons.username}`.as("owner_username"),
      personTitle: sql<string>`coalesce(nullif(${persons.title}, ''), ${persons.username})`.as("owner_title"),
      parentTitle: sql<string | null>`${parents.title}`.as("parent_title"),
      parentSlug: sql<string | null>`${parents.slug}`.as("parent_slug"),
      parentStatus: sql<number | null>`${parentStatus(viewer)}`.as("parent_status"),
      /** The published parent of the parent. */
      grandparentSlug: sql<
        string | null
      >`(SELECT g.slug FROM items g WHERE g.id = ${parents.parentId} AND g.status = ${literal(ITEM_STATUS.published)} AND ${isVisible("items", "g", viewer)})`.as(
        "grandparent_slug",
      ),
      hutTitle: sql<string | null>`${huts.title}`.as("hut_title"),
      hutSlug: sql<string | null>`${huts.slug}`.as("hut_slug"),
    })
    .from(items)
    .innerJoin(persons, eq(persons.id, items.personId))
    .leftJoin(parents, eq(parents.id, items.parentId))
    .leftJoin(huts, and(eq(huts.id, items.hutId), isVisible("huts", "huts", viewer)))
    .where(and(where, isVisible("items", "items", viewer)));

export type ItemRow = Awaited<ReturnType<typeof findItem>>[number];
export const findItem = (db: Database, id: number, viewer: Viewer) =>
  selectItemCards(db, viewer, eq(items.id, id)).limit(1);

/** All of a person's items, newest first; `isPublishedOnly` is for other viewers. */
export const listItems = (
  db: Database,
  filter: { username: string; isPublishedOnly: boolean; viewer: Viewer; limit: number; offset: number },
) =>
  selectItemCards(
    db,
    filter.viewer,
    and(
      sql`${items.personId} = (SELECT id FROM persons WHERE lower(username) = ${filter.username.toLowerCase()})`,
      filter.isPublishedOnly
        ? sql`${items.status} = ${literal(ITEM_STATUS.published)} AND ${isPublic("items")}`
        : undefined,
    ),
  )
    .orderBy(desc(items.orderMs), desc(items.id))
    .limit(filter.limit)
    .offset(filter.offset);

/** A sortable list of items: a hut's, or a person's children of an item (0: the top level). */
export type Board = { hut: string | null; parentId: number; personId: number };
const userIdOf = (personId: number): SQL => sql`(SELECT n.user_id FROM persons n WHERE n.id = ${personId})`;
const isOnBoard = (board: Board) =>
  board.hut === null
    ? and(eq(items.personId, board.personId), eq(items.parentId, board.parentId))
    : and(
        sql`${items.hutId} = (SELECT b.id FROM huts b WHERE b.slug = ${board.hut} AND ${isVisible("huts", "b", userIdOf(board.personId))})`,
        sql`(${items.status} = ${literal(ITEM_STATUS.published)} OR ${items.personId} = ${board.personId})`,
      );

/** The items of a board as its `personId` sees it: all items of that person, and published items of others. */
export const listBoard = (
  db: Database,
  board: Board,
  {
    isPublishedOnly,
    viewer,
    limit,
    offset,
  }: { isPublishedOnly?: boolean; viewer: Viewer; limit: number; offset: number },
) =>
  selectItemCards(
    db,
    viewer,
    and(
      isOnBoard(board),
      isPublishedOnly ? sql`${items.status} = ${literal(ITEM_STATUS.published)}` : undefined,
    ),
  )
    .orderBy(desc(items.orderMs), desc(items.id))
    .limit(limit)
    .offset(offset);

/** A person's items after a key, first the lowest in their order. */
export const exportItems = (db: Database, personId: number, after: SortKey, limit: number) =>
  selectItemCards(
    db,
    userIdOf(personId),
    sql`${items.personId} = ${personId} AND (${items.orderMs}, ${items.id}) > (${after.orderMs}, ${after.id})`,
  )
    .orderBy(asc(items.orderMs), asc(items.id))
    .limit(limit);

/** The user's favourite items that their current person may read, newest first. */
export const listFavoriteItems = (
  db: Database,
  { userId, personId }: { userId: number; personId: number },
  { viewer, limit, offset }: { viewer: Viewer; limit: number; offset: number },
) =>
  selectItemCards(
    db,
    viewer,
    sql`${items.id} IN (SELECT target_id FROM favorites WHERE user_id = ${userId} AND kind = 'item')
      AND (${items.status} = ${literal(ITEM_STATUS.published)} OR ${items.personId} = ${personId})`,
  )
    .orderBy(desc(items.orderMs), desc(items.id))
    .limit(limit)
    .offset(offset);

export type SortKey = { id: number; orderMs: number };
/** The next sort keys above or below `from` (null: from that end of the board), nearest first, without `skip`. */
export const listNearbySortKeys = (
  db: Database,
  board: Board,
  { from, side, skip, limit }: { from: SortKey | null; side: "above" | "under"; skip: number; limit: number },
) => {
  const order = side === "above" ? asc : desc;
  const isBeyond =
    from &&
    (side === "above"
      ? sql`(${items.orderMs}, ${items.id}) > (${from.orderMs}, ${from.id})`
      : sql`(${items.orderMs}, ${items.id}) < (${from.orderMs}, ${from.id})`);
  return db
    .select({ id: items.id, orderMs: items.orderMs, personId: items.personId })
    .from(items)
    .where(and(isOnBoard(board), isBeyond ?? undefined, sql`${items.id} <> ${skip}`))
    .orderBy(order(items.orderMs), order(items.id))
    .limit(limit);
};
export const findSortKey = (db: Database, board: Board, id: number) =>
  db
    .select({ id: items.id, orderMs: items.orderMs })
    .from(items)
    .where(and(eq(items.id, id), isOnBoard(board)))
    .limit(1);

/** An item by only its slug, for addresses without a person. */
export const findItemBySlug = (db: Database, slug: string, viewer: Viewer) =>
  selectItemCards(db, viewer, eq(items.slug, slug)).limit(1);

export const findItemByPath = (db: Database, parentSlug: string, slug: string, viewer: Viewer) =>
  selectItemCards(
    db,
    viewer,
    and(
      eq(items.slug, slug),
      sql`((${parents.slug} = ${parentSlug} AND ${isVisible("items", "parents", viewer)}) OR ((${items.parentId} = 0 OR ${parentStatus(viewer)} <> 1) AND lower(${persons.username}) = lower(${parentSlug})))`,
    ),
  ).limit(1);

export const findPerson = (db: Database, username: string) =>
  db
    .select({ id: persons.id, userId: persons.userId, username: persons.username, title: persons.title })
    .from(persons)
    .where(eq(sql`lower(${persons.username})`, username.toLowerCase()))
    .limit(1);

/** Finds which of these names items or persons have, because both can be the first part of an address. */
export const findTakenNames = (db: Database, names: readonly string[]) =>
  db
    .select({ slug: items.slug })
    .from(items)
    .where(inArray(items.slug, [...names]))
    .union(
      db
        .select({ slug: sql<string>`lower(${persons.username})` })
        .from(persons)
        .where(inArray(sql`lower(${persons.username})`, [...names])),
    );
export const insertItem = (db: Database, row: SQLiteInsertValue<typeof items> & { title: string }) =>
  db.insert(items).values(withTitlePairs(row)).returning({ id: items.id });
export const updateItem = (
  db: Database,
  id: number,
  set: Partial<typeof items.$inferInsert>,
  condition?: SQL,
) =>
  db
    .update(items)
    .set(withTitlePairs(set))
    .where(and(eq(items.id, id), condition))
    .returning({ id: items.id });
/** Unpublishes an item. */
export const hideItem = (db: Database, id: number, now: Instant) =>
  db.update(items).set({ status: ITEM_STATUS.unpublished, updatedAt: now }).where(eq(items.id, id));
/** Raises the items of a person's board from `from` on by `by`. */
export const liftItems = (db: Database, board: Board, from: SortKey, by: number) =>
  db
    .update(items)
    .set({ orderMs: sql`${items.orderMs} + ${by}` })
    .where(and(isOnBoard(board), sql`(${items.orderMs}, ${items.id}) >= (${from.orderMs}, ${from.id})`))
    .returning({ id: items.id });
export const findChild = (db: Database, parentId: number) =>
  db.select({ id: items.id }).from(items).where(eq(items.parentId, parentId)).limit(1);
/** A condition on the item: nobody but its owner has written paraphrases of its passages. */
const isWithoutTextsOfOthers = (id: number): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM snippets passage JOIN paraphrases p ON p.snippet_id = passage.id
    JOIN persons author ON author.id = p.person_id
    WHERE passage.item_id = ${id} AND author.user_id <> (SELECT owner.user_id FROM items AS book JOIN persons owner ON owner.id = book.person_id WHERE book.id = ${id}))`;
/**
 * Deletes an item, unless it is a book with the paraphrases of others (D-10), and moves its children up to its parent. A
 * private one stays private, so no public hut gets it.
 */
export const deleteItem = (db: Database, id: number) =>
  [
    db
      .update(items)
      .set({
        parentId: sql`(SELECT gone.parent_id FROM items AS gone WHERE gone.id = ${id})`,
        hutId: sql`(SELECT gone.hut_id FROM items AS gone WHERE gone.id = ${id} AND (items.is_private = 0 OR gone.is_private = 1))`,
      })
      .where(and(eq(items.parentId, id), isWithoutTextsOfOthers(id))),
    db.delete(items).where(and(eq(items.id, id), isWithoutTextsOfOthers(id))),
  ] as const;

const selectAncestorIds = (id: number) =>
  sql`(WITH RECURSIVE up(id, depth) AS (SELECT ${id}, 0 UNION ALL SELECT i.parent_id, depth + 1 FROM items i JOIN up ON i.id = up.id WHERE i.parent_id > 0 AND depth < 30) SELECT id FROM up)`;
/** A condition inside the statement that moves `id`: the new parent still exists and is no descendant of it. */
export const canMoveUnder = (id: number, parentId: number): SQL =>
  sql`${id} NOT IN ${selectAncestorIds(parentId)} AND EXISTS (SELECT 1 FROM items AS above WHERE above.id = ${parentId})`;
/** The parent of the item being written; 0 when it was deleted meanwhile. */
export const existingParentId = (parentId: number) =>
  sql`coalesce((SELECT above.id FROM items AS above WHERE above.id = ${parentId}), 0)`;
/** An item, its ancestors (at most 30) and the hut at the top, to refuse a move below a descendant. */
export const listAncestors = (db: Database, id: number, viewer: Viewer) =>
  db
    .select({
      id: items.id,
      title: items.title,
      hutId: items.hutId,
      isPrivate: items.isPrivate,
      hutTitle: sql<string | null>`${huts.title}`.as("hut_title"),
      hutSlug: sql<string | null>`${huts.slug}`.as("hut_slug"),
    })
    .from(items)
    .leftJoin(huts, and(eq(huts.id, items.hutId), isVisible("huts", "huts", viewer)))
    .where(sql`${items.id} IN ${selectAncestorIds(id)}`);

/** A person's items as possible parents; with `favoritesOf`, only favourite items of this user (C-94). */
export const listParentOptions = (db: Database, personId: number, favoritesOf: number | null) =>
  db
    .select({
      id: items.id,
      title: items.title,
      parentsTitle: sql<string | null>`${parents.title}`.as("parents_title"),
      path: sql<string>`'/' || coalesce(${parents.slug}, ${persons.username}) || '/' || ${items.slug}`.as(
        "path",
      ),
    })
    .from(items)
    .innerJoin(persons, eq(persons.id, items.personId))
    .leftJoin(parents, eq(parents.id, items.parentId))
    .where(
      and(
        eq(items.personId, personId),
        favoritesOf === null
          ? undefined
          : sql`${items.id} IN (SELECT target_id FROM favorites WHERE user_id = ${favoritesOf} AND kind = 'item')`,
      ),
    )
    .orderBy(desc(items.orderMs))
    .limit(500);
