// What a list may be asked for (P-01): everything stands in the URL and works without JavaScript.
import { z } from "zod";
import type { Listed } from "./list-pages";

const flag = z
  .union([z.boolean(), z.number(), z.string()])
  .transform((value) => value === true || value === 1 || value === "1" || value === "true")
  .catch(false)
  .default(false);

export const ListQuery = z.object({
  page: z.coerce.number().int().min(1).max(1_000_000).catch(1).default(1),
  joined: flag,
  templates: flag,
  category: z.string().trim().max(60).catch("").default(""),
  /** One that no row has finds none, as an unknown category does. */
  difficulty: z.coerce.number().int().positive().nullable().catch(null).default(null),
  q: z.string().trim().max(200).catch("").default(""),
  /** From the page before: where it ended, so that the next one goes on there. */
  after: z.string().max(60).catch("").default(""),
});
export type ListQuery = z.output<typeof ListQuery>;

/** A list without its rows, and what its search looked for. */
export type ListPage = Omit<Listed<never>, "rows"> & {
  query: ListQuery;
  /** Nothing had the words as typed: these were looked for instead. */
  corrected: string | null;
};

/** The words of a search, at most eight; each is looked for as the beginning of a word. A hut is also said as `h/name`. */
export const searchWordsOf = (q: string): string[] =>
  q
    .normalize("NFKC")
    .replace(/^\s*h\//i, "")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .slice(0, 8)
    .map((word) => word.slice(0, 40));
