// The types that item pages show, as their loaders return them.
import type { Instant } from "~/domain/time";

export type ShownItem = {
  id: number;
  personId: number;
  username: string;
  personTitle: string;
  title: string;
  content: string;
  contentHtml: string;
  summary: string;
  status: number;
  isBook: boolean;
  url: string;
  parentId: number;
  hutId: number | null;
  parentTitle: string | null;
  parentPath: string | null;
  hutTitle: string | null;
  hutSlug: string | null;
  createdAt: Instant;
  path: string;
  isOwner: boolean;
};

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
    fullTitle: parent.parentsTitle ? `${parent.parentsTitle} › ${parent.title}` : parent.title,
    to: parent.path,
  })),
  NONE,
];

export const parentOf = (item: Pick<ShownItem, "parentId" | "hutId">): string =>
  item.parentId > 0 ? `item:${item.parentId}` : item.hutId !== null ? `hut:${item.hutId}` : "";
