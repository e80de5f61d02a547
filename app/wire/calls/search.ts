// The search of the palette (Y-01).
import type { PaletteResult } from "~/domain/palette";
import { oneLine } from "~/domain/text-fields";
import { fields, pageCall } from "../call";
import { instantOut } from "../values";

const foundOut = (result: PaletteResult) => ({
  kind: result.kind,
  title: result.title,
  url: result.path,
  hut: result.place,
  status: result.status,
  started_at: instantOut(result.startedAt),
});
export type SearchResultWire = ReturnType<typeof foundOut>;

export const searchCalls = {
  search: pageCall("GET /api/search", "Search everything you may see", {
    scope: "read",
    limits: ["search"],
    input: fields({ query: { q: oneLine().max(100).catch("") } }),
    answer: ({ results }: { results: PaletteResult[] }) => ({ results: results.map(foundOut) }),
  }),
};
