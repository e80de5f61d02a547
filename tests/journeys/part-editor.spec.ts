// The part editor: keys and pointer, undo, the documented error sentences, drafts, and plain forms without
// JavaScript.
import type { Page } from "@playwright/test";
import { boxesOf, expect, expectQuiet, test, waitForHydration } from "./fixtures";

const FORM = "/challenges/events/create";

async function openForm(page: Page, title: string, isManual = true): Promise<void> {
  await page.goto(FORM);
  await waitForHydration(page);
  await page.getByLabel("Title").first().fill(title);
  if (isManual) await page.getByLabel("When the host starts it").check();
  await page.getByRole("button", { name: "Add a timer" }).waitFor();
}

/** Adds a timer to the last group, or a first timer, and fills it in. */
async function addTimer(page: Page, title: string, duration: string): Promise<void> {
  await page.getByRole("button", { name: "Add a timer" }).last().click();
  const fields = page.getByRole("group", { name: /^Timer \d+$/ }).last();
  await fields.getByLabel("Title").fill(title);
  await fields.getByLabel("Duration", { exact: true }).fill(duration);
  await fields.getByRole("button", { name: "Done with this timer" }).click();
}

/** The timers' titles in the editor, group by group. */
const order = (page: Page): Promise<string> =>
  page.evaluate(() =>
    [...document.querySelectorAll('section[aria-label^="Group"]')]
      .map((group) =>
        [...group.querySelectorAll('button[aria-label^="Edit "]')]
          .map((button) => button.getAttribute("aria-label")?.slice(5))
          .join(" "),
      )
      .join(" | "),
  );

test("U-47 parts are moved by keys, announced to screen readers, and saved in that order", async ({
  host,
}) => {
  const { page } = host;
  await openForm(page, "Keys only");
  for (const [title, duration] of [
    ["One", "5m"],
    ["Two", "10m"],
    ["Three", "1:00:00"],
  ] as const)
    await addTimer(page, title, duration);
  await expect.poll(() => order(page)).toBe("One Two Three");

  await page.getByRole("button", { name: "Drag One" }).focus();
  await page.keyboard.press("Space");
  await expect(page.getByText("Picked up Timer 1, One, position 1 of 3.")).toBeAttached();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByText("Timer 1, One is over position 2 in group 1.")).toBeAttached();
  await page.keyboard.press("Space");
  await expect.poll(() => order(page)).toBe("Two One Three");

  const up = page.getByRole("button", { name: "Move Three up" });
  await up.focus();
  await page.keyboard.press("Enter");
  await expect.poll(() => order(page)).toBe("Two Three One");
  await expect(page.getByText("Timer 3, Three, moved to position 2 of 3.")).toBeAttached();
  // The focus stays with the part, so a second press moves it to the top.
  await expect(up).toBeFocused();
  await page.keyboard.press("Enter");
  await expect.poll(() => order(page)).toBe("Three Two One");

  await page.getByRole("button", { name: "Undo" }).last().click();
  await expect.poll(() => order(page)).toBe("Two Three One");

  await page.getByRole("button", { name: "Create session" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Keys only" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Timer" })).toBeVisible();
  const events = page.locator("section", { has: page.getByRole("heading", { name: "Timers" }) });
  await expect(events.getByRole("listitem")).toHaveText([/Two/, /Three/, /One/]);
  expectQuiet(page);
});

test("U-47 a part is dragged into another group, and a group without parts disappears", async ({ host }) => {
  const { page } = host;
  // The window is so high that dragging never scrolls.
  await page.setViewportSize({ width: 1280, height: 1800 });
  await openForm(page, "Groups");
  await addTimer(page, "One", "5m");
  await addTimer(page, "Two", "5m");
  await page.getByRole("button", { name: "Add a group of timers" }).click();
  const last = page.getByRole("group", { name: "Timer 3" });
  await last.getByLabel("Title").fill("Three");
  await last.getByRole("button", { name: "Done with this timer" }).click();
  await expect.poll(() => order(page)).toBe("One Two | Three");

  const handles = ["Drag One", "Drag Three"].map((name) => page.getByRole("button", { name }));
  const [from, to] = await boxesOf(page, handles);
  if (!from || !to) throw new Error("The handles are not there.");
  await page.mouse.move(from.x + 10, from.y + 10);
  await page.mouse.down();
  await page.mouse.move(from.x + 10, from.y + 40, { steps: 4 });
  await page.mouse.move(to.x + 10, to.y + 10, { steps: 12 });
  // A busy page draws the moves after they have ended.
  await expect(page.getByText("Timer 1, One is over position 1 in group 2.")).toBeAttached();
  await page.mouse.up();
  await expect.poll(() => order(page)).toBe("Two | One Three");

  await page.getByRole("button", { name: "Remove Two" }).click();
  await expect.poll(() => order(page)).toBe("One Three");
  await page.getByRole("button", { name: "Undo" }).last().click();
  await expect.poll(() => order(page)).toBe("Two | One Three");
});

test("V-20 V-22 V-25 V-27 R-19 T-10 an error appears at its field and as a warning, and a manual start links all groups", async ({
  host,
}) => {
  await test.step("a manual start disables the date and links all groups", async () => {
    const { page } = host;
    await openForm(page, "By hand", false);
    await page.getByRole("button", { name: "Add a timer" }).click();
    await page.getByText("How these timers start").click();
    await page.getByRole("switch", { name: "Linked" }).uncheck();
    await page.getByLabel("When the host starts it").check();
    await expect(page.getByLabel("Start date")).toBeDisabled();
    await expect(page.getByRole("switch", { name: "Linked" })).toBeChecked();
    await expect(page.getByRole("switch", { name: "Linked" })).toBeDisabled();
    await page.getByLabel("At a date and time", { exact: true }).check();
    await expect(page.getByRole("switch", { name: "Linked" })).not.toBeChecked();
  });

  await test.step("nothing typed is lost", async () => {
    const { page } = host;
    await openForm(page, "", false);
    await page.getByLabel("Start date").fill("2030-05-01T10:00");
    await page.getByRole("button", { name: "Add a timer" }).click();
    const fields = page.getByRole("group", { name: "Timer 1" });
    const duration = fields.getByLabel("Duration", { exact: true });
    await duration.fill("90");
    await duration.press("Tab");
    await expect(fields.getByText(/Please add a unit, such as "90m"/)).toBeVisible();
    await duration.fill("0m");
    await expect(fields.getByText("The duration cannot be 0")).toBeVisible();
    await duration.fill("1h 30m");
    await expect(page.getByText("1 timer, 1 hour 30 minutes in all")).toBeVisible();

    // A second timer with its own date, inside the first timer's time.
    await page.getByText("How these timers start").click();
    await page.getByRole("switch", { name: "Linked" }).uncheck();
    await page.getByRole("button", { name: "Add a timer" }).click();
    const second = page.getByRole("group", { name: "Timer 2" });
    await second.getByLabel("Starts").selectOption({ label: "At a date and time" });
    await second.getByLabel("Start", { exact: true }).fill("2030-05-01T10:30");
    const overlap =
      "Parts cannot overlap. The start dates must not occur before the previous timer's end date.";
    await expect(second.getByText(overlap)).toBeVisible();

    await page.getByRole("button", { name: "Create session" }).click();
    await expect(page).toHaveURL(new RegExp(`${FORM}$`));
    const toasts = page.locator("[data-sonner-toast]");
    await expect(toasts.getByText("Please set the challenge title.")).toBeVisible();
    await expect(toasts.getByText(overlap)).toBeVisible();
    await expect(page.getByLabel("Title").first()).toBeFocused();

    await page.getByLabel("Title").first().fill("Put right");
    await second.getByLabel("Start", { exact: true }).fill("2030-05-01T11:30");
    await expect(second.getByText(overlap)).toBeHidden();
    await page.getByRole("button", { name: "Create session" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Put right" })).toBeVisible();
  });
});

test("T-07 V-27 the form of an activity refuses a plan that none of its sessions may have", async ({
  host,
}) => {
  const { page } = host;
  await page.goto("/challenges/create");
  await waitForHydration(page);
  await page.getByLabel("Title").first().fill("Loose timers");
  await addTimer(page, "One", "10m");
  await page.getByText("How these timers start").click();
  await page.getByRole("switch", { name: "Linked" }).uncheck();
  await page.getByRole("button", { name: "Add a timer" }).last().click();
  const second = page.getByRole("group", { name: "Timer 2" });
  await second.getByLabel("Starts").selectOption({ label: "Before the previous event ends" });
  await page.locator("summary", { hasText: /^More/ }).click();
  const manual = page.getByLabel("The host starts each session manually");
  await manual.check();
  const sentence = "Timer #2 starts before the previous timer ends, so it cannot be linked.";
  await expect(second.getByText(sentence)).toBeVisible();
  await page.getByRole("button", { name: "Create activity" }).click();
  await expect(page.locator("[data-sonner-toast]").getByText(sentence)).toBeVisible();
  await expect(page).toHaveURL(/\/challenges\/create$/);
  await manual.uncheck();
  await expect(second.getByText(sentence)).toBeHidden();
  await page.getByRole("button", { name: "Create activity" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Loose timers" })).toBeVisible();
});

test("ASVS 14.3.1 a draft is kept until the session is created or its author signs out, and Back shows no page of the account", async ({
  host,
}) => {
  await test.step("until the session is created", async () => {
    const { page } = host;
    await openForm(page, "Half done");
    await addTimer(page, "Only one", "7m");
    await page.waitForFunction(() =>
      Object.keys(localStorage).some((key) => localStorage.getItem(key)?.includes("Only one")),
    );
    await page.goto("/");
    await page.goto(FORM);
    await expect(page.getByText("You have an unsaved draft")).toBeVisible();
    await page.getByRole("button", { name: "Restore" }).click();
    await expect(page.getByLabel("Title").first()).toHaveValue("Half done");
    await expect(page.getByLabel("When the host starts it")).toBeChecked();
    await expect.poll(() => order(page)).toBe("Only one");
    await page.getByRole("button", { name: "Create session" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Half done" })).toBeVisible();
    await page.goto(FORM);
    await page.getByRole("button", { name: "Add a timer" }).waitFor();
    await waitForHydration(page);
    await expect(page.getByText("You have an unsaved draft")).toBeHidden();
  });

  await test.step("until its author signs out", async () => {
    const { page } = host;
    await openForm(page, "Left behind");
    await addTimer(page, "Not for others", "7m");
    const typed = () =>
      page.evaluate(
        () => Object.values({ ...localStorage }).filter((text) => text.includes("Left behind")).length,
      );
    await expect.poll(typed).toBe(1);
    await page.goto("/account");
    await waitForHydration(page);
    await page.getByRole("main").getByRole("button", { name: "Logout" }).click();
    await expect(page).toHaveURL(/\/$/);
    expect(await typed()).toBe(0);
    await page.goBack();
    await expect(page.getByRole("dialog").getByRole("button", { name: "Login" })).toBeVisible();
    await expect(page.getByRole("heading", { name: "Danger zone" })).toHaveCount(0);
  });
});
