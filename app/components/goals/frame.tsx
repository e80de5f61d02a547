// The frame of a goal's pages: Home > My Goals, "Goal: {title}", the pills Details, Logs, Notes (U-23, P-15).
import type { ReactNode } from "react";
import { GoalTabs } from "~/components/layout/my-tabs";
import { Page } from "~/components/layout/page";
import { Badge } from "~/components/ui/badge";
import { GOAL_STATUS, type Goal } from "~/domain/goals/goals";

type Props = {
  goal: Pick<Goal, "id" | "title" | "status">;
  actions?: ReactNode;
  children: ReactNode;
};

export function GoalFrame({ goal, actions, children }: Props) {
  return (
    <Page
      title={`Goal: ${goal.title}`}
      breadcrumbs={[
        { label: "Home", to: "/" },
        { label: "My Goals", to: "/my/goals" },
        { label: goal.title },
      ]}
      mark={goal.status === GOAL_STATUS.completed && <Badge tone="pine">Completed</Badge>}
      actions={actions}
      tabs={<GoalTabs goalId={goal.id} />}
    >
      {children}
    </Page>
  );
}
