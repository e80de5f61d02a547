// Items, books, paraphrases and favourites: their schemas and their order (D-08 to D-11). Pure.
import { z } from "zod";
import { manyLines, oneLine } from "~/domain/text-fields";
import type { Instant } from "~/domain/time";

export const ORDER_GAP = 10_000;

const title = oneLine("Please give a title.")
  .min(1, "Please give a title.")
  .max(200, "Please keep the title under 200 characters.");
const content = manyLines().max(200_000, "Please keep this under 200,000 characters.");

export const ItemInput = z.object({
  title,
  content: content.default(""),
  parentId: z.number().int().positive().nullable().default(null),
  hutId: z.number().int().positive().nullable().default(null),
  isPublished: z.boolean().default(false),
  isBook: z.boolean().default(false),
  type: oneLine().max(40).default("item"),
  url: z
    .union([z.literal(""), z.url({ protocol: /^https?$/, error: "Please give an http or https address." })])
    .default(""),
});
export type ItemInput = z.output<typeof ItemInput>;

export const ItemChange = z.object({
  id: z.number().int().positive(),
  title: title.optional(),
  content: content.optional(),
  parentId: z.number().int().positive().nullable().optional(),
  hutId: z.number().int().positive().nullable().optional(),
  isPublished: z.boolean().optional(),
  url: ItemInput.shape.url.optional(),
  orderMs: z.number().finite().optional(),
  /** Moves it after this item; null moves it to the top. */
  after: z.number().int().positive().nullable().optional(),
  /** Moves it before this item. */
  before: z.number().int().positive().optional(),
  /** Moves it to the end of its list. */
  toEnd: z.boolean().optional(),
  /** Moves it one place. */
  step: z.enum(["up", "down"]).optional(),
  /** The hut whose list orders the item; without it, the person's own list. */
  board: oneLine().nullish(),
});
export type ItemChange = z.output<typeof ItemChange>;

export const ParaphraseInput = z.object({
  snippetId: z.number().int().positive(),
  title: oneLine().max(200).default(""),
  content: content.refine((text) => text.trim() !== "", "Please write your paraphrase."),
});
export type ParaphraseInput = z.output<typeof ParaphraseInput>;
export const ParaphraseChange = ParaphraseInput.pick({ title: true, content: true })
  .partial()
  .extend({ id: z.number().int().positive() });
export type ParaphraseChange = z.output<typeof ParaphraseChange>;

export type Item = {
  id: number;
  personId: number;
  parentId: number;
  hutId: number | null;
  title: string;
  slug: string;
  content: string;
  contentHtml: string;
  summary: string;
  status: number;
  type: string;
  isBook: boolean;
  url: string;
  orderMs: number;
  createdAt: Instant;
  path: string;
  username: string;
  parentTitle: string | null;
  parentPath: string | null;
  hutTitle: string | null;
  hutSlug: string | null;
};

export type Paraphrase = {
  id: number;
  snippetId: number;
  title: string;
  content: string;
  contentHtml: string;
  createdAt: Instant;
  username: string;
};

/**
 * The order of a moved item between its neighbours, highest first (D-09): the midpoint; at the top the first plus a
 * gap; at the end the last minus a gap. Null when the gap has closed, and the items above it must be renumbered.
 */
export function orderBetween(above: number | null, below: number | null): number | null {
  if (above === null && below === null) return 0;
  if (above === null) return (below ?? 0) + ORDER_GAP;
  if (below === null) return above - ORDER_GAP;
  const middle = (above + below) / 2;
  return middle < above && middle > below && above - below > 1e-3 ? middle : null;
}

/** Milliseconds, and few: the order of a new item is its time, which is to stay above the items that a lift has raised. */
export const LIFT_STEP = 250;
/** The most items that one move spreads out. */
export const MAX_RAISED = 200;

type Placed = { id: number; orderMs: number };
export type Raise = {
  orderMs: number;
  raised: Placed[];
  /** The item from which on the rest of the list rises by `by`, in a crowd without room. */
  lifted: { from: Placed; by: number } | null;
};

/**
 * Renumbers a closed gap: spreads the moved item and those above it, nearest first, in equal steps between `under` and
 * the first item that leaves room. `above` has at most `MAX_RAISED` + 1 items. Null if the orders are too great for a step.
 */
export function raiseItems(under: number, above: readonly Placed[]): Raise | null {
  // The more items it spreads, the wider the steps must be, so that the place stays open for more moves.
  const hasRoom = ({ orderMs }: Placed, index: number) => (orderMs - under) / (index + 2) >= index + 1;
  const roomAt = above.findIndex(hasRoom);
  const next = above[roomAt === -1 ? MAX_RAISED : roomAt];
  const raisedItems = next ? above.slice(0, above.indexOf(next)) : above;
  const steps = raisedItems.length + 2;
  const isLift = roomAt === -1 && next !== undefined;
  const widest = isLift ? LIFT_STEP : ORDER_GAP;
  const step = next && !isLift ? Math.min(widest, (next.orderMs - under) / steps) : widest;
  const orderAt = (index: number) => under + step * (index + 1);
  const lifted = isLift ? { from: next, by: under + step * steps - next.orderMs } : null;
  const orders = [under, ...raisedItems.map((_, index) => orderAt(index)), orderAt(raisedItems.length)];
  // Beyond whole numbers, a step may change nothing.
  if (orders.some((order, index) => index > 0 && order <= Number(orders[index - 1]))) return null;
  return {
    orderMs: orderAt(0),
    raised: raisedItems.map(({ id }, index) => ({ id, orderMs: orderAt(index + 1) })),
    lifted,
  };
}
