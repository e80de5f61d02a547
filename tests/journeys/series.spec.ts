// A weekly series: its host makes it from a session, a guest joins every time, and an ended session is repeated.
import { alive, ask, expect, expectQuiet, minuteCron, newPerson, test } from "./fixtures";
import { confirm, inSession, makeSession } from "./sessions";

const AT_NINE = () => {
  const at = new Date(Date.now() + 2 * 86_400_000);
  at.setUTCHours(9, 0, 0, 0);
  return at.toISOString();
};

test("G-01 G-04 G-06 G-11 G-12 G-13 G-26 G-33 a host makes a weekly series, a guest joins every time, a recap says who came, and a repeat is two presses away", async ({
  host,
  guest,
}) => {
  const { page } = host;
  const session = await makeSession(page, {
    title: "Fireside",
    is_manually_started: 0,
    started_at: AT_NINE(),
  });
  await page.goto(session.path);
  await alive(page);
  await page.getByRole("main").getByLabel("More", { exact: true }).click();
  await page.getByRole("link", { name: "Make a series" }).click();
  await page.getByLabel("Repeat every").fill("2");
  await page.getByRole("button", { name: "Show the dates" }).click();
  await expect(page.getByText(/^Every 2 weeks on /)).toBeVisible();
  await page.getByLabel("Repeat every").fill("1");
  await page.getByRole("button", { name: "Show the dates" }).click();
  await expect(page.getByText(/^Every 2 weeks on /)).toBeHidden();
  await expect(page.getByRole("list", { name: "The next dates" }).getByRole("listitem")).toHaveCount(5);
  await page.getByRole("button", { name: "Make this series" }).click();
  await expect(page).toHaveURL(/\/my\/series\/\d+$/);
  const series = Number(page.url().split("/").at(-1));
  const dates = page.getByRole("list", { name: "Next dates" }).getByRole("listitem");
  await expect(dates.getByRole("link")).toHaveCount(4);

  await guest.page.goto(session.path);
  await alive(guest.page);
  await guest.page.getByRole("button", { name: "Join every time" }).click();
  await expect(guest.page.getByText("You join every time.")).toBeVisible();
  await guest.page.getByRole("link", { name: "See the series" }).click();
  await expect(guest.page.getByRole("heading", { level: 1, name: "Fireside" })).toBeVisible();

  await page.reload();
  await expect(page.getByRole("list", { name: "Standing seats" })).toContainText(guest.username);
  await confirm(page, dates.nth(1).getByRole("button", { name: /^Skip / }), "Skip");
  await expect(dates.nth(1)).toContainText("Cancelled");
  await confirm(page, page.getByRole("button", { name: "End the series" }), "End the series");
  await expect(page).toHaveURL(/\/my\/series$/);
  const left = await ask<{ serverData: { days: unknown[] } }>(page, "GET", `/api/my/series/${series}`);
  expect(left.serverData.days).toEqual([]);

  const ended = await makeSession(page, { title: "A short walk" });
  await inSession(guest.page, ended, "join");
  await guest.page.goto(ended.path);
  await alive(guest.page);
  await inSession(page, ended, "start");
  // The start has reached the guest's page, so the room knows that the guest is here.
  await expect(guest.page.getByText("Ends in").first()).toBeVisible();
  await inSession(page, ended, "end");
  await page.goto(ended.path);
  await alive(page);
  await page.getByRole("link", { name: "Recap" }).click();
  const people = page.getByRole("list", { name: "People", exact: true }).getByRole("listitem");
  await expect(people.filter({ hasText: guest.username })).toContainText("Came");
  await expect(people.filter({ hasText: host.username })).toContainText("Missed");
  await expect(page.getByText("1 came, 1 missed it")).toBeVisible();
  await page.getByRole("link", { name: "Back to the session" }).click();
  await page.getByRole("button", { name: "Again next week (1 token)", exact: true }).click();
  await expect(page).not.toHaveURL(new RegExp(`${ended.path}$`));
  await expect(page.getByRole("heading", { level: 1, name: "A short walk" })).toBeVisible();
  await expect(page.getByText("Awaiting Participants").first()).toBeVisible();
  expectQuiet(page);
});

test("G-04 G-12 G-18 G-20 G-32 two people hold standing seats of a weekly series, a waiter gets the seat of the first to leave, and the session runs to its recap and repeat", async ({
  host,
  guest,
  browser,
}) => {
  const { page } = host;
  const session = await makeSession(page, {
    title: "Letters at nine",
    is_manually_started: 0,
    started_at: AT_NINE(),
    participant_limit: 3,
  });
  await page.goto(session.path);
  await alive(page);
  await page.getByRole("main").getByLabel("More", { exact: true }).click();
  await page.getByRole("link", { name: "Make a series" }).click();
  await page.getByRole("button", { name: "Make this series" }).click();
  await expect(page).toHaveURL(/\/my\/series\/\d+$/);
  const series = page.url();

  const holder = await newPerson(browser, "holder");
  for (const person of [guest, holder]) {
    await person.page.goto(session.path);
    await alive(person.page);
    await person.page.getByRole("button", { name: "Join every time" }).click();
    await expect(person.page.getByText("You join every time.")).toBeVisible();
    // A standing seat begins with the next session that is created; this one is joined like any other.
    await person.page.getByRole("button", { name: "Join", exact: true }).click();
    await expect(person.page.getByRole("button", { name: "Leave", exact: true })).toBeVisible();
  }
  await page.reload();
  const seats = page.getByRole("list", { name: "Standing seats" }).getByRole("listitem");
  await expect(seats.filter({ hasText: guest.username })).toBeVisible();
  await expect(seats.filter({ hasText: holder.username })).toBeVisible();

  const waiter = await newPerson(browser, "waiter");
  await waiter.page.goto(session.path);
  await alive(waiter.page);
  await waiter.page.getByRole("button", { name: "Join the waiting list" }).click();
  await expect(waiter.page.getByText("You are number 1 of 1 on the waiting list.")).toBeVisible();
  await confirm(guest.page, guest.page.getByRole("button", { name: "Leave", exact: true }), "Leave");
  await expect(guest.page.getByRole("button", { name: "Join the waiting list" })).toBeVisible();
  await minuteCron(page, Date.now());
  await expect(async () => {
    await waiter.page.goto("/my/notices");
    await expect(
      waiter.page.getByRole("list", { name: "Notices" }).getByText("You have a seat in Letters at nine."),
    ).toBeVisible({ timeout: 1000 });
  }).toPass();

  await waiter.page.goto(session.path);
  await alive(waiter.page);
  await inSession(page, session, "start");
  // The start has reached the waiter's page, so the room knows who is here.
  await expect(waiter.page.getByText("Ends in").first()).toBeVisible();
  await inSession(page, session, "end");
  await page.goto(`${session.path}/recap`);
  await alive(page);
  // Planned from … to …, and actual from … to ….
  await expect(page.getByRole("definition").locator("time")).toHaveCount(4);
  const people = page.getByRole("list", { name: "People", exact: true }).getByRole("listitem");
  for (const { username } of [holder, waiter])
    await expect(people.filter({ hasText: username })).toContainText("Came");
  await expect(people.filter({ hasText: host.username })).toContainText("Missed");
  await expect(people.filter({ hasText: guest.username })).toHaveCount(0);
  await page.getByRole("link", { name: "Back to the session" }).click();
  await page.getByRole("button", { name: "Again next week (1 token)", exact: true }).click();
  await expect(page).not.toHaveURL(new RegExp(`${session.path}$`));
  await expect(page.getByRole("heading", { level: 1, name: "Letters at nine" })).toBeVisible();

  await page.goto(series);
  await alive(page);
  await confirm(page, page.getByRole("button", { name: "End the series" }), "End the series");
  await expect(page).toHaveURL(/\/my\/series$/);
  for (const { context } of [holder, waiter]) await context.close();
  expectQuiet(page);
});
