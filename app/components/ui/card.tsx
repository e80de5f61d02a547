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
      className={clsx("card", isGlowing ? "border-ember ring-1 ring-ember" : "border-line", className)}
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

// Title and text between picture and action. On a phone the title also uses the action's width, so that no word is
// squeezed.
const BESIDE = {
  card: "grid-cols-1 @min-[14rem]:grid-cols-[auto_minmax(0,1fr)_auto] @min-[14rem]:grid-rows-[auto_1fr]",
  media: "@min-[14rem]:row-span-2 @min-[14rem]:pr-4",
  head: "@min-[14rem]:col-start-2 @min-[14rem]:@max-[28rem]:col-span-2",
  body: "@min-[14rem]:col-start-2",
  action:
    "@min-[14rem]:col-start-3 @min-[14rem]:row-start-2 self-center @min-[14rem]:pl-4 @min-[28rem]:row-span-2 @min-[28rem]:row-start-1",
};
// Stacks the pieces of a narrow card, as on a phone or with text of twice the size.
const STACKED = {
  card: "grid-cols-1 @min-[28rem]:grid-cols-[auto_minmax(0,1fr)_auto] @min-[28rem]:content-center",
  media: "@min-[28rem]:row-span-2 @min-[28rem]:pr-4",
  head: "@min-[28rem]:col-start-2",
  body: "@min-[28rem]:col-start-2",
  action:
    "@max-[28rem]:mt-2 @max-[28rem]:[&>a]:w-full @min-[28rem]:col-start-3 @min-[28rem]:row-span-2 @min-[28rem]:row-start-1 @min-[28rem]:self-center @min-[28rem]:pl-4",
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
  const layout = isStacked ? STACKED : BESIDE;
  return (
    <Card
      as={as}
      isGlowing={isGlowing}
      anchor={anchor}
      className={clsx("@container transition-colors hover:border-edge", className)}
    >
      <div className={clsx("grid h-full gap-y-1", layout.card)}>
        {media && <div className={layout.media}>{media}</div>}
        <div className={clsx("flex min-w-0 flex-col gap-1", layout.head)}>
          {mark && <div className="text-sm">{mark}</div>}
          <Heading className="text-lg">
            <Link to={to} prefetch="intent" viewTransition className="card-link rounded-sm line-clamp-2">
              {title}
            </Link>
          </Heading>
        </div>
        <div className={clsx("flex min-w-0 flex-col gap-1", layout.body)}>
          {facts && <div className="facts text-sm text-soft">{facts}</div>}
          {children}
          {action && isActionBelow && (
            <div className="card-action mt-auto self-start pt-3 has-[.menu]:self-stretch">{action}</div>
          )}
        </div>
        {action && !isActionBelow && <div className={clsx("card-action", layout.action)}>{action}</div>}
      </div>
    </Card>
  );
}

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
      className={clsx("grid gap-3 sm:gap-4", columns === 2 && "cards-2", columns === 3 && "cards-3")}
    >
      {children}
    </ul>
  );
}
