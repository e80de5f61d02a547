// Blocking a person, and reporting a chat line up to the answered appeal.
import { ask, expect, expectQuiet, linkTo, test, waitForHydration } from "./fixtures";
import { inSession, makeSession, participant } from "./sessions";

test("Q-07 Q-10 Q-12 Q-30 Q-31 a line is reported and decided, its author appeals, and a block hides the author", async ({
  host,
  guest,
  superAdmin,
}) => {
  const session = await makeSession(host.page);
  await inSession(guest.page, session, "join");
  await inSession(host.page, session, "start");
  const line = { messageable_type: "challenge_event", messageable_id: session.id, content: "A rude line" };
  await ask(guest.page, "POST", "/messages", line);

  await host.page.goto(`${session.path}/chat`);
  await waitForHydration(host.page);
  await host.page.getByRole("button", { name: `More for the line of ${guest.username}` }).click();
  await host.page.getByRole("dialog").getByRole("button", { name: "Report" }).click();
  const dialog = host.page.getByRole("dialog", { name: "Report this message" });
  await dialog.getByLabel("Harassment").check();
  await dialog.getByRole("button", { name: "Send report" }).click();
  await expect(host.page.getByText("Thank you. We will look at this.").first()).toBeVisible();

  const admin = superAdmin.page;
  await admin.goto("/admin/reports");
  await waitForHydration(admin);
  const card = admin.getByRole("listitem").filter({ hasText: guest.username }).first();
  await card.getByLabel("What to do").selectOption("remove");
  await card.getByLabel("Reason").fill("Insults are not welcome");
  await card.getByRole("button", { name: "Decide" }).click();
  await expect(host.page.getByRole("log")).toContainText("This message was removed.");

  await guest.page.goto(await linkTo(guest.page, `${guest.username}@example.com`, "appeal"));
  await waitForHydration(guest.page);
  await guest.page.getByLabel("Why should the decision change?").fill("It was a joke");
  await guest.page.getByRole("button", { name: "Send appeal" }).click();
  await expect(guest.page.getByText("Somebody will read your appeal").first()).toBeVisible();
  await admin.goto("/admin/reports");
  await waitForHydration(admin);
  const appeal = admin.getByRole("listitem").filter({ hasText: "It was a joke" }).first();
  await appeal.getByLabel("Reason").fill("It was not");
  await appeal.getByRole("button", { name: "Answer" }).click();
  await expect(admin.getByText("It was a joke")).toHaveCount(0);

  await host.page.goto(session.path);
  await waitForHydration(host.page);
  await participant(host.page, guest.username).getByLabel(`More for ${guest.username}`).click();
  await host.page.getByRole("button", { name: `Block ${guest.username}` }).click();
  await expect(participant(host.page, "Participant 2")).toBeVisible();
  await expect(participant(host.page, guest.username)).toHaveCount(0);
  for (const { page } of [host, guest, superAdmin]) expectQuiet(page);
});
