// A host's actions on the people of a session, and what a participant's open page shows of them.
import { call, expect, expectQuiet, holdRequests, test, waitForHydration } from "./fixtures";
import { inSession, makeSession, participant, timer } from "./sessions";

test("A-05 A-06 R-05 R-29 C-06 B-14 a participant becomes admin, starts the session, loses the role, and is removed", {
  tag: "@main",
}, async ({ host, guest }) => {
  const session = await makeSession(host.page, { parts: [{ title: "Walk", duration: 1800 }] });
  await inSession(guest.page, session, "join");
  for (const { page } of [host, guest]) {
    await page.goto(session.path);
    await waitForHydration(page);
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
  await expect(admin.getByText(/^Remove /)).toHaveCount(0);

  await menu("Make an admin");
  await expect(update).toBeVisible();
  await expect(participant(host.page, guest.username)).toContainText("Admin");
  // Fields that an admin may change, and those that only the host may change.
  await update.click();
  await expect(admin.getByLabel("Title").first()).toHaveValue("A walk");
  await expect(admin.getByLabel("Participant limit")).toHaveCount(0);
  await admin.goto(session.path);
  await waitForHydration(admin);
  await expect(admin.getByRole("button", { name: "Cancel session" })).toHaveCount(0);

  // A second press during the first request sends nothing.
  let sent = 0;
  admin.on("request", (request) => {
    if (request.method() === "POST" && request.url().includes(`${session.path}.data`)) sent++;
  });
  const release = await holdRequests(admin, /\.data/, "POST");
  await start.evaluate((button: HTMLButtonElement) => {
    button.form?.requestSubmit();
    button.form?.requestSubmit();
  });
  await expect.poll(() => sent).toBe(1);
  await start.evaluate((button: HTMLButtonElement) => button.form?.requestSubmit());
  await release();
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

  await menu(`Remove ${guest.username}`);
  const dialog = host.page.getByRole("alertdialog");
  await dialog.getByLabel("Keep out: they cannot join again").uncheck();
  await dialog.getByRole("button", { name: `Remove ${guest.username}` }).click();
  // Undo brings the person back, who was only muted; a toast that closes sends the removal.
  await host.page.getByRole("button", { name: "Undo" }).click();
  await expect(participant(host.page, guest.username)).toBeVisible();
  // The toast of the next removal has the same words.
  await expect(host.page.getByText(`Removed ${guest.username}`)).toHaveCount(0);
  await menu(`Remove ${guest.username}`);
  await dialog.getByLabel("Keep out: they cannot join again").uncheck();
  await dialog.getByRole("button", { name: `Remove ${guest.username}` }).click();
  const removed = host.page.waitForResponse((answer) => answer.request().method() === "DELETE");
  await host.page.getByText(`Removed ${guest.username}`).click();
  expect((await removed).status()).toBe(204);
  await expect(participant(host.page, guest.username)).toHaveCount(0);
  await expect(admin.getByRole("button", { name: "Join", exact: true })).toBeVisible();
  await admin.reload();
  await expect(admin.getByRole("button", { name: "Join", exact: true })).toBeVisible();
  await expect(admin.getByText("1 participant, no limit")).toBeVisible();
  await expect(admin.getByLabel("Message")).toHaveCount(0);
  for (const { page } of [host, guest]) expectQuiet(page);
});

test("Q-14 Q-17 a host who removes a super admin reads at once why it cannot be", async ({
  host,
  superAdmin,
}) => {
  const session = await makeSession(host.page, { parts: [{ title: "Walk", duration: 1800 }] });
  await inSession(superAdmin.page, session, "join");
  await host.page.goto(session.path);
  await waitForHydration(host.page);
  const { username } = superAdmin;
  const removals: string[] = [];
  host.page.on("request", (request) => {
    if (request.method() === "DELETE") removals.push(request.url());
  });
  await host.page.getByLabel(`More for ${username}`).click();
  await host.page.getByRole("button", { name: `Remove ${username}` }).click();
  await host.page
    .getByRole("alertdialog")
    .getByRole("button", { name: `Remove ${username}` })
    .click();
  await expect(host.page.getByText("Nobody may do that to a super admin.")).toBeVisible();
  await expect(host.page.getByText(`Removed ${username}`)).toHaveCount(0);
  await expect(participant(host.page, username)).toBeVisible();
  expect(removals).toEqual([]);
  await superAdmin.context.close();
});
