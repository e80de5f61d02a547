// Repeats a failed load of a chunk: a lost connection should not replace a page that is already readable by an error.

/** Milliseconds before each repetition. */
export const PAUSES = [1000, 3000, 9000] as const;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** `load`, which after a failure is tried again once for each of `PAUSES`. The last failure counts. */
export async function loadAgain<T>(load: () => Promise<T>, wait = pause): Promise<T> {
  for (const ms of PAUSES)
    try {
      return await load();
    } catch {
      await wait(ms);
    }
  return load();
}
