// Clears what was typed and not sent, so that the next person at this browser does not find it.

/** Drafts of forms and of texts, and ticks of checklists. */
const TYPED = /^(draft|bothy:ticks:)/;

export function forgetDrafts(): void {
  try {
    for (const key of Object.keys(localStorage)) if (TYPED.test(key)) localStorage.removeItem(key);
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
}
