// The query of a list (P-01): the URL contains all of it, so that it works without JavaScript.
import { z } from "zod";
import type { PageOf } from "./list-pages";
import { numberIn } from "./number-fields";
import { oneLine } from "./text-fields";

const flag = z
  .union([z.boolean(), z.number(), oneLine()])
  .transform((value) => value === true || value === 1 || value === "1" || value === "true")
  .catch(false)
  .default(false);

export const ListQuery = z.object({
  page: numberIn(z.number().int().min(1).max(1_000_000)).catch(1).default(1),
  joined: flag,
  templates: flag,
  category: oneLine().max(60).catch("").default(""),
  /** An unknown difficulty matches no row, like an unknown category. */
  difficulty: numberIn(z.number().int().positive().nullable()).catch(null).default(null),
  q: oneLine().max(200).catch("").default(""),
  /** The cursor of the previous page, where this page begins. */
  after: oneLine().max(60).catch("").default(""),
});
export type ListQuery = z.output<typeof ListQuery>;

/** A list without its rows, with its search. */
export type ListPage = Omit<PageOf<never>, "rows"> & {
  query: ListQuery;
  /** The corrected words, if nothing matched the typed ones. */
  corrected: string | null;
};
