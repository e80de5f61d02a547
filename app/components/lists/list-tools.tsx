// Over every list: My or All, the filter of category and difficulty, the search (U-30 to U-33). Plain GET forms, so that
// everything stands in the URL and works before JavaScript has loaded; with it the search follows typing after 350 ms.
import { Form, Link, useNavigate, useSearchParams } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { Button } from "~/components/ui/button";
import { Field } from "~/components/ui/field";
import { Select, TextInput } from "~/components/ui/inputs";
import { DIFFICULTIES } from "~/domain/list-terms";
import { TOUR_ANCHORS } from "~/domain/tour-anchors";

type Term = { slug: string; title: string };
const SEARCH_DEBOUNCE_MS = 350;

/** The query without what a new choice begins anew. */
function changed(query: URLSearchParams, change: Record<string, string>): string {
  const next = new URLSearchParams(query);
  next.delete("page");
  next.delete("after");
  for (const [name, value] of Object.entries(change))
    value === "" ? next.delete(name) : next.set(name, value);
  return `?${next}`;
}

export function MineOrAll({ what, isSignedIn }: { what: string; isSignedIn: boolean }) {
  const [query] = useSearchParams();
  const isMine = query.get("joined") === "1";
  return (
    <nav aria-label={`Which ${what.toLowerCase()}`} className="flex gap-2">
      <Button asChild variant={isMine ? "quiet" : "primary"}>
        <Link to={changed(query, { joined: "" })} aria-current={isMine ? undefined : "page"}>
          All {what}
        </Link>
      </Button>
      <Button asChild variant={isMine ? "primary" : "quiet"}>
        <Link
          to={isSignedIn ? changed(query, { joined: "1" }) : "?auth=login"}
          aria-current={isMine ? "page" : undefined}
        >
          My {what}
        </Link>
      </Button>
    </nav>
  );
}

export function ListTools({ categories, label }: { categories?: readonly Term[]; label: string }) {
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const q = query.get("q") ?? "";
  const [typed, setTyped] = useState(q);
  const latest = useRef(query);
  latest.current = query;
  useEffect(() => setTyped(q), [q]);
  useEffect(() => {
    if (typed === (latest.current.get("q") ?? "")) return;
    const timer = setTimeout(() => {
      navigate(changed(latest.current, { q: typed }), {
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
      className="flex flex-wrap items-end gap-3"
    >
      {query.get("joined") === "1" && <input type="hidden" name="joined" value="1" />}
      {query.get("templates") === "1" && <input type="hidden" name="templates" value="1" />}
      <Field label="Search" className="min-w-48 flex-1">
        <TextInput
          type="search"
          name="q"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          autoComplete="off"
        />
      </Field>
      {categories && (
        <details className="group" open={isFiltered}>
          <summary className="control inline-flex min-h-11 cursor-pointer items-center px-4 font-semibold">
            Filter
          </summary>
          <div className="mt-2 flex flex-wrap gap-3">
            <Field label="Category">
              <Select
                name="category"
                placeholder="Any"
                defaultValue={query.get("category") ?? ""}
                onChange={(event) => navigate(changed(query, { category: event.target.value }))}
                options={categories.map((term) => ({ value: term.slug, label: term.title }))}
              />
            </Field>
            <Field label="Difficulty">
              <Select
                name="difficulty"
                placeholder="Any"
                defaultValue={query.get("difficulty") ?? ""}
                onChange={(event) => navigate(changed(query, { difficulty: event.target.value }))}
                options={DIFFICULTIES.map((one) => ({ value: one.value, label: one.title }))}
              />
            </Field>
          </div>
        </details>
      )}
      <Button type="submit">Search</Button>
      {(q !== "" || isFiltered) && (
        <Button asChild variant="ghost">
          <Link to={changed(query, { q: "", category: "", difficulty: "" })}>Clear</Link>
        </Button>
      )}
    </Form>
  );
}
