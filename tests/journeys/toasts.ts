// The toasts on the screen, and the controls that they cover (K-01).
import { expect, type Locator, type Page } from "@playwright/test";

/** Without those that have not come in or are on their way out. */
const SHOWN = "[data-sonner-toast][data-mounted=true][data-removed=false]";

export const shownToasts = (page: Page): Locator => page.locator(SHOWN);

const CONTROLS = "main :is(button, a[href], .timer-face-numerals)";
/** Of those, the ones that a page is for: what it makes or sends, and the numerals. */
export const MAIN_CONTROLS = "main :is(.is-main, [type=submit], .timer-face-numerals)";

/** The names of the buttons and links, and the class of the numerals, that a toast covers, at least in part. */
export const coveredByToasts = (page: Page, controls = CONTROLS): Promise<string[]> =>
  page.evaluate(
    async ({ shown, controls }) => {
      const elements = [...document.querySelectorAll(shown)];
      await Promise.all(elements.flatMap((one) => one.getAnimations().map(({ finished }) => finished)));
      const toasts = elements.map((one) => one.getBoundingClientRect());
      if (toasts.length === 0) return ["No toast is shown."];
      return [...document.querySelectorAll<HTMLElement>(controls)]
        .filter((one) => one.checkVisibility())
        .filter((one) => {
          const { left, right, top, bottom } = one.getBoundingClientRect();
          return toasts.some(
            (it) => left < it.right && right > it.left && top < it.bottom && bottom > it.top,
          );
        })
        .map((one) => one.ariaLabel ?? (one.matches("button, a") ? one.textContent.trim() : one.className));
    },
    { shown: SHOWN, controls },
  );

/** Toasts follow a change of the page after a tenth of a second, so the page gets a moment, but no toast may end in it. */
export const expectNoneCovered = (page: Page, controls = CONTROLS): Promise<void> =>
  expect.poll(() => coveredByToasts(page, controls), { timeout: 3000 }).toEqual([]);
