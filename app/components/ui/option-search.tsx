// A search field that filters options already on the page (U-54).
import { matchSorter } from "match-sorter";
import type { ReactNode } from "react";
import { foldText } from "~/domain/folding";
import { isEnter } from "~/hooks/form/enter-key";

type Option = { title: string; fullTitle?: string };

/** Fuzzy matches on folded letters, the best first. An empty query returns all options in their order. */
export function matchingOptions<O extends Option>(options: readonly O[], query: string): readonly O[] {
  const folded = foldText(query);
  if (folded === "") return options;
  const keys = [({ title }: O) => foldText(title), ({ fullTitle = "" }: O) => foldText(fullTitle)];
  return matchSorter(options, folded, { keys });
}

type OptionSearchProps = {
  label: string;
  query: string;
  onQuery: (query: string) => void;
  /** Enter takes the first option that matches the query. */
  onEnter: () => void;
  hasMatch: boolean;
  children: ReactNode;
};

export const OptionSearch = ({ label, query, onQuery, onEnter, hasMatch, children }: OptionSearchProps) => (
  <>
    <input
      type="search"
      dir="auto"
      className="control needs-script"
      placeholder="Search"
      aria-label={label}
      value={query}
      onChange={(event) => onQuery(event.target.value)}
      onKeyDown={(event) => {
        if (!isEnter(event)) return;
        event.preventDefault();
        if (query.trim() !== "" && hasMatch) onEnter();
      }}
    />
    {children}
    {/* The sentence of M-32. */}
    <p role="status" className="text-soft empty:hidden">
      {hasMatch ? "" : "Sorry, no matching options."}
    </p>
  </>
);
