// The shapes of items and of their possible parents, as the loaders of item pages return them.
import { fullTitle } from "~/domain/items/full-title";
import type { Item } from "~/domain/items/items";

export type ShownItem = Omit<Item, "slug" | "type" | "orderMs"> & { personTitle: string; isOwner: boolean };

/** A possible parent of an item. `value` as forms send it: `hut:7`, `item:9`, or empty. */
export type ParentOption = { value: string; title: string; fullTitle: string; to: string };

type Huts = readonly { id: number; slug: string; title: string }[];
type Parents = readonly { id: number; title: string; parentsTitle: string | null; path: string }[];

const NONE: ParentOption = { value: "", title: "None", fullTitle: "None", to: "/me" };

export const parentOptions = (huts: Huts, parents: Parents): ParentOption[] => [
  ...huts.map((hut) => ({
    value: `hut:${hut.id}`,
    title: hut.title,
    fullTitle: `${hut.title}, hut`,
    to: `/me/${hut.slug}`,
  })),
  ...parents.map((parent) => ({
    value: `item:${parent.id}`,
    title: parent.title,
    fullTitle: fullTitle(parent),
    to: parent.path,
  })),
  NONE,
];

/** The choices of an item's form, with its present parent, so that saving the form keeps it. */
export function withPresentParent(
  options: readonly ParentOption[],
  item: ShownItem,
): readonly ParentOption[] {
  const value = parentValueOf(item);
  if (options.some((option) => option.value === value)) return options;
  const title = item.parentId > 0 ? (item.parentTitle ?? "") : (item.hutTitle ?? "A private hut");
  const name = item.parentId > 0 ? title : `${title}, hut`;
  return [{ value, title, fullTitle: name, to: item.parentPath ?? `/me/${item.hutSlug}` }, ...options];
}

/** The parent of an item as a `ParentOption` value. */
export const parentValueOf = (item: Pick<ShownItem, "parentId" | "hutId">): string =>
  item.parentId > 0 ? `item:${item.parentId}` : item.hutId !== null ? `hut:${item.hutId}` : "";
