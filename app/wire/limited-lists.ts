// Bounds the list in a call's answer by `limit` and a cursor. Only a call with `limit` loads this file.
import { invalid } from "~/domain/errors";
import type { Call } from "./call";
import { limit } from "./values";

/** The fields of a result that locate its next rows: a cursor, in a chat the first line's number, or the next page. */
type ListResult = {
  after?: string | null;
  before?: number | null;
  hasNext?: boolean;
  page?: number;
  [field: string]: unknown;
};

/** Pages of `most` rows; a cursor begins with the number of its page. Throws for a wrong limit. */
export function limitedList<I, R>(
  call: Call<I, R>,
  sentQuery: Readonly<Record<string, string>>,
): { most: number; query: Readonly<Record<string, string>>; answer(result: R): unknown } {
  const { data: most, error } = limit.safeParse(sentQuery.limit);
  if (error) throw invalid("limit", error.issues[0]?.message ?? "");
  const [, page] = /^(\d{1,6})~/.exec(sentQuery.after ?? "") ?? [];
  const field = call.rows ?? "";
  return {
    most,
    query: page === undefined ? sentQuery : { ...sentQuery, page },
    answer(result) {
      const lists = result as ListResult;
      const rows = lists[field] as readonly unknown[] | undefined;
      // A former name of a person answers only the new path.
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
