// The things that an answer shows, by their tables: the edge reads whether they are open before it uses a copy.

/** How long a copy of a page at the edge, or of the sitemap elsewhere, may answer. */
export const COPY_SECONDS = 30;

export type ShownThing = { of: "huts" | "sessions" | "series" | "activities" | "items"; id: number };
