// Two people together in a session: turns with a contribution each, intervals, summary, goals and replies.
import type { Page } from "@playwright/test";
import { alive, ask, expect, expectQuiet, test } from "./fixtures";
import { makeGoal, unfold } from "./goals";
import { inSession, makeSession, participant, type Session, timer } from "./sessions";

const open = async (pages: Page[], path: string) => {
  for (const page of pages) {
    await page.goto(path);
    await alive(page);
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
          { uuid: "rounds", title: "Rounds", duration: 8, per_participant: 1 },
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
  await expect(contribute(guest.page)).toBeVisible();
  await inSession(host.page, session, "parts/rounds/pause");
  await expect(stage(guest.page)).toContainText("Your turn");
  await expect(stage(host.page)).toContainText(`${guest.username}’s turn`);
  await expect(contribute(host.page)).toHaveCount(0);
  await write(guest.page, "The walkers stayed by the stove.");

  // The intervals, the same on both screens.
  const controls = host.page.getByRole("toolbar", { name: "Host controls" });
  await controls.getByRole("button", { name: "Finish now" }).click();
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
  expect(await summary(host.page).textContent()).toBe(await summary(guest.page).textContent());

  // An admin edits in a part that allows it, and in no other.
  await ask(host.page, "PATCH", `/challenge-events/${session.id}/participants/${guest.username}`, {
    role: 1,
  });
  const edit = guest.page.getByRole("link", { name: "Edit", exact: true });
  await expect(guest.page.getByRole("toolbar", { name: "Host controls" })).toBeVisible();
  await expect(edit).toHaveCount(0);
  await alive(host.page);
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

test("U-43 M-26 C-36 C-84 E-27 P-33 C-58 a participant presses ready, attaches a goal, logs and replies, and the other sees each", async ({
  host,
  guest,
}) => {
  const session: Session = await makeSession(host.page, {
    tasks: [
      {
        title: "Carry stones",
        unit: "stones",
        amount: 10,
        quick_log_buttons: [{ uuid: "two", title: "Two stones", amount: 2, status: 2 }],
      },
    ],
  });
  await inSession(guest.page, session, "join");
  await makeGoal(guest.page, { title: "Lay a wall", unit: "feet", amount: 4 });
  const { page } = guest;
  await open([host.page, page], session.path);

  // The participant's own check, pressed and undone.
  const check = page.getByRole("button", { name: "I am ready" });
  const seen = participant(host.page, guest.username);
  await expect(check).toHaveAttribute("aria-pressed", "false");
  await expect(seen).toContainText("not ready yet");
  await check.click();
  await expect(page.getByText("You are ready for this activity!")).toBeVisible();
  await expect(check).toHaveAttribute("aria-pressed", "true");
  await expect(seen).not.toContainText("not ready yet");
  await page.reload();
  await alive(page);
  await expect(check).toHaveAttribute("aria-pressed", "true");
  await check.click();
  await expect(check).toHaveAttribute("aria-pressed", "false");
  await expect(seen).toContainText("not ready yet");
  await expect(page.getByText("You are ready for this activity!")).toHaveCount(0);

  await page.getByRole("navigation", { name: "Session" }).getByRole("link", { name: "Goals" }).click();
  await page.getByLabel("Attach a goal of your own").selectOption({ label: "Lay a wall" });
  await page.getByRole("button", { name: "Attach" }).click();
  await expect(page.getByText("Success!")).toBeVisible();
  const own = page.getByRole("main").locator("section", { hasText: "My own goals here" });
  await expect(own.getByRole("heading", { name: "Lay a wall" })).toBeVisible();
  await expect(page.getByLabel("Attach a goal of your own")).toHaveCount(0);

  // A quick log on the session's goal, and a log on the attached goal.
  const stones = page.getByRole("list", { name: "Goals of the session" }).getByRole("listitem").first();
  await stones.getByRole("button", { name: "Two stones" }).click();
  await expect(stones).toContainText("2 of 10 stones");
  const progress = host.page.getByRole("main").locator("section", { hasText: "Recent progress" });
  await expect(progress).toContainText(`${guest.username} Carry stones · 2 stones`);
  await own.getByRole("link", { name: "Lay a wall" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Goal: Lay a wall");
  await unfold(page, "Log by hand");
  const byHand = page.getByRole("form", { name: "Log by hand" });
  await byHand.getByLabel("Amount").fill("3");
  await byHand.getByRole("button", { name: "Log it" }).click();
  await expect(page.getByText("3 of 4 feet")).toBeVisible();
  await expect(progress).toContainText(`${guest.username} Lay a wall · 3 feet`);
  await host.page.goto(`${session.path}/member-goals`);
  const members = host.page.getByRole("list", { name: "Members" }).locator("> li");
  await expect(members.filter({ hasText: guest.username })).toContainText("20 %");
  await expect(members.filter({ hasText: host.username })).toContainText("0 %");
  await host.page.getByRole("navigation", { name: "Goals" }).getByRole("link", { name: "Logs" }).click();
  await expect(host.page.getByRole("list", { name: "Logs of the session" }).locator("> li")).toHaveText([
    /Lay a wall/,
    /Two stones/,
  ]);

  await open([page], `${session.path}/hut`);
  const post = page.getByRole("form", { name: "New post" });
  await post.getByRole("textbox", { name: "Post", exact: true }).fill("Which way round?");
  await post.getByRole("button", { name: "Post", exact: true }).click();
  const thread = (who: Page) => who.getByRole("article").filter({ hasText: "Which way round?" });
  await expect(thread(page)).toBeVisible();
  await open([host.page], `${session.path}/hut`);
  await thread(host.page).getByText("Reply", { exact: true }).first().click();
  const reply = thread(host.page).getByRole("form", { name: `Reply to ${guest.username}` });
  await reply.getByRole("textbox", { name: "Your answer" }).fill("Flat side **down**.");
  await reply.getByRole("button", { name: "Reply" }).click();
  await expect(thread(host.page).getByRole("list", { name: "Answers" })).toContainText("Flat side");
  await page.reload();
  const answers = thread(page).getByRole("list", { name: "Answers" });
  await expect(answers.getByRole("listitem")).toHaveText([new RegExp(`${host.username}.*Flat side`)]);
  for (const one of [host.page, page]) expectQuiet(one);
});
