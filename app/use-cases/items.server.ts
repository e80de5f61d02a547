// Items of a person: writing, ordering, publishing, and what others see of them (rulings 9).
import { nanoid } from "nanoid";
import { runBatch } from "#db/connect.server";
import {
  deleteItem as deleteRow,
  findPerson,
  findSlug,
  type ItemRow,
  insertItem,
  liftChildren,
  listAncestors,
  listItems,
  listOrder,
  listParentOptions,
  selectItem,
  selectItemByPath,
  updateItem as updateRow,
} from "#db/queries/items";
import { AppError, invalid } from "~/domain/errors";
import { type ItemChange, type ItemInput, orderBetween, renumbered } from "~/domain/items";
import { requireUser } from "~/domain/permissions";
import { isReserved, slugify } from "~/domain/slugs";
import { HOUR } from "~/domain/time";
import type { App, CurrentUser } from "./app.server";

export type ItemView = ItemRow & { path: string; isOwner: boolean };

const view = (app: App, row: ItemRow): ItemView => ({
  ...row,
  path: `/${row.parentSlug ?? row.username}/${row.slug}`,
  isOwner: app.user?.personId === row.personId,
});

/** A slug nobody has: of no item, no username, no page. */
async function freeSlug(app: App, title: string): Promise<string> {
  const wanted = slugify(title);
  for (const slug of [
    wanted,
    `${wanted}-${nanoid(5)
      .toLowerCase()
      .replace(/[^a-z0-9]/g, "x")}`,
    `${wanted}-${crypto.randomUUID()}`,
  ]) {
    const [[item], [person]] = await app.db.batch([findSlug(app.db, slug), findPerson(app.db, slug)]);
    if (!item && !person && !isReserved(slug)) return slug;
  }
  throw new AppError("CONFLICT", "Please choose another title.");
}

async function ownItem(app: App, user: CurrentUser, id: number): Promise<ItemRow> {
  const [row] = await selectItem(app.db, id);
  if (!row || (row.personId !== user.personId && row.status !== 1))
    throw new AppError("NOT_FOUND", "We could not find this item.");
  if (row.personId !== user.personId)
    throw new AppError("FORBIDDEN", "Only its own person may change an item.");
  return row;
}

/** A parent must be an own item and may not lie under what is put below it. */
async function requireParent(
  app: App,
  user: CurrentUser,
  parentId: number | null,
  childId: number | null,
): Promise<void> {
  if (parentId === null) return;
  const [[parent], above] = await app.db.batch([
    selectItem(app.db, parentId),
    listAncestors(app.db, parentId),
  ]);
  if (!parent || parent.personId !== user.personId)
    throw invalid("parentId", "Please choose one of your own items.");
  if (childId !== null && (parentId === childId || above.some((item) => item.id === childId)))
    throw invalid("parentId", "An item cannot stand under itself.");
}

export async function createItem(app: App, input: ItemInput): Promise<ItemView> {
  const user = requireUser(app.user);
  await app.attempts.take(`items:${user.id}`, 600, HOUR / 1000);
  await requireParent(app, user, input.parentId, null);
  const text = await app.richText.render(input.content);
  const [made] = await insertItem(app.db, {
    ...text,
    personId: user.personId,
    parentId: input.parentId ?? 0,
    hutId: input.hutId,
    title: input.title,
    slug: await freeSlug(app, input.title),
    status: input.isPublished ? 1 : 0,
    type: input.type,
    isBook: input.isBook,
    url: input.url,
    // Newest first: the instant itself.
    orderMs: app.now,
    createdAt: app.now,
    updatedAt: app.now,
  });
  return readItem(app, made?.id ?? 0);
}

async function readItem(app: App, id: number): Promise<ItemView> {
  const [row] = await selectItem(app.db, id);
  if (!row) throw new AppError("NOT_FOUND", "We could not find this item.");
  return view(app, row);
}

export async function updateItem(app: App, change: ItemChange): Promise<ItemView> {
  const user = requireUser(app.user);
  const row = await ownItem(app, user, change.id);
  if (change.parentId !== undefined) await requireParent(app, user, change.parentId, change.id);
  const text =
    change.content === undefined || change.content === row.content
      ? {}
      : await app.richText.render(change.content);
  const parentId = change.parentId === undefined ? row.parentId : (change.parentId ?? 0);
  await runBatch(app.db, [
    ...(await placing(app, user, row, parentId, change)),
    updateRow(app.db, row.id, {
      ...text,
      ...(change.title === undefined ? {} : { title: change.title }),
      ...(change.url === undefined ? {} : { url: change.url }),
      ...(change.isPublished === undefined ? {} : { status: change.isPublished ? 1 : 0 }),
      ...(change.hutId === undefined ? {} : { hutId: change.hutId }),
      parentId,
      updatedAt: app.now,
    }),
  ]);
  return readItem(app, row.id);
}

/** Where the item stands after the change; the whole list is renumbered when the gap has closed (D-09). */
async function placing(app: App, user: CurrentUser, row: ItemRow, parentId: number, change: ItemChange) {
  if (change.orderMs !== undefined) return [updateRow(app.db, row.id, { orderMs: change.orderMs })];
  if (change.after === undefined && !change.toEnd) return [];
  const list = (await listOrder(app.db, user.personId, parentId)).filter((item) => item.id !== row.id);
  const index = change.toEnd
    ? list.length - 1
    : change.after === null
      ? -1
      : list.findIndex((item) => item.id === change.after);
  if (index === -1 && change.after !== null && !change.toEnd)
    throw invalid("after", "This item is not in the same list.");
  const place =
    list.length === 0
      ? app.now
      : orderBetween(list[index]?.orderMs ?? null, list[index + 1]?.orderMs ?? null);
  if (place !== null) return [updateRow(app.db, row.id, { orderMs: place })];
  const order = [...list.slice(0, index + 1), row, ...list.slice(index + 1)];
  const places = renumbered(order.length, app.now);
  return order.map((item, i) => updateRow(app.db, item.id, { orderMs: places[i] ?? app.now }));
}

/** Its children stand where it stood. */
export async function deleteItem(app: App, input: { id: number }): Promise<void> {
  const user = requireUser(app.user);
  const row = await ownItem(app, user, input.id);
  await app.db.batch([liftChildren(app.db, row.id, row.parentId), deleteRow(app.db, row.id)]);
}

export type ItemPage = {
  person: { id: number; username: string };
  items: ItemView[];
  isOwner: boolean;
  page: number;
  hasNext: boolean;
  perPage: number;
};

async function listOf(
  app: App,
  person: { id: number; username: string },
  filter: { parentId?: number | null; hutId?: number | null; page: number },
): Promise<ItemPage> {
  const { perPage } = app.settings;
  const isOwner = app.user?.personId === person.id;
  const rows = await listItems(app.db, {
    ...filter,
    personId: person.id,
    isPublishedOnly: !isOwner,
    limit: perPage + 1,
    offset: (filter.page - 1) * perPage,
  });
  return {
    person: { id: person.id, username: person.username },
    items: rows.slice(0, perPage).map((row) => view(app, row)),
    isOwner,
    page: filter.page,
    hasNext: rows.length > perPage,
    perPage,
  };
}

/** /{person}: the published items; one's own page shows all (P-42). */
export async function viewPerson(app: App, input: { person: string; page: number }): Promise<ItemPage> {
  const [person] = await findPerson(app.db, input.person);
  if (!person) throw new AppError("NOT_FOUND", "Nobody is called that here.");
  return listOf(app, person, { page: input.page });
}

/** /{parentItem}/{childItem}: the child, and what stands under it (P-43). */
export async function viewItem(app: App, input: { parentItem: string; childItem: string; page: number }) {
  const [row] = await selectItemByPath(app.db, input.parentItem, input.childItem);
  const isOwner = row !== undefined && app.user?.personId === row.personId;
  if (!row || (row.status !== 1 && !isOwner)) throw new AppError("NOT_FOUND", "We could not find this item.");
  const children = await listOf(
    app,
    { id: row.personId, username: row.username },
    { parentId: row.id, page: input.page },
  );
  return { item: view(app, row), children };
}

/** The Me page: own items, of one hut or of all, with what the form needs (P-44, U-53). */
export async function viewMe(app: App, input: { hutId: number | null; page: number }) {
  const user = requireUser(app.user);
  const list = await listOf(
    app,
    { id: user.personId, username: user.username },
    { hutId: input.hutId, page: input.page },
  );
  const parents = await listParentOptions(app.db, user.personId, null);
  return { ...list, parents };
}

/** What a person may put an item under; others see nothing of it (C-94). */
export async function searchParents(app: App, input: { person: string; favorites: boolean }) {
  const user = requireUser(app.user);
  const [person] = await findPerson(app.db, input.person);
  if (!person) throw new AppError("NOT_FOUND", "Nobody is called that here.");
  if (person.userId !== user.id) throw new AppError("FORBIDDEN", "These are somebody else's items.");
  return listParentOptions(app.db, person.id, input.favorites ? user.id : null);
}
