// The session page keeps its place: nothing moves when it comes alive, and a lone menu needs no row of its own.
import type { Page } from "@playwright/test";
import { boxesOf, expect, expectQuiet, test, topsOf, waitForHydration } from "./fixtures";
import { inSession, makeSession } from "./sessions";

test("recent progress moves nothing when the page comes alive at 1280 and 390", async ({
  host: { page },
  guest,
}) => {
  const session = await makeSession(page);
  await inSession(guest.page, session, "join");
  await inSession(page, session, "start");
  for (const title of ["Read", "Write", "Walk"]) await inSession(page, session, "logs", { title });
  await inSession(page, session, "end");
  await page.addInitScript(() => {
    let sum = 0;
    const add = (entries: PerformanceEntryList) => {
      for (const entry of entries) sum += (entry as PerformanceEntry & { value: number }).value;
    };
    const observer = new PerformanceObserver((list) => add(list.getEntries()));
    observer.observe({ type: "layout-shift", buffered: true });
    const readShifts = () => {
      // A busy browser has some that the observer has not heard of.
      add(observer.takeRecords());
      return sum;
    };
    Object.assign(globalThis, { readShifts });
  });
  for (const width of [1280, 390]) {
    // So high that the end of the page is in the window.
    await page.setViewportSize({ width, height: 2400 });
    await page.goto(session.path);
    await waitForHydration(page);
    const lines = page.getByRole("listitem").filter({ hasText: "Walk" });
    await expect(lines.first()).toBeVisible();
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
    expect(
      await page.evaluate(() => (globalThis as unknown as { readShifts(): number }).readShifts()),
    ).toBeLessThanOrEqual(0.01);
  }
  expectQuiet(page);
});

test("Y-02 on a phone a lone menu is beside the title and a host's buttons are in one row, and the open form of a session without texts offers a summary", async ({
  host,
  guest,
}) => {
  const session = await makeSession(host.page);
  for (const { page } of [host, guest]) {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(session.path);
    await waitForHydration(page);
  }
  const menuOf = (page: Page) => page.locator("summary[aria-label=More]").first();
  const isBeside = async () => {
    const title = guest.page.getByRole("heading", { level: 1 });
    const [at, beside] = await boxesOf(guest.page, [menuOf(guest.page), title]);
    return at && beside && at.y < beside.y + beside.height && at.y + at.height > beside.y;
  };
  await expect.poll(isBeside).toBe(true);

  const row = [
    host.page.getByRole("button", { name: "Start Session" }).first(),
    host.page.getByRole("link", { name: "Update" }).first(),
    menuOf(host.page),
  ];
  const apart = async () => {
    const tops = await topsOf(host.page, row);
    return Math.max(...tops) - Math.min(...tops);
  };
  await expect.poll(apart).toBeLessThan(0.5);

  await expect(host.page.getByRole("button", { name: "Summarise" })).toBeHidden();
  await host.page.getByRole("main").getByRole("link", { name: "Edit", exact: true }).click();
  await expect(host.page.getByRole("button", { name: "Summarise" })).toBeVisible();
});
