// The example goal that visitors see instead of their own goals (U-15).

import { SignInWarning } from "~/components/layout/sign-in-warning";
import type { Day } from "~/domain/days";
import { instant } from "~/domain/time";
import { useShell } from "~/hooks/use-shell";
import { GoalCard } from "./card";
import { exampleDays, exampleGoal } from "./examples";

export function ExampleGoal({ today }: { today: Day }) {
  const { now } = useShell();
  return (
    <>
      <SignInWarning>Please sign in or register to create goals. This is how one looks:</SignInWarning>
      <ul aria-label="Example goal">
        <GoalCard
          goal={exampleGoal(instant(now))}
          isOwner={false}
          username=""
          path={null}
          tags={["evenings"]}
          days={exampleDays(today)}
          today={today}
        />
      </ul>
    </>
  );
}
