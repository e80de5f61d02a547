// Items, books, snippets, paraphrases, favourites (C-44 to C-47, C-91 to C-94, R-24, R-33).
import { z } from "zod";
import { ItemChange, ItemInput, ParaphraseChange, ParaphraseInput } from "~/domain/items/items";
import { numberIn } from "~/domain/number-fields";
import { oneLine } from "~/domain/text-fields";
import { call, fields, listCall, nothing, pageCall, reads, uncheckedText } from "../call";
import { itemOut, paraphraseOut, parentOptionOut, snippetOut } from "../items/items";
import { flag, flagOut, id, page } from "../values";

const itemFields = {
  title: uncheckedText,
  content: uncheckedText,
  parent_id: id.nullish(),
  group_id: id.nullish(),
  status: flag.optional(),
  is_book: flag.optional(),
  type: uncheckedText,
  url: uncheckedText,
};
const KIND_BY_OUTSIDE_NAME = { item: "item", challenge: "activity", hut: "hut", snippet: "snippet" } as const;

export const itemCalls = {
  createItem: call("POST /items", "Create an item", {
    scope: "write",
    limits: ["items"],
    isRepeatable: true,
    input: reads(
      fields({ within: "itemData", body: itemFields }),
      (raw) => ({
        title: raw.title,
        content: raw.content,
        parentId: raw.parent_id,
        hutId: raw.group_id,
        isPublished: raw.status,
        isBook: raw.is_book,
        type: raw.type,
        url: raw.url,
      }),
      ItemInput,
    ),
    answer: (item: Parameters<typeof itemOut>[0]) => ({ item: itemOut(item) }),
  }),
  updateItem: call("PATCH /items/{item}", "Update an item", {
    scope: "write",
    limits: ["change-item"],
    input: reads(
      fields({
        params: { item: id },
        within: "itemData",
        body: {
          ...itemFields,
          order_ms: numberIn(z.number("Please give milliseconds.")).optional(),
          after: id.nullish(),
          before: id.optional(),
          to_end: flag.optional(),
          step: uncheckedText,
          /** The slug of the hut whose list orders the item. */
          group: oneLine().nullish(),
        },
      }),
      (raw) => ({
        id: raw.item,
        title: raw.title,
        content: raw.content,
        parentId: raw.parent_id,
        hutId: raw.group_id,
        isPublished: raw.status,
        url: raw.url,
        orderMs: raw.order_ms,
        after: raw.after,
        before: raw.before,
        toEnd: raw.to_end,
        step: raw.step,
        board: raw.group,
      }),
      ItemChange,
    ),
    answer: (item: Parameters<typeof itemOut>[0]) => ({ item: itemOut(item) }),
  }),
  deleteItem: call("DELETE /items/{item}", "Delete an item", {
    scope: "write",
    limits: ["change-item"],
    status: 204,
    input: fields({ params: { item: id } }).transform((raw) => ({ id: raw.item })),
    answer: () => null,
  }),
  searchParents: call("GET /items/parents/search/{person}", "Search the items that may hold another", {
    scope: "read",
    input: fields({ params: { person: oneLine() }, query: { favorites: flag.optional() } }).transform(
      (raw) => ({
        person: raw.person,
        favorites: raw.favorites ?? false,
      }),
    ),
    answer: (options: { id: number; title: string; parentsTitle: string | null }[]) => [
      ...options.map(parentOptionOut),
      { id: null, title: "None", full_title: "None", parents_title: null },
    ],
  }),
  listBooks: listCall("GET /api/books", "List books", {
    scope: "read",
    rows: "books",
    input: fields({ query: { page } }),
    answer: (result: {
      books: { id: number; slug: string; title: string; summary: string; firstSnippet: number | null }[];
      page: number;
      perPage: number;
    }) => ({
      books: result.books.map((book) => ({
        id: book.id,
        slug: book.slug,
        title: book.title,
        summary: book.summary,
        first_snippet_id: book.firstSnippet,
      })),
      page: result.page,
      per_page: result.perPage,
    }),
  }),
  viewSnippet: pageCall("GET /api/books/{book}/snippets/{snippet}", "Read a snippet of a book", {
    scope: "read",
    input: fields({ params: { book: oneLine(), snippet: id } }),
    answer: (result: {
      snippet: Parameters<typeof snippetOut>[0];
      paraphrases: Parameters<typeof paraphraseOut>[0][];
      isFavorite: boolean;
    }) => ({
      snippet: { ...snippetOut(result.snippet), favorite: flagOut(result.isFavorite) },
      book: { slug: result.snippet.bookSlug, title: result.snippet.bookTitle },
      paraphrases: result.paraphrases.map(paraphraseOut),
    }),
  }),
  randomSnippet: pageCall("GET /api/snippets/random", "Read a snippet by chance", {
    scope: "read",
    input: nothing.transform(() => ({ chance: Math.random() })),
    answer: (snippet: Parameters<typeof snippetOut>[0] | null) => ({
      snippet: snippet && snippetOut(snippet),
    }),
  }),
  createParaphrase: call("POST /api/paraphrases", "Write a paraphrase of a snippet", {
    scope: "write",
    limits: ["paraphrases"],
    isRepeatable: true,
    input: reads(
      fields({ body: { snippet_id: id, title: uncheckedText, content: uncheckedText } }),
      (raw) => ({
        snippetId: raw.snippet_id,
        title: raw.title ?? undefined,
        content: raw.content ?? "",
      }),
      ParaphraseInput,
    ),
    answer: (paraphrase: Parameters<typeof paraphraseOut>[0]) => ({ paraphrase: paraphraseOut(paraphrase) }),
  }),
  updateParaphrase: call("PATCH /api/paraphrases/{paraphrase}/update", "Update a paraphrase", {
    scope: "write",
    limits: ["change-book"],
    input: reads(
      fields({ params: { paraphrase: id }, body: { title: uncheckedText, content: uncheckedText } }),
      (raw) => ({ id: raw.paraphrase, title: raw.title, content: raw.content }),
      ParaphraseChange,
    ),
    answer: (changed: Parameters<typeof paraphraseOut>[0]) => ({ paraphrase: paraphraseOut(changed) }),
  }),
  setFavorite: call("POST /favorites", "Add or remove a favorite", {
    scope: "write",
    limits: ["change-favorite"],
    input: fields({
      body: {
        favoritable_type: z.enum(
          ["item", "challenge", "hut", "snippet"],
          "Please say what it is: item, challenge, hut or snippet.",
        ),
        favoritable_id: id,
        favorite: flag,
      },
    }).transform((raw) => ({
      kind: KIND_BY_OUTSIDE_NAME[raw.favoritable_type],
      targetId: raw.favoritable_id,
      isFavorite: raw.favorite,
    })),
    answer: (result: { isFavorite: boolean }) => ({ favorite: flagOut(result.isFavorite) }),
  }),
};
