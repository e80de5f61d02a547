// Helpers for journeys by keyboard alone: go to a control by Tab, press it, and expect that the focus is not lost.
import type { Locator, Page } from "@playwright/test";
import { expect } from "./fixtures";

/** Presses Tab, or Shift+Tab to go backwards, until the control has the focus. */
export async function tabTo(page: Page, control: Locator, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  await expect(control).toBeVisible();
  const isThere = () => control.evaluate((element) => element === document.activeElement);
  for (let presses = 0; presses < 120 && !(await isThere()); presses++) await page.keyboard.press(key);
  await expect(control).toBeFocused();
}

const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { activeElement: here, body } = document;
    if (!here || here === body) return "lost";
    const { top, bottom } = here.getBoundingClientRect();
    return top < innerHeight && bottom > 0 ? "seen" : `off the screen: ${here.outerHTML.slice(0, 200)}`;
  });

export const expectFocus = (page: Page, after: string): Promise<void> =>
  expect.poll(() => focused(page), `the focus after ${after}`).toBe("seen");

/** Goes to the control by Tab and presses Enter; `sees` appears, and something on the screen has the focus. */
export async function enter(page: Page, control: Locator, sees: Locator): Promise<void> {
  // A disabled control is no stop of Tab.
  await expect(control).toBeEnabled();
  await tabTo(page, control);
  // A press while the one before is being sent is ignored.
  await expect(control).toBeEnabled();
  const name = await control.evaluate((element) => element.ariaLabel ?? element.textContent);
  await page.keyboard.press("Enter");
  await expect(sees).toBeVisible();
  await expectFocus(page, name ?? "");
}
