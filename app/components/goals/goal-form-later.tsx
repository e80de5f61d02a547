// The form of a goal on pages that show goals: a chunk of its own, which the browser fetches soon after the page is
// alive. A form that the address opens (`?edit=7`, `?create=1`) is part of the server's HTML.
import { type ComponentProps, Suspense, useEffect } from "react";
import { later } from "~/components/layout/later";
import type { GoalForm } from "./goal-form";

const fetchForm = () => import("./goal-form");
const Form = later(async () => (await fetchForm()).GoalForm);

/** Open it in a transition: what stands in its place then stays until it is there. */
export const GoalFormLater = (props: ComponentProps<typeof GoalForm>) => (
  <Suspense>
    <Form {...props} />
  </Suspense>
);

/** For pages where it may be opened. */
export function useGoalForm(mayOpen: boolean): void {
  useEffect(() => {
    if (!mayOpen) return;
    const soon = setTimeout(() => void fetchForm().catch(() => {}), 1000);
    return () => clearTimeout(soon);
  }, [mayOpen]);
}
