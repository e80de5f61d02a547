// Search that forgives slips: where no row has the words as typed, the words of the index near to them are looked for.

import type { Searched, Words } from "#db/queries/search";
import * as search from "#db/queries/search";
import { searchWordsOf } from "~/domain/lists";
import { beginningsOf, nearWords, wordsWithin } from "~/domain/near-words";
import type { App } from "./app.server";

/** Of the index's words that begin alike at most so many are compared. */
const COMPARED = 2000;

/**
 * Runs `find` with the words of `q`; when it finds nothing, once more with what was probably meant. `corrected` then says
 * what that was. One round trip to the database where something is found, three where not.
 */
export async function findForgivingly<R>(
  app: App,
  { q, within }: { q: string; within: readonly Searched[] },
  find: (words: Words) => Promise<R>,
  isEmpty: (result: R) => boolean,
): Promise<{ result: R; corrected: string | null }> {
  const typed = searchWordsOf(q);
  // Signs alone are in no title.
  if (typed.length === 0 && q !== "") return { result: await find([[search.NO_WORD]]), corrected: null };
  const result = await find(typed.map((word) => [word]));
  if (typed.length === 0 || !isEmpty(result)) return { result, corrected: null };
  const meant = await meantBy(app, typed, within);
  if (!meant) return { result, corrected: null };
  const second = await find(meant);
  return isEmpty(second)
    ? { result, corrected: null }
    : { result: second, corrected: meant.map(([best]) => best).join(" ") };
}

/** Null when every word is known as typed, or one is near to none. */
async function meantBy(
  app: App,
  typed: readonly string[],
  within: readonly Searched[],
): Promise<Words | null> {
  const asked = typed.flatMap((word) => within.map((index) => ({ word, index })));
  const [first, ...rest] = asked.map(({ word, index }) =>
    search.listWords(app.db, index, beginningsOf(word), COMPARED),
  );
  if (!first) return null;
  const known = await app.db.batch([first, ...rest]);
  const meant = typed.map((word): Words => {
    const alike = known.filter((_, at) => asked[at]?.word === word).flat();
    const near = nearWords(word, alike);
    return near.length > 0 ? [near] : wordsWithin(word, alike).map((part) => [part]);
  });
  if (meant.some((words) => words.length === 0)) return null;
  const words = meant.flat();
  return words.every((near, at) => near.length === 1 && near[0] === typed[at]) ? null : words;
}
