// Texts that belong to this tab and survive a reload. Without storage they last as long as the page.

type TabKey = "tour";

const inPage = new Map<TabKey, string>();

export function readTab(key: TabKey): string | null {
  try {
    return sessionStorage.getItem(key) ?? inPage.get(key) ?? null;
  } catch {
    return inPage.get(key) ?? null;
  }
}

/** Stores a text; null removes it. */
export function writeTab(key: TabKey, text: string | null): void {
  inPage.delete(key);
  try {
    if (text === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, text);
  } catch {
    if (text !== null) inPage.set(key, text);
  }
}
