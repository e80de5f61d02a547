// The focus in dialogs.
import type { Page } from "@playwright/test";
import { expect } from "./fixtures";

/** Tab cycles inside the dialog and through the browser's own bars. */
export async function expectFocusTrapped(page: Page, stops: number): Promise<void> {
  for (let step = 0; step < stops; step += 1) {
    await page.keyboard.press("Tab");
    const isOutside = await page.evaluate(() => {
      const here = document.activeElement;
      return here !== null && here !== document.body && !here.closest("dialog");
    });
    expect(isOutside).toBe(false);
  }
}
