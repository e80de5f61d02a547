// A weekly series: its host makes it from a session, a guest joins every time, and an ended session is repeated.
import { ask, expect, expectQuiet, test, topsOf, waitForHydration } from "./fixtures";
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
  await waitForHydration(page);
  await page.getByRole("main").getByLabel("More", { exact: true }).click();
  await page.getByRole("link", { name: "Make a series" }).click();
  // The form shows what applies to days, weeks or months.
  const every = page.getByLabel("Days, weeks or months");
  const weekdays = page.getByRole("group", { name: "On these days" });
  const monthDay = page.getByLabel("Day of the month");
  for (const [unit, isWeekly, isMonthly] of [
    ["Days", false, false],
    ["Months", false, true],
    ["Weeks", true, false],
  ] as const) {
    await every.selectOption({ label: unit });
    await expect(weekdays).toBeVisible({ visible: isWeekly });
    await expect(monthDay).toBeVisible({ visible: isMonthly });
  }
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
  await waitForHydration(guest.page);
  await guest.page.getByRole("button", { name: "Join every time" }).click();
  await expect(guest.page.getByText("You join every time.")).toBeVisible();
  await guest.page.getByRole("link", { name: "See the series" }).click();
  await expect(guest.page.getByRole("heading", { level: 1, name: "Fireside" })).toBeVisible();

  await page.reload();
  await waitForHydration(page);
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
  await waitForHydration(guest.page);
  await inSession(page, ended, "start");
  // The start has reached the guest's page, so the room knows that the guest is here.
  await expect(guest.page.getByText("Ends in").first()).toBeVisible();
  await inSession(page, ended, "end");
  await page.goto(ended.path);
  await waitForHydration(page);
  await page.getByRole("link", { name: "Recap" }).click();
  const people = page.getByRole("list", { name: "People", exact: true }).getByRole("listitem");
  await expect(people.filter({ hasText: guest.username })).toContainText("Came");
  await expect(people.filter({ hasText: host.username })).toContainText("Missed");
  await expect(page.getByText("1 came, 1 missed it")).toBeVisible();
  // Folded on the screen of a person who came, and open on paper (G-34).
  await guest.page.goto(`${ended.path}/recap`);
  const figures = guest.page.getByText("1 came, 1 missed it");
  await expect(figures).toBeHidden();
  await guest.page.emulateMedia({ media: "print" });
  await expect(figures).toBeVisible();
  await guest.page.emulateMedia({ media: null });
  await page.getByRole("link", { name: "Back to the session" }).click();
  await page.setViewportSize({ width: 390, height: 844 });
  const actions = page.locator(".room-actions");
  for (const name of ["Recap", /^Again next week/]) {
    const control = actions.getByRole("link", { name }).or(actions.getByRole("button", { name }));
    const isInRow = async () => {
      const [one, more] = await topsOf(page, [control.first(), actions.locator("summary").first()]);
      return one === more;
    };
    await expect.poll(isInRow).toBe(true);
  }
  await page.getByRole("button", { name: "Again next week (1 token)", exact: true }).click();
  await expect(page).not.toHaveURL(new RegExp(`${ended.path}$`));
  await expect(page.getByRole("heading", { level: 1, name: "A short walk" })).toBeVisible();
  await expect(page.getByText("Awaiting Participants").first()).toBeVisible();
  expectQuiet(page);
});
