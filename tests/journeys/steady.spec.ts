// The session page keeps its place: nothing moves when it comes alive, and a lone menu needs no row of its own.
import { expect, expectQuiet, test, waitForHydration } from "./fixtures";
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
    const shifts = { sum: 0 };
    Object.assign(globalThis, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        shifts.sum += (entry as PerformanceEntry & { value: number }).value;
    }).observe({ type: "layout-shift", buffered: true });
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
      await page.evaluate(() => (globalThis as unknown as { shifts: { sum: number } }).shifts.sum),
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
  const topOf = async (page: typeof host.page, name: string | RegExp, role: "button" | "link" | "heading") =>
    (await page.getByRole(role, { name }).first().boundingBox())?.y ?? 0;
  const menu = await guest.page.locator("summary[aria-label=More]").first().boundingBox();
  const title = await guest.page.getByRole("heading", { level: 1 }).boundingBox();
  expect(menu && title && menu.y < title.y + title.height && menu.y + menu.height > title.y).toBe(true);

  const start = await topOf(host.page, "Start Session", "button");
  expect(await topOf(host.page, "Update", "link")).toBeCloseTo(start, 0);
  expect((await host.page.locator("summary[aria-label=More]").first().boundingBox())?.y).toBeCloseTo(
    start,
    0,
  );

  await expect(host.page.getByRole("button", { name: "Summarise" })).toBeHidden();
  await host.page.getByRole("main").getByRole("link", { name: "Edit", exact: true }).click();
  await expect(host.page.getByRole("button", { name: "Summarise" })).toBeVisible();
});
