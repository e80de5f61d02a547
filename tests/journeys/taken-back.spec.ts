// Editing and removing posts and chat lines by their menus, slow mode, and chat that rests.
import { call, expect, expectQuiet, test, waitForHydration } from "./fixtures";
import { inSession, makeSession } from "./sessions";

test("Q-19 Q-20 Q-21 Q-23 posts and lines are edited and removed from their menus, by keyboard too", {
  tag: "@main",
}, async ({ host, guest }) => {
  const made = await call(host.page, "POST", "/challenge-events", {
    challenge: { title: "Take it back", is_manually_started: 1, duration: 3600 },
  });
  const { id } = (await made.json()).challenge_event;
  await call(guest.page, "POST", `/challenge-events/${id}/join`, {});
  await call(host.page, "POST", `/challenge-events/${id}/start`, {});
  for (const content of ["First line", "Second line"])
    await call(guest.page, "POST", "/messages", {
      content,
      messageable_type: "challenge_event",
      messageable_id: id,
    });

  for (const { page } of [host, guest]) {
    await page.goto(`/sessions/${id}/chat`);
    await waitForHydration(page);
  }
  const more = (page: typeof guest.page, nth: number) =>
    page.getByRole("button", { name: `More for the line of ${guest.username}` }).nth(nth);
  await more(guest.page, 0).focus();
  await guest.page.keyboard.press("Enter");
  const dialog = guest.page.getByRole("dialog", { name: "Your message" });
  await dialog.getByLabel("New text").fill("Better words");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toBeHidden();
  for (const { page } of [host, guest])
    await expect(page.getByRole("log")).toContainText("Better words · edited");
  await more(host.page, 1).click();
  await host.page.getByRole("dialog").getByRole("button", { name: "Remove this message" }).click();
  for (const { page } of [host, guest]) {
    await expect(page.getByRole("log")).toContainText("This message was removed.");
    await expect(page.getByRole("log")).not.toContainText("Second line");
  }
  await host.page.getByLabel("Slow mode").selectOption("15");
  await host.page.getByRole("button", { name: "Set", exact: true }).click();
  await expect(guest.page.getByText("Slow mode is on: a message every 15 seconds.")).toBeVisible();

  await guest.page.goto(`/sessions/${id}/hut`);
  await waitForHydration(guest.page);
  await call(guest.page, "POST", `/challenges/${(await made.json()).challenge_event.slug}/posts`, {
    item: { title: "A thought", content: "Some words" },
  });
  await guest.page.reload();
  await waitForHydration(guest.page);
  await guest.page.getByLabel(`More for the post of ${guest.username}`).click();
  await guest.page.getByRole("link", { name: "Edit" }).click();
  const form = guest.page.getByRole("form", { name: "Edit post" });
  await form.getByLabel("Title (optional)").fill("A better thought");
  await form.getByRole("button", { name: "Save post" }).click();
  await expect(guest.page.getByRole("article")).toContainText("· edited");
  await guest.page.getByLabel(`More for the post of ${guest.username}`).click();
  await guest.page.getByRole("button", { name: "Remove" }).click();
  await guest.page.getByRole("alertdialog").getByRole("button", { name: "Remove", exact: true }).click();
  await expect(guest.page.getByRole("article")).toContainText("This post was removed.");
  for (const { page } of [host, guest]) expectQuiet(page);
});

test("Q-24 during a quiet timer the chat box rests and keeps its words, and opens by the page's own clock", async ({
  host,
  guest,
}) => {
  const session = await makeSession(host.page, {
    parts: [
      {
        uuid: "quiet-plan",
        parts: [
          { uuid: "arrive", title: "Arrive", duration: 600 },
          { uuid: "deep", title: "Deep work", duration: 600, is_focus: 1 },
          { uuid: "share", title: "Share", duration: 600 },
        ],
      },
    ],
  });
  await inSession(guest.page, session, "join");
  await inSession(host.page, session, "start");
  await guest.page.clock.install({ time: Date.now() });
  await guest.page.goto(`${session.path}/chat`);
  await host.page.goto(`${session.path}/chat`);
  for (const { page } of [host, guest]) await waitForHydration(page);
  const box = (page: typeof guest.page) => page.getByRole("textbox", { name: "Message" });
  await box(guest.page).fill("A half-written thought");

  await inSession(host.page, session, "parts/arrive/finish");
  const sentence = "Chat rests while Deep work runs.";
  await expect(guest.page.getByText(sentence)).toBeVisible();
  await expect(box(guest.page)).not.toBeEditable();
  await expect(box(guest.page)).toHaveValue("A half-written thought");
  await box(guest.page).press("Enter");
  await expect(host.page.getByText(sentence)).toHaveCount(0);
  await box(host.page).fill("Ten quiet minutes");
  await box(host.page).press("Enter");
  const log = guest.page.getByRole("log", { name: "Chat" });
  await expect(log).toContainText("Ten quiet minutes");
  await expect(log).not.toContainText("A half-written thought");

  // The server's clock stays where it is, so no message opens the box; without its time the page keeps its own.
  await guest.page.route("**/api/time", (route) => route.abort());
  await guest.page.clock.fastForward(600_000);
  await expect(guest.page.getByText(sentence)).toHaveCount(0);
  await expect(box(guest.page)).toBeEditable();
  await expect(box(guest.page)).toHaveValue("A half-written thought");
  for (const { page } of [host, guest]) expectQuiet(page);
});
