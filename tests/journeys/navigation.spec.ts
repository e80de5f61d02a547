// Navigation: the pending page, aborted loads, and toasts.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  expect,
  expectQuiet,
  holdRequests,
  knowTimeZone,
  newPerson,
  test,
  waitForHydration,
  watchConsole,
} from "./fixtures";

test("U-29 only the latest navigation is pending, and an aborted load is no error", async ({ page }) => {
  watchConsole(page);
  // The data of the huts page starts to arrive and never ends until it is aborted.
  await page.addInitScript(() => {
    const real = window.fetch;
    window.fetch = async (input, init) => {
      const answer = await real(input, init);
      const signal = init?.signal ?? (input instanceof Request ? input.signal : null);
      if (!/\/groups\.data/.test(answer.url) || !signal || !answer.body) return answer;
      const reader = answer.body.getReader();
      const body = new ReadableStream({
        async start(controller) {
          signal.addEventListener("abort", () => controller.error(signal.reason));
          for (let read = await reader.read(); !read.done; read = await reader.read())
            controller.enqueue(read.value);
        },
      });
      return new Response(body, { status: answer.status, headers: answer.headers });
    };
  });
  // The scripts of that page are held as well.
  const release = await holdRequests(page, /\/assets\/huts-[^/]*\.js$/);
  await page.goto("/books");
  await waitForHydration(page);
  const lists = page.getByRole("navigation", { name: "Lists" });
  const line = page.locator(".loading-line");
  await expect(line).toBeHidden();
  const begun = page.waitForResponse(/\/groups\.data/);
  await lists.getByRole("link", { name: "Huts" }).dispatchEvent("click");
  await begun;
  await expect(line).toBeAttached();
  await lists.getByRole("link", { name: "Sessions" }).click();
  await expect(page).toHaveURL(/\/events$/);
  await expect(page.locator("main h1")).toBeFocused();
  await expect(line).not.toBeAttached();
  await release();
  expectQuiet(page);
  // Any other unhandled rejection is still reported.
  await page.evaluate(() => void Promise.reject(new Error("not called off")));
  await expect(() => expect(() => expectQuiet(page)).toThrow(/not called off/)).toPass();
});

test("U-29 a page that is left while the body of its data is read logs no error, but data that cannot be decoded does", async ({
  page,
}) => {
  watchConsole(page);
  // Playwright can only answer with a whole body.
  let endsAtOnce = false;
  const slow = createServer((_, answer) => {
    answer.writeHead(200, { "Content-Type": "text/x-script" }).write("[{");
    if (endsAtOnce) answer.end();
  });
  await new Promise<void>((listening) => slow.listen(0, "127.0.0.1", listening));
  const { port } = slow.address() as AddressInfo;
  await page.goto("/auth/register");
  await waitForHydration(page);
  await page.route(/\/auth\/register\.data/, (route) => route.continue({ url: `http://127.0.0.1:${port}/` }));
  const theme = page.getByRole("group", { name: "Theme" });
  const reading = page.waitForResponse(`http://127.0.0.1:${port}/`);
  // Choosing a theme reloads the page's data.
  await theme.getByRole("button", { name: "Dark" }).click();
  await reading;
  await page.getByRole("link", { name: "Huts" }).first().click();
  await expect(page).toHaveURL(/\/groups$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Huts");
  expectQuiet(page);

  endsAtOnce = true;
  const logged = page.waitForEvent("console", (message) => message.text().includes("SyntaxError"));
  await page.goBack();
  expect((await logged).type()).toBe("error");
  slow.closeAllConnections();
  slow.close();
});

test("U-26 tabs, pills and data for another time zone keep the scroll position, and another page opens at its top", async ({
  page,
  browser,
}) => {
  await test.step("data for another time zone", async () => {
    const release = await holdRequests(page, /\.data/);
    await page.goto("/events");
    const answered = page.waitForResponse(/\.data/);
    await page.keyboard.press("Shift");
    await waitForHydration(page);
    await page.evaluate(() => scrollTo(0, 200));
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(200);
    const times = () => page.locator("main time").allTextContents();
    const before = await times();
    await release();
    // The browser may end the request once the page has read the data, and then it never counts as finished.
    await answered;
    await expect.poll(times).not.toEqual(before);
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(200);
  });

  await test.step("the tabs of a session, and back", async () => {
    await page.setViewportSize({ width: 360, height: 360 });
    await page.goto("/sessions/12");
    await page.waitForLoadState("networkidle");
    await waitForHydration(page, "main, nav, footer");
    const scrolled = () => page.evaluate(() => window.scrollY);
    await page.evaluate(() => window.scrollTo({ top: 140, behavior: "instant" }));
    for (const tab of ["Goals", "Forum", "Details"]) {
      // A press that does not itself scroll.
      const link = page.getByRole("navigation", { name: "Session" }).getByRole("link", { name: tab });
      await link.dispatchEvent("click");
      await expect(link).toHaveAttribute("aria-current", "page");
      // The line of the current part comes and goes above without moving the content.
      await expect.poll(async () => Math.abs((await scrolled()) - 140), tab).toBeLessThan(40);
    }
    const before = await scrolled();
    await page.getByRole("contentinfo").getByRole("link", { name: "About" }).dispatchEvent("click");
    await expect(page).toHaveURL(/\/about$/);
    await expect.poll(scrolled).toBe(0);
    // Going back restores the position.
    await page.goBack();
    await expect(page).toHaveURL(/\/sessions\/12$/);
    await expect.poll(scrolled).toBe(before);
  });

  await test.step("the pills of My pages, of which a phone shows the current one", async () => {
    const { page, context } = await newPerson(browser, "phone", { viewport: { width: 360, height: 360 } });
    await knowTimeZone(context);
    await page.goto("/my/notes");
    const pill = page.getByRole("navigation", { name: "My pages" }).getByRole("link", { name: "My Notes" });
    await expect(pill).toBeInViewport({ ratio: 1 });
    await page.waitForLoadState("networkidle");
    await waitForHydration(page, "main, nav");
    const scrolled = () => page.evaluate(() => window.scrollY);
    await page.evaluate(() => window.scrollTo({ top: 120, behavior: "instant" }));
    await expect.poll(scrolled).toBe(120);
    // A press that does not itself scroll, as a press on a half-visible pill would.
    await page
      .getByRole("navigation", { name: "My pages" })
      .getByRole("link", { name: "My Groups" })
      .dispatchEvent("click");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("My Groups");
    await expect.poll(scrolled).toBe(120);
    await context.close();
  });
});

test("K-01 toasts stay at the top right for their time, twenty at most, and close by press or key", async ({
  page,
}) => {
  await page.clock.install();
  await page.goto("/styleguide");
  await waitForHydration(page);
  const press = (name: string) => page.getByRole("button", { name, exact: true }).first().press("Enter");
  const toasts = page.locator("[data-sonner-toast]");
  const says = (text: string) => toasts.filter({ hasText: text });
  const [info, problem] = [says("The session has started!"), says("The duration cannot be 0")];
  // The first toast loads the code of toasts. From then on no time passes but that of the test.
  await press("Info");
  await expect(info).toBeVisible();
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.clock.runFor(1000);
  await expect(toasts).toHaveCount(0);
  await press("Info");
  await press("Validation");
  await page.clock.runFor(100);
  await expect(info).toBeVisible();
  await expect(problem).toBeVisible();
  // Wait until the slide-in has ended.
  await expect.poll(async () => 1280 - ((await info.boundingBox())?.x ?? 0)).toBeLessThan(420);
  await expect.poll(async () => (await info.boundingBox())?.y).toBeLessThan(300);
  await page.clock.runFor(2000);
  await expect(info).toBeVisible();
  await page.clock.runFor(4000);
  await expect(info).toHaveCount(0);
  await page.clock.runFor(50_000);
  await expect(problem).toBeVisible();
  await page.clock.runFor(10_000);
  await expect(toasts).toHaveCount(0);
  await page.clock.resume();

  await press("Success");
  await says("Goal created successfully!").getByText("Goal created successfully!").click();
  await page.clock.fastForward(1000);
  await expect(toasts).toHaveCount(0);

  // By keyboard: Alt+T focuses the list, Tab the close button.
  await press("Error");
  await expect(says("Upload failed")).toBeVisible();
  await page.keyboard.press("Alt+T");
  const dismiss = says("Upload failed").getByRole("button", { name: "Dismiss" });
  for (let step = 0; step < 3 && !(await dismiss.evaluate((here) => here === document.activeElement)); step++)
    await page.keyboard.press("Tab");
  await expect(dismiss).toBeFocused();
  await page.keyboard.press("Enter");
  await page.clock.fastForward(1000);
  await expect(toasts).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Error", exact: true }).first()).toBeFocused();

  // Tab enters a toast, and leaves it to the elements that follow.
  await press("Info");
  await expect(info).toBeVisible();
  await page.keyboard.press("Alt+T");
  const isInside = () => page.evaluate(() => document.activeElement?.closest("#toasts") !== null);
  await expect.poll(isInside).toBe(true);
  for (let step = 0; step < 5 && (await isInside()); step++) await page.keyboard.press("Tab");
  await expect.poll(isInside).toBe(false);
  await expect(page.getByRole("button", { name: "Info", exact: true }).first()).not.toBeFocused();
  await info.getByText("The session has started!").click();
  await page.clock.fastForward(1000);
  await expect(toasts).toHaveCount(0);

  const pressOften = (name: string) =>
    page
      .getByRole("button", { name, exact: true })
      .first()
      .evaluate((button: HTMLElement) => {
        for (let n = 0; n < 22; n++) button.click();
      });
  // Y-03: what was done last replaces what was done before; errors stay beside each other.
  await pressOften("Info");
  await page.clock.fastForward(1000);
  await expect(toasts).toHaveCount(1);
  await pressOften("Error");
  await expect(toasts.and(page.locator("[data-visible=true]"))).toHaveCount(20);
});
