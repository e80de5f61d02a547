// Personal keys on /account/api, by keyboard, and the reference for their programs.
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, expectQuiet, sidewaysOf, test, waitForHydration } from "./fixtures";
import { tabTo } from "./focus";

const KEY = /bth_[\w-]{49}/;
const keyIn = async (page: Page): Promise<string> =>
  KEY.exec((await page.locator("main").textContent()) ?? "")?.[0] ?? "";
/** The status of a call with the key. */
const statusWith = async (page: Page, key: string): Promise<number> =>
  (await page.request.get("/get-user", { headers: { Authorization: `Bearer ${key}` } })).status();

test("O-01 O-02 O-08 a key is made, copied, shown once and revoked by keyboard alone", async ({ host }) => {
  const { page, context } = host;
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/account/api");
  await waitForHydration(page);
  const main = page.locator("main");
  await expect(main.getByText("You have no keys.")).toBeVisible();
  await tabTo(page, main.getByLabel("Name", { exact: false }));
  await page.keyboard.type("Kettle script");
  const write = main.getByRole("checkbox", { name: /^Write/ }).first();
  await tabTo(page, write);
  await page.keyboard.press("Space");
  await tabTo(page, main.getByRole("button", { name: "Create key" }));
  await page.keyboard.press("Enter");
  await expect(main.getByText("Copy this key now.")).toBeVisible();
  await expect.poll(() => keyIn(page)).toMatch(KEY);
  const key = await keyIn(page);
  await tabTo(page, main.getByRole("button", { name: "Copy key" }));
  await page.keyboard.press("Enter");
  await expect(main.getByRole("button", { name: "Copied" })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);
  expect(await statusWith(page, key)).toBe(200);

  await page.reload();
  await waitForHydration(page);
  expect(await keyIn(page)).toBe("");
  const row = main.getByRole("list", { name: "Keys" }).getByRole("listitem");
  await expect(row).toHaveCount(1);
  await expect(row).toContainText("Kettle script");
  await expect(row).toContainText(key.slice(0, 8));
  await tabTo(page, row.getByRole("button", { name: "Revoke Kettle script" }));
  await page.keyboard.press("Enter");
  await expect(main.getByText("You have no keys.")).toBeVisible();
  await expect(page.getByText("The key was revoked.")).toBeVisible();
  expect(await statusWith(page, key)).toBe(401);
  expectQuiet(page);
});

test("O-13 the reference is readable at 320 px in light and dark colours", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto("/api/docs");
  const links = await page.getByRole("navigation", { name: "Sections" }).getByRole("link").all();
  const sections = await Promise.all(links.map((link) => link.getAttribute("href")));
  expect(sections.length).toBeGreaterThan(20);
  for (const path of ["/api/docs", ...sections]) {
    await page.goto(path ?? "");
    await expect.poll(() => sidewaysOf(page), `${path}`).toBe(0);
  }
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const path of ["/api/docs", "/api/docs/goals", "/api/docs/shapes"]) {
      await page.goto(path);
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map(({ id }) => `${path} in ${colorScheme}: ${id}`)).toEqual([]);
    }
  }
});
