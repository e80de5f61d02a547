// Editing and removing posts and chat lines by their menus, and slow mode.
import { alive, call, expect, expectQuiet, test } from "./fixtures";

test("Q-19 Q-20 Q-21 Q-23 posts and lines are edited and removed from their menus, by keyboard too", async ({
  host,
  guest,
}) => {
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
    await alive(page);
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
  await host.page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  for (const { page } of [host, guest]) {
    await expect(page.getByRole("log")).toContainText("This message was removed.");
    await expect(page.getByRole("log")).not.toContainText("Second line");
  }
  await host.page.getByLabel("Slow mode").selectOption("15");
  await host.page.getByRole("button", { name: "Set", exact: true }).click();
  await expect(guest.page.getByText("Slow mode is on: a message every 15 seconds.")).toBeVisible();

  await guest.page.goto(`/sessions/${id}/hut`);
  await alive(guest.page);
  await call(guest.page, "POST", `/challenges/${(await made.json()).challenge_event.slug}/posts`, {
    item: { title: "A thought", content: "Some words" },
  });
  await guest.page.reload();
  await alive(guest.page);
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
