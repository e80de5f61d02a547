// The lazy parts of the page that React has not hydrated yet. A change of the router's state that reaches one makes React
// drop its HTML, or say so of a part that it keeps (error 421), so such changes wait.

let awaited = 0;
const waiting = new Set<() => void>();

/** Counts a part as not hydrated until the returned function is called, which may happen twice. */
export function awaitPart(): () => void {
  awaited++;
  let isOver = false;
  return () => {
    if (isOver) return;
    isOver = true;
    if (--awaited > 0) return;
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
  if (awaited === 0) goOn();
  else waiting.add(goOn);
  return () => void waiting.delete(goOn);
}
