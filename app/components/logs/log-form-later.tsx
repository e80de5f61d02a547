// The form that edits a log in a list, as a chunk that the browser loads after hydration.
import { later, useSoon } from "~/components/layout/later";

const fetchForm = () => import("./log-form");

/** Open it in a transition, so that the present content stays until the form has loaded. */
export const LogEditFormLater = later(async () => (await fetchForm()).LogEditForm);

/** For rows that can open it. */
export const useLogForm = (mayOpen: boolean): void => useSoon(fetchForm, mayOpen);
