// Fuzzy search over parents (U-54), ignoring case, by title and by the whole path.
import { matchSorter } from "match-sorter";
import { useState } from "react";
import type { ParentOption } from "./shapes";

export function useOptionSearch(options: readonly ParentOption[]) {
  const [words, setWords] = useState("");
  const typed = words.trim();
  const matches = typed === "" ? options : matchSorter(options, typed, { keys: ["title", "fullTitle"] });
  return { words, setWords, matches };
}

/** M-32 */
export const NO_MATCH = "Sorry, no matching options.";
