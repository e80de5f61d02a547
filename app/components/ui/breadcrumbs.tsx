// Breadcrumbs: Home > … > current page. The last crumb is the page itself.
import { Link } from "@remix-run/react";
import clsx from "clsx";
import type { ReactNode } from "react";
import { useMayFollow } from "~/hooks/use-shell";

export type Crumb = { label: ReactNode; to?: string };

export function Breadcrumbs({ items }: { items: readonly Crumb[] }) {
  const mayFollow = useMayFollow();
  return (
    <nav aria-label="Breadcrumb">
      <ol className="-my-2 flex items-center gap-x-1 text-sm text-soft sm:flex-wrap">
        {items.map((item, index) => {
          const isLast = index === items.length - 1;
          return (
            <li
              key={item.to ?? "here"}
              className={clsx(
                "flex min-w-0 items-center gap-1.5",
                index === 0 && "shrink-0",
                // On a phone the title below already names the current page.
                isLast && index > 1 && "max-sm:sr-only",
              )}
            >
              {index > 0 && (
                <span aria-hidden="true" className="text-faint">
                  ›
                </span>
              )}
              {item.to !== undefined && !isLast && mayFollow(item.to) ? (
                <Link to={item.to} prefetch="intent" className="crumb-link">
                  <span className="max-sm:truncate">{item.label}</span>
                </Link>
              ) : (
                <span aria-current={isLast ? "page" : undefined} className="truncate py-2.5">
                  {item.label}
                </span>
              )}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
