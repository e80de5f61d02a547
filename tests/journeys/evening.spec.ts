// One person's evening: registering in the middle of joining, intervals, a turn, leaving, a moved start and a ban. Every
// page on the way and every mail is read.
import type { Page } from "@playwright/test";
import {
  ask,
  call,
  confirmEmail,
  expect,
  expectQuiet,
  minuteCron,
  newName,
  PASSWORD,
  test,
  waitForHydration,
  watchConsole,
} from "./fixtures";
import { confirm, inSession, makeSession, participant } from "./sessions";

const HOUR = 3_600_000;
/** Words that a page shows in place of a value that it failed to write. */
const UNWRITTEN = /\b(undefined|NaN|null|Invalid Date)\b|\[object |\{\w+\}/;

const readPage = async (page: Page): Promise<void> => {
  await expect(page.locator("#main h1").first()).toBeVisible();
  expect(await page.locator("#main").textContent(), page.url()).not.toMatch(UNWRITTEN);
};

type Mail = { recipient: string; subject: string; text: string };
const mailsOf = async (page: Page, email: string): Promise<Mail[]> => {
  const { mails } = (await (await page.request.get("/local/mailbox.json")).json()) as { mails: Mail[] };
  return mails.filter(({ recipient }) => recipient === email);
};

test("R-71 R-61 R-66 R-64 R-65 R-56 one person's evening", async ({ host, browser }) => {
  const context = await browser.newContext({ baseURL: test.info().project.use.baseURL ?? "" });
  const page = await context.newPage();
  watchConsole(page);
  const sprints = { title: "Work", duration: 300 };
  const session = await makeSession(host.page, {
    title: "Evening pages",
    content: "Bring a pencil.",
    join_code: "lamp",
    parts: [
      {
        uuid: "plan",
        auto_start: 0,
        parts: [
          { uuid: "sprints", title: "Sprints", is_interval: 1, sets: 2, timers: [sprints] },
          { uuid: "rounds", title: "Rounds", duration: 600, per_participant: 1 },
        ],
      },
    ],
  });
  const later = await makeSession(host.page, {
    title: "Morning walk",
    is_manually_started: 0,
    started_at: new Date(Date.now() + 5 * HOUR).toISOString(),
  });

  // The sign-in names no price for a hut, also on the list of huts.
  await page.goto("/groups");
  await waitForHydration(page);
  await page
    .getByRole("button", { name: /^Join Hut/ })
    .first()
    .click();
  await expect(page.getByRole("dialog")).toContainText("Then we go on with it.");
  await expect(page.getByRole("dialog")).not.toContainText("costs");

  // A visitor presses Join with the code, and registers in between.
  const username = newName("evening");
  const email = `${username}@example.com`;
  await page.goto(`${session.path}#code=lamp`);
  await waitForHydration(page);
  await page.getByRole("button", { name: "Join", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("Joining costs 1 token, unless the host pays.");
  await dialog.getByRole("tab", { name: "Register" }).click();
  await dialog.getByLabel("Username").fill(username);
  await dialog.getByLabel("Email").fill(email);
  await dialog.getByLabel("Password").first().fill(PASSWORD);
  await dialog.getByLabel("Confirm password").fill(PASSWORD);
  await dialog.getByRole("checkbox").check();
  await dialog.getByRole("button", { name: "Register" }).click();
  await expect(page.getByText("You have successfully joined this session.")).toBeVisible();
  await confirmEmail(page, email);
  await readPage(page);

  // The host adds a minute to the interval, and only the sum grows.
  await inSession(host.page, session, "start");
  await inSession(host.page, session, "parts/sprints/start");
  const stage = page.getByRole("region", { name: "Timer" });
  await expect(stage).toContainText("Work");
  await inSession(host.page, session, "parts/sprints/adjust", { seconds: 60 });
  await expect(stage).toContainText(/[56]:\d\d/);
  await readPage(page);

  // The person takes a turn, and their words show their name.
  await inSession(host.page, session, "parts/sprints/finish");
  await inSession(host.page, session, "parts/rounds/start");
  await expect(participant(page, host.username)).toContainText("has the turn");
  await inSession(host.page, session, "parts/rounds/next");
  const form = page.getByRole("form", { name: "Your contribution" });
  await expect(form).toBeVisible();
  await inSession(host.page, session, "parts/rounds/pause");
  await form.getByRole("textbox", { name: "Your contribution" }).fill("The lamp went out.");
  await form.getByRole("button", { name: "Add it" }).click();
  const words = page.getByRole("list", { name: "Contributions", exact: true }).getByRole("listitem");
  await expect(words).toContainText([new RegExp(`${username}[\\s\\S]*The lamp went out\\.`)]);
  for (const tab of ["goals", "member-goals", "logs", "hut", "people"]) {
    await page.goto(`${session.path}/${tab}`);
    await readPage(page);
  }
  await page.goto(session.path);
  await waitForHydration(page);
  await confirm(page, page.getByRole("button", { name: "Leave", exact: true }), "Leave");
  await expect(page.getByRole("button", { name: "Join", exact: true })).toBeVisible();
  await readPage(page);
  await inSession(host.page, session, "end");

  // The start of another session moves.
  await page.goto(later.path);
  await waitForHydration(page);
  await page.getByRole("button", { name: "Join", exact: true }).click();
  await expect(page.getByText("You have successfully joined this session.")).toBeVisible();
  await ask(host.page, "PATCH", `/challenge-events/${later.id}/patch`, {
    challenge: { started_at: new Date(Date.now() + 7 * HOUR).toISOString() },
  });
  await minuteCron(page, Date.now() + 10 * 60_000);
  // The queue writes the notice after the job of the minute has ended.
  const notices = async () => JSON.stringify(await ask(page, "GET", "/api/my/notices"));
  await expect.poll(notices).toContain("Morning walk moved to");
  await page.goto("/my/notices");
  await expect(page.getByRole("main")).toContainText("Morning walk");
  await readPage(page);

  // The host keeps them out: the page says so, and joining again is refused.
  await page.goto(later.path);
  await ask(host.page, "DELETE", `/challenge-events/${later.id}/participants/${username}`, {
    keep_out: 1,
    reason: "Insults.",
  });
  await page.goto(later.path);
  await expect(page.getByText("The host has closed this session to you.").first()).toBeVisible();
  await readPage(page);
  const again = await call(page, "POST", `/challenge-events/${later.id}/join`, {});
  expect(again.status()).toBe(403);
  await minuteCron(page, Date.now() + 20 * 60_000);
  for (const path of ["/my/sessions", "/my/notices", "/account/tokens"]) {
    await page.goto(path);
    await readPage(page);
  }

  // Every mail names its session and has no unwritten word.
  const subjects = async () =>
    (await mailsOf(page, email)).map(({ subject, text }) => subject + text).join("\n");
  await expect.poll(subjects).toMatch(/Morning walk moved to/);
  for (const { subject, text } of await mailsOf(page, email))
    expect(`${subject}\n${text}`).not.toMatch(UNWRITTEN);
  for (const one of [page, host.page]) expectQuiet(one);
  await context.close();
});
