// Sessions in a person's own calendar: the secret address, and "Add to calendar" on a session.
import { expect, signUpQuickly, test } from "./fixtures";
import { inSession, makeSession } from "./sessions";

test("F-01 F-03 F-18 F-25 a person subscribes to their sessions, renews the address, and adds a session", async ({
  host,
  guest: { page },
}) => {
  const session = await makeSession(host.page, {
    title: "Letters, unsent",
    is_manually_started: 0,
    started_at: new Date(Date.now() + 86_400_000).toISOString(),
  });
  await inSession(page, session, "join");

  await page.goto("/account");
  await page.getByRole("link", { name: "Calendar", exact: true }).click();
  await page.getByRole("button", { name: "Create a calendar address" }).click();
  const shown = page.locator("code");
  const first = (await shown.textContent()) ?? "";
  const feed = await page.request.get(first);
  expect(await feed.text()).toContain("SUMMARY:Letters\\, unsent");

  await page.reload();
  await expect(page.getByRole("button", { name: "Renew" })).toBeVisible();
  await expect(shown).toHaveCount(0);
  await page.getByRole("button", { name: "Renew" }).click();
  await expect(shown).toBeVisible();
  expect(await shown.textContent()).not.toBe(first);
  expect((await page.request.get(first)).status()).toBe(404);
  await page.getByRole("button", { name: "Turn off" }).click();
  await expect(page.getByRole("button", { name: "Create a calendar address" })).toBeVisible();

  await page.goto(session.path);
  await page.getByText("Add to calendar").click();
  const file = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download file" }).click();
  expect((await file).suggestedFilename()).toBe(`${session.slug}.ics`);
  const google = await page.getByRole("link", { name: "Google Calendar" }).getAttribute("href");
  expect(google).toContain(encodeURIComponent(`/sessions/${session.id}`));
});

test("F-01 F-18 the calendar address and the menu work without JavaScript", async ({ browser, baseURL }) => {
  const context = await browser.newContext({
    baseURL: baseURL ?? "",
    javaScriptEnabled: false,
    timezoneId: "Europe/Paris",
  });
  await context.addCookies([{ name: "tz", value: "Europe/Paris", url: baseURL ?? "" }]);
  const page = await context.newPage();
  await signUpQuickly(page, "cal-plain");
  await page.goto("/account/calendar");
  await page.getByRole("button", { name: "Create a calendar address" }).click();
  const address = (await page.locator("code").textContent()) ?? "";
  expect((await page.request.get(address)).status()).toBe(200);

  const session = await makeSession(page, {
    is_manually_started: 0,
    started_at: new Date(Date.now() + 86_400_000).toISOString(),
  });
  await page.goto(session.path);
  await page.getByText("Add to calendar").click();
  await expect(page.getByRole("link", { name: "Outlook" })).toBeVisible();

  const other = await browser.newContext({ baseURL: baseURL ?? "", javaScriptEnabled: false });
  await other.addCookies([{ name: "tz", value: "Asia/Kolkata", url: baseURL ?? "" }]);
  const visitor = await other.newPage();
  await visitor.goto(session.path);
  await expect(visitor.getByText(/\d.* for the host \(Europe\/Paris\)/)).toBeVisible();
  await expect(visitor.getByText("Add to calendar")).toHaveCount(0);
  await Promise.all([context.close(), other.close()]);
});
