// The Me pages: the user's own items, or those of a hut, with the data of their forms (P-44, U-48, U-52, U-53).
import * as hutQueries from "#db/queries/huts/huts";
import * as items from "#db/queries/items/items";
import { AppError } from "~/domain/errors";
import { requireUser } from "~/domain/permissions";
import * as refusals from "~/domain/refusals";
import type { App } from "~/use-cases/app.server";
import { viewerOf } from "~/use-cases/viewer.server";
import { itemView } from "./items.server";

/** `book` is the preselected parent of a new item (U-48). */
export async function viewMe(
  app: App,
  input: {
    hut?: string | undefined;
    book?: number | undefined;
    /** Only the user's favourites, which may be items of other people. */
    favorites?: boolean | undefined;
    page: number;
  },
) {
  const user = requireUser(app.user);
  const { perPage } = app.settings;
  const paging = { viewer: user.id, limit: perPage + 1, offset: (input.page - 1) * perPage };
  const [[hut], huts, parents, rows] = await app.db.batch([
    hutQueries.findHut(app.db, input.hut ?? "", viewerOf(app), app.now),
    hutQueries.listOwnHuts(app.db, user.id),
    items.listParentOptions(app.db, user.personId, null),
    input.favorites
      ? items.listFavoriteItems(app.db, { userId: user.id, personId: user.personId }, paging)
      : items.listBoard(app.db, { hut: input.hut ?? null, parentId: 0, personId: user.personId }, paging),
  ]);
  if (input.hut !== undefined && !hut) throw new AppError("NOT_FOUND", refusals.noHut);
  const book = parents.find((parent) => parent.id === input.book);
  return {
    person: { id: user.personId, username: user.username, title: user.username },
    hut: hut
      ? {
          id: hut.id,
          slug: hut.slug,
          title: hut.title,
          contentHtml: hut.contentHtml,
          summary: hut.summary,
          userCount: hut.userCount,
        }
      : null,
    huts,
    parents,
    items: rows.slice(0, perPage).map((row) => itemView(app, row)),
    /** The form of a new item is shown on the user's own page, and in a hut that the user owns. */
    isOwner: hut ? hut.ownerId === user.id : true,
    isFavorites: input.favorites === true,
    /** Preselected in the form of a new item. */
    chosen: book ? `item:${book.id}` : hut ? `hut:${hut.id}` : "",
    page: input.page,
    hasNext: rows.length > perPage,
    perPage,
  };
}
