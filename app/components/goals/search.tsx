// Search among the user's goals: words, tags, open or completed. A plain GET form and links; a phone has the tags behind
// a button.
import { useSearchParams } from "@remix-run/react";
import clsx from "clsx";
import { Icon } from "~/components/pictures/icon";
import { FilterChip } from "~/components/ui/filter-chip";
import { OwnSearch } from "./own-search";

type Props = { tags: readonly { tag: string; goals: number }[] };

export function GoalSearch({ tags }: Props) {
  const [query] = useSearchParams();
  const status = query.get("status");
  const tag = query.get("tag");
  const pathTo = (name: string, value: string | null) => {
    const nextQuery = new URLSearchParams(query);
    nextQuery.delete("page");
    if (value === null || nextQuery.get(name) === value) nextQuery.delete(name);
    else nextQuery.set(name, value);
    return `?${nextQuery}`;
  };
  const tagList = (className: string) => (
    <ul aria-label="Tags" className={clsx("flex-wrap gap-2", className)}>
      {tags.map(({ tag: name, goals }) => (
        <li key={name}>
          <FilterChip to={pathTo("tag", name)} isOn={tag === name} label={`#${name} ${goals}`} />
        </li>
      ))}
    </ul>
  );
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <div className="min-w-0 flex-1 basis-56">
          <OwnSearch label="Search your goals" formLabel="Your goals" preservedParams={["status", "tag"]} />
        </div>
        <div className="flex gap-2">
          <FilterChip to={pathTo("status", null)} isOn={status === null} isAll label="All" />
          <FilterChip to={pathTo("status", "open")} isOn={status === "open"} label="Open" />
          <FilterChip to={pathTo("status", "completed")} isOn={status === "completed"} label="Completed" />
        </div>
      </div>
      {tags.length > 0 && (
        <>
          <details className="group/tags sm:hidden">
            <summary className="tags-fold">
              {tag === null ? `Tags ${tags.length}` : `#${tag}`}
              <Icon name="down" className="size-4! transition-transform group-open/tags:rotate-180" />
            </summary>
            {tagList("flex pt-2")}
          </details>
          {tagList("hidden sm:flex")}
        </>
      )}
    </div>
  );
}
