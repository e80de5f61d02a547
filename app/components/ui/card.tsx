// Cards: one line of title, one of facts, one action. The whole card is the link; the action is separate.
import { Link } from "@remix-run/react";
import clsx from "clsx";
import type { ReactNode } from "react";
import { type HeadingLevel, useHeading } from "./heading-level";

type CardProps = {
  children: ReactNode;
  className?: string;
  as?: "div" | "section" | "article" | "li";
  isGlowing?: boolean;
  /** The anchor of a tour (domain/tour-anchors.ts). */
  anchor?: string | undefined;
};

export function Card({ children, className, as: Tag = "div", isGlowing = false, anchor }: CardProps) {
  return (
    <Tag
      data-tour={anchor}
      className={clsx(
        "relative rounded-lg border bg-surface p-4 shadow-card sm:p-5",
        isGlowing ? "border-ember ring-1 ring-ember" : "border-line",
        className,
      )}
    >
      {children}
    </Tag>
  );
}

export type LinkCardProps = {
  to: string;
  title: ReactNode;
  /** One line under the title: time, count, place. It may contain links in `CardAction`. */
  facts?: ReactNode;
  /** A Button or link of its own. */
  action?: ReactNode;
  /** Before the title: a StatusDot or Badge. */
  mark?: ReactNode;
  /** A picture, an avatar or a time at the start. */
  media?: ReactNode;
  /** The action is below the text, for cards in columns. */
  isActionBelow?: boolean;
  /** On a phone picture, text and action are stacked. */
  isStacked?: boolean;
  headingLevel?: HeadingLevel;
  isGlowing?: boolean;
  as?: CardProps["as"];
  className?: string;
  anchor?: string;
  children?: ReactNode;
};

export function LinkCard(props: LinkCardProps) {
  const {
    to,
    title,
    facts,
    action,
    isActionBelow = false,
    isStacked = false,
    mark,
    media,
    headingLevel,
    isGlowing,
    as = "article",
    className,
    anchor,
    children,
  } = props;
  const Heading = useHeading(headingLevel);
  const at = isStacked ? STACKED : BESIDE;
  return (
    <Card
      as={as}
      isGlowing={isGlowing}
      anchor={anchor}
      className={clsx("grid gap-y-1 transition-colors hover:border-edge", at.card, className)}
    >
      {media && <div className={at.media}>{media}</div>}
      <div className={clsx("flex min-w-0 flex-col gap-1", at.head)}>
        {mark && <div className="text-sm">{mark}</div>}
        <Heading className="text-lg">
          <Link to={to} prefetch="intent" viewTransition className="card-link rounded-sm line-clamp-2">
            {title}
          </Link>
        </Heading>
      </div>
      <div className={clsx("flex min-w-0 flex-col gap-1", at.body)}>
        {facts && <div className="facts text-sm text-soft">{facts}</div>}
        {children}
        {action && isActionBelow && <div className="card-action mt-auto self-start pt-3">{action}</div>}
      </div>
      {action && !isActionBelow && <div className={clsx("card-action", at.action)}>{action}</div>}
    </Card>
  );
}

// Title and text between picture and action. On a phone the title also uses the action's width, so that no word is
// squeezed.
const BESIDE = {
  card: "grid-cols-[auto_minmax(0,1fr)_auto] grid-rows-[auto_1fr]",
  media: "row-span-2 pr-4",
  head: "col-start-2 max-sm:col-span-2",
  body: "col-start-2",
  action: "col-start-3 row-start-2 self-center pl-4 sm:row-span-2 sm:row-start-1",
};
// On a phone stacked.
const STACKED = {
  card: "max-sm:grid-cols-1 sm:grid-cols-[auto_minmax(0,1fr)_auto] sm:content-center",
  media: "sm:row-span-2 sm:pr-4",
  head: "sm:col-start-2",
  body: "sm:col-start-2",
  action:
    "max-sm:mt-2 max-sm:[&>a]:w-full sm:col-start-3 sm:row-span-2 sm:row-start-1 sm:self-center sm:pl-4",
};

/** Keeps its content a separate target, above the card's link. */
export const CardAction = ({ children, className }: { children: ReactNode; className?: string }) => (
  <span className={clsx("card-action", className)}>{children}</span>
);

/** A list of cards in one or two columns. */
export function CardList({
  children,
  columns = 1,
  label,
}: {
  children: ReactNode;
  columns?: 1 | 2 | 3;
  label?: string;
}) {
  return (
    <ul
      aria-label={label}
      className={clsx(
        "grid gap-3 sm:gap-4",
        columns === 2 && "md:grid-cols-2",
        columns === 3 && "md:grid-cols-2 xl:grid-cols-3",
      )}
    >
      {children}
    </ul>
  );
}
