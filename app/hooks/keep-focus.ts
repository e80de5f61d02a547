// Keeps the keyboard focus: when the focused control leaves the page, the part of the page around it takes the focus,
// otherwise the title.

/** React's effects come first, because a form that closes may return the focus itself. */
const AFTER_EFFECTS_MS = 50;
const PARTS = "li, article, section, form, fieldset, aside, [role=region]";

let isKeeping = false;

export const titleOfPage = (): HTMLElement | null => document.querySelector<HTMLElement>("main h1, main");

/** Focuses an element that Tab passes over. */
export function focusPlace(element: HTMLElement | null, options?: FocusOptions): void {
  if (!element) return;
  if (!element.hasAttribute("tabindex")) {
    element.tabIndex = -1;
    element.addEventListener("blur", () => element.removeAttribute("tabindex"), { once: true });
  }
  element.focus(options);
}

/** The first call starts it for all pages of this visit. */
export function keepFocus(): void {
  if (isKeeping) return;
  isKeeping = true;
  /** The control that last had the focus, and the elements around it, innermost first. */
  let ancestors: HTMLElement[] = [];
  const isLost = () =>
    document.activeElement === document.body && ancestors[0] !== undefined && !ancestors[0].isConnected;
  const restore = () => {
    if (!isLost()) return;
    const part = ancestors.find(
      (candidate) => candidate.isConnected && candidate.matches(`#main :is(${PARTS})`),
    );
    ancestors = [];
    focusPlace(part ?? titleOfPage(), { preventScroll: true });
  };
  addEventListener("focusin", ({ target }) => {
    ancestors = [];
    for (
      let element = target;
      element instanceof HTMLElement && element !== document.body;
      element = element.parentElement
    )
      ancestors.push(element);
  });
  new MutationObserver(() => {
    if (isLost()) setTimeout(restore, AFTER_EFFECTS_MS);
  }).observe(document.body, { childList: true, subtree: true });
}
