// The search of the palette (Y-01).
import type { Found } from "~/domain/palette";
import { oneLine } from "~/domain/text-fields";
import { fields, pageCall } from "../call";
import { instantOut } from "../values";

const foundOut = (one: Found) => ({
  kind: one.kind,
  title: one.title,
  url: one.path,
  hut: one.place,
  status: one.status,
  started_at: instantOut(one.startedAt),
});
export type FoundOut = ReturnType<typeof foundOut>;

export const searchCalls = {
  search: pageCall("GET /api/search", "Search everything you may see", {
    scope: "read",
    limits: ["search"],
    input: fields({ query: { q: oneLine().max(100).catch("") } }),
    answer: ({ results }: { results: Found[] }) => ({ results: results.map(foundOut) }),
  }),
};
