// The goal form on pages that show goals, as a chunk that the browser loads after hydration. The server renders a form
// that the URL opens (`?edit=7`, `?create=1`).
import { type ComponentProps, Suspense, useEffect } from "react";
import { later } from "~/components/layout/later";
import type { GoalForm } from "./goal-form";

const fetchForm = () => import("./goal-form");
const Form = later(async () => (await fetchForm()).GoalForm);

/** Open it in a transition, so that the present content stays until the form has loaded. */
export const GoalFormLater = (props: ComponentProps<typeof GoalForm>) => (
  <Suspense>
    <Form {...props} />
  </Suspense>
);

/** For pages that can open it. */
export function useGoalForm(mayOpen: boolean): void {
  useEffect(() => {
    if (!mayOpen) return;
    const soon = setTimeout(() => void fetchForm().catch(() => {}), 1000);
    return () => clearTimeout(soon);
  }, [mayOpen]);
}
