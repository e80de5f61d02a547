// The tools of every list: the menu My or All, and the search with its filters (U-30 to U-33). The search is a plain GET
// form, so that the URL contains everything; with JavaScript it follows typing after 350 ms.

import { Form, Link, useLocation, useNavigate, useSearchParams } from "@remix-run/react";
import { type ReactNode, type SyntheticEvent, useEffect, useRef, useState } from "react";
import { Icon } from "~/components/pictures/icon";
import { Button } from "~/components/ui/button";
import { DropdownMenu, MenuLink, MenuSeparator } from "~/components/ui/dropdown-menu";
import { TextInput } from "~/components/ui/inputs";
import { Notice } from "~/components/ui/notice";
import type { ListQuery } from "~/domain/lists";
import { TOUR_ANCHORS } from "~/domain/tour-anchors";
import { useFieldValue } from "~/hooks/form/use-field-value";
import { changeQuery } from "./change-query";
import { type Category, ListFilters } from "./filters";
import { isFiltered } from "./is-filtered";

const SEARCH_DEBOUNCE_MS = 350;

/** The title of a list, as a menu: all entries, the viewer's, and the huts (U-30). */
export function MineOrAll({ listName, isSignedIn }: { listName: string; isSignedIn: boolean }) {
  const [query] = useSearchParams();
  const { pathname } = useLocation();
  const isMine = query.get("joined") === "1";
  const mineQuery = changeQuery(query, { joined: "1" });
  /** A visitor signs in first, and is then redirected to the list. */
  const ownPath = (path: string) => (isSignedIn ? path : `?auth=login&next=${encodeURIComponent(path)}`);
  return (
    <DropdownMenu
      align="start"
      trigger={
        <span className="inline-flex min-h-11 items-center gap-2 text-lg font-semibold">
          {isMine ? "My" : "All"} {listName}
          <Icon name="down" />
        </span>
      }
    >
      <MenuLink to={changeQuery(query, { joined: "" })} aria-current={isMine ? undefined : "page"}>
        All {listName}
      </MenuLink>
      <MenuLink
        to={isSignedIn ? mineQuery : ownPath(pathname + mineQuery)}
        aria-current={isMine ? "page" : undefined}
      >
        My {listName}
      </MenuLink>
      {listName !== "Groups" && (
        <>
          <MenuSeparator />
          <MenuLink to="/groups">All Groups</MenuLink>
          <MenuLink to={ownPath("/groups?joined=1")}>My Groups</MenuLink>
        </>
      )}
    </DropdownMenu>
  );
}

/** By words or filters. The viewer's own list is not narrowed by itself. */
export const isNarrowed = ({ q, category, difficulty }: ListQuery): boolean =>
  q !== "" || category !== "" || difficulty !== null;

/** Shows the corrected words of a search. */
export const CorrectedNotice = ({ words }: { words: string | null }) =>
  words && (
    <Notice isLive>
      No results for these words. Showing results for <strong>{words}</strong>.
    </Notice>
  );

export function ListTools({ categories, label }: { categories?: readonly Category[]; label: string }) {
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const q = query.get("q") ?? "";
  const { value: typed, setValue: setTyped, props: inputProps } = useFieldValue(q);
  const latest = useRef(query);
  latest.current = query;
  const [lastQuery, setLastQuery] = useState(q);
  if (lastQuery !== q) {
    setLastQuery(q);
    setTyped(q);
  }
  useEffect(() => {
    if (typed === (latest.current.get("q") ?? "")) return;
    const timer = setTimeout(() => {
      navigate(changeQuery(latest.current, { q: typed }), {
        replace: true,
        preventScrollReset: true,
        state: { keepFocus: true },
      });
    }, SEARCH_DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [typed, navigate]);
  return (
    <Form
      method="get"
      role="search"
      aria-label={label}
      data-tour={TOUR_ANCHORS.homeSearchAndFilter}
      className="relative flex min-w-0 flex-1 basis-64 flex-wrap items-center gap-2 sm:justify-end"
    >
      {query.get("joined") === "1" && <input type="hidden" name="joined" value="1" />}
      {query.get("templates") === "1" && <input type="hidden" name="templates" value="1" />}
      <TextInput
        type="search"
        dir="auto"
        name="q"
        aria-label={label}
        placeholder="Search"
        value={typed}
        {...inputProps}
        autoComplete="off"
        onFocus={scrollIntoSight}
        onTransitionEnd={scrollIntoSight}
        className={`list-search min-w-0 flex-1 focus:max-w-full max-sm:focus:basis-full ${typed ? "max-w-full max-sm:basis-full" : "max-w-40 basis-24"}`}
      />
      <Button type="submit" size="icon" aria-label="Search">
        <Icon name="search" />
      </Button>
      {categories && <ListFilters categories={categories} />}
      {isFiltered(query, "q", "category", "difficulty") && (
        <Button asChild variant="ghost">
          <Link to={changeQuery(query, { q: "", category: "", difficulty: "" })}>Clear</Link>
        </Button>
      )}
    </Form>
  );
}

/** A growing search field may wrap to a line of its own, behind the bottom bar. */
const scrollIntoSight = ({ currentTarget }: SyntheticEvent<HTMLElement>) =>
  currentTarget.scrollIntoView({ block: "nearest" });

/** The bar above a list: My or All on the left, the search on the right. */
export const ListBar = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">{children}</div>
);
