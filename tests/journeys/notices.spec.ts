// A joined session by the minute cron: its invitation and reminder by mail, the bell, the list, and the kind switched
// off without JavaScript.
import { alive, ask, expect, expectQuiet, minuteCron, newPerson, test } from "./fixtures";
import { makeSession } from "./sessions";

const HOUR = 3_600_000;
const MINUTE = 60_000;

// Before the test that runs the planner at a later time.
test("F-20 F-21 F-22 N-18 join, invitation, move, update, reminder with a link, cancellation, all in the mailbox", async ({
  host,
  guest,
}) => {
  const { page } = guest;
  const start = Math.ceil(Date.now() / HOUR) * HOUR + HOUR;
  const session = await makeSession(host.page, {
    title: "Morning letters",
    is_manually_started: 0,
    started_at: new Date(start).toISOString(),
  });
  const reminder = { kind: "session-reminder", channel: "mail", value: 10 };
  await ask(page, "PATCH", "/account/notifications", { settings: [reminder] });
  /** The newest email to the guest, once its subject is this. */
  const newest = async (subject: RegExp, method: string) => {
    const mail = page
      .getByRole("listitem")
      .filter({ hasText: `To ${guest.username}@` })
      .first();
    await expect(async () => {
      await page.goto("/local/mailbox");
      await expect(mail.getByRole("heading")).toHaveText(subject, { timeout: 1000 });
    }).toPass();
    await mail.getByText("Headers and files").click();
    const file = mail.locator("pre");
    for (const line of ["invite.ics", `METHOD:${method}`, `UID:session-${session.id}@`])
      await expect(file).toContainText(line);
    return { mail, sequence: Number(/SEQUENCE:(\d+)/.exec((await file.textContent()) ?? "")?.[1]) };
  };
  await ask(page, "POST", `/challenge-events/${session.id}/join`);
  const invited = await newest(/^You have a seat in Morning letters/, "REQUEST");
  const later = start + HOUR;
  await ask(host.page, "PATCH", `/challenge-events/${session.id}/patch`, {
    challenge: { started_at: new Date(later).toISOString() },
  });
  await minuteCron(page, Date.now() + 6 * MINUTE);
  const moved = await newest(/^Morning letters moved to/, "REQUEST");
  await minuteCron(page, later - 10 * MINUTE);
  await page.goto("/local/mailbox");
  const reminding = page.getByRole("listitem").filter({ hasText: "Morning letters begins on" }).first();
  await reminding
    .getByRole("link", { name: new RegExp(`/sessions/${session.id}`) })
    .first()
    .click();
  await expect(page.getByRole("heading", { name: "Morning letters" })).toBeVisible();
  await ask(host.page, "POST", `/challenge-events/${session.id}/end`);
  await minuteCron(page, Date.now() + 6 * MINUTE);
  const cancelled = await newest(/^Morning letters was cancelled/, "CANCEL");
  const sequences = [invited, moved, cancelled].map(({ sequence }) => sequence);
  expect(sequences).toEqual([...new Set(sequences)].sort((a, b) => a - b));
  expectQuiet(page);
});

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
  await minuteCron(page, start - 10 * MINUTE);
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
  const kind = plain.page.getByRole("row", { name: /A session moved or was cancelled/ });
  await kind.getByLabel("Email").uncheck();
  await plain.page.getByRole("button", { name: "Save" }).click();
  await expect(kind.getByLabel("Email")).not.toBeChecked();
  await expect(kind.getByLabel("In the app")).toBeChecked();
  await plain.context.close();
  expectQuiet(page);
});
