// Statements on books, their snippets and paraphrases; use cases run them.
import { and, asc, desc, eq, sql } from "drizzle-orm";
import { type Database, schema } from "#db/connect.server";
import { isPublic, isVisible, type Viewer } from "#db/queries/visibility";
import { literal } from "#db/schema/columns";
import { ITEM_STATUS } from "~/domain/items/status";

const { items, persons, snippets, paraphrases } = schema;

/** The reading user and their current person. */
export type Reader = { id: Viewer; personId: number };

const isPublishedBook = sql`${items.isBook} = 1 AND ${items.status} = ${literal(ITEM_STATUS.published)} AND ${isPublic("items")}`;

/** Drizzle leaves out the table name in a select of one table, so the subselect must say `items.id`. */
export const listBooks = (db: Database, limit: number, offset: number) =>
  db
    .select({
      id: items.id,
      slug: items.slug,
      title: items.title,
      summary: items.summary,
      createdAt: items.createdAt,
      firstSnippet: sql<
        number | null
      >`(SELECT id FROM snippets WHERE item_id = items.id ORDER BY number LIMIT 1)`.as("first_snippet"),
      // Snippets are numbered from 1.
      passages: sql<number>`(SELECT coalesce(max(number), 0) FROM snippets WHERE item_id = items.id)`.as(
        "passages",
      ),
      start: sql<
        string | null
      >`(SELECT substr(content, 1, 160) FROM snippets WHERE item_id = items.id ORDER BY number LIMIT 1)`.as(
        "start",
      ),
    })
    .from(items)
    .where(isPublishedBook)
    .orderBy(asc(items.title))
    .limit(limit)
    .offset(offset);
export const findBook = (db: Database, slug: string, viewer: Viewer) =>
  db
    .select({
      id: items.id,
      slug: items.slug,
      title: items.title,
      summary: items.summary,
      status: items.status,
      personId: items.personId,
      username: persons.username,
    })
    .from(items)
    .innerJoin(persons, eq(persons.id, items.personId))
    .where(and(eq(items.slug, slug), sql`${items.isBook} = 1`, isVisible("items", "items", viewer)))
    .limit(1);
/** A snippet of the book, and the ids of its neighbours. */
export const findSnippet = (db: Database, bookSlug: string, id: number, viewer: Viewer) =>
  db
    .select({
      id: snippets.id,
      number: snippets.number,
      content: snippets.content,
      bookId: sql<number>`${items.id}`.as("book_id"),
      bookSlug: items.slug,
      bookTitle: items.title,
      status: items.status,
      personId: items.personId,
      before: sql<
        number | null
      >`(SELECT s.id FROM snippets s WHERE s.item_id = ${items.id} AND s.number < ${snippets.number} ORDER BY s.number DESC LIMIT 1)`.as(
        "before_id",
      ),
      after: sql<
        number | null
      >`(SELECT s.id FROM snippets s WHERE s.item_id = ${items.id} AND s.number > ${snippets.number} ORDER BY s.number LIMIT 1)`.as(
        "after_id",
      ),
    })
    .from(snippets)
    .innerJoin(items, eq(items.id, snippets.itemId))
    .where(
      and(
        eq(snippets.id, id),
        eq(items.slug, bookSlug),
        eq(items.isBook, true),
        isVisible("items", "items", viewer),
      ),
    )
    .limit(1);
/**
 * The snippet at `chance` (from 0, below 1) among those of all published books. It reads a row for each book, and one
 * snippet, because the snippets of a book are numbered from 1 without gaps.
 */
export const findRandomSnippet = (db: Database, chance: number) => {
  const count = sql`(SELECT coalesce(max(s.number), 0) FROM snippets s WHERE s.item_id = items.id)`;
  const shelf = db.$with("shelf").as(
    db
      .select({
        bookId: sql<number>`items.id`.as("book_id"),
        slug: items.slug,
        title: items.title,
        upTo: sql<number>`sum(${count}) OVER (ORDER BY items.id)`.as("up_to"),
        count: sql<number>`${count}`.as("passages"),
      })
      .from(items)
      .where(isPublishedBook),
  );
  return db
    .with(shelf)
    .select({
      id: snippets.id,
      number: snippets.number,
      content: snippets.content,
      bookSlug: shelf.slug,
      bookTitle: shelf.title,
    })
    .from(shelf)
    .innerJoin(
      snippets,
      and(
        eq(snippets.itemId, shelf.bookId),
        sql`${snippets.number} = 1 + CAST(${chance} * (SELECT max(up_to) FROM shelf) AS INTEGER) - (${shelf.upTo} - ${shelf.count})`,
      ),
    )
    .limit(1);
};
/** Snippets of a book from number `from` on, in order, each shortened to its first words. */
export const listSnippets = (db: Database, bookSlug: string, from: number, limit: number) =>
  db
    .select({
      id: snippets.id,
      number: snippets.number,
      start: sql<string>`substr(${snippets.content}, 1, 160)`.as("start"),
    })
    .from(snippets)
    .where(
      and(
        sql`${snippets.itemId} = (SELECT id FROM items WHERE slug = ${bookSlug} AND is_book = 1)`,
        sql`${snippets.number} >= ${from}`,
      ),
    )
    .orderBy(asc(snippets.number))
    .limit(limit);
/** The favourite passages that the user may read as their current person, by book and number. */
export const listFavoriteSnippets = (
  db: Database,
  userId: number,
  { id: viewer, personId }: Reader,
  limit: number,
  offset: number,
) =>
  db
    .select({
      id: snippets.id,
      number: snippets.number,
      start: sql<string>`substr(${snippets.content}, 1, 160)`.as("start"),
      bookSlug: items.slug,
      bookTitle: items.title,
    })
    .from(snippets)
    .innerJoin(items, eq(items.id, snippets.itemId))
    .where(
      and(
        sql`${snippets.id} IN (SELECT target_id FROM favorites WHERE user_id = ${userId} AND kind = 'snippet')`,
        sql`(${items.status} = ${literal(ITEM_STATUS.published)} OR ${items.personId} = ${personId})`,
        isVisible("items", "items", viewer),
      ),
    )
    .orderBy(asc(items.title), asc(snippets.number))
    .limit(limit)
    .offset(offset);
/** The id of a book that the same batch inserts. */
export const bookIdOf = (slug: string) => sql`(SELECT id FROM items WHERE slug = ${slug})`;
export const insertSnippets = (
  db: Database,
  rows: { itemId: ReturnType<typeof bookIdOf>; number: number; content: string }[],
) => db.insert(snippets).values(rows);

/** The paraphrases of this person first, because only this list leads to them; then the newest. */
export const listParaphrases = (
  db: Database,
  { snippetId, personId }: { snippetId: number; personId: number },
  limit: number,
) =>
  db
    .select({
      id: paraphrases.id,
      title: paraphrases.title,
      content: paraphrases.content,
      contentHtml: paraphrases.contentHtml,
      createdAt: paraphrases.createdAt,
      personId: paraphrases.personId,
      snippetId: paraphrases.snippetId,
      username: persons.username,
    })
    .from(paraphrases)
    .innerJoin(persons, eq(persons.id, paraphrases.personId))
    .where(eq(paraphrases.snippetId, snippetId))
    .orderBy(desc(sql`${paraphrases.personId} = ${personId}`), desc(paraphrases.id))
    .limit(limit);
/** A snippet that the user may read as their current person. */
export const findSnippetId = (db: Database, id: number, { id: viewer, personId }: Reader) =>
  db
    .select({ id: snippets.id, hutId: sql<number | null>`${items.hutId}`.as("book_hut") })
    .from(snippets)
    .innerJoin(items, eq(items.id, snippets.itemId))
    .where(
      and(
        eq(snippets.id, id),
        sql`(${items.status} = ${literal(ITEM_STATUS.published)} OR ${items.personId} = ${personId})`,
        isVisible("items", "items", viewer),
      ),
    )
    .limit(1);
export const findParaphrase = (db: Database, id: number) =>
  db
    .select({
      paraphrase: paraphrases,
      userId: persons.userId,
      username: sql<string>`${persons.username}`.as("owner_username"),
    })
    .from(paraphrases)
    .innerJoin(persons, eq(persons.id, paraphrases.personId))
    .where(eq(paraphrases.id, id))
    .limit(1);
export const insertParaphrase = (db: Database, row: Omit<typeof paraphrases.$inferInsert, "id">) =>
  db.insert(paraphrases).values(row).returning({ id: paraphrases.id });
export const updateParaphrase = (db: Database, id: number, set: Partial<typeof paraphrases.$inferInsert>) =>
  db.update(paraphrases).set(set).where(eq(paraphrases.id, id));
