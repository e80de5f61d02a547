// Clears unsent input and the tour, so that the next person at this browser does not see them.
import { endTour } from "./tour-state";

/** Drafts of forms and texts, and ticks of checklists. */
const TYPED = /^(draft|bothy:ticks:)/;

export function forgetDrafts(): void {
  endTour();
  try {
    for (const key of Object.keys(localStorage)) if (TYPED.test(key)) localStorage.removeItem(key);
  } catch {
    // Without storage nothing was saved.
  }
}
