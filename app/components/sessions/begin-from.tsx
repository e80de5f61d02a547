// Begins a new session from a template or from an activity of the host (H-04): a fold with a search and links, which fill the
// form.
import { Link } from "@remix-run/react";
import { useState } from "react";
import { Icon } from "~/components/pictures/icon";
import { matchingOptions, OptionSearch } from "~/components/ui/option-search";
import type { SessionForm } from "~/domain/sessions/view";

type Props = {
  form: Pick<SessionForm, "templates" | "activities">;
  /** The address of the form that begins from an activity. */
  formPathOf: (slug: string) => string;
  onChoose: (to: string) => void;
};

export function BeginFrom({ form, formPathOf, onChoose }: Props) {
  const [query, setQuery] = useState("");
  const slugs = new Set(form.templates.map(({ slug }) => slug));
  const lists = [
    { title: "Templates", options: form.templates },
    { title: "Your activities", options: form.activities.filter(({ slug }) => !slugs.has(slug)) },
  ].map(({ title, options }) => ({ title, options: matchingOptions(options, query) }));
  const [firstMatch] = lists.flatMap(({ options }) => options);
  if (form.templates.length + form.activities.length === 0) return null;
  return (
    <details className="rounded-md border border-edge bg-raised">
      <summary className="flex min-h-11 cursor-pointer items-center gap-2 px-3 font-semibold">
        Begin from a template or an activity
        <Icon name="down" className="ms-auto text-faint" />
      </summary>
      <div className="flex flex-col gap-2 border-t border-line p-3">
        <OptionSearch
          label="Search templates and activities"
          query={query}
          onQuery={setQuery}
          onEnter={() => firstMatch && onChoose(formPathOf(firstMatch.slug))}
          hasMatch={firstMatch !== undefined}
        >
          <div className="flex max-h-80 flex-col overflow-y-auto">
            {lists.map(
              ({ title, options }) =>
                options.length > 0 && (
                  <section key={title}>
                    <h2 className="text-sm font-semibold text-soft">{title}</h2>
                    <ul aria-label={title}>
                      {options.map((option) => (
                        <li key={option.slug}>
                          <Link
                            to={formPathOf(option.slug)}
                            prefetch="intent"
                            className="flex min-h-11 items-center rounded-sm px-2 hover:bg-sunken"
                          >
                            <span className="min-w-0 wrap-anywhere">{option.title}</span>
                          </Link>
                        </li>
                      ))}
                    </ul>
                  </section>
                ),
            )}
          </div>
        </OptionSearch>
      </div>
    </details>
  );
}
