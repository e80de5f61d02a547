// A host's actions on a session and its people, and what a participant's open page shows of them.
import { alive, ask, call, expect, expectQuiet, newName, test } from "./fixtures";
import { confirm, inSession, makeSession, participant, timer } from "./sessions";

const ENDED = "This session has ended.";
const tokensOf = (page: Parameters<typeof alive>[0]) =>
  page.getByRole("banner").getByRole("link", { name: / tokens$/ });

test("P-27 U-38 U-39 A-06 A-09 B-14 R-15 C-71 a host updates a session, cancels it, all joins are refunded, and the host deletes it", async ({
  host,
  guest,
}) => {
  const title = newName("Over the ridge");
  const session = await makeSession(host.page, { title });
  await inSession(guest.page, session, "join");
  for (const { page } of [host, guest]) {
    await page.goto(session.path);
    await alive(page);
    await expect(tokensOf(page)).toHaveText("9");
  }
  await expect(guest.page.getByRole("link", { name: "Update", exact: true })).toHaveCount(0);
  await expect(guest.page.getByRole("link", { name: "Thank the Host (Donate)" })).toHaveCount(0);
  expect((await guest.page.request.get(`/events/${session.id}/update`)).status()).toBe(403);

  await host.page.getByRole("link", { name: "Update", exact: true }).click();
  await expect(host.page.getByRole("heading", { level: 1 })).toHaveText("Update Session");
  await alive(host.page);
  const form = host.page.getByRole("main");
  await form.getByLabel("Title").first().fill(`${title} and back`);
  await form.getByLabel("Duration", { exact: true }).first().fill("2h");
  await form.getByLabel("Participant limit").fill("1");
  await form.getByLabel("Donation link").fill("https://hut.example/kettle");
  await form.getByRole("button", { name: "Save session" }).click();
  await expect(form.getByLabel("Participant limit")).toHaveAccessibleDescription(/2/);
  await form.getByLabel("Participant limit").fill("3");
  await form.getByRole("button", { name: "Save session" }).click();
  await expect(host.page).toHaveURL(session.path);
  // The open page updates its heading live and the rest with the next load.
  const name = guest.page.getByRole("heading", { level: 1 });
  await expect(name).toHaveText(`${title} and back`);
  await guest.page.reload();
  await alive(guest.page);
  await expect(name).toHaveText(`${title} and back`);
  await expect(guest.page.getByText("2 participants, 1 of 3 spots left")).toBeVisible();
  await expect(guest.page.getByText("Starts when the host starts it · 2 hours")).toBeVisible();
  await expect(guest.page.getByText("1 place is free.", { exact: true })).toBeVisible();
  await expect(guest.page.getByRole("link", { name: "Thank the Host (Donate)" })).toHaveAttribute(
    "href",
    "https://hut.example/kettle",
  );

  const cancel = host.page.getByRole("button", { name: "Cancel session" });
  await alive(host.page);
  await host.page.getByLabel("More", { exact: true }).click();
  await cancel.click();
  await host.page.getByRole("alertdialog").getByRole("button", { name: "Keep it" }).click();
  await confirm(host.page, cancel, "Cancel the session");
  for (const { page } of [host, guest])
    await expect(page.getByText("This session was cancelled.").first()).toBeVisible();
  await guest.page.reload();
  for (const { page } of [host, guest]) await expect(tokensOf(page)).toHaveText("10");
  await expect(guest.page.getByText("(Ended)")).toBeVisible();
  await expect(guest.page.getByRole("button", { name: /^(Leave|Join)$/ })).toHaveCount(0);

  await host.page.getByLabel("More", { exact: true }).click();
  await confirm(host.page, host.page.getByRole("button", { name: "Delete session" }), "Delete");
  await expect(host.page.getByText("The session was deleted.")).toBeVisible();
  await expect(host.page).toHaveURL(/\/events$/);
  expect((await guest.page.reload())?.status()).toBe(404);
  for (const { page } of [host, guest]) expectQuiet(page);
});

test("A-05 A-06 R-05 R-29 C-06 B-14 a participant becomes admin, starts the session, loses the role, and is removed", async ({
  host,
  guest,
}) => {
  const session = await makeSession(host.page, { parts: [{ title: "Walk", duration: 1800 }] });
  await inSession(guest.page, session, "join");
  for (const { page } of [host, guest]) {
    await page.goto(session.path);
    await alive(page);
  }
  const admin = guest.page;
  const start = admin.getByRole("button", { name: "Start Session" });
  const update = admin.getByRole("link", { name: "Update", exact: true });
  const controls = admin.getByRole("toolbar", { name: "Host controls" });
  const menu = async (press: string) => {
    await host.page.getByLabel(`More for ${guest.username}`).click();
    await host.page.getByRole("button", { name: press }).click();
  };
  await expect(start).toHaveCount(0);
  await expect(update).toHaveCount(0);
  await expect(admin.getByText("Remove from the session")).toHaveCount(0);

  await menu("Make an admin");
  await expect(update).toBeVisible();
  await expect(participant(host.page, guest.username)).toContainText("Admin");
  // Fields that an admin may change, and those of the host alone.
  await update.click();
  await expect(admin.getByLabel("Title").first()).toHaveValue("A walk");
  await expect(admin.getByLabel("Participant limit")).toHaveCount(0);
  await admin.goto(session.path);
  await alive(admin);
  await expect(admin.getByRole("button", { name: "Cancel session" })).toHaveCount(0);

  // A second press during the first request sends nothing.
  let sent = 0;
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await admin.route(`**${session.path}.data*`, async (route) => {
    if (route.request().method() !== "POST") return route.fallback();
    sent++;
    await held;
    await route.continue();
  });
  await start.evaluate((button: HTMLButtonElement) => {
    button.form?.requestSubmit();
    button.form?.requestSubmit();
  });
  await expect.poll(() => sent).toBe(1);
  await start.evaluate((button: HTMLButtonElement) => button.form?.requestSubmit());
  release();
  await expect(admin.getByText("The session has started!")).toBeVisible();
  for (const { page } of [host, guest]) {
    await expect(page.getByText("(In Progress)")).toBeVisible();
    await expect(timer(page)).toHaveAttribute("aria-label", /^Walk/);
  }
  expect(sent).toBe(1);
  await controls.getByRole("button", { name: "Pause" }).click();
  await expect(timer(host.page)).toHaveAttribute("aria-label", /Paused/);
  await expect(admin.getByRole("button", { name: "End session" })).toHaveCount(0);

  await menu("No longer an admin");
  await expect(controls).toHaveCount(0);
  await expect(update).toHaveCount(0);
  await expect(participant(host.page, guest.username)).not.toContainText("Admin");
  expect((await call(admin, "POST", `/challenge-events/${session.id}/parts/x/resume`, {})).status()).toBe(
    403,
  );

  await menu("Remove from the session");
  await host.page.getByRole("alertdialog").getByRole("button", { name: "Remove", exact: true }).click();
  await expect(host.page.getByText(`${guest.username} has been removed.`)).toBeVisible();
  await expect(participant(host.page, guest.username)).toHaveCount(0);
  await expect(admin.getByRole("button", { name: "Join", exact: true })).toBeVisible();
  await admin.reload();
  await expect(admin.getByRole("button", { name: "Join", exact: true })).toBeVisible();
  await expect(admin.getByText("1 participant, no limit")).toBeVisible();
  await expect(admin.getByLabel("Message")).toHaveCount(0);
  for (const { page } of [host, guest]) expectQuiet(page);
});

test("S-07 R-15 C-75 participants press I'm done, the last ends the session, and its logs survive its deletion", async ({
  host,
  guest,
}) => {
  const session = await makeSession(host.page);
  await inSession(guest.page, session, "join");
  await inSession(host.page, session, "start");
  await ask(guest.page, "POST", `/challenge-events/${session.id}/logs`, { title: "Up the hill", amount: 2 });
  for (const { page } of [host, guest]) {
    await page.goto(session.path);
    await alive(page);
  }
  const done = (page: typeof host.page) => page.getByRole("button", { name: "I’m done" });
  await done(guest.page).click();
  await expect(done(guest.page)).toHaveCount(0);
  await expect(participant(host.page, guest.username)).toContainText("Done");
  await expect(participant(host.page, host.username)).not.toContainText("Done");
  await guest.page.reload();
  await expect(guest.page.getByText("(In Progress)")).toBeVisible();
  await expect(participant(guest.page, guest.username)).toContainText("Done");
  await expect(done(guest.page)).toHaveCount(0);

  await done(host.page).click();
  for (const { page } of [host, guest]) await expect(page.getByText(ENDED).first()).toBeVisible();
  await expect(guest.page.getByText("Up the hill").first()).toBeVisible();
  await host.page.reload();
  await alive(host.page);
  await expect(host.page.getByText("(Ended)")).toBeVisible();
  await host.page.getByLabel("More", { exact: true }).click();
  await confirm(host.page, host.page.getByRole("button", { name: "Delete session" }), "Delete");
  await expect(host.page.getByText("The session was deleted.")).toBeVisible();
  expect((await guest.page.reload())?.status()).toBe(404);
  await guest.page.goto("/my/logs");
  await expect(guest.page.getByRole("list", { name: "Logs" }).getByRole("listitem").first()).toContainText(
    "Up the hill",
  );
  for (const { page } of [host, guest]) expectQuiet(page);
});
