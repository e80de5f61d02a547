// The frame of a page's content: breadcrumbs, title, actions, sidebar.
import clsx from "clsx";
import type { ReactNode } from "react";
import { Breadcrumbs, type Crumb } from "~/components/ui/breadcrumbs";
import { HeadingLevelProvider } from "~/components/ui/heading-level";

export type PageProps = {
  title: ReactNode;
  /** The h1 is visible to screen readers only. */
  isTitleHidden?: boolean;
  breadcrumbs?: readonly Crumb[];
  /** Above the title: a StatusDot, a category. */
  mark?: ReactNode;
  /** One sentence under the title. */
  intro?: ReactNode;
  /** Buttons beside the title. */
  actions?: ReactNode;
  /** Beside the title on wide screens. With a picture the title is larger, and the actions are below it. */
  picture?: ReactNode;
  /** LinkTabs under the title. */
  tabs?: ReactNode;
  /** Beside the content on wide screens, below it on narrow ones. */
  sidebar?: ReactNode;
  sidebarLabel?: string;
  /** narrow: a few fields; form: a long form with an editor. */
  width?: "narrow" | "form" | "normal";
  children?: ReactNode;
};

/** As wide as header and footer, or less. */
const widths = { narrow: "max-w-xl", form: "max-w-[43rem]", normal: "max-w-6xl" };

export function Page(props: PageProps) {
  const {
    title,
    isTitleHidden,
    breadcrumbs,
    mark,
    intro,
    actions,
    picture,
    tabs,
    sidebar,
    sidebarLabel = "More",
    width = "normal",
  } = props;
  return (
    <div className={clsx("mx-auto flex w-full flex-col gap-6 px-4 py-6 sm:px-6 sm:py-8", widths[width])}>
      <div
        className={clsx(
          "flex flex-col gap-3",
          isTitleHidden && !breadcrumbs && !actions && !tabs && "sr-only",
        )}
      >
        {breadcrumbs && <Breadcrumbs items={breadcrumbs} />}
        <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-3 sm:gap-x-6">
          <div className={clsx("flex min-w-0 flex-col", picture ? "flex-1 gap-2" : "gap-1")}>
            {mark && <div className="text-sm">{mark}</div>}
            <h1 tabIndex={-1} className={clsx(picture ? "text-2xl" : "text-xl", isTitleHidden && "sr-only")}>
              {title}
            </h1>
            {intro && <p className={clsx("max-w-[65ch] text-soft", picture && "text-lg")}>{intro}</p>}
            {picture && actions && <div className="flex flex-wrap items-center gap-2 pt-3">{actions}</div>}
          </div>
          {picture && <div className="hidden shrink-0 md:block">{picture}</div>}
          {!picture && actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
        </div>
        {tabs}
      </div>
      {sidebar ? (
        <div className="grid gap-8 lg:grid-cols-[minmax(0,1fr)_18rem]">
          <div className="flex min-w-0 flex-col gap-6">{props.children}</div>
          <aside aria-label={sidebarLabel} className="flex min-w-0 flex-col gap-6">
            {sidebar}
          </aside>
        </div>
      ) : (
        props.children
      )}
    </div>
  );
}

/** A section of a page with its own heading. */
export function Section(props: {
  title: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  id?: string;
  className?: string;
  /** The anchor of a tour (domain/tour-anchors.ts). */
  anchor?: string;
}) {
  return (
    <section id={props.id} data-tour={props.anchor} className={clsx("flex flex-col gap-4", props.className)}>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-lg">{props.title}</h2>
        {props.actions && <div className="flex flex-wrap items-center gap-2">{props.actions}</div>}
      </div>
      <HeadingLevelProvider value={3}>{props.children}</HeadingLevelProvider>
    </section>
  );
}
