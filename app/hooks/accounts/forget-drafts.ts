// Clears unsent input, the tour and the number on the app's icon, so that the next person at this browser does not see
// them.
import { writeTab } from "~/hooks/tab-texts";

/** Drafts of forms and texts, ticks of checklists, and the end of a tour. */
const UNSENT_KEYS = /^(draft|bothy:ticks:|tour$)/;

export function forgetDrafts(): void {
  writeTab("tour", null);
  navigator.clearAppBadge?.().catch(() => {});
  try {
    for (const key of Object.keys(localStorage)) if (UNSENT_KEYS.test(key)) localStorage.removeItem(key);
  } catch {
    // Without storage nothing was saved.
  }
}
