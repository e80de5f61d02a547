// Two people together in a session: turns with a contribution each, intervals, summary and an admin's edit.
import type { Page } from "@playwright/test";
import { ask, expect, expectQuiet, test, waitForHydration } from "./fixtures";
import { inSession, makeSession, participant, timer } from "./sessions";

const open = async (pages: Page[], path: string) => {
  for (const page of pages) {
    await page.goto(path);
    await waitForHydration(page);
  }
};
/** The host's text and each contribution are texts of their own. */
const about = (page: Page, text: string) =>
  page
    .getByRole("main")
    .locator("section", { hasText: "About" })
    .locator(".prose:not([role])")
    .filter({ hasText: text });

test("T-14 T-15 A-06 A-07 A-08 C-65 C-69 L-03 turns alternate with a contribution each, then come intervals, the summary, and an admin's edit", async ({
  host,
  guest,
}) => {
  const session = await makeSession(host.page, {
    title: "A tale",
    content:
      "A hut stood by the loch. The loch lay still in winter. Walkers came to the hut in winter. The stove of the hut was warm. A kettle hung over the stove.",
    parts: [
      {
        uuid: "plan",
        auto_start: 1,
        parts: [
          { uuid: "rounds", title: "Rounds", duration: 600, per_participant: 1 },
          {
            uuid: "sprints",
            title: "Sprints",
            is_interval: 1,
            sets: 2,
            timers: [
              { title: "Work", duration: 300 },
              { title: "Rest", duration: 60 },
            ],
          },
          { uuid: "polish", title: "Polish", duration: 600, edit_content: 1, edit_prompt: 1 },
        ],
      },
    ],
  });
  await inSession(guest.page, session, "join");
  await inSession(host.page, session, "start");
  // The turns pause while a participant writes.
  await inSession(host.page, session, "parts/rounds/pause");
  const both = [host.page, guest.page];
  await open(both, session.path);
  const contribute = (page: Page) => page.getByRole("form", { name: "Your contribution" });
  const write = async (page: Page, text: string) => {
    await contribute(page).getByRole("textbox", { name: "Your contribution" }).fill(text);
    await contribute(page).getByRole("button", { name: "Add it" }).click();
    for (const one of both) await expect(about(one, text)).toBeVisible();
  };
  const stage = (page: Page) => page.getByRole("region", { name: "Timer" });

  await expect(stage(host.page)).toContainText("Your turn");
  await expect(stage(guest.page)).toContainText(`${host.username}’s turn`);
  await expect(stage(guest.page)).toContainText("Turn 1 of 2 · next: you");
  await expect(participant(guest.page, host.username)).toContainText("has the turn");
  await expect(contribute(guest.page)).toHaveCount(0);
  await write(host.page, "One night the loch froze.");

  await inSession(host.page, session, "parts/rounds/resume");
  await inSession(host.page, session, "parts/rounds/next");
  await expect(contribute(guest.page)).toBeVisible();
  await inSession(host.page, session, "parts/rounds/pause");
  await expect(stage(guest.page)).toContainText("Your turn");
  await expect(stage(host.page)).toContainText(`${guest.username}’s turn`);
  await expect(contribute(host.page)).toHaveCount(0);
  await write(guest.page, "The walkers stayed by the stove.");

  // The intervals, the same on both screens.
  const controls = host.page.getByRole("toolbar", { name: "Host controls" });
  await controls.getByLabel("More of the round").click();
  await host.page.getByRole("button", { name: "End this round" }).click();
  for (const page of both) {
    await expect(timer(page)).toHaveAttribute("aria-label", /^Sprints/);
    await expect(stage(page)).toContainText("Work");
    await expect(stage(page)).toContainText("Set 1 of 2 · next: Rest · ");
    await expect(contribute(page)).toHaveCount(0);
  }

  // The guest asks for a summary, both read it.
  await guest.page.getByRole("button", { name: "Summarise", exact: true }).click();
  const summary = (page: Page) => page.getByRole("main").getByText("Summary", { exact: true }).locator("..");
  for (const page of both) await expect(summary(page)).toContainText(/loch|stove/);
  await host.page.reload();
  await expect(summary(host.page)).toHaveText((await summary(guest.page).textContent()) ?? "none");

  // An admin edits in a part that allows it, and in no other.
  await ask(host.page, "PATCH", `/challenge-events/${session.id}/participants/${guest.username}`, {
    role: 1,
  });
  const edit = guest.page.getByRole("link", { name: "Edit", exact: true });
  await expect(guest.page.getByRole("toolbar", { name: "Host controls" })).toBeVisible();
  await expect(edit).toHaveCount(0);
  await waitForHydration(host.page);
  await controls.getByRole("button", { name: "Skip to the next" }).click();
  await edit.click();
  const form = guest.page.getByRole("form", { name: "What the session is about" });
  await form.getByLabel("Title").fill("A winter's tale");
  await form.getByLabel("Prompt").fill("How does it end?");
  await form.getByRole("button", { name: "Save for everybody" }).click();
  for (const page of both) {
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("A winter's tale");
    await expect(page.getByRole("region", { name: "Timer" }).getByText("How does it end?")).toBeVisible();
    await expect(about(page, "One night the loch froze.")).toBeVisible();
    await expect(about(page, "The walkers stayed by the stove.")).toBeVisible();
  }
  await controls.getByRole("button", { name: "Finish now" }).click();
  await expect(edit).toHaveCount(0);
  for (const page of both) expectQuiet(page);
});
