// The tools of every list: My or All, the filter of category and difficulty, the search (U-30 to U-33). They are plain
// GET forms, so that the URL contains everything; with JavaScript the search follows typing after 350 ms.

import { Form, Link, useLocation, useNavigate, useSearchParams } from "@remix-run/react";
import { type ReactNode, type RefObject, type SyntheticEvent, useEffect, useRef, useState } from "react";
import { Icon } from "~/components/pictures/icon";
import { Button, buttonClass } from "~/components/ui/button";
import { DropdownMenu, MenuLink, MenuSeparator } from "~/components/ui/dropdown-menu";
import { TextInput } from "~/components/ui/inputs";
import { Notice } from "~/components/ui/notice";
import { foldText } from "~/domain/folding";
import { DIFFICULTIES } from "~/domain/list-terms";
import { TOUR_ANCHORS } from "~/domain/tour-anchors";
import { useFieldValue } from "~/hooks/form/use-field-value";

type Term = { slug: string; title: string };
const SEARCH_DEBOUNCE_MS = 350;

/** Changes the query. An empty value removes its parameter, and the list begins at its first page again. */
function changeQuery(query: URLSearchParams, change: Record<string, string>): string {
  const next = new URLSearchParams(query);
  next.delete("page");
  next.delete("after");
  for (const [name, value] of Object.entries(change))
    value === "" ? next.delete(name) : next.set(name, value);
  return `?${next}`;
}

/** The title of a list, a menu of all things, the viewer's, and the huts (U-30). */
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

/** Shows the corrected words of a search. */
export const Corrected = ({ words }: { words: string | null }) =>
  words && (
    <Notice isLive>
      No results for these words. Showing results for <strong>{words}</strong>.
    </Notice>
  );

export function ListTools({ categories, label }: { categories?: readonly Term[]; label: string }) {
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
  const isFiltered = query.has("category") || query.has("difficulty");
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
      {categories && <Filters categories={categories} />}
      {(q !== "" || isFiltered) && (
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

/** An open panel closes on Escape and on a click elsewhere, like every menu. */
function useClosing(box: RefObject<HTMLDetailsElement>) {
  useEffect(() => {
    const close = (event: Event) => {
      const details = box.current;
      if (!details?.open) return;
      if (event instanceof KeyboardEvent) {
        if (event.key !== "Escape") return;
        details.open = false;
        details.querySelector("summary")?.focus();
      } else if (event.target instanceof Node && !details.contains(event.target)) details.open = false;
    };
    document.addEventListener("pointerdown", close);
    document.addEventListener("keydown", close);
    return () => {
      document.removeEventListener("pointerdown", close);
      document.removeEventListener("keydown", close);
    };
  }, [box]);
}

/** The bar above a list: My or All on the left, the search on the right. */
export const ListBar = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">{children}</div>
);

/** Category and difficulty, searchable by a part of their name (U-31). */
function Filters({ categories }: { categories: readonly Term[] }) {
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const [filterText, setFilterText] = useState("");
  const matchesFilter = (title: string) => foldText(title).includes(foldText(filterText));
  const choices = [
    {
      name: "category",
      legend: "Category",
      terms: categories.map((category) => ({ ...category, value: category.slug })),
    },
    {
      name: "difficulty",
      legend: "Difficulty",
      terms: DIFFICULTIES.map((level) => ({ title: level.title, value: String(level.value) })),
    },
  ];
  const count = choices.filter(({ name }) => query.has(name)).length;
  const box = useRef<HTMLDetailsElement>(null);
  useClosing(box);
  return (
    <details ref={box}>
      <summary className={buttonClass("quiet")}>
        <Icon name="filter" className="max-sm:hidden" />
        Filter{count > 0 && ` (${count})`}
      </summary>
      <div className="menu-panel flex w-full flex-col gap-3 p-4! sm:w-80">
        <TextInput
          type="search"
          dir="auto"
          aria-label="Find a filter"
          placeholder="Find a filter"
          value={filterText}
          onChange={(event) => setFilterText(event.target.value)}
          autoComplete="off"
        />
        {choices.map(({ name, legend, terms }) => (
          <fieldset key={`${name}=${query.get(name) ?? ""}`} className="flex flex-wrap gap-x-4">
            <legend className="font-semibold">{legend}</legend>
            {[{ title: "Any", value: "" }, ...terms].map(({ title, value }) => (
              <label
                key={value}
                hidden={value !== "" && !matchesFilter(title)}
                className="inline-flex min-h-11 items-center gap-2 [&[hidden]]:hidden"
              >
                <input
                  type="radio"
                  className="check"
                  name={name}
                  value={value}
                  defaultChecked={(query.get(name) ?? "") === value}
                  onChange={() =>
                    navigate(changeQuery(query, { [name]: value }), { preventScrollReset: true })
                  }
                />
                {title}
              </label>
            ))}
          </fieldset>
        ))}
        <noscript>
          <Button type="submit">Show</Button>
        </noscript>
        {!choices.some(({ terms }) => terms.some(({ title }) => matchesFilter(title))) && (
          <p role="status">Sorry, no matching options.</p>
        )}
      </div>
    </details>
  );
}
