// The lazy parts of the page that React has not hydrated yet. A change of the router's state that reaches such a part
// makes React drop its HTML, or report error 421, so these changes wait.

let pendingParts = 0;
const waiting = new Set<() => void>();

/** Counts a part as not hydrated until the returned function is called, which may happen twice. */
export function awaitPart(): () => void {
  pendingParts++;
  let isHydrated = false;
  return () => {
    if (isHydrated) return;
    isHydrated = true;
    if (--pendingParts > 0) return;
    const dueCallbacks = [...waiting];
    waiting.clear();
    for (const resume of dueCallbacks) resume();
  };
}

/**
 * Calls `resume` once every part is hydrated, at once if none is pending. The returned function cancels the wait.
 */
export function afterParts(resume: () => void): () => void {
  if (pendingParts === 0) resume();
  else waiting.add(resume);
  return () => void waiting.delete(resume);
}
