// The items of a person: create, order, publish, and their visibility (D-08 to D-10).
import { runBatch } from "#db/connect.server";
import * as hutQueries from "#db/queries/huts/huts";
import * as favorites from "#db/queries/items/favorites";
import type { ItemRow } from "#db/queries/items/items";
import * as items from "#db/queries/items/items";
import * as profiles from "#db/queries/items/profiles";
import * as blocks from "#db/queries/safety/blocks";
import * as reports from "#db/queries/safety/reports";
import { dayAt } from "~/domain/days";
import { AppError, invalid } from "~/domain/errors";
import type { ItemChange, ItemInput } from "~/domain/items/items";
import * as itemRefusals from "~/domain/items/refusals";
import { ITEM_STATUS } from "~/domain/items/status";
import { requireUser } from "~/domain/permissions";
import * as refusals from "~/domain/refusals";
import { statusAt } from "~/domain/sessions/status";
import { isReservedSegment } from "~/domain/slugs";
import type { Instant } from "~/domain/time";
import type { App, CurrentUser } from "~/use-cases/app.server";
import { withFreeSlug } from "~/use-cases/free-slug.server";
import { countUse } from "~/use-cases/rate-limits.server";
import { goalsWithStreaks, longestStreak } from "~/use-cases/streaks.server";
import { viewerOf } from "~/use-cases/viewer.server";
import { requireMayWriteInHut } from "~/use-cases/writing.server";
import { placeStatements } from "./moves.server";

export type ItemView = ItemRow & { path: string; parentPath: string | null; isOwner: boolean };

/** An unpublished parent is hidden from others: the item then appears under its person. */
export const itemView = (app: App, row: ItemRow): ItemView =>
  itemSeenBy(row, { isOwner: app.user?.personId === row.personId });

/** `isOwner`: as the item's own person sees it. */
export function itemSeenBy(row: ItemRow, { isOwner }: { isOwner: boolean }): ItemView {
  const isHidden = !isOwner && row.parentStatus !== null && row.parentStatus !== ITEM_STATUS.published;
  const visibleFields = isHidden
    ? { ...row, parentId: 0, parentTitle: null, parentSlug: null, grandparentSlug: null }
    : row;
  return {
    ...visibleFields,
    path: `/${visibleFields.parentSlug ?? row.username}/${row.slug}`,
    parentPath:
      visibleFields.parentSlug === null
        ? null
        : `/${visibleFields.grandparentSlug ?? row.username}/${visibleFields.parentSlug}`,
    isOwner,
  };
}

async function requireOwnItem(app: App, user: CurrentUser, id: number): Promise<ItemRow> {
  const [row] = await items.findItem(app.db, id, viewerOf(app));
  if (!row || (row.personId !== user.personId && row.status !== ITEM_STATUS.published))
    throw new AppError("NOT_FOUND", itemRefusals.noItem);
  if (row.personId !== user.personId) throw new AppError("FORBIDDEN", itemRefusals.ownerChanges);
  return row;
}

/**
 * A parent must be an item of the same user, and must not be a descendant. Items below a private item are public (D-08),
 * so such an item is no new parent.
 */
async function requireParent(
  app: App,
  user: CurrentUser,
  parentId: number | null,
  child: ItemRow | null,
): Promise<void> {
  if (parentId === null) return;
  const childId = child?.id ?? null;
  const [[parent], ancestors] = await app.db.batch([
    items.findItem(app.db, parentId, viewerOf(app)),
    items.listAncestors(app.db, parentId, viewerOf(app)),
  ]);
  if (!parent || parent.personId !== user.personId) throw invalid("parentId", itemRefusals.ownParent);
  if (childId !== null && (parentId === childId || ancestors.some((item) => item.id === childId)))
    throw invalid("parentId", itemRefusals.underItself);
  if (parentId !== child?.parentId && ancestors.some(({ isPrivate }) => isPrivate))
    throw invalid("parentId", itemRefusals.publicUnderPrivate);
}

/** The user must own the item's hut or be its member. Items below do not come along, so a private hut takes none. */
async function requireHut(
  app: App,
  user: CurrentUser,
  hutId: number | null,
  item: ItemRow | null,
): Promise<void> {
  if (hutId === null) return;
  const [[ownHut], [child]] = await app.db.batch([
    hutQueries.findOwnHut(app.db, hutId, user.id),
    items.findChild(app.db, item?.id ?? -1),
  ]);
  if (!ownHut) throw invalid("hutId", refusals.chooseOwnHut);
  if (ownHut.isPrivate && child) throw invalid("hutId", itemRefusals.belowStaysPublic);
}

/** An item belongs to a hut, to a parent item, or to neither (D-08). */
function requireOneParent({
  parentId,
  hutId,
}: {
  parentId?: number | null | undefined;
  hutId?: number | null | undefined;
}) {
  if (typeof parentId === "number" && typeof hutId === "number")
    throw invalid("parentId", itemRefusals.oneParent);
}

/** The names, among `names`, that an item, person or page uses already. */
export const takenNames = (app: App) => async (names: readonly string[]) => [
  ...(await items.findTakenNames(app.db, names)),
  ...names.filter(isReservedSegment).map((slug) => ({ slug })),
];

export async function createItem(app: App, input: ItemInput): Promise<ItemView> {
  const user = requireUser(app.user);
  await countUse(app, "items", user.id);
  requireOneParent(input);
  await requireParent(app, user, input.parentId, null);
  await requireHut(app, user, input.hutId, null);
  await requireMayWriteInHut(app, input.hutId);
  const text = await app.richText.render(input.content);
  const [insertedItem] = await withFreeSlug(input.title, takenNames(app), async (slug) =>
    items.insertItem(app.db, {
      ...text,
      slug,
      personId: user.personId,
      parentId: items.existingParentId(input.parentId ?? 0),
      hutId: input.hutId,
      title: input.title,
      status: input.isPublished ? ITEM_STATUS.published : ITEM_STATUS.unpublished,
      type: input.type,
      isBook: input.isBook,
      url: input.url,
      // The creation instant sorts new items first.
      orderMs: app.now,
      createdAt: app.now,
      updatedAt: app.now,
    }),
  );
  return readItem(app, insertedItem?.id ?? 0);
}

export async function readItem(app: App, id: number): Promise<ItemView> {
  const [row] = await items.findItem(app.db, id, viewerOf(app));
  if (!row) throw new AppError("NOT_FOUND", itemRefusals.noItem);
  return itemView(app, row);
}

export async function updateItem(app: App, change: ItemChange): Promise<ItemView> {
  const user = requireUser(app.user);
  await countUse(app, "change-item", user.id);
  const row = await requireOwnItem(app, user, change.id);
  requireOneParent(change);
  if (change.parentId !== undefined) await requireParent(app, user, change.parentId, row);
  if (change.hutId !== undefined && change.hutId !== row.hutId)
    await requireHut(app, user, change.hutId, row);
  const parentId = change.parentId === undefined ? (change.hutId ? 0 : row.parentId) : (change.parentId ?? 0);
  const hutId = change.hutId === undefined ? (parentId > 0 ? null : row.hutId) : change.hutId;
  // An item may leave a hut that is closed to its owner.
  await requireMayWriteInHut(app, hutId);
  if (change.isPublished && row.status !== ITEM_STATUS.published) {
    const [decision] = await reports.findRemoval(app.db, { kind: "item", id: String(row.id) }, user.id);
    if (decision) throw new AppError("FORBIDDEN", itemRefusals.hiddenByDecision);
  }
  const text =
    change.content === undefined || change.content === row.content
      ? {}
      : await app.richText.render(change.content);
  const isMoved = change.parentId !== undefined || change.hutId !== undefined;
  const columns = {
    ...text,
    ...(change.title === undefined ? {} : { title: change.title }),
    ...(change.url === undefined ? {} : { url: change.url }),
    ...(change.isPublished === undefined
      ? {}
      : { status: change.isPublished ? ITEM_STATUS.published : ITEM_STATUS.unpublished }),
    ...(isMoved ? { parentId, hutId } : {}),
    updatedAt: app.now,
  };
  const moveCondition = isMoved && parentId > 0 ? items.canMoveUnder(row.id, parentId) : undefined;
  const results = await runBatch(app.db, [
    ...(await placeStatements(app, row, parentId, change)),
    items.updateItem(app.db, row.id, columns, moveCondition),
  ]);
  const updatedItem = await readItem(app, row.id);
  if (results.at(-1)?.length === 0) throw new AppError("CONFLICT", itemRefusals.moving);
  return updatedItem;
}

/** Deletes an item of the user; its children move to its parent. CONFLICT for a book with paraphrases of others (D-10). */
export async function deleteItem(app: App, input: { id: number }): Promise<void> {
  const user = requireUser(app.user);
  await countUse(app, "change-item", user.id);
  const row = await requireOwnItem(app, user, input.id);
  const results = await app.db.batch([
    ...items.deleteItem(app.db, row.id),
    items.findItem(app.db, row.id, viewerOf(app)),
  ]);
  const [keptItem] = results[2];
  if (keptItem) throw new AppError("CONFLICT", itemRefusals.hasParaphrases);
}

type ItemList = {
  person: { id: number; username: string; title: string };
  items: ItemView[];
  isOwner: boolean;
  page: number;
  hasNext: boolean;
  perPage: number;
};

type ProfileSession = { id: number; title: string; startedAt: Instant | null; endedAt: Instant | null };
type PersonPage = ItemList & {
  isBlocked: boolean;
  /** Only public sessions. */
  hosted: (ProfileSession & { status: 0 | 1 | 2 })[];
  huts: { slug: string; title: string }[];
  /** Empty and null unless the person shows them. */
  attended: ProfileSession[];
  streak: { count: number; unit: "day" | "week" } | null;
};
/** Maximum sessions, and maximum huts, that a profile shows. */
const MAX_PUBLIC_ROWS = 12;

/** /{person}: the published items, or all for the owner (P-42). The name of a top-level item redirects to it. */
export async function viewPerson(
  app: App,
  input: { person: string; page: number },
): Promise<PersonPage | { movedTo: string }> {
  if (isReservedSegment(input.person)) throw new AppError("NOT_FOUND");
  const { perPage } = app.settings;
  const isOwner = app.user?.username.toLowerCase() === input.person.toLowerCase();
  const profileQuery = {
    username: input.person,
    viewer: app.user?.id ?? 0,
    now: app.now,
    limit: MAX_PUBLIC_ROWS,
  };
  const [[person], rows, [namedItem], [block], hosted, huts, attended, [publicLife]] = await app.db.batch([
    items.findPerson(app.db, input.person),
    items.listItems(app.db, {
      username: input.person,
      isPublishedOnly: !isOwner,
      viewer: viewerOf(app),
      limit: perPage + 1,
      offset: (input.page - 1) * perPage,
    }),
    items.findItemBySlug(app.db, input.person, viewerOf(app)),
    blocks.findBlockOfName(app.db, app.user?.id ?? 0, input.person),
    profiles.listHostedSessions(app.db, profileQuery),
    profiles.listPublicHuts(app.db, profileQuery),
    profiles.listAttendedSessions(app.db, profileQuery),
    profiles.findAccountShowingAttended(app.db, profileQuery),
  ]);
  if (!person) {
    if (namedItem && canSeeItem(app, namedItem)) return { movedTo: itemView(app, namedItem).path };
    throw new AppError("NOT_FOUND", refusals.noSuchName);
  }
  return {
    person: { id: person.id, username: person.username, title: person.title || person.username },
    items: rows.slice(0, perPage).map((row) => itemView(app, row)),
    isOwner,
    isBlocked: block !== undefined,
    hosted: hosted.map((session) => ({ ...session, status: statusAt(session, app.now) })),
    huts,
    attended,
    streak: publicLife ? await readShownStreak(app, publicLife) : null,
    page: input.page,
    hasNext: rows.length > perPage,
    perPage,
  };
}

/** The longest streak, without its goal, which only the person may see. */
async function readShownStreak(app: App, { userId, timeZone }: { userId: number; timeZone: string }) {
  const today = dayAt(app.now, timeZone);
  const [runningGoals, others] = await app.db.batch(goalsWithStreaks(app.db, userId, today));
  const streak = await longestStreak(app.db, [...runningGoals, ...others], userId, today);
  return streak && { count: streak.count, unit: streak.unit };
}

export const canSeeItem = (app: App, row: ItemRow): boolean =>
  row.status === ITEM_STATUS.published || app.user?.personId === row.personId;

/** /{parentItem}/{childItem}: the child with its children (P-43). */
export async function viewItem(app: App, input: { parentItem: string; childItem: string; page: number }) {
  const [row] = isReservedSegment(input.parentItem)
    ? []
    : await items.findItemByPath(app.db, input.parentItem, input.childItem, viewerOf(app));
  if (!row || !canSeeItem(app, row)) throw new AppError("NOT_FOUND", itemRefusals.noItem);
  const { perPage } = app.settings;
  const item = itemView(app, row);
  const [ancestors, children, [favorite], huts, parents] = await app.db.batch([
    items.listAncestors(app.db, row.id, viewerOf(app)),
    items.listBoard(
      app.db,
      { hut: null, parentId: row.id, personId: row.personId },
      {
        isPublishedOnly: !item.isOwner,
        viewer: viewerOf(app),
        limit: perPage + 1,
        offset: (input.page - 1) * perPage,
      },
    ),
    favorites.listFavorites(app.db, app.user?.id ?? 0, "item", [row.id]),
    // The choices of the forms, only for the owner.
    hutQueries.listOwnHuts(app.db, item.isOwner ? (app.user?.id ?? 0) : 0),
    items.listParentOptions(app.db, item.isOwner ? row.personId : 0, null),
  ]);
  const hut = ancestors.find((parent) => parent.hutSlug !== null);
  app.shownRecords.push({ of: "items", id: row.id });
  if (item.parentSlug !== null) app.shownRecords.push({ of: "items", id: item.parentId });
  if (hut) app.shownRecords.push({ of: "huts", id: hut.hutId ?? 0 });
  return {
    person: { id: row.personId, username: row.username, title: row.personTitle },
    item,
    /** The item's hut, or that of its parent (U-51). */
    hut: hut ? { slug: hut.hutSlug ?? "", title: hut.hutTitle ?? "" } : null,
    items: children.slice(0, perPage).map((itemRow) => itemView(app, itemRow)),
    huts,
    parents,
    isFavorite: favorite !== undefined,
    isOwner: item.isOwner,
    page: input.page,
    hasNext: children.length > perPage,
    perPage,
  };
}

/** The possible parents of a person's items; empty for others (C-94). */
export async function searchParents(app: App, input: { person: string; favorites: boolean }) {
  const user = requireUser(app.user);
  const [person] = await items.findPerson(app.db, input.person);
  if (!person) throw new AppError("NOT_FOUND", refusals.noSuchName);
  if (person.userId !== user.id) throw new AppError("FORBIDDEN", itemRefusals.notYours);
  return items.listParentOptions(app.db, person.id, input.favorites ? user.id : null);
}
