// The rich-text editor as journeys use it, by keyboard alone.
import type { Locator, Page } from "@playwright/test";
import { expect, newName } from "./fixtures";
import { tabTo } from "./focus";

export const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAGCAIAAABxZ0isAAAAEklEQVR4nGNgsFqBFTEMKQkAgHkdiRAmJbUAAAAASUVORK5CYII=",
  "base64",
);
export const TOOLS = [
  "Style",
  "Bold",
  "Italic",
  "Link",
  "Bulleted list",
  "Numbered list",
  "Code block",
  "Image",
  "Undo",
  "Redo",
  "Edit source",
];

export const textOf = (page: Page): Locator =>
  page.getByRole("textbox", { name: "Description", exact: true });
export const sourceOf = (page: Page): Promise<string> =>
  page.locator('textarea[name="content"]').inputValue();

export const nameOf = (page: Page): Locator => page.locator('main input[name="title"]');

export async function openForm(page: Page): Promise<void> {
  await page.goto("/groups/create");
  await expect(page.getByRole("button", { name: "Bold" })).toBeEnabled();
  await tabTo(page, nameOf(page));
  await page.keyboard.type(newName("Hut"));
  // The toolbar is one stop before the text.
  await page.keyboard.press("Tab");
  await expect(page.getByLabel("Style")).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(textOf(page)).toBeFocused();
}

/** Moves the focus from the text to a tool. */
export async function reach(page: Page, name: string): Promise<void> {
  await page.keyboard.press("Alt+F10");
  await page.keyboard.press("Home");
  for (let i = TOOLS.indexOf(name); i > 0; i--) await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("toolbar").getByLabel(name, { exact: true })).toBeFocused();
}
export async function press(page: Page, name: string): Promise<void> {
  await reach(page, name);
  await page.keyboard.press("Enter");
}
/** Moves the caret into an empty paragraph at the end of the text. */
export async function goOn(page: Page): Promise<void> {
  await page.keyboard.press("Control+End");
  await page.keyboard.press("Enter");
}
