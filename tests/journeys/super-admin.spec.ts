// Every action of a super admin on other people's sessions, activities and huts, and what their owners see of it.
// Filling the shared pool is in money.spec.ts.
import { alive, ask, expect, expectQuiet, newName, test } from "./fixtures";
import { confirm, inSession, makeSession, participant, timer } from "./sessions";

test("A-03 R-07 C-56 R-13 a super admin starts, controls, resets, updates, ends and deletes another host's session", async ({
  superAdmin,
  host,
  guest,
}) => {
  const session = await makeSession(host.page, { parts: [{ title: "Watch", duration: 1800 }] });
  await inSession(guest.page, session, "join");
  const admin = superAdmin.page;
  for (const page of [host.page, admin]) {
    await page.goto(session.path);
    await alive(page);
  }
  await host.page.getByRole("button", { name: "I am ready" }).click();
  await expect(participant(admin, host.username)).not.toContainText("not ready yet");
  const both = [host.page, admin];
  const status = async (words: string) => {
    for (const page of both) await expect(page.getByText(words, { exact: true })).toBeVisible();
  };
  await admin.getByRole("button", { name: "Start Session" }).click();
  await expect(admin.getByText("The session has started!")).toBeVisible();
  await status("(In Progress)");
  await admin.getByRole("toolbar", { name: "Host controls" }).getByRole("button", { name: "Pause" }).click();
  for (const page of both) await expect(timer(page)).toHaveAttribute("aria-label", /^Watch.*Paused/);

  // Its host cannot reset it.
  await expect(host.page.getByRole("button", { name: "Reset challenge" })).toHaveCount(0);
  await admin.getByLabel("More", { exact: true }).click();
  await confirm(admin, admin.getByRole("button", { name: "Reset challenge" }), "Reset");
  await expect(admin.getByText("Success!")).toBeVisible();
  await status("(Awaiting Participants)");
  await host.page.reload();
  await status("(Awaiting Participants)");
  await expect(host.page.getByRole("button", { name: "I am ready" })).toHaveAttribute(
    "aria-pressed",
    "false",
  );
  await expect(host.page.getByRole("button", { name: "Start Session" })).toBeVisible();

  await admin.getByRole("link", { name: "Update", exact: true }).click();
  await expect(admin.getByRole("heading", { level: 1 })).toHaveText("Update Session");
  await alive(admin);
  const title = newName("Night watch");
  await admin.getByLabel("Title").first().fill(title);
  await admin.getByLabel("Participant limit").fill("2");
  await admin.getByRole("button", { name: "Save session" }).click();
  await expect(admin).toHaveURL(session.path);
  for (const page of both) await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
  await expect(admin.getByText("2 participants, no spots left")).toBeVisible();

  await alive(admin);
  await admin.getByLabel(`More for ${guest.username}`).click();
  await admin.getByRole("button", { name: "Remove from the session" }).click();
  await admin.getByRole("alertdialog").getByRole("button", { name: "Remove", exact: true }).click();
  for (const page of both) await expect(participant(page, guest.username)).toHaveCount(0);

  await inSession(host.page, session, "start");
  await status("(In Progress)");
  await confirm(admin, admin.getByRole("button", { name: "End session" }), "End session");
  await status("(Ended)");
  // The page has reloaded the permitted actions.
  await expect(admin.locator("button", { hasText: "Delete session" })).toBeAttached();
  await admin.getByLabel("More", { exact: true }).click();
  await confirm(admin, admin.getByRole("button", { name: "Delete session" }), "Delete");
  await expect(admin.getByText("The session was deleted.")).toBeVisible();
  expect((await host.page.reload())?.status()).toBe(404);
  for (const page of both) expectQuiet(page);
});

test("A-03 R-07 R-15 R-22 a super admin updates a hut, removes an activity from it, resets the activity's sessions, updates and deletes it", async ({
  superAdmin,
  host,
}) => {
  const admin = superAdmin.page;
  const [hutName, activityName] = [newName("Corrour"), newName("Ridge walk")];
  const { hut } = await ask<{ hut: { id: number; slug: string } }>(host.page, "POST", "/groups/store", {
    hut: { title: hutName },
  });
  const activity = await ask<{ challenge: { slug: string }; path: string }>(
    host.page,
    "POST",
    "/challenges",
    {
      challenge: { title: activityName, hut_id: hut.id },
    },
  );
  const session = await makeSession(host.page, { challenge_slug: activity.challenge.slug });
  await inSession(host.page, session, "start");

  await admin.goto(`/groups/${hut.slug}/update`);
  await alive(admin);
  await admin.getByLabel("Name").fill(`${hutName} hut`);
  await admin.getByRole("button", { name: "Save hut" }).click();
  await expect(admin.getByRole("heading", { level: 1 })).toHaveText(`h/${hutName} hut`);
  await admin.getByRole("navigation", { name: "Hut" }).getByRole("link", { name: "Activities" }).click();
  await admin.getByRole("button", { name: `Remove: ${activityName}` }).click();
  await expect(admin.getByText("The activity does not belong to this hut any more.")).toBeVisible();
  await host.page.goto(`/group/${hut.slug}/activities`);
  await expect(host.page.getByRole("heading", { level: 1 })).toHaveText(`h/${hutName} hut`);
  await expect(host.page.getByText("This hut has no activities yet.")).toBeVisible();

  await host.page.goto(activity.path);
  await expect(host.page.getByRole("button", { name: "Delete this activity" })).toBeVisible();
  await expect(host.page.getByRole("button", { name: "Reset challenge" })).toHaveCount(0);
  await host.page.goto(session.path);
  await expect(host.page.getByText("(In Progress)")).toBeVisible();
  await admin.goto(activity.path);
  await alive(admin);
  await confirm(admin, admin.getByRole("button", { name: "Reset challenge" }), "Reset");
  await expect(admin.getByText("Its sessions that have not ended were reset.")).toBeVisible();
  await expect(host.page.getByText("(Awaiting Participants)")).toBeVisible();

  await admin.getByRole("link", { name: "Update", exact: true }).click();
  await alive(admin);
  await admin.getByLabel("Title").first().fill(`${activityName}, short`);
  await admin.getByRole("button", { name: "Save activity" }).click();
  await expect(admin.getByRole("heading", { level: 1 })).toHaveText(`${activityName}, short`);
  await host.page.reload();
  await expect(host.page.getByRole("link", { name: `${activityName}, short` }).first()).toBeVisible();
  await inSession(host.page, session, "end");
  await alive(admin);
  await confirm(admin, admin.getByRole("button", { name: "Delete this activity" }), "Delete");
  await expect(admin).toHaveURL(/\/activities$/);
  expect((await host.page.goto(activity.path))?.status()).toBe(404);
  for (const page of [admin, host.page]) expectQuiet(page);
});

test("U-39 P-23 V-19 S-01 Create Challenge on a super admin's template asks a visitor to sign in, then starts an activity with its parts", async ({
  superAdmin,
  host,
  guest,
  page,
}) => {
  const title = newName("Three rounds");
  const session = await makeSession(host.page, {
    title,
    parts: [
      { title: "Round", duration: 600 },
      { title: "Breath", duration: 120 },
    ],
  });
  await ask(superAdmin.page, "PATCH", `/challenge-events/${session.id}/patch`, {
    challenge: { is_preset: 1 },
  });
  await host.page.goto(session.path);
  await expect(host.page.getByRole("link", { name: "Create Challenge" })).toBeVisible();
  await expect(host.page.getByRole("button", { name: "Start Session" })).toHaveCount(0);

  await page.goto(session.path);
  await page.getByRole("link", { name: "Create Challenge" }).click();
  await expect(page.getByRole("dialog").getByRole("tab", { name: "Login" })).toBeVisible();

  await guest.page.goto(session.path);
  await guest.page.getByRole("link", { name: "Create Challenge" }).click();
  await expect(guest.page.getByRole("heading", { level: 1 })).toHaveText("Create a New Activity");
  await alive(guest.page);
  await expect(guest.page.getByLabel("Title").first()).toHaveValue(title);
  await guest.page.getByRole("button", { name: "Create activity" }).click();
  await expect(guest.page.getByRole("heading", { level: 1, name: title })).toBeVisible();
  await expect(guest.page.getByRole("main").getByText("1 hour", { exact: true })).toBeVisible();
  await expect(guest.page.getByLabel("The timers of this activity")).toContainText("Breath");
  for (const one of [host.page, guest.page]) expectQuiet(one);
});
