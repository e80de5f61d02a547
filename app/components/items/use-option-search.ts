// Fuzzy search over parents (U-54), ignoring case, by title and by the whole path. The matcher loads with the first
// typed letter.
import { useEffect, useState } from "react";
import type { ParentOption } from "./shapes";

type Matcher = (options: readonly ParentOption[], words: string) => ParentOption[];

export function useOptionSearch(options: readonly ParentOption[]) {
  const [words, setWords] = useState("");
  const [match, setMatch] = useState<Matcher | null>(null);
  const isSearching = words.trim() !== "";
  useEffect(() => {
    if (!isSearching) return;
    let isHere = true;
    import("match-sorter").then(
      ({ matchSorter }) =>
        isHere &&
        setMatch(
          () => (all: readonly ParentOption[], typed: string) =>
            matchSorter(all, typed, { keys: ["title", "fullTitle"] }),
        ),
      () => {},
    );
    return () => {
      isHere = false;
    };
  }, [isSearching]);
  const simple = (all: readonly ParentOption[], typed: string) =>
    all.filter((option) => option.fullTitle.toLowerCase().includes(typed.toLowerCase()));
  const matches = isSearching ? (match ?? simple)(options, words.trim()) : options;
  return { words, setWords, matches };
}

/** M-32 */
export const NO_MATCH = "Sorry, no matching options.";
