// Cards: one line of title, one of facts, one action. The whole card is the link; the action stays separate.
import { Link } from "@remix-run/react";
import clsx from "clsx";
import type { ReactNode } from "react";
import { type HeadingLevel, useHeading } from "./heading-level";

type CardProps = {
  children: ReactNode;
  className?: string;
  as?: "div" | "section" | "article" | "li";
  isGlowing?: boolean;
  /** A tour points at it (domain/tour-anchors.ts). */
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
  /** One line under the title: when, how many, where. May hold links of their own (put them in `CardAction`). */
  facts?: ReactNode;
  /** A Button or link of its own. */
  action?: ReactNode;
  /** Before the title: a StatusDot or Badge. */
  mark?: ReactNode;
  /** A picture, an Avatar or an hour at the start. */
  media?: ReactNode;
  /** The action stands under the text: for cards in columns. */
  isActionBelow?: boolean;
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
  return (
    <Card
      as={as}
      isGlowing={isGlowing}
      anchor={anchor}
      className={clsx("flex items-start gap-4 transition-colors hover:border-edge", className)}
    >
      {media && <div className="shrink-0">{media}</div>}
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        {mark && <div className="text-sm">{mark}</div>}
        <Heading className="text-lg">
          <Link to={to} prefetch="intent" viewTransition className="card-link rounded-sm line-clamp-2">
            {title}
          </Link>
        </Heading>
        {facts && <div className="facts text-sm text-soft">{facts}</div>}
        {children}
        {action && isActionBelow && <div className="card-action mt-auto self-start pt-3">{action}</div>}
      </div>
      {action && !isActionBelow && <div className="card-action shrink-0 self-center">{action}</div>}
    </Card>
  );
}

/** Keeps what is inside its own target, above the card's link. */
export const CardAction = ({ children, className }: { children: ReactNode; className?: string }) => (
  <span className={clsx("card-action", className)}>{children}</span>
);

/** A list of cards, one column or two. */
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
