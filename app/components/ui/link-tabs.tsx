// Tabs that are pages: links in a row that scrolls on narrow screens. Focus and scroll position stay (U-26).
import { NavLink, useLocation } from "@remix-run/react";
import clsx from "clsx";
import { type ReactNode, useEffect, useRef } from "react";

type LinkTab = {
  to: string;
  label: ReactNode;
  /** Matches exactly this URL, not those below it. */
  isExact?: boolean;
  /** The anchor of a tour (domain/tour-anchors.ts). */
  anchor?: string;
};

type LinkTabsProps = {
  label: string;
  tabs: readonly LinkTab[];
  look?: "tabs" | "pills";
  className?: string;
  anchor?: string;
};

function centre(nav: HTMLElement, link: HTMLElement): void {
  if (nav.scrollWidth > nav.clientWidth)
    nav.scrollLeft = link.offsetLeft - nav.offsetLeft - (nav.clientWidth - link.offsetWidth) / 2;
}

export function LinkTabs({ label, tabs, look = "tabs", className, anchor }: LinkTabsProps) {
  const row = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  // On narrow screens the row scrolls the current tab into view.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another URL makes another tab the current one.
  useEffect(() => {
    const nav = row.current;
    const current = nav?.querySelector<HTMLElement>("[aria-current=page]");
    if (nav && current) centre(nav, current);
  }, [pathname]);
  return (
    <nav
      ref={row}
      aria-label={label}
      data-tour={anchor}
      // Chromium leaves a focused link outside the row when a pixel of it shows.
      onFocus={(event) => centre(event.currentTarget, event.target)}
      className={clsx("-mx-4 overflow-x-auto px-4 [scrollbar-width:none] sm:-mx-6 sm:px-6", className)}
    >
      <ul className={clsx("flex min-w-max", look === "tabs" ? "gap-1 border-b border-line" : "gap-2 py-1")}>
        {tabs.map((tab) => (
          <li key={tab.to}>
            <NavLink
              to={tab.to}
              end={tab.isExact}
              data-tour={tab.anchor}
              prefetch="intent"
              preventScrollReset
              state={{ keepFocus: true }}
              className={({ isActive, isPending }) =>
                clsx(
                  "flex min-h-11 items-center font-medium whitespace-nowrap transition-colors",
                  look === "tabs"
                    ? ["-mb-px border-b-3 px-3", isActive ? "border-ember text-ink" : "border-transparent"]
                    : [
                        "rounded-full border px-4",
                        isActive ? "border-ink bg-ink text-paper" : "border-edge bg-surface hover:bg-sunken",
                      ],
                  !isActive && (isPending ? "text-ink" : "text-soft hover:text-ink"),
                )
              }
            >
              {tab.label}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** U-14: the pill look of LinkTabs. */
export const Pills = (props: Omit<LinkTabsProps, "look">) => <LinkTabs {...props} look="pills" />;
