// Begins a new session from a template or from an activity of the host (H-04): a fold with a search and links, which fill the
// form.
import { Link } from "@remix-run/react";
import { useState } from "react";
import { Icon } from "~/components/pictures/icon";
import type { SessionForm } from "~/domain/sessions/view";
import { isEnter } from "~/hooks/enter-key";

type Props = {
  form: Pick<SessionForm, "templates" | "activities">;
  /** The address of the form that begins from an activity. */
  toForm: (slug: string) => string;
  onChoose: (to: string) => void;
};

export function BeginFrom({ form, toForm, onChoose }: Props) {
  const [words, setWords] = useState("");
  const part = words.trim().toLowerCase();
  const slugs = new Set(form.templates.map(({ slug }) => slug));
  const lists = [
    { title: "Templates", options: form.templates },
    { title: "Your activities", options: form.activities.filter(({ slug }) => !slugs.has(slug)) },
  ].map(({ title, options }) => ({
    title,
    options: options.filter((option) => option.title.toLowerCase().includes(part)),
  }));
  const [first] = lists.flatMap(({ options }) => options);
  if (form.templates.length + form.activities.length === 0) return null;
  return (
    <details className="rounded-md border border-edge bg-raised">
      <summary className="flex min-h-11 cursor-pointer items-center gap-2 px-3 font-semibold">
        Begin from a template or an activity
        <Icon name="down" className="ms-auto text-faint" />
      </summary>
      <div className="flex flex-col gap-2 border-t border-line p-3">
        <input
          type="search"
          dir="auto"
          className="control needs-script"
          placeholder="Search"
          aria-label="Search templates and activities"
          value={words}
          onChange={(event) => setWords(event.target.value)}
          onKeyDown={(event) => {
            if (isEnter(event) && part !== "" && first) onChoose(toForm(first.slug));
          }}
        />
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
                          to={toForm(option.slug)}
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
        <p role="status" className="text-soft empty:hidden">
          {first ? "" : "Sorry, no matching options."}
        </p>
      </div>
    </details>
  );
}
