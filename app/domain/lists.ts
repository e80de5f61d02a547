// What a list may be asked for (P-01): everything stands in the URL and works without JavaScript.
import { z } from "zod";

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

/** What every list answers beside its rows. */
export type ListPage = {
  query: ListQuery;
  page: number;
  perPage: number;
  hasNext: boolean;
  /** For the address of the next page beside its number; null on the last page. */
  after: string | null;
  /** Nothing had the words as typed: these were looked for instead. */
  corrected: string | null;
};

/** `page~place`: good for that page only, so that an old one in an address leads nowhere else. */
export const cursorOf = ({ after, page }: Pick<ListQuery, "after" | "page">): string | null => {
  const [, ofPage, place] = /^(\d+)~(\d{1,19})$/.exec(after) ?? [];
  return place !== undefined && Number(ofPage) === page ? place : null;
};

/** The rows of a page out of `perPage` + 1, and what the list says of itself. */
export function pageOfRows<Row extends { place: string }>(
  rows: readonly Row[],
  query: ListQuery,
  perPage: number,
  corrected: string | null = null,
): ListPage & { rows: Row[] } {
  const shown = rows.slice(0, perPage);
  const hasNext = rows.length > perPage;
  const last = shown.at(-1);
  return {
    rows: shown,
    query,
    page: query.page,
    perPage,
    hasNext,
    after: hasNext && last ? `${query.page + 1}~${last.place}` : null,
    corrected,
  };
}

/** The words of a search, at most eight; each is looked for as the beginning of a word. A hut is also said as `h/name`. */
export const searchWordsOf = (q: string): string[] =>
  q
    .normalize("NFKC")
    .replace(/^\s*h\//i, "")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .slice(0, 8)
    .map((word) => word.slice(0, 40));
