// The frame of a goal's pages: Home > My Goals, "Goal: {title}", the pills Details, Logs, Notes (U-23, P-15).

import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { GoalTabs } from "~/components/layout/my-tabs";
import { Page } from "~/components/layout/page";
import { Badge } from "~/components/ui/badge";
import { GOAL_STATUS, type Goal } from "~/domain/goals/goals";
import { isolateRtl } from "~/domain/isolated";

type Props = {
  goal: Pick<Goal, "id" | "title" | "status">;
  /** Shown beside the title, on the page Details. */
  tags?: readonly string[];
  actions?: ReactNode;
  children: ReactNode;
};

export function GoalFrame({ goal, tags = [], actions, children }: Props) {
  return (
    <Page
      title={`Goal: ${isolateRtl(goal.title)}`}
      breadcrumbs={[
        { label: "Home", to: "/" },
        { label: "My Goals", to: "/my/goals" },
        { label: goal.title },
      ]}
      mark={goal.status === GOAL_STATUS.completed && <Badge tone="pine">Completed</Badge>}
      actions={actions}
      intro={tags.length > 0 && <Tags tags={tags} />}
      tabs={<GoalTabs goalId={goal.id} />}
    >
      {children}
    </Page>
  );
}

const Tags = ({ tags }: { tags: readonly string[] }) => (
  <span className="flex flex-wrap gap-x-4 text-sm">
    {tags.map((tag) => (
      <Link
        key={tag}
        to={`/my/goals?tag=${encodeURIComponent(tag)}`}
        className="inline-flex min-h-11 min-w-0 items-center wrap-anywhere hover:underline"
      >
        #{tag}
      </Link>
    ))}
  </span>
);
