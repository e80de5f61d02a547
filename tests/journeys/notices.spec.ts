// A joined session reminds by the minute cron: the bell, the list, and the kind switched off without JavaScript.
import { alive, ask, expect, expectQuiet, newPerson, test } from "./fixtures";
import { makeSession } from "./sessions";

const HOUR = 3_600_000;
const MINUTE = 60_000;

test("N-09 N-10 N-14 N-18 join, reminder, bell, reading, and switching the kind off without JavaScript", async ({
  host,
  guest,
  browser,
}) => {
  const { page } = guest;
  const start = Math.ceil(Date.now() / HOUR) * HOUR + 3 * HOUR;
  const session = await makeSession(host.page, {
    title: "Evening letters",
    is_manually_started: 0,
    started_at: new Date(start).toISOString(),
  });
  await ask(page, "POST", `/challenge-events/${session.id}/join`);
  const cron = async (now: number) =>
    expect((await page.request.get(`/cdn-cgi/handler/scheduled?cron=*+*+*+*+*&time=${now}`)).ok()).toBe(true);
  await cron(start - 10 * MINUTE);
  const bell = page.getByRole("link", { name: "1 unread notices" });
  await expect(async () => {
    await page.goto("/about");
    await expect(bell).toBeVisible({ timeout: 1000 });
  }).toPass();
  await bell.click();
  const row = page
    .getByRole("list", { name: "Notices" })
    .getByRole("link", { name: /Evening letters begins on/ });
  await expect(row).toHaveAccessibleName(/^Unread/);
  await row.click();
  await expect(page).toHaveURL(new RegExp(`/sessions/${session.id}`));
  await page.goto("/my/notices");
  await alive(page);
  await expect(page.getByRole("link", { name: "0 unread notices" })).toBeVisible();
  await expect(row).not.toHaveAccessibleName(/^Unread/);

  const plain = await newPerson(browser, "plain", { javaScriptEnabled: false });
  await plain.page.goto("/account/notifications");
  const kind = plain.page.getByRole("group", { name: "A session moved or was cancelled" });
  await kind.getByLabel("Email").uncheck();
  await plain.page.getByRole("button", { name: "Save" }).click();
  await expect(kind.getByLabel("Email")).not.toBeChecked();
  await expect(kind.getByLabel("In the app")).toBeChecked();
  await plain.context.close();
  expectQuiet(page);
});
