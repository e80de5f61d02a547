// The two jobs by keyboard alone: log a goal, and sit in a room. The focus is never lost.
import type { Page } from "@playwright/test";
import { ask, expect, expectQuiet, test, waitForHydration } from "./fixtures";
import { enter, expectFocus, tabTo } from "./focus";
import { makeGoal } from "./goals";
import { makeSession, timer } from "./sessions";

const button = (page: Page, name: string | RegExp) =>
  page.getByRole("main").getByRole("button", typeof name === "string" ? { name, exact: true } : { name });
const undo = (page: Page) => page.locator("#toasts").getByRole("button", { name: "Undo" });

test("U-24 R-75 a goal is made, logged, undone and completed without a pointer", { tag: "@main" }, async ({
  host: { page },
}) => {
  await page.goto("/my/goals");
  await waitForHydration(page);
  await page.keyboard.press("c");
  const form = page.getByRole("form", { name: "New goal" });
  await expect(form.locator("[name=title]")).toBeFocused();
  await page.keyboard.type("Read the tide table");
  await enter(page, form.getByRole("button", { name: "Create goal" }), button(page, "Start Progress"));
  await enter(
    page,
    page.getByRole("list", { name: "Goals", exact: true }).getByRole("link", { name: "Read the tide table" }),
    page.getByRole("heading", { level: 1, name: /Read the tide table/ }),
  );
  await page.keyboard.press("l");
  // The keyboard stays beside the clock.
  await expect(button(page, "Pause")).toBeVisible();
  await expect(page.locator("section:focus").getByRole("button", { name: "Pause" })).toBeVisible();
  await enter(page, button(page, "Pause"), button(page, "Resume"));
  await enter(page, button(page, "Resume"), button(page, "Pause"));
  await enter(page, button(page, "Done"), undo(page));
  await enter(page, undo(page), page.locator("#toasts").getByText("Undone."));
  await enter(page, button(page, "Start Progress"), button(page, "Pause"));
  await enter(page, button(page, "Done"), undo(page));
  await enter(page, button(page, "Delete log"), page.getByRole("alertdialog"));
  const dialog = page.getByRole("alertdialog");
  await enter(
    page,
    dialog.getByRole("button", { name: "Delete" }),
    page.getByText("You don't have any active progress for this goal..."),
  );
  await enter(page, button(page, "Complete Goal"), button(page, "Reopen"));
  await enter(page, button(page, "Reopen"), button(page, "Complete Goal"));
  expectQuiet(page);
});

test("U-24 R-29 a room is joined, got ready for, run and ended without a pointer", { tag: "@main" }, async ({
  host,
  guest,
}) => {
  const parts = [
    {
      auto_start: 1,
      parts: [
        { title: "A turn each", duration: 600, per_participant: 1 },
        { title: "Walk", duration: 600 },
      ],
    },
  ];
  const { page } = host;
  const session = await makeSession(page, {
    title: "Tales by the stove",
    prompt: "What did you see?",
    parts,
  });
  await test.step("a guest joins and is ready", async () => {
    await guest.page.goto(session.path);
    await waitForHydration(guest.page);
    await enter(guest.page, button(guest.page, "Join"), button(guest.page, "I am ready"));
    await guest.page.keyboard.press("r");
    await expect(guest.page.getByText("You are ready for this activity!")).toBeVisible();
    await expectFocus(guest.page, "r");
    await ask(guest.page, "POST", `/api/challenge-events/${session.id}/leave`);
  });

  await page.goto(session.path);
  await waitForHydration(page);
  const box = page.getByRole("textbox", { name: "Your contribution" });
  await enter(page, button(page, "Start Session"), box);
  await expect(box).toBeFocused();
  await page.keyboard.type("A light on the ridge.");
  await enter(page, button(page, "Add it"), page.getByText("A light on the ridge.").last());
  const controls = page.getByRole("toolbar", { name: "Host controls" });
  await enter(
    page,
    controls.getByRole("button", { name: "Pause" }),
    controls.getByRole("button", { name: "Resume" }),
  );
  await enter(
    page,
    controls.getByRole("button", { name: "Resume" }),
    controls.getByRole("button", { name: "Pause" }),
  );
  await enter(page, controls.getByRole("button", { name: "Next: Walk" }), page.getByText("Walk").first());
  await expect(timer(page)).toHaveAttribute("aria-label", /^Walk/);
  await expectFocus(page, "the turn");
  const end = button(page, "End session").first();
  const dialog = page.getByRole("alertdialog");
  await enter(page, end, dialog);
  await page.keyboard.press("Escape");
  await expect(end).toBeFocused();
  await page.keyboard.press("Enter");
  await tabTo(page, dialog.getByRole("button", { name: "End session" }));
  await page.keyboard.press("Enter");
  await expect(page.getByText("Again next week")).toBeVisible();
  await expectFocus(page, "the end");
  for (const one of [host, guest]) expectQuiet(one.page);
});

test("U-24 a note is written and deleted, a hut left and joined again without a pointer", async ({
  host: { page },
}) => {
  await makeGoal(page, { title: "Carve a spoon" });
  await page.goto("/my/notes");
  await waitForHydration(page);
  const main = page.getByRole("main");
  const form = page.getByRole("form", { name: "New note" });
  await enter(page, main.getByRole("link", { name: "Create a Note" }), form);
  await page.keyboard.type("Plan");
  await enter(page, form.getByRole("button", { name: "Create" }), button(page, "Delete note"));
  await enter(page, button(page, "Delete note"), page.getByRole("alertdialog"));
  const dialog = page.getByRole("alertdialog");
  await enter(
    page,
    dialog.getByRole("button", { name: "Delete" }),
    page.getByText("You haven't created any notes yet."),
  );

  await page.goto("/groups");
  await waitForHydration(page);
  const join = main.getByRole("button", { name: /^Join Hut/ }).first();
  const menu = main.locator('summary[aria-label="More"]').first();
  const hut = (await join.getAttribute("aria-label"))?.replace("Join Hut: ", "") ?? "";
  await enter(page, join, main.getByText("You are a member").first());
  await enter(page, main.getByRole("link", { name: hut, exact: true }), menu);
  const leave = page.getByRole("button", { name: "Leave", exact: true });
  await enter(page, menu, leave);
  await enter(page, leave, undo(page));
  await enter(page, undo(page), main.getByRole("link", { name: "Create an Activity" }));
  expectQuiet(page);
});
