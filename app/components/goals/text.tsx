// The texts of a goal: its details and its link.

import { FoldedProse } from "~/components/ui/prose";
import { OutsideLink } from "~/components/ui/text-link";
import type { Goal } from "~/domain/goals/goals";

export function GoalText({ goal }: { goal: Pick<Goal, "contentHtml" | "link"> }) {
  return (
    <>
      <FoldedProse html={goal.contentHtml} />
      {goal.link && <OutsideLink href={goal.link}>{goal.link}</OutsideLink>}
    </>
  );
}
