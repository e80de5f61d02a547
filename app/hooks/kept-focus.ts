// Keeps the keyboard's place: when a control with the focus leaves the page, the part of the page around it takes the
// focus, else the title.

/** React's effects come first, because a form that closes may return the focus itself. */
const AFTER_EFFECTS_MS = 50;
const PARTS = "li, article, section, form, fieldset, aside, [role=region]";

let isKeeping = false;

export const titleOfPage = (): HTMLElement | null => document.querySelector<HTMLElement>("main h1, main");

/** Focuses an element that Tab passes over. */
export function focusPlace(place: HTMLElement | null, options?: FocusOptions): void {
  if (!place) return;
  if (!place.hasAttribute("tabindex")) {
    place.tabIndex = -1;
    place.addEventListener("blur", () => place.removeAttribute("tabindex"), { once: true });
  }
  place.focus(options);
}

/** Begins at the first call, and lasts for all later pages. */
export function keepFocus(): void {
  if (isKeeping) return;
  isKeeping = true;
  /** The control that last had the focus, and everything around it. */
  let places: HTMLElement[] = [];
  const isLost = () =>
    document.activeElement === document.body && places[0] !== undefined && !places[0].isConnected;
  const restore = () => {
    if (!isLost()) return;
    const part = places.find(
      (candidate) => candidate.isConnected && candidate.matches(`#main :is(${PARTS})`),
    );
    places = [];
    focusPlace(part ?? titleOfPage(), { preventScroll: true });
  };
  addEventListener("focusin", ({ target }) => {
    places = [];
    for (
      let element = target;
      element instanceof HTMLElement && element !== document.body;
      element = element.parentElement
    )
      places.push(element);
  });
  new MutationObserver(() => {
    if (isLost()) setTimeout(restore, AFTER_EFFECTS_MS);
  }).observe(document.body, { childList: true, subtree: true });
}
