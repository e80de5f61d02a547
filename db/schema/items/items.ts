// Texts that a person publishes: items, books with numbered snippets, paraphrases, favourites and uploads.
import { sql } from "drizzle-orm";
import {
  check,
  index,
  integer,
  primaryKey,
  real,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import { persons, users } from "../accounts/accounts";
import {
  fitsRow,
  flagColumn,
  idColumn,
  instantColumn,
  richTextColumns,
  showsUpload,
  stampColumns,
  titlePairsColumn,
} from "../columns";
import { huts } from "../huts/huts";

/**
 * Triggers (triggers.sql): `book_search_changed`, `book_search_gone`, `book_search_new`, `item_private_moved`,
 * `item_private_new`.
 */
export const items = sqliteTable(
  "items",
  {
    id: idColumn(),
    personId: integer("person_id")
      .notNull()
      .references(() => persons.id, { onDelete: "cascade" }),
    /** The parent item; 0: none. */
    parentId: integer("parent_id").notNull().default(0),
    hutId: integer("hut_id").references(() => huts.id, { onDelete: "set null" }),
    /** Copied from the hut by triggers. It remains after a private hut is deleted. */
    isPrivate: flagColumn("is_private"),
    title: text("title").notNull(),
    titlePairs: titlePairsColumn(),
    slug: text("slug").notNull(),
    ...richTextColumns(),
    /** 1 published, 0 draft (S-20). */
    status: integer("status").notNull().default(0),
    type: text("type").notNull().default("item"),
    isBook: flagColumn("is_book"),
    url: text("url").notNull().default(""),
    /** The sort key, newest first; a move takes the midpoint of the neighbours (D-09). */
    orderMs: real("order_ms").notNull(),
    ...stampColumns(),
  },
  (t) => [
    index("items_with_uploads").on(t.id).where(showsUpload("items")),
    // Unique across all items, because an item may move under any other item of its person.
    uniqueIndex("item_slug_unique").on(t.slug),
    index("items_in_order").on(t.personId, t.parentId, t.orderMs),
    index("items_by_parent").on(t.parentId, t.orderMs),
    index("items_of_person").on(t.personId, t.orderMs),
    index("items_shown").on(t.personId, t.orderMs).where(sql`status = 1 AND is_private = 0`),
    index("items_of_hut").on(t.hutId, t.orderMs),
    check("item_status_known", sql`${t.status} IN (0, 1)`),
    ...fitsRow([t.content, t.contentHtml, t.summary, t.url]),
  ],
);

export const snippets = sqliteTable(
  "snippets",
  {
    id: idColumn(),
    itemId: integer("item_id")
      .notNull()
      .references(() => items.id, { onDelete: "cascade" }),
    number: integer("number").notNull(),
    content: text("content").notNull(),
  },
  (t) => [uniqueIndex("snippet_number_unique").on(t.itemId, t.number), ...fitsRow([t.content])],
);

export const paraphrases = sqliteTable(
  "paraphrases",
  {
    id: idColumn(),
    snippetId: integer("snippet_id")
      .notNull()
      .references(() => snippets.id, { onDelete: "cascade" }),
    personId: integer("person_id")
      .notNull()
      .references(() => persons.id, { onDelete: "cascade" }),
    title: text("title").notNull().default(""),
    ...richTextColumns(),
    ...stampColumns(),
  },
  (t) => [
    index("paraphrases_with_uploads").on(t.id).where(showsUpload("paraphrases")),
    index("paraphrases_by_snippet").on(t.snippetId, t.id),
    index("paraphrases_by_person").on(t.personId, t.id),
    ...fitsRow([t.content, t.contentHtml, t.summary]),
  ],
);

export const favorites = sqliteTable(
  "favorites",
  {
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    kind: text("kind", { enum: ["item", "activity", "hut", "snippet"] }).notNull(),
    targetId: integer("target_id").notNull(),
    createdAt: instantColumn("created_at").notNull(),
  },
  (t) => [primaryKey({ name: "one_favorite", columns: [t.userId, t.kind, t.targetId] })],
);

/** Images in R2 under an unguessable name (D-07). */
export const uploads = sqliteTable(
  "uploads",
  {
    key: text("key").primaryKey(),
    userId: integer("user_id").notNull(),
    type: text("type").notNull(),
    bytes: integer("bytes").notNull(),
    width: integer("width").notNull(),
    height: integer("height").notNull(),
    createdAt: instantColumn("created_at").notNull(),
  },
  (t) => [index("uploads_by_user").on(t.userId, t.createdAt)],
);
