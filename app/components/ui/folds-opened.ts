// The folds of forms that were opened in this browser, each by its name.
const keyOf = (name: string) => `more:${name}`;

/** Whether somebody opened the fold in this browser; false without storage. */
export function isFoldOpen(name: string): boolean {
  try {
    return localStorage.getItem(keyOf(name)) === "open";
  } catch {
    return false;
  }
}

export function rememberFold(name: string, isOpen: boolean): void {
  try {
    localStorage.setItem(keyOf(name), isOpen ? "open" : "closed");
  } catch {
    // Without storage the choice lasts for this visit.
  }
}
