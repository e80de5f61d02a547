// A list of options with a search above it, all of which are on the page (U-54).
import { matchSorter } from "match-sorter";
import type { ReactNode } from "react";
import { foldText } from "~/domain/folding";
import { isEnter } from "~/hooks/enter-key";

type Option = { title: string; fullTitle?: string };

/** Fuzzy, in the letters of all searches: the best first. Without words all options, in their order. */
export function matchingOptions<O extends Option>(options: readonly O[], words: string): readonly O[] {
  const typed = foldText(words);
  if (typed === "") return options;
  const keys = [({ title }: O) => foldText(title), ({ fullTitle = "" }: O) => foldText(fullTitle)];
  return matchSorter(options, typed, { keys });
}

type OptionSearchProps = {
  label: string;
  words: string;
  onWords: (words: string) => void;
  /** Enter takes the first of the options that the words match. */
  onEnter: () => void;
  hasMatch: boolean;
  /** The options. */
  children: ReactNode;
};

export const OptionSearch = ({ label, words, onWords, onEnter, hasMatch, children }: OptionSearchProps) => (
  <>
    <input
      type="search"
      dir="auto"
      className="control needs-script"
      placeholder="Search"
      aria-label={label}
      value={words}
      onChange={(event) => onWords(event.target.value)}
      onKeyDown={(event) => {
        if (!isEnter(event)) return;
        event.preventDefault();
        if (words.trim() !== "" && hasMatch) onEnter();
      }}
    />
    {children}
    {/* M-32 */}
    <p role="status" className="text-soft empty:hidden">
      {hasMatch ? "" : "Sorry, no matching options."}
    </p>
  </>
);
