// A guest: the host's switch, a seat by the link with a name only, an hour beside others, and an account that keeps the seat.
import type { Page } from "@playwright/test";
import {
  ask,
  expect,
  expectQuiet,
  newName,
  PASSWORD,
  test,
  waitForHydration,
  watchConsole,
} from "./fixtures";
import { inSession, makeSession, participant, type Session } from "./sessions";

const PHONE = { width: 390, height: 844 };
const CODE = "ceilidh";

/** A running session that takes guests. */
async function openToGuests(host: Page): Promise<Session> {
  const session = await makeSession(host, { join_code: CODE });
  await host.goto(`/events/${session.id}/update`);
  await waitForHydration(host);
  await host.getByLabel("People with the link may sit in as guests").check();
  await host.getByRole("button", { name: "Save session" }).click();
  await expect(host).toHaveURL(session.path);
  await inSession(host, session, "start");
  return session;
}

test("H-17 H-18 H-19 H-22 a guest sits down on a phone by a name and one press, chats, and keeps the seat", async ({
  host,
  browser,
}) => {
  const session = await openToGuests(host.page);
  const { baseURL = "" } = test.info().project.use;
  const context = await browser.newContext({ baseURL, viewport: PHONE });
  const page = await context.newPage();
  watchConsole(page);
  await page.goto(`${session.path}#code=${CODE}`);
  await waitForHydration(page);
  await page.getByLabel("Your name").fill("Ada Lum");
  await page.getByRole("button", { name: "Sit in" }).click();
  await expect(page.getByText("You sit in as Ada Lum, a guest.")).toBeVisible();
  await expect(host.page.getByText("Ada Lum").first()).toBeVisible();

  await page.getByRole("navigation", { name: "Room" }).getByRole("link", { name: /^Chat/ }).click();
  const message = page.getByLabel("Message", { exact: true });
  await message.fill("Good evening from the guest chair");
  await message.press("Enter");
  await expect(host.page.getByText("Good evening from the guest chair").first()).toBeVisible();

  // Every other page asks for an account.
  const answer = await page.request.get("/my/goals", { maxRedirects: 0 });
  expect(answer.status()).toBe(403);
  expect(await answer.text()).toContain("Please create an account to do that.");

  const username = newName("ada");
  await page.getByRole("link", { name: "Keep my seat" }).click();
  const form = page.getByRole("dialog");
  await form.getByLabel("Email").fill(`${username}@example.org`);
  await form.getByLabel("Username").fill(username);
  await form.locator('[name="password"]').fill(PASSWORD);
  await form.locator('[name="passwordConfirmation"]').fill(PASSWORD);
  await form.getByRole("checkbox").check();
  await form.getByRole("button", { name: "Register" }).click();
  await expect(form).toHaveCount(0);
  await expect(page.getByText("You sit in as")).toHaveCount(0);
  await expect(participant(host.page, username)).toBeVisible();
  await context.close();
  expectQuiet(host.page);
});

test("H-18 by a link with an old code a guest types the new one, which a refusal of the name keeps", async ({
  host,
  browser,
}) => {
  const session = await openToGuests(host.page);
  const { baseURL = "" } = test.info().project.use;
  const context = await browser.newContext({ baseURL, viewport: PHONE });
  const page = await context.newPage();
  watchConsole(page);
  await page.goto(`${session.path}#code=older`);
  await waitForHydration(page);
  const sit = page.getByRole("button", { name: "Sit in" });
  const form = page.locator("form").filter({ has: sit });
  await page.getByLabel("Your name").fill("Ada");
  await expect(form.getByLabel("Join Code")).toHaveCount(0);
  await sit.click();
  const code = form.getByLabel("Join Code");
  await expect(code).toHaveValue("older");
  await expect(form.getByText("That code does not open this session.")).toBeVisible();
  await expect(code).toBeFocused();
  await code.fill(CODE);
  await page.getByLabel("Your name").fill("");
  await sit.click();
  await expect(form.getByText("Please write your name.")).toBeVisible();
  // The new code stays typed.
  await expect(code).toHaveValue(CODE);
  await page.getByLabel("Your name").fill("Ada");
  await sit.click();
  await expect(page.getByText("You sit in as Ada, a guest.")).toBeVisible();
  await context.close();
});

test("H-18 without JavaScript a guest gives a name and the code", async ({ host, browser }) => {
  const session = await openToGuests(host.page);
  const { baseURL = "" } = test.info().project.use;
  const context = await browser.newContext({ baseURL, javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(session.path);
  const sit = page.getByRole("button", { name: "Sit in" });
  const form = page.locator("form").filter({ has: sit });
  await form.locator('[name="name"]').fill("Bo");
  await sit.click();
  // The refusal keeps the name.
  await expect(form.locator('[name="name"]')).toHaveValue("Bo");
  await form.locator('[name="joinCode"]').fill(CODE);
  await sit.click();
  await expect(page.getByText("You sit in as Bo, a guest.")).toBeVisible();
  await context.close();
});

test("H-11 H-17 H-18 a guest sits in by the link of a series, whose code goes along, and comes back by it", async ({
  host,
  browser,
}) => {
  const startedAt = new Date(Date.now() + 2 * 86_400_000).toISOString();
  const { series } = await ask<{ series: { id: number; address: string } }>(
    host.page,
    "POST",
    "/api/series",
    {
      series: {
        rule: "FREQ=WEEKLY",
        time_zone: "UTC",
        started_at: startedAt,
        session: { title: "Evening pages", duration: 3600, join_code: CODE, guest_limit: 2 },
      },
    },
  );
  const { baseURL = "" } = test.info().project.use;
  for (const [name, javaScriptEnabled] of [
    ["Ada Lum", true],
    ["Bo", false],
  ] as const) {
    const context = await browser.newContext({ baseURL, viewport: PHONE, javaScriptEnabled });
    const page = await context.newPage();
    await page.goto(`${series.address}#code=${CODE}`);
    if (javaScriptEnabled) await waitForHydration(page);
    const form = page.locator("form").filter({ has: page.getByRole("button", { name: "Sit in" }) });
    await form.getByLabel("Your name").fill(name);
    if (!javaScriptEnabled) await form.getByLabel("Join Code").fill(CODE);
    await form.getByRole("button", { name: "Sit in" }).click();
    await expect(page).toHaveURL(/\/sessions\/\d+$/);
    await expect(page.getByText(`You sit in as ${name}, a guest.`)).toBeVisible();
    const seat = page.url();
    await page.goto(series.address);
    await expect(page).toHaveURL(seat);
    await context.close();
  }
  expectQuiet(host.page);
});
