// A D1 that counts round trips and rows read, to prove that a page is one batch and reads only what it shows.
import { wrappedD1 } from "./wrapped-d1";

export type Counts = { trips: number; rowsRead: number };
type Metered = { meta?: { rows_read?: number } };

export function countingD1(d1: D1Database): { d1: D1Database; counts: Counts } {
  const counts: Counts = { trips: 0, rowsRead: 0 };
  const note = (results: Metered[]) => {
    counts.trips++;
    for (const { meta } of results) counts.rowsRead += meta?.rows_read ?? 0;
  };
  const counted = wrappedD1(d1, {
    // `raw` reports no row counts, so the statement runs as `all` and its values are extracted.
    one: async (statement, asked, ask) => {
      if (asked === "first") return ask();
      const all = await statement.all();
      note([all]);
      return asked === "raw" ? ask() : all;
    },
    batch: async (_, ask) => {
      const results = await ask();
      note(results);
      return results;
    },
  });
  return { d1: counted, counts };
}
