// The thing that an answer is of, by its table: the edge reads whether it is open before it uses a copy.
/** How long a copy of a page at the edge, or of the sitemap elsewhere, may answer. */
export const COPY_SECONDS = 30;

const SHOWN_TABLES = ["huts", "sessions", "activities", "items"] as const;
export type ShownThing = { of: (typeof SHOWN_TABLES)[number]; id: number };

export const shownText = ({ of, id }: ShownThing): string => `${of}/${id}`;

/** Null for anything else than a text of `shownText`. */
export function shownIn(text: string | null): ShownThing | null {
  const [table, id] = text?.split("/") ?? [];
  const of = SHOWN_TABLES.find((one) => one === table);
  return of && id ? { of, id: Number(id) } : null;
}
