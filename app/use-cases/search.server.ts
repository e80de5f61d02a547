// Search with correction of typing errors: if no row matches, it searches for similar words of the index.

import type { Searched, Words } from "#db/queries/search";
import * as search from "#db/queries/search";
import { beginningsOf, nearWords, splitJoinedWords } from "~/domain/near-words";
import { isCorrectable, searchWordsOf, spellingsOf } from "~/domain/search-words";
import type { App } from "./app.server";

/** Maximum number of words with the same beginning that are compared. */
const MAX_COMPARED_WORDS = 2000;

/**
 * Runs `find` with the words of `q`, and if nothing matches, again with corrected words, which `corrected` returns. A
 * match costs one round trip to the database, otherwise three.
 */
export async function findForgivingly<R>(
  app: App,
  { q, within }: { q: string; within: readonly Searched[] },
  find: (words: Words) => Promise<R>,
  isEmpty: (result: R) => boolean,
): Promise<{ result: R; corrected: string | null }> {
  const typedWords = searchWordsOf(q);
  // Punctuation alone matches no title.
  if (typedWords.length === 0 && q !== "") return { result: await find([[search.NO_WORD]]), corrected: null };
  const result = await find(spellingsOf(q));
  if (typedWords.length === 0 || !isEmpty(result)) return { result, corrected: null };
  const corrected = await correctWords(app, typedWords, within);
  if (!corrected) return { result, corrected: null };
  const correctedResult = await find(corrected);
  return isEmpty(correctedResult)
    ? { result, corrected: null }
    : { result: correctedResult, corrected: corrected.map(([best]) => best).join(" ") };
}

/** The similar words for each typed word; null if every word is known, or if one has no similar word. */
async function correctWords(
  app: App,
  typedWords: readonly string[],
  within: readonly Searched[],
): Promise<Words | null> {
  const lookups = typedWords
    .filter(isCorrectable)
    .flatMap((word) => within.map((index) => ({ word, index })));
  const [first, ...otherLookups] = lookups.map(({ word, index }) =>
    search.listWords(app.db, index, beginningsOf(word), MAX_COMPARED_WORDS),
  );
  if (!first) return null;
  const listedWords = await app.db.batch([first, ...otherLookups]);
  const spellings = typedWords.map((word): Words => {
    if (!isCorrectable(word)) return [[word]];
    const alike = listedWords.filter((_, lookupIndex) => lookups[lookupIndex]?.word === word).flat();
    const near = nearWords(word, alike);
    return near.length > 0 ? [near] : splitJoinedWords(word, alike).map((part) => [part]);
  });
  if (spellings.some((alternatives) => alternatives.length === 0)) return null;
  const words = spellings.flat();
  return words.every((near, index) => near.length === 1 && near[0] === typedWords[index]) ? null : words;
}
