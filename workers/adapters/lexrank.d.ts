// The part of lexrank.js that summaries use; the package has no types of its own.
declare module "lexrank.js/src/utils.js" {
  /** How similar each sentence is to all others, from 0 to 1. */
  export function pageRank(sentences: string[]): { weight: number; text: string; index: number }[];
}
