// The wire format of items, books, paraphrases, favourites and uploads (E-18 to E-20).
import { fullTitle } from "~/domain/items/full-title";
import type { Item, Paraphrase } from "~/domain/items/items";
import type { Instant } from "~/domain/time";
import { flagOut, instantOut } from "~/wire/values";

export const itemOut = (item: Item) => ({
  id: item.id,
  title: item.title,
  slug: item.slug,
  content: item.content,
  content_html: item.contentHtml,
  summary: item.summary,
  status: item.status,
  type: item.type,
  is_book: flagOut(item.isBook),
  url: item.url,
  order_ms: item.orderMs,
  date: instantOut(item.createdAt),
  parent_id: item.parentId || null,
  group_id: item.hutId,
  person_id: item.personId,
  path: item.path,
  created_at: instantOut(item.createdAt),
  parent: item.parentTitle === null ? null : { title: item.parentTitle, path: item.parentPath },
  group: item.hutTitle === null ? null : { title: item.hutTitle, path: `/group/${item.hutSlug}` },
});

/** A possible parent of an item (E-20, U-54). */
export const parentOptionOut = (option: { id: number; title: string; parentsTitle: string | null }) => ({
  id: option.id,
  title: option.title,
  full_title: fullTitle(option),
  parents_title: option.parentsTitle,
});

type Crumb = { title: string; path: string };
/** Person, hut, then the current page (U-51). */
export const itemCrumbs = (
  person: { username: string; title: string },
  hut: { title: string; slug: string } | null,
  current: Crumb | null,
): Crumb[] => [
  { title: person.title, path: `/${person.username}` },
  ...(hut ? [{ title: hut.title, path: `/group/${hut.slug}` }] : []),
  ...(current ? [current] : []),
];

export const paraphraseOut = (paraphrase: Paraphrase) => ({
  id: paraphrase.id,
  snippet_id: paraphrase.snippetId,
  title: paraphrase.title,
  content: paraphrase.content,
  content_html: paraphrase.contentHtml,
  username: paraphrase.username,
  created_at: instantOut(paraphrase.createdAt),
});

export const snippetOut = (snippet: {
  id: number;
  number: number;
  content: string;
  bookSlug: string;
  bookTitle: string;
  before?: number | null;
  after?: number | null;
}) => ({
  id: snippet.id,
  number: snippet.number,
  content: snippet.content,
  book: { slug: snippet.bookSlug, title: snippet.bookTitle },
  path: `/books/${snippet.bookSlug}/snippets/${snippet.id}`,
  previous_id: snippet.before ?? null,
  next_id: snippet.after ?? null,
});

type Favorite = {
  kind: "item" | "activity" | "hut" | "snippet";
  targetId: number;
  createdAt: Instant;
};
export const favoriteOut = ({ kind, targetId, createdAt }: Favorite) => ({
  kind: kind === "activity" ? "challenge" : kind,
  id: targetId,
  created_at: instantOut(createdAt),
});

type Upload = { key: string; type: string; bytes: number; createdAt: Instant };
/** `origin`: that of the site. */
export const uploadOut = (upload: Upload, origin: string) => ({
  url: `${origin}/uploads/${upload.key}`,
  type: upload.type,
  bytes: upload.bytes,
  created_at: instantOut(upload.createdAt),
});
