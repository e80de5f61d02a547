// Books, their snippets and paraphrases, and favourites (D-10, D-11, R-24).
import { runBatch } from "#db/connect.server";
import * as books from "#db/queries/items/books";
import type { FavoriteKind } from "#db/queries/items/favorites";
import * as favorites from "#db/queries/items/favorites";
import * as items from "#db/queries/items/items";
import { AppError } from "~/domain/errors";
import type { Paraphrase } from "~/domain/items/items";
import * as itemRefusals from "~/domain/items/refusals";
import { splitIntoSnippets } from "~/domain/items/split-book";
import { ITEM_STATUS } from "~/domain/items/status";
import { allow, isSuperAdmin, requireUser } from "~/domain/permissions";
import * as refusals from "~/domain/refusals";
import type { App, CurrentUser } from "~/use-cases/app.server";
import { withFreeSlug } from "~/use-cases/free-slug.server";
import { countUse } from "~/use-cases/rate-limits.server";
import { insertOverseen } from "~/use-cases/super-admin-acts.server";
import { viewerOf } from "~/use-cases/viewer.server";
import { requireMayWriteInHut } from "~/use-cases/writing.server";
import { takenNames } from "./items.server";

export async function listBooks(app: App, input: { page: number }) {
  const { perPage } = app.settings;
  const rows = await books.listBooks(app.db, perPage + 1, (input.page - 1) * perPage);
  return { books: rows.slice(0, perPage), page: input.page, perPage, hasNext: rows.length > perPage };
}

/** The user's favourite passages of all books. */
export async function listFavoritePassages(app: App, input: { page: number }) {
  const user = requireUser(app.user);
  const { perPage } = app.settings;
  const offset = (input.page - 1) * perPage;
  const rows = await books.listFavoriteSnippets(app.db, user.id, readerOf(app, user), perPage + 1, offset);
  return { passages: rows.slice(0, perPage), page: input.page, perPage, hasNext: rows.length > perPage };
}

type BookAccess = { status: number; personId: number };
const canRead = (app: App, book: BookAccess): boolean =>
  book.status === ITEM_STATUS.published || book.personId === app.user?.personId;

const readerOf = (app: App, { personId }: CurrentUser) => ({ id: viewerOf(app), personId });

/** A book's passages in order, one page of them. */
export async function viewBook(app: App, input: { book: string; page: number }) {
  const { perPage } = app.settings;
  const [[row], rows] = await app.db.batch([
    books.findBook(app.db, input.book, viewerOf(app)),
    books.listSnippets(app.db, input.book, (input.page - 1) * perPage + 1, perPage + 1),
  ]);
  if (!row || !canRead(app, row)) throw new AppError("NOT_FOUND", refusals.noBook);
  app.shownRecords.push({ of: "items", id: row.id });
  return {
    book: row,
    snippets: rows.slice(0, perPage),
    page: input.page,
    perPage,
    hasNext: rows.length > perPage,
  };
}

/** A passage of a book, its neighbours and its paraphrases (P-22). */
export async function viewSnippet(app: App, input: { book: string; snippet: number }) {
  const [[row], paraphrases, favoriteRows] = await app.db.batch([
    books.findSnippet(app.db, input.book, input.snippet, viewerOf(app)),
    books.listParaphrases(app.db, { snippetId: input.snippet, personId: app.user?.personId ?? 0 }, 50),
    favorites.listFavorites(app.db, app.user?.id ?? 0, "snippet", [input.snippet]),
  ]);
  if (!row || !canRead(app, row)) throw new AppError("NOT_FOUND", itemRefusals.noPassage);
  app.shownRecords.push({ of: "items", id: row.bookId });
  return {
    snippet: row,
    paraphrases: paraphrases.map((paraphrase) => ({
      ...paraphrase,
      isOwner: paraphrase.personId === app.user?.personId,
    })),
    isFavorite: favoriteRows.length > 0,
  };
}

/** A random passage of a published book; null if there is none. `chance` is from 0, and below 1. */
export async function randomSnippet(app: App, input: { chance: number }) {
  const [snippet] = await books.findRandomSnippet(app.db, input.chance);
  return snippet ?? null;
}

export async function createParaphrase(
  app: App,
  input: { snippetId: number; title: string; content: string },
): Promise<Paraphrase> {
  const user = requireUser(app.user);
  await countUse(app, "paraphrases", user.id);
  const [snippet] = await books.findSnippetId(app.db, input.snippetId, readerOf(app, user));
  if (!snippet) throw new AppError("NOT_FOUND", itemRefusals.noPassage);
  await requireMayWriteInHut(app, snippet.hutId);
  const text = await app.richText.render(input.content);
  const [insertedParaphrase] = await books.insertParaphrase(app.db, {
    ...text,
    snippetId: snippet.id,
    personId: user.personId,
    title: input.title,
    createdAt: app.now,
    updatedAt: app.now,
  });
  return readParaphrase(app, insertedParaphrase?.id ?? 0);
}

export async function updateParaphrase(
  app: App,
  input: { id: number; title?: string | undefined; content?: string | undefined },
): Promise<Paraphrase> {
  const user = requireUser(app.user);
  await countUse(app, "change-book", user.id);
  const [row] = await books.findParaphrase(app.db, input.id);
  // Outsiders must not learn which paraphrases a book has; it may be closed to their author, too.
  const [snippet] = row
    ? await books.findSnippetId(app.db, row.paraphrase.snippetId, readerOf(app, user))
    : [];
  if (!row || !snippet) throw new AppError("NOT_FOUND", itemRefusals.noParaphrase);
  allow(row.userId === user.id, itemRefusals.authorChanges);
  await requireMayWriteInHut(app, snippet.hutId);
  const text = input.content === undefined ? {} : await app.richText.render(input.content);
  await books.updateParaphrase(app.db, input.id, {
    ...text,
    ...(input.title === undefined ? {} : { title: input.title }),
    updatedAt: app.now,
  });
  return readParaphrase(app, input.id);
}

export async function readParaphrase(app: App, id: number): Promise<Paraphrase> {
  const [row] = await books.findParaphrase(app.db, id);
  if (!row) throw new AppError("NOT_FOUND");
  return { ...row.paraphrase, username: row.username };
}

/** Sets or removes a favourite (C-47). Idempotent. */
export async function setFavorite(
  app: App,
  input: { kind: FavoriteKind; targetId: number; isFavorite: boolean },
): Promise<{ isFavorite: boolean }> {
  const user = requireUser(app.user);
  await countUse(app, "change-favorite", user.id);
  const [target] = await favorites.findFavoriteTarget(
    app.db,
    input.kind,
    input.targetId,
    readerOf(app, user),
  );
  if (!target) throw new AppError("NOT_FOUND", refusals.notFound);
  if (input.isFavorite)
    await favorites.insertFavorite(app.db, {
      userId: user.id,
      kind: input.kind,
      targetId: input.targetId,
      createdAt: app.now,
    });
  else await favorites.deleteFavorite(app.db, user.id, input.kind, input.targetId);
  return { isFavorite: input.isFavorite };
}

/** Imports a plain text as a book of numbered snippets, owned by the importing user (D-11). */
export async function importBook(
  app: App,
  input: { title: string; text: string },
): Promise<{ slug: string; snippets: number }> {
  const user = requireUser(app.user);
  allow(isSuperAdmin(user) || app.settings.isLocalRun);
  return storeBook(app, { title: input.title, about: "", passages: splitIntoSnippets(input.text) });
}

/** A published book of numbered passages, in one batch. The caller has checked the permission. */
export async function storeBook(
  app: App,
  { title, about, passages }: { title: string; about: string; passages: readonly string[] },
): Promise<{ slug: string; snippets: number }> {
  const user = requireUser(app.user);
  const text = await app.richText.render(about);
  return withFreeSlug(title, takenNames(app), async (slug) => {
    const itemId = books.bookIdOf(slug);
    const rows = passages.map((content, index) => ({ itemId, number: index + 1, content }));
    const book = {
      ...text,
      slug,
      personId: user.personId,
      parentId: 0,
      hutId: null,
      title,
      status: ITEM_STATUS.published,
      type: "book",
      isBook: true,
      url: "",
      orderMs: app.now,
      createdAt: app.now,
      updatedAt: app.now,
    };
    await runBatch(app.db, [
      items.insertItem(app.db, book),
      // D1 allows at most 100 values per statement: three for each row.
      ...Array.from({ length: Math.ceil(rows.length / 30) }, (_, index) =>
        books.insertSnippets(app.db, rows.slice(30 * index, 30 * (index + 1))),
      ),
      ...insertOverseen(app, {
        action: "book-imported",
        target: { kind: "item", id: itemId },
        isOwnRight: false,
        reason: title,
      }),
    ]);
    return { slug, snippets: rows.length };
  });
}
