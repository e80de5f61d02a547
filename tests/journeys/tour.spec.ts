// The welcome tour by mouse and keyboard, left and resumed; the goal tutorial; the welcome message.
import type { Page } from "@playwright/test";
import { tours } from "../../app/components/tour/steps";
import { expect, expectQuiet, signUpQuickly, test, waitForHydration, watchConsole } from "./fixtures";

const message = (page: Page) => page.getByRole("dialog").and(page.locator(".tour"));
const steps = tours.welcome.steps;

async function expectStep(page: Page, index: number): Promise<void> {
  const step = steps[index];
  await expect(message(page)).toContainText(`${index + 1} of ${steps.length}`);
  await expect(message(page)).toHaveAttribute("data-step", step?.name ?? "");
  await expect(message(page)).toHaveAccessibleName(step?.title ?? "");
}

test("S-22 S-23 U-56 U-57 P-01 the welcome tour by mouse has nineteen steps and ends at home; the tutorial of goals has five", async ({
  page,
}) => {
  await test.step("the welcome tour", async () => {
    watchConsole(page);
    await signUpQuickly(page, "tourist");
    await page.goto("/");
    await waitForHydration(page);
    await page.getByRole("link", { name: "Take the tour" }).last().click();
    const seen: string[] = [];
    for (const [index, step] of steps.entries()) {
      await expectStep(page, index);
      await expect(page).toHaveURL((url) => url.pathname === step.path.split("?")[0]);
      seen.push((await message(page).getAttribute("data-step")) ?? "");
      if (step.anchor)
        await expect(page.locator(`.driver-active-element[data-tour="${step.anchor}"]`)).toBeVisible();
      if (index === 1) {
        // U-56: a click beside the message does not close it.
        await page.mouse.click(5, 300);
        await expectStep(page, index);
      }
      await message(page)
        .getByRole("button", { name: step.button ?? "Continue" })
        .click();
    }
    expect(seen).toEqual(steps.map((step) => step.name));
    await expect(message(page)).toBeHidden();
    await expect(page).toHaveURL((url) => url.pathname === "/");
    expectQuiet(page);
  });

  await test.step("the tutorial of goals", async () => {
    await page.goto("/my/goals");
    await waitForHydration(page);
    await page.getByRole("link", { name: "Show me how goals work" }).click();
    for (const [index, step] of tours.goal.steps.entries()) {
      await expect(message(page)).toHaveAttribute("data-step", step.name);
      await expect(message(page)).toContainText(`${index + 1} of 5`);
      await message(page)
        .getByRole("button", { name: index === 4 ? "Close" : "Continue" })
        .click();
    }
    await expect(message(page)).toBeHidden();
    await expect(page).toHaveURL(/\/my\/goals/);
    expectQuiet(page);
  });
});

test("S-22 a visitor takes the tour by keyboard, leaves it with Escape, and resumes at the same step", async ({
  page,
}) => {
  watchConsole(page);
  await page.goto("/");
  await waitForHydration(page);
  await page.getByRole("link", { name: "Take the tour" }).focus();
  await page.keyboard.press("Enter");
  for (let index = 0; index < 5; index += 1) {
    await expectStep(page, index);
    await expect(
      message(page).getByRole("button", { name: steps[index]?.button ?? "Continue" }),
    ).toBeFocused();
    await page.keyboard.press("Enter");
  }
  await expectStep(page, 5);
  // Tab stays inside the message.
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(message(page).locator(":focus")).toHaveCount(1);
  await page.keyboard.press("Escape");
  await expect(message(page)).toBeHidden();
  await expect(page.locator("#main h1")).toBeFocused();
  await page.goto("/");
  await expect(message(page)).toBeHidden();
  await page.getByRole("link", { name: "Resume the tour" }).press("Enter");
  await expectStep(page, 5);
  // A reload in the middle resumes at the same step.
  await expect(page).toHaveURL(/challenge-hut-tour/);
  await page.reload();
  for (let index = 5; index < steps.length; index += 1) {
    await expectStep(page, index);
    await expect(
      message(page).getByRole("button", { name: steps[index]?.button ?? "Continue" }),
    ).toBeFocused();
    await page.keyboard.press("Enter");
  }
  await expect(message(page)).toBeHidden();
  await expect(page).toHaveURL((url) => url.pathname === "/" && url.search === "");
  await expect(page.getByRole("link", { name: "Take the tour" })).toBeHidden();
  expectQuiet(page);
});

test("R-70 the tour rests on any other page and in any other tab, never redirects, and ends with the account", async ({
  page,
  context,
}) => {
  watchConsole(page);
  await signUpQuickly(page, "wanderer");
  await page.goto("/?tour=welcome");
  for (let index = 0; index < 3; index += 1) {
    await expectStep(page, index);
    await message(page)
      .getByRole("button", { name: steps[index]?.button ?? "Continue" })
      .click();
  }
  await expectStep(page, 3);
  const continues = page.getByRole("button", { name: "Continue the tour" });
  // A load of another page, a reload there, and a step back in the history.
  await page.goto("/books");
  await expect(continues).toBeVisible();
  await page.reload();
  await expect(continues).toBeVisible();
  await expect(page).toHaveURL(/\/books$/);
  await expect(message(page)).toBeHidden();
  const other = await context.newPage();
  await other.goto("/");
  await waitForHydration(other);
  await expect(other.getByRole("link", { name: "Take the tour" }).first()).toBeVisible();
  await expect(other.getByRole("button", { name: "Continue the tour" })).toHaveCount(0);
  await other.close();
  await continues.click();
  await expectStep(page, 3);
  await page.goto("/account");
  await waitForHydration(page);
  await expect(continues).toBeVisible();
  await page.getByRole("main").getByRole("button", { name: "Logout" }).click();
  await expect(page).toHaveURL(/\/$/);
  await expect(page.getByRole("link", { name: "Take the tour" }).first()).toBeVisible();
  await expect(continues).toHaveCount(0);
  expectQuiet(page);
});
