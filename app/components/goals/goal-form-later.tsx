// The goal form on pages that show goals, as a chunk that the browser loads after hydration. The server renders a form
// that the URL opens (`?edit=7`, `?create=1`).
import { later, useSoon } from "~/components/layout/later";

const fetchForm = () => import("./goal-form");

/** Open it in a transition, so that the present content stays until the form has loaded. */
export const GoalFormLater = later(async () => (await fetchForm()).GoalForm);

/** For pages that can open it. */
export const useGoalForm = (mayOpen: boolean): void => useSoon(fetchForm, mayOpen);
