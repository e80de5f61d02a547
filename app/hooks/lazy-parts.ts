// The lazy parts of the page that React has not hydrated yet. A change of the router's state that reaches such a part
// makes React drop its HTML, or report error 421, so these changes wait.

let pendingParts = 0;
const waiting = new Set<() => void>();

/** Counts a part as not hydrated until the returned function is called, which may happen twice. */
export function awaitPart(): () => void {
  pendingParts++;
  let isOver = false;
  return () => {
    if (isOver) return;
    isOver = true;
    if (--pendingParts > 0) return;
    const dueParts = [...waiting];
    waiting.clear();
    for (const goOn of dueParts) goOn();
  };
}

/**
 * Calls `goOn` once every part is hydrated: at once, or later and a single time. The returned function gives up
 * waiting.
 */
export function afterParts(goOn: () => void): () => void {
  if (pendingParts === 0) goOn();
  else waiting.add(goOn);
  return () => void waiting.delete(goOn);
}
