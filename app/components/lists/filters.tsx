// The filters of a list, category and difficulty, searchable by a part of their name (U-31).
import { useNavigate, useSearchParams } from "@remix-run/react";
import { type RefObject, useEffect, useRef, useState } from "react";
import { Icon } from "~/components/pictures/icon";
import { Button, buttonClass } from "~/components/ui/button";
import { TextInput } from "~/components/ui/inputs";
import { foldText } from "~/domain/folding";
import { DIFFICULTIES } from "~/domain/list-terms";
import { changeQuery } from "./change-query";
import { isFiltered } from "./is-filtered";

export type Category = { slug: string; title: string };

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

export function ListFilters({ categories }: { categories: readonly Category[] }) {
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
  const count = choices.filter(({ name }) => isFiltered(query, name)).length;
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
