// The fields of every list beside its rows (C-05, E-20, E-23).
import { DIFFICULTIES } from "~/domain/list-terms";
import type { ListPage } from "~/domain/lists";
import { uncheckedText } from "./call";

/** The query of every list; the domain's ListQuery parses it. */
export const listQuery = {
  page: uncheckedText,
  joined: uncheckedText,
  templates: uncheckedText,
  category: uncheckedText,
  difficulty: uncheckedText,
  q: uncheckedText,
  after: uncheckedText,
};

export const listOut = (list: ListPage) => ({
  page: list.page,
  per_page: list.perPage,
  after: list.after,
  /** The corrected words of the search. */
  corrected: list.corrected,
});

/** The options of the filter. */
export const termsOut = (categories: readonly { slug: string; title: string }[]) => ({
  terms: categories.map(({ slug, title }) => ({ slug, title })),
  difficulties: DIFFICULTIES.map(({ title, value }) => ({ title, value })),
});

type Template = { slug: string; title: string; summary: string };
export const templateOut = ({ slug, title, summary }: Template) => ({
  slug,
  title,
  summary,
  path: `/activities/${slug}`,
});
