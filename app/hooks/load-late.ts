// The code of a part that loads after its page.

/** The wait before the second attempt, because the browser notices a lost network late. */
const RETRY_AFTER_MS = 1000;

const loadingParts = new Set<Promise<unknown>>();

/** Resolves once the parts that the page has requested are loaded. */
export const awaitLateParts = () => Promise.all(loadingParts);

/** Loads a part. Without a network it waits for one, because an error would replace the page. */
export function loadLate<Module>(load: () => Promise<Module>): Promise<Module> {
  const loading = attempt(load, false);
  loadingParts.add(loading);
  const end = () => loadingParts.delete(loading);
  loading.then(end, end);
  return loading;
}

async function attempt<Module>(load: () => Promise<Module>, isRetry: boolean): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    if (isRetry && navigator.onLine) throw error;
    await new Promise<unknown>((resolve) => {
      addEventListener("online", resolve, { once: true });
      if (navigator.onLine) setTimeout(resolve, RETRY_AFTER_MS);
    });
    return attempt(load, true);
  }
}
