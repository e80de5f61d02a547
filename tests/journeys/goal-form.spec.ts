// The form of a new goal: refused for want of tokens or for a wrong field.
import { expectFocusTrapped } from "./dialogs";
import { call, expect, holdRequests, test, waitForHydration } from "./fixtures";
import { field, makeGoal } from "./goals";

test("S-02 U-08 without a token the modal opens and the form keeps its text, before hydration too, and with tokens closing it creates the goal", async ({
  host: { page },
}) => {
  const form = page.getByRole("form", { name: "New goal" });
  const dialog = page.getByRole("dialog", { name: "You're out of tokens" });
  /** Closes the dialog, which sends the form again, and returns the status of the answer. */
  const close = async (): Promise<number> => {
    const again = page.waitForResponse((response) => response.request().method() === "POST");
    await page.keyboard.press("Escape");
    return (await again).status();
  };
  for (let n = 0; n < 10; n++) await makeGoal(page, { title: `Goal ${n}` });

  await test.step("posted before the form is hydrated", async () => {
    // The form's script is delayed until the form is posted.
    const release = await holdRequests(page, /\/assets\/form-[^/]*\.js/);
    // A delayed script may delay the page's load event too.
    await page.goto("/my/goals?create=1", { waitUntil: "domcontentloaded" });
    await waitForHydration(page, "header");
    await field(form, "title").fill("One too many");
    const answer = page.waitForResponse((response) => response.request().method() === "POST");
    await form.getByRole("button", { name: "Create goal" }).click();
    const { status, isDocument } = await answer.then((response) => ({
      status: response.status(),
      isDocument: response.request().isNavigationRequest(),
    }));
    expect({ status, isDocument }).toEqual({ status: 402, isDocument: true });
    await release();
    await expect(dialog).toBeVisible();
    await expect(field(form, "title")).toHaveValue("One too many");
    expect(await close()).toBe(402);
    await expect(page.locator("[data-sonner-toast]").getByText("You're out of tokens")).toBeVisible();
    await expect(dialog).toBeHidden();
  });

  await test.step("by keyboard, closing retries once, then only shows the error", async () => {
    await page.goto("/my/goals?create=1");
    await waitForHydration(page);
    await field(form, "title").fill("One too many");
    const create = form.getByRole("button", { name: "Create goal" });
    await create.focus();
    await page.keyboard.press("Enter");
    await expect(dialog).toBeVisible();
    await expect.poll(() => dialog.evaluate((it) => it.contains(document.activeElement))).toBe(true);
    await expectFocusTrapped(page, 6);
    expect(await close()).toBe(402);
    await expect(page.locator("[data-sonner-toast]").getByText("You're out of tokens")).toBeVisible();
    await expect(dialog).toBeHidden();
    await expect(create).toBeFocused();
    await expect(field(form, "title")).toHaveValue("One too many");
  });

  await test.step("with tokens meanwhile", async () => {
    await page.goto("/my/goals?create=1");
    await waitForHydration(page);
    await field(form, "title").fill("One too many");
    await form.getByRole("button", { name: "Create goal" }).click();
    await expect(dialog).toBeVisible();
    await expect(field(form, "title")).toHaveValue("One too many");
    const intent = await (await call(page, "GET", "/tokens/get-payment-intent")).json();
    const card = { number: "4242 4242 4242 4242", exp_month: 12, exp_year: 2040, cvc: "123" };
    const paid = await call(page, "POST", "/practice/confirm", { client_secret: intent.client_secret, card });
    const { payment_intent } = await paid.json();
    const bought = await call(page, "POST", "/tokens/purchase", {
      paymentIntent: payment_intent,
      token_pool: 0,
    });
    expect(bought.status(), await bought.text()).toBeLessThan(300);
    // The retry answers in place, like the first attempt, and does not redirect.
    expect(await close()).toBe(200);
    await expect(page.getByText("Goal created successfully!")).toBeVisible();
    await expect(page.getByRole("list", { name: "Goals", exact: true })).toContainText("One too many");
  });
});

test("V-09 a refused form focuses its first wrong field at once, but not while the person types in another", async ({
  host: { page },
}) => {
  const form = page.getByRole("form", { name: "New goal" });

  await test.step("at once, by the answer alone", async () => {
    // The page's data never reloads, so the answer alone must suffice.
    await page.goto("/my/goals?create=1");
    await waitForHydration(page);
    await page.route(/\/my\/goals\.data/, async (route) => {
      if (route.request().method() === "POST") await route.continue();
    });
    const create = form.getByRole("button", { name: "Create goal" });
    await create.click();
    await expect(field(form, "title")).toBeFocused();
    await expect(field(form, "title")).toHaveAccessibleDescription(/Please give your goal a title/);
    await page.unroute(/\/my\/goals\.data/);
  });

  await test.step("not while the person types in another", async () => {
    await page.goto("/my/goals?create=1");
    await waitForHydration(page);
    const release = await holdRequests(page, /\/my\/goals\.data/, "POST");
    await form.getByRole("button", { name: "Create goal" }).click();
    await field(form, "unit").focus();
    await page.keyboard.type("pag");
    await release();
    await expect(form.getByText("Please give your goal a title.").first()).toBeVisible();
    await page.keyboard.type("es");
    await expect(field(form, "unit")).toHaveValue("pages");
    await expect(field(form, "unit")).toBeFocused();
  });
});
