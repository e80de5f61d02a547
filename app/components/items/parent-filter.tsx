// Navigation to a parent item by search or by a list (U-52). Folded on narrow screens, always open on wide ones.

import { Link, useNavigate } from "@remix-run/react";
import clsx from "clsx";
import { useState } from "react";
import { NewHut } from "~/components/huts/new-hut";
import { Icon } from "~/components/pictures/icon";
import { matchingOptions, OptionSearch } from "~/components/ui/option-search";
import type { ParentOption } from "./shapes";

type Props = { options: readonly ParentOption[]; currentParent: string };

export function ParentFilter({ options, currentParent }: Props) {
  const [query, setQuery] = useState("");
  const matches = matchingOptions(options, query);
  const navigate = useNavigate();
  return (
    <details className="wide-open rounded-lg border border-line bg-surface px-4 py-1 lg:py-4">
      <summary className="flex min-h-11 cursor-pointer items-center justify-between font-semibold supports-[selector(::details-content)]:lg:hidden">
        Go to a parent
        <Icon name="down" className="text-faint" />
      </summary>
      <div className="flex flex-col gap-2 pb-3 lg:pb-0">
        <h2 className="text-lg max-lg:sr-only">Parents</h2>
        <OptionSearch
          label="Search parents"
          query={query}
          onQuery={setQuery}
          onEnter={() => matches[0] && navigate(matches[0].to)}
          hasMatch={matches.length > 0}
        >
          <ul aria-label="Parents" className="flex max-h-72 flex-col overflow-y-auto">
            {matches.map((option) => (
              <li key={option.value}>
                <Link
                  to={option.to}
                  aria-current={option.value === currentParent ? "true" : undefined}
                  className={clsx(
                    "flex min-h-11 items-center rounded-sm px-2 hover:bg-sunken",
                    option.value === currentParent ? "bg-sunken font-semibold" : "text-soft",
                  )}
                >
                  <span className="truncate">{option.fullTitle}</span>
                </Link>
              </li>
            ))}
          </ul>
        </OptionSearch>
        <NewHut onCreated={(hut) => navigate(`/me/${hut.slug}`)} />
      </div>
    </details>
  );
}
