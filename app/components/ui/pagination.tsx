// The pagination of a list (U-27, U-28): links that keep the rest of the query.
import { Link, useLocation } from "@remix-run/react";
import clsx from "clsx";
import { Icon } from "~/components/pictures/icon";

export type PaginationProps = {
  page: number;
  hasNext: boolean;
  /** The cursor of this page, where the next one begins. */
  after?: string | null;
  /** The query parameter, if a page contains two lists. */
  parameter?: string;
  label?: string;
};

export function Pagination({ page, hasNext, after, parameter = "page", label = "Pages" }: PaginationProps) {
  const { search } = useLocation();
  if (page <= 1 && !hasNext) return null;
  const pathOf = (target: number, cursor: string | null = null) => {
    const query = new URLSearchParams(search);
    query.delete("after");
    query.set(parameter, String(target));
    if (cursor) query.set("after", cursor);
    return `?${query}`;
  };
  return (
    <nav aria-label={label} className="flex items-center justify-center gap-2">
      <Arrow to={page > 1 ? pathOf(page - 1) : null} label="Previous page" rel="prev" />
      <span className="tabular min-w-11 text-center font-semibold">
        <span className="sr-only">Page </span>
        {page}
      </span>
      <Arrow to={hasNext ? pathOf(page + 1, after) : null} label="Next page" rel="next" />
    </nav>
  );
}

function Arrow({ to, label, rel }: { to: string | null; label: string; rel: string }) {
  const arrowClass = "grid size-11 place-content-center rounded-md border";
  const icon = <Icon name={rel === "prev" ? "arrow-left" : "arrow-right"} />;
  return to === null ? (
    // biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useSemanticElements: a disabled link.
    <span
      role="link"
      aria-disabled="true"
      aria-label={label}
      className={clsx(arrowClass, "cursor-not-allowed border-line text-faint")}
    >
      {icon}
    </span>
  ) : (
    <Link
      to={to}
      rel={rel}
      prefetch="intent"
      aria-label={label}
      className={clsx(arrowClass, "border-edge bg-surface hover:bg-sunken")}
    >
      {icon}
    </Link>
  );
}
