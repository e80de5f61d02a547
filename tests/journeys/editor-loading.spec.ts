import { openForm, sourceOf, textOf } from "./editor";
import { call, expect, expectQuiet, holdRequests, newName, test, waitForHydration } from "./fixtures";

test("D-03 a shortcut does what its tool does, at the caret of the last press, and a reset empties the editor", async ({
  host: { page },
}) => {
  await test.step("each shortcut that a tool names does the same as the tool", async () => {
    const { keyboard } = page;
    await openForm(page);
    const named = await page
      .getByRole("toolbar")
      .locator("[aria-keyshortcuts][aria-pressed]")
      .evaluateAll((all) =>
        all.map((one) => [one.getAttribute("aria-label") ?? "", one.getAttribute("aria-keyshortcuts") ?? ""]),
      );
    expect(named.map(([name]) => name)).toEqual([
      "Bold",
      "Italic",
      "Link",
      "Bulleted list",
      "Numbered list",
      "Code block",
    ]);
    for (const [name = "", keys = ""] of named) {
      const tool = page.getByRole("button", { name, exact: true });
      await keyboard.press(keys);
      if (name === "Link") {
        await expect(page.getByLabel("Link address")).toBeFocused();
        await keyboard.press("Escape");
        await expect(textOf(page)).toBeFocused();
        continue;
      }
      await expect(tool).toHaveAttribute("aria-pressed", "true");
      if (name === "Bold" || name === "Italic") await keyboard.press(keys);
      else await keyboard.press("Control+Z");
      await expect(tool).toHaveAttribute("aria-pressed", "false");
    }
    for (const level of [1, 2, 3, 4]) {
      await keyboard.press(`Control+Alt+${level}`);
      await expect(page.getByLabel("Style")).toHaveValue(String(level));
    }
    // As one input: letters half a second apart would be undone apart.
    await keyboard.insertText("Undone kept");
    await keyboard.press("Control+Z");
    await expect(textOf(page)).not.toContainText("Undone");
    await keyboard.press("Control+Shift+Z");
    await expect(textOf(page)).toContainText("Undone kept");
    expectQuiet(page);
  });

  await test.step("at the caret of a press whose selection event is still to come", async () => {
    await openForm(page);
    await page.keyboard.type("By the fire");
    // Busy browsers handle keys before the event of a new selection.
    await textOf(page).evaluate((surface) => {
      const words = surface.querySelector("p")?.firstChild ?? null;
      document.getSelection()?.collapse(words, 2);
      const key = { key: "b", code: "KeyB", ctrlKey: true, bubbles: true, cancelable: true };
      surface.dispatchEvent(new KeyboardEvent("keydown", key));
    });
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
    await expect(page.getByRole("button", { name: "Bold" })).toHaveAttribute("aria-pressed", "true");
    await page.keyboard.type("!");
    await expect(textOf(page).locator("strong")).toHaveText("!");
    await expect(textOf(page)).toHaveText("By! the fire");
    expectQuiet(page);
  });

  await test.step("a reset, although the editor reports its last change at that moment", async () => {
    await page.goto("/groups/create");
    await expect(page.getByRole("button", { name: "Bold" })).toBeEnabled();
    await textOf(page).focus();
    await page.keyboard.type("By the fire");
    await expect.poll(() => sourceOf(page)).toContain("By the fire");
    // The report of the change is due 200 ms later. While the task blocks, both timers become due: reset, then report.
    // The last timer comes after both.
    await page.evaluate(
      () =>
        new Promise<void>((done) => {
          document.execCommand("insertText", false, " late");
          setTimeout(() => {
            document.querySelector<HTMLTextAreaElement>('textarea[name="content"]')?.form?.reset();
            for (const until = performance.now() + 100; performance.now() < until; );
            setTimeout(done);
          }, 150);
        }),
    );
    await expect(textOf(page)).toHaveText("");
    await expect.poll(() => sourceOf(page)).toBe("");
  });
});

test("D-01 D-03 V-29 an editor that loads late takes over text, caret and focus, and one that does not load leaves the text area", async ({
  host: { page, username },
}) => {
  await test.step("it does not load, and the next focus loads it again", async () => {
    const editor = /assets\/rich-text-editor[^/]*\.js/;
    await page.route(editor, (route) => route.abort());
    await page.goto("/groups/create");
    const area = page.locator('textarea[name="content"]');
    const place = page.locator(".rich-text > .needs-script");
    await expect(place).toHaveCount(0);
    await expect(area).toBeVisible();
    await page.unroute(editor);
    // The editor takes the focus over as soon as it has loaded.
    await area.focus();
    await page.keyboard.type("Typed before the editor.");
    await expect(page.getByRole("button", { name: "Bold" })).toBeEnabled();
    await expect(textOf(page)).toHaveText(/Typed before the editor\./);
  });

  await test.step("no letter that is typed meanwhile is lost", async () => {
    const { keyboard } = page;
    const release = await holdRequests(page, /rich-text-editor[^/]*\.js/);
    // A delayed script may delay the page's load event too.
    await page.goto("/groups/create", { waitUntil: "domcontentloaded" });
    await waitForHydration(page);
    const area = page.locator('textarea[name="content"]');
    await area.focus();
    await keyboard.type("We meet at the hut.");
    for (let n = 0; n < " at the hut.".length; n++) await keyboard.press("ArrowLeft");
    await keyboard.type(" gladly ");
    await keyboard.press("Backspace");
    await release();
    // Typed while the editor replaces the text area.
    for (const letter of " and often, summer and winter alike,") await keyboard.type(letter);
    await expect(page.getByRole("button", { name: "Bold" })).toBeEnabled();
    await keyboard.type(" all of us,");
    await expect(textOf(page)).toHaveText(
      "We meet gladly and often, summer and winter alike, all of us, at the hut.",
    );
    await expect(textOf(page)).toBeFocused();
    expectQuiet(page);
  });

  await test.step("Restore gives the text its focus", async () => {
    const release = await holdRequests(page, /rich-text-editor[^/]*\.js/);
    await page.goto("/groups/create", { waitUntil: "domcontentloaded" });
    await page.evaluate(
      ([key, typed]) =>
        localStorage.setItem(key, JSON.stringify({ typed: { content: typed }, savedAt: Date.now() })),
      [`draft:${username} hut new`, "By the fire"] as const,
    );
    await page.reload({ waitUntil: "domcontentloaded" });
    await waitForHydration(page);
    await expect(page.getByRole("button", { name: "Restore" })).toBeVisible();
    // Timers that begin with the press wait until the editor has loaded.
    type Waiting = { runTimers?: () => void };
    await page.evaluate(() => {
      const { setTimeout: begin } = window;
      const timers: Array<() => void> = [];
      (window as Waiting).runTimers = () => {
        for (const run of timers) run();
      };
      window.setTimeout = ((run: () => void) => timers.push(run)) as typeof begin;
      for (const button of document.querySelectorAll("button"))
        if (button.textContent === "Restore") button.click();
      window.setTimeout = begin;
    });
    await release();
    await expect(page.getByRole("button", { name: "Bold" })).toBeEnabled();
    await page.evaluate(() => (window as Waiting).runTimers?.());
    await expect(textOf(page)).toBeFocused();
    await expect(textOf(page)).toHaveText("By the fire");
    expectQuiet(page);
  });
});

test("D-03 P-35 R-01 C-68 the editor loads on a post when typing begins and loses no letter, a goal is logged by hand, and a session's texts are changed", async ({
  host,
}) => {
  const { page } = host;
  const { keyboard } = page;
  const made = await call(page, "POST", "/challenge-events", {
    challenge: {
      title: newName("Talk"),
      is_manually_started: 1,
      duration: 3600,
      tasks: [{ title: "Listen" }],
    },
  });
  const { path } = await made.json();
  await page.goto(`${path}/hut`);
  const area = page.locator('textarea[name="content"]');
  await expect(area).toBeVisible();
  await page.waitForLoadState("networkidle");
  await waitForHydration(page);
  await expect(page.getByRole("toolbar")).toHaveCount(0);
  await area.focus();
  await keyboard.type("By the fire");
  await expect(page.getByRole("button", { name: "Bold" })).toBeEnabled();
  const surface = page.getByRole("textbox", { name: "Post", exact: true });
  await expect(surface).toHaveText("By the fire");
  await expect(surface).toBeFocused();
  await keyboard.press("Control+b");
  await keyboard.type("late");
  await page.getByRole("button", { name: "Post", exact: true }).click();
  await expect(page.getByRole("article").locator("strong")).toHaveText("late");
  await expect(surface).toHaveText("");

  await page.goto(`${path}/goals`);
  await waitForHydration(page);
  await page.getByRole("link", { name: "Log by hand" }).click();
  const byHand = page.getByRole("form", { name: "Log by hand for Listen" });
  await expect(byHand.getByLabel("Amount")).toBeFocused();
  await keyboard.type("4");
  await byHand.getByRole("button", { name: "Log it" }).click();
  await expect(page.getByText(/^\+\d/).first()).toBeVisible();
  await expect(byHand).toHaveCount(0);
  await expect(page.getByRole("main")).toContainText("4 of 1");

  await page.goto(path);
  await waitForHydration(page);
  await page.getByRole("link", { name: "Edit", exact: true }).click();
  const content = page.getByRole("textbox", { name: "Content" });
  await expect(page.getByRole("button", { name: "Bold" })).toBeEnabled();
  await content.click();
  await keyboard.type("Of old days");
  await page.getByRole("button", { name: "Save for everybody" }).click();
  await expect(page.getByRole("main").locator(".prose")).toHaveText("Of old days");
  await expect(page.getByRole("link", { name: "Edit", exact: true })).toBeFocused();
});
