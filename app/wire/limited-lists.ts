// The lists of calls by `limit` and a cursor. Only a call that asks for it loads them.
import { invalid } from "~/domain/errors";
import type { Call } from "./call";
import { limit } from "./values";

/** Where a result's list goes on: by cursor, in a chat by the number of its first line, else by the next page. */
type Listed = {
  after?: string | null;
  before?: number | null;
  hasNext?: boolean;
  page?: number;
  [field: string]: unknown;
};

/** Pages of `most` rows; a cursor begins with the number of its page. Throws for a wrong limit. */
export function limitedList<I, R>(
  call: Call<I, R>,
  sent: Readonly<Record<string, string>>,
): { most: number; query: Readonly<Record<string, string>>; answer(result: R): unknown } {
  const { data: most, error } = limit.safeParse(sent.limit);
  if (error) throw invalid("limit", error.issues[0]?.message ?? "");
  const [, page] = /^(\d{1,6})~/.exec(sent.after ?? "") ?? [];
  const field = call.rows ?? "";
  return {
    most,
    query: page === undefined ? sent : { ...sent, page },
    answer(result) {
      const lists = result as Listed;
      const rows = lists[field] as readonly unknown[] | undefined;
      // A name that leads to another address has no list.
      if (!rows) return call.answer(result);
      const { before, after, page = 1, hasNext = rows.length > most } = lists;
      const byNumber = hasNext ? `${page + 1}~` : null;
      const next = before ? String(before) : after === undefined ? byNumber : after;
      const { serverData } = call.answer({ ...result, [field]: rows.slice(0, most) }) as {
        serverData: object;
      };
      return { serverData: { ...serverData, next } };
    },
  };
}
