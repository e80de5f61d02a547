// The texts of a goal: its details and its link.

import { ReadMore } from "~/components/ui/read-more";
import { OutsideLink } from "~/components/ui/text-link";
import type { Goal } from "~/domain/goals";

export const hasText = (goal: Pick<Goal, "contentHtml" | "link">): boolean =>
  goal.contentHtml !== "" || goal.link !== "";

export function GoalText({ goal }: { goal: Pick<Goal, "contentHtml" | "link"> }) {
  return (
    <>
      {goal.contentHtml && (
        <ReadMore>
          {/* biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised on write (D-01). */}
          <div className="prose" dangerouslySetInnerHTML={{ __html: goal.contentHtml }} />
        </ReadMore>
      )}
      {goal.link && <OutsideLink href={goal.link}>{goal.link}</OutsideLink>}
    </>
  );
}
