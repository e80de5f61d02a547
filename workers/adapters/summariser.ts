// Creates the summariser of texts (L-12). Its code loads with the first summary.
import { loadOnce } from "~/domain/load-once";
import type { Summariser } from "~/use-cases/ports.server";
import type { Env } from "../env";

const loadSummaries = loadOnce(() => import("./summaries"));

export function createSummariser(env: Pick<Env, "AI">): Summariser {
  const load = async () => (await loadSummaries()).summariserOf(env);
  return {
    summarise: async (text) => (await load()).summarise(text),
    async *stream(text) {
      yield* (await load()).stream(text);
    },
  };
}
