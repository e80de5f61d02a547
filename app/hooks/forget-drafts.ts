// Clears unsent input, so that the next person at this browser does not see it.

/** Drafts of forms and texts, and ticks of checklists. */
const TYPED = /^(draft|bothy:ticks:)/;

export function forgetDrafts(): void {
  try {
    for (const key of Object.keys(localStorage)) if (TYPED.test(key)) localStorage.removeItem(key);
  } catch {
    // Without storage nothing was saved.
  }
}
