// On the way from page to page: what is shown until it comes, what is called off, and what is said at the top right.
import { expect, expectQuiet, test, watchConsole } from "./fixtures";

test("U-29 a page that is waited for is the one last asked for; the one called off is no error", async ({
  page,
}) => {
  watchConsole(page);
  // The data of the huts begins to come, and never ends until it is called off.
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
  // Nor do the scripts of its page.
  await page.route(/\/assets\/huts-[^/]*\.js$/, () => new Promise(() => {}));
  await page.goto("/about");
  await page.waitForFunction(() => "__remixRouteModules" in window);
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
  expectQuiet(page);
  // Anything else that nobody caught is still heard.
  await page.evaluate(() => void Promise.reject(new Error("not called off")));
  expect(() => expectQuiet(page)).toThrow(/not called off/);
});
