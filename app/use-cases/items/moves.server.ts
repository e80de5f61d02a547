// The order of a moved item in its list (D-09): between its new neighbours, first or last. When a gap has closed, the
// person's items above it are renumbered.

import type { Board, ItemRow, SortKey } from "#db/queries/items/items";
import * as items from "#db/queries/items/items";
import { AppError, invalid } from "~/domain/errors";
import { type ItemChange, MAX_RAISED, orderBetween, raiseItems } from "~/domain/items/items";
import * as itemRefusals from "~/domain/items/refusals";
import type { App } from "~/use-cases/app.server";

type Neighbours = { above: SortKey | null; under: SortKey | null };

/** The statements that move `row`; none without a move. */
export async function placeStatements(app: App, row: ItemRow, parentId: number, change: ItemChange) {
  if (change.orderMs !== undefined) return [items.updateItem(app.db, row.id, { orderMs: change.orderMs })];
  const { after, before, toEnd, step } = change;
  if (after === undefined && before === undefined && !toEnd && !step) return [];
  const board: Board = { hut: change.board ?? null, parentId, personId: row.personId };
  const neighbours = await findNeighbours(app, board, row, change);
  if (!neighbours) return [];
  const { above, under } = neighbours;
  const orderMs = above || under ? orderBetween(above?.orderMs ?? null, under?.orderMs ?? null) : app.now;
  if (orderMs !== null) return [items.updateItem(app.db, row.id, { orderMs })];
  const raise = under && (await raiseAbove(app, board, row, under));
  if (!raise) throw new AppError("CONFLICT", itemRefusals.noRoomBetween);
  const { orderMs: newOrderMs, raised, lifted } = raise;
  return [
    // First, since the raised items may pass the order from which the rest rises.
    ...(lifted ? [items.liftItems(app.db, board, lifted.from, lifted.by)] : []),
    ...[{ id: row.id, orderMs: newOrderMs }, ...raised].map(({ id, orderMs }) =>
      items.updateItem(app.db, id, { orderMs }),
    ),
  ];
}

/** The new orders of the moved item and of those above it, all of one person; null without room. */
async function raiseAbove(app: App, board: Board, row: ItemRow, under: SortKey) {
  const limit = MAX_RAISED + 1;
  const itemsAbove = await items.listNearbySortKeys(app.db, board, {
    from: under,
    side: "above",
    skip: row.id,
    limit,
  });
  if (board.hut === null) return raiseItems(under.orderMs, itemsAbove);
  // A hut's list contains items of others, whose orders must not change: the nearest of them ends the room.
  const isOthers = ({ personId }: { personId: number }) => personId !== row.personId;
  const end = itemsAbove.findIndex(isOthers);
  const raise = raiseItems(under.orderMs, end === -1 ? itemsAbove : itemsAbove.slice(0, end + 1));
  const isOwn = raise?.lifted === null && raise.raised.every(({ id }) => id !== itemsAbove[end]?.id);
  return isOwn ? raise : null;
}

/** The new neighbours; null if the item stays. */
async function findNeighbours(
  app: App,
  board: Board,
  row: ItemRow,
  { after, before, toEnd, step }: ItemChange,
): Promise<Neighbours | null> {
  const listNext = (from: SortKey | null, side: "above" | "under", limit: number) =>
    items.listNearbySortKeys(app.db, board, { from, side, skip: row.id, limit });
  if (step) {
    const [first, second] = await listNext(row, step === "up" ? "above" : "under", 2);
    if (!first) return null;
    return step === "up" ? { above: second ?? null, under: first } : { above: first, under: second ?? null };
  }
  if (toEnd) {
    const [last] = await listNext(null, "above", 1);
    return { above: last ?? null, under: null };
  }
  if (before !== undefined) {
    const [under] = before === row.id ? [] : await items.findSortKey(app.db, board, before);
    if (!under) throw invalid("before", itemRefusals.otherList);
    const [above] = await listNext(under, "above", 1);
    return { above: above ?? null, under };
  }
  if (after === null || after === undefined) {
    const [first] = await listNext(null, "under", 1);
    return { above: null, under: first ?? null };
  }
  const [above] = after === row.id ? [] : await items.findSortKey(app.db, board, after);
  if (!above) throw invalid("after", itemRefusals.otherList);
  const [under] = await listNext(above, "under", 1);
  return { above, under: under ?? null };
}
