// The rich-text editor by keyboard alone, on narrow and wide screens: tools, image uploads and the draft in this
// browser. The tests never click or focus; only dropped and pasted images arrive as events.
import type { Locator, Page, Route } from "@playwright/test";
import { CODE_LANGUAGES } from "../../app/domain/rich-text";
import { alive, call, expect, expectQuiet, newName, type Person, test } from "./fixtures";

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAGCAIAAABxZ0isAAAAEklEQVR4nGNgsFqBFTEMKQkAgHkdiRAmJbUAAAAASUVORK5CYII=",
  "base64",
);
const TOOLS = [
  "Style",
  "Bold",
  "Italic",
  "Link",
  "Bulleted list",
  "Numbered list",
  "Code block",
  "Image",
  "Undo",
  "Redo",
  "Edit source",
];

/** Markdown without a tool: the editor must keep it. */
const KINDS = `\`\`\`
no language
\`\`\`

> quoted\\
> twice

- [ ] open
- [x] done

| a | b |
| - | - |
| 1 | 2 |

---

~~gone~~ \`code\` ![](/nowhere.png "titled") <b>raw</b>`;

const textOf = (page: Page): Locator => page.getByRole("textbox", { name: "Description", exact: true });
const sourceOf = (page: Page): Promise<string> => page.locator('textarea[name="content"]').inputValue();

/** Tab forwards, or Shift+Tab backwards, until the target has the focus. */
async function tabTo(page: Page, target: Locator, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  await expect(target).toBeVisible();
  const isThere = () => target.evaluate((element) => element === document.activeElement);
  for (let stops = 0; stops < 60 && !(await isThere()); stops++) await page.keyboard.press(key);
  await expect(target).toBeFocused();
}
const nameOf = (page: Page): Locator => page.locator('main input[name="title"]');

async function openForm(page: Page): Promise<void> {
  await page.goto("/groups/create");
  await expect(page.getByRole("button", { name: "Bold" })).toBeEnabled();
  await tabTo(page, nameOf(page));
  await page.keyboard.type(newName("Hut"));
  // The toolbar is one stop before the text.
  await page.keyboard.press("Tab");
  await expect(page.getByLabel("Style")).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(textOf(page)).toBeFocused();
}

/** Moves the focus from the text to a tool. */
async function reach(page: Page, name: string): Promise<void> {
  await page.keyboard.press("Alt+F10");
  await page.keyboard.press("Home");
  for (let i = TOOLS.indexOf(name); i > 0; i--) await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("toolbar").getByLabel(name, { exact: true })).toBeFocused();
}
async function press(page: Page, name: string): Promise<void> {
  await reach(page, name);
  await page.keyboard.press("Enter");
}
/** Moves the caret into an empty paragraph at the end of the text. */
async function goOn(page: Page): Promise<void> {
  await page.keyboard.press("Control+End");
  await page.keyboard.press("Enter");
}

const widths = [
  { width: 360, height: 740 },
  { width: 1280, height: 800 },
];
for (const viewport of widths)
  test(`D-02 D-03 D-04 D-05 V-29 every tool works by keyboard at ${viewport.width} px, and a draft is kept`, async ({
    host,
  }: {
    host: Person;
  }) => {
    const { page, username } = host;
    const { keyboard } = page;
    await page.setViewportSize(viewport);
    await page.route("https://pictures.example.com/**", (route) =>
      route.fulfill({ contentType: "image/png", body: PNG }),
    );
    await openForm(page);
    expect(await page.getByRole("toolbar").locator("[data-tool]").count()).toBe(TOOLS.length);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      viewport.width,
    );

    const style = page.getByLabel("Style");
    expect(await style.locator("option").allTextContents()).toEqual([
      "Paragraph",
      "Heading 1",
      "Heading 2",
      "Heading 3",
      "Heading 4",
    ]);
    for (const level of [1, 2, 3, 4]) {
      await reach(page, "Style");
      for (let i = 0; i < level; i++) await keyboard.press("ArrowDown");
      await expect(style).toHaveValue(String(level));
      await keyboard.press("Escape");
      await keyboard.type(`Level ${level}`);
      await keyboard.press("Enter");
    }
    await press(page, "Bold");
    await expect(page.getByRole("button", { name: "Bold" })).toHaveAttribute("aria-pressed", "true");
    await keyboard.type("strong");
    await press(page, "Bold");
    await keyboard.type(" and ");
    await press(page, "Italic");
    await keyboard.type("soft");
    await press(page, "Italic");
    await keyboard.type(" by ");
    await press(page, "Link");
    await expect(page.getByLabel("Link address")).toBeFocused();
    await keyboard.type("example.com");
    await keyboard.press("Enter");
    await expect(textOf(page)).toBeFocused();
    await goOn(page);
    for (const kind of ["Bulleted list", "Numbered list"]) {
      await press(page, kind);
      await keyboard.type("one");
      await keyboard.press("Enter");
      await keyboard.type("two");
      await keyboard.press("Enter");
      await keyboard.press("Enter");
    }

    await press(page, "Code block");
    await keyboard.type("print(1)");
    await keyboard.press("Shift+Tab");
    const language = page.getByLabel("Language");
    await expect(language).toBeFocused();
    expect(
      await language.locator("option").evaluateAll((all) => all.map((one) => one.getAttribute("value"))),
    ).toEqual(CODE_LANGUAGES.map((one) => one.value));
    await keyboard.type("Pyth");
    await expect(language).toHaveValue("python");
    await keyboard.press("Tab");
    await keyboard.press("Control+Enter");

    await keyboard.type("A mistake");
    await press(page, "Undo");
    await expect(textOf(page)).not.toContainText("A mistake");
    await press(page, "Redo");
    await expect(textOf(page)).toContainText("A mistake");
    await goOn(page);

    await press(page, "Image");
    await expect(page.getByRole("button", { name: "Upload from this device" })).toBeFocused();
    await keyboard.press("Tab");
    const insert = page.getByRole("button", { name: "Insert image" });
    await expect(insert).toBeDisabled();
    await keyboard.type("   ");
    await expect(insert).toBeDisabled();
    await keyboard.type("https://pictures.example.com/hut.png");
    await expect(insert).toBeEnabled();
    await keyboard.press("Tab");
    await keyboard.type("Our hut");
    await keyboard.press("Enter");
    const image = textOf(page).locator('img[alt="Our hut"]');
    await expect(image).toBeVisible();
    await keyboard.press("ArrowLeft");
    const widthsOf = page.getByRole("group", { name: "Selected image" });
    await expect(widthsOf.getByRole("button", { name: "Original" })).toHaveAttribute("aria-pressed", "true");
    expect(await widthsOf.getByRole("button").allTextContents()).toEqual([
      "Original",
      "75%",
      "50%",
      "Remove image",
    ]);
    // From the image to its width, arrows between the widths, Escape back; Alt+F10 twice reaches the toolbar.
    await keyboard.press("Alt+F10");
    await expect(widthsOf.getByRole("button", { name: "Original" })).toBeFocused();
    await keyboard.press("ArrowRight");
    await keyboard.press("Enter");
    await expect(image).toHaveClass(/image-75/);
    await keyboard.press("ArrowRight");
    await keyboard.press("Enter");
    await expect(image).toHaveClass(/image-50/);
    await keyboard.press("Escape");
    await expect(textOf(page)).toBeFocused();
    await keyboard.press("Alt+F10");
    await expect(widthsOf.getByRole("button", { name: "50%" })).toBeFocused();
    await press(page, "Edit source");
    await expect(page.locator('textarea[name="content"]')).toBeFocused();
    const markdown = await sourceOf(page);
    for (const line of [
      "# Level 1",
      "## Level 2",
      "### Level 3",
      "#### Level 4",
      /\*\*strong\*\* and \*soft\* by (<https:\/\/example\.com>|\[.*\]\(https:\/\/example\.com\))/,
      /^[*-] one\n+[*-] two$/m,
      /^1\. one\n+2\. two$/m,
      "```python\nprint(1)\n```",
      "A mistake",
      /!\[Our hut\]\(https:\/\/pictures\.example\.com\/hut\.png#size=8x6\\?&show=50\)/,
    ])
      expect(markdown).toMatch(typeof line === "string" ? new RegExp(escaped(line)) : line);
    await keyboard.press("Control+End");
    await keyboard.insertText(`\n\n${KINDS}`);
    await keyboard.type("\n\nWritten as *source*.");
    await keyboard.press("Shift+Tab");
    await keyboard.press("Enter");
    await expect(textOf(page).locator("em", { hasText: "source" })).toBeVisible();

    // The draft stays in this browser until the server accepts the form.
    await expect(page.getByText("Changed. This browser keeps a draft until you save.")).toBeVisible();
    const kept = () => page.evaluate((key) => localStorage.getItem(key) ?? "", `draft:${username} hut new`);
    await expect.poll(kept).toContain("Written as");
    await page.reload();
    await tabTo(page, page.getByRole("button", { name: "Restore" }));
    await keyboard.press("Enter");
    await expect(nameOf(page)).toBeFocused();
    await expect(nameOf(page)).toHaveValue(/^Hut/);
    await expect(textOf(page)).toContainText("Written as source.");
    expect(await sourceOf(page)).toContain("```python");
    // A refused form keeps its draft.
    await keyboard.press("Control+A");
    await keyboard.press("Delete");
    await keyboard.press("Enter");
    await expect(page.getByText("Please give the hut a name.").first()).toBeVisible();
    await expect(page.getByText("Changed. This browser keeps a draft until you save.")).toBeVisible();
    await expect.poll(kept).toContain("Written as");
    await keyboard.type(newName("Hut of words"));
    await keyboard.press("Enter");
    await expect(page).toHaveURL(/\/group\//);
    const shown = page.locator("main .prose").first();
    await expect(shown.locator("pre code").first()).toContainText("print(1)");
    await expect(shown.locator("em", { hasText: "source" })).toBeAttached();
    await expect(shown.locator("img.image-50")).toBeAttached();
    expect(await kept()).toBe("");
    expectQuiet(page);
  });

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

type Held = { release?: () => void };

test("S-21 U-59 M-33 an image upload is read, sent and shown, refused, or cancelled", async ({ host }) => {
  const { page } = host;
  const { keyboard } = page;
  await page.clock.install();
  // Registered early: the press may open the browser's own dialog before a later listener exists.
  page.on("filechooser", () => {});
  // Reading the file waits until the test releases it.
  await page.addInitScript(() => {
    const { arrayBuffer } = File.prototype;
    File.prototype.arrayBuffer = async function () {
      await new Promise<void>((done) => {
        (window as Held).release = done;
      });
      return arrayBuffer.call(this);
    };
  });
  let held: Route | undefined;
  await page.route("**/upload/*", (route) => {
    held = route;
  });
  await openForm(page);
  await press(page, "Image");
  await expect(page.getByRole("button", { name: "Upload from this device" })).toBeFocused();
  await keyboard.press("Escape");
  await expect(textOf(page)).toBeFocused();

  const row = page.locator("[data-upload]");
  const take = async (name: string, give: () => Promise<void>) => {
    held = undefined;
    await give();
    await expect(row).toHaveAttribute("data-upload", "reading");
    await expect(textOf(page).locator(".upload-placeholder")).toHaveText(name);
    await page.evaluate(() => (window as Held).release?.());
    await expect(row).toHaveAttribute("data-upload", "uploading");
    await expect.poll(() => held !== undefined).toBe(true);
    await expect(textOf(page)).toBeFocused();
  };
  const choose = (name: string) =>
    take(name, async () => {
      await press(page, "Image");
      await expect(page.getByRole("button", { name: "Upload from this device" })).toBeFocused();
      const asked = page.waitForEvent("filechooser");
      await keyboard.press("Enter");
      const chooser = await asked;
      expect(chooser.isMultiple()).toBe(true);
      await chooser.setFiles({ name, mimeType: "image/png", buffer: PNG });
    });
  // Drop and paste have no key: the browser's own event with the file in it.
  const handOver = (name: string, how: "drop" | "paste") =>
    take(name, () =>
      textOf(page).evaluate(
        (text, { name, how, bytes }) => {
          const data = new DataTransfer();
          data.items.add(new File([Uint8Array.from(bytes)], name, { type: "image/png" }));
          const { left, top } = text.getBoundingClientRect();
          const about = { bubbles: true, cancelable: true };
          const at = { clientX: left + 20, clientY: top + 20 };
          text.dispatchEvent(
            how === "drop"
              ? new DragEvent("drop", { ...about, ...at, dataTransfer: data })
              : new ClipboardEvent("paste", { ...about, clipboardData: data }),
          );
        },
        { name, how, bytes: [...PNG] },
      ),
    );

  await choose("our_hut.png");
  await page.clock.pauseAt(Date.now() + 60_000);
  await held?.continue();
  await expect(row).toHaveAttribute("data-upload", "complete");
  await expect(row).toContainText("Uploaded");
  await expect(textOf(page).locator('img[alt="our hut"]')).toHaveAttribute("src", /^\/uploads\/\w+\.png$/);
  await page.clock.runFor(2900);
  await expect(row).toBeVisible();
  await page.clock.runFor(200);
  await expect(row).toHaveCount(0);
  await page.clock.resume();

  for (const [index, how] of (["drop", "paste"] as const).entries()) {
    await handOver(`${how}ped.png`, how);
    await held?.continue();
    await expect(textOf(page).locator("img[src]")).toHaveCount(index + 2);
    await expect(row).toHaveCount(0);
  }

  await choose("broken.png");
  await held?.fulfill({ status: 500, body: "" });
  const failed = page.getByText("Upload failed", { exact: true });
  await expect(failed).toBeVisible();
  await expect(page.getByText("Couldn't upload file: broken.png.")).toBeVisible();
  await expect(row).toHaveCount(0);
  await expect(textOf(page).locator(".upload-placeholder")).toHaveCount(0);

  const failures = await failed.count();
  await choose("stopped.png");
  await tabTo(page, page.getByRole("button", { name: "Stop the upload of stopped.png" }));
  await keyboard.press("Enter");
  await expect(textOf(page)).toBeFocused();
  await expect(row).toHaveCount(0);
  await expect(textOf(page).locator(".upload-placeholder")).toHaveCount(0);
  await expect(page.getByText(/stopped\.png/)).toHaveCount(0);
  expect(await failed.count()).toBeLessThanOrEqual(failures);
  expect(await textOf(page).locator("img[src]").count()).toBe(3);
});

test("D-03 each shortcut that a tool names does the same as the tool", async ({ host }) => {
  const { page } = host;
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

test("D-03 the editor takes over text, caret and focus of the area, and no typed letter is lost", async ({
  host,
}) => {
  const { page } = host;
  const { keyboard } = page;
  let release = () => {};
  const isWritten = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/rich-text-editor/, async (route) => {
    await isWritten;
    await route.continue();
  });
  // A delayed script may delay the page's load event too.
  await page.goto("/groups/create", { waitUntil: "domcontentloaded" });
  await alive(page);
  const area = page.locator('textarea[name="content"]');
  await area.focus();
  await keyboard.type("We meet at the hut.");
  for (let n = 0; n < " at the hut.".length; n++) await keyboard.press("ArrowLeft");
  await keyboard.type(" gladly ");
  await keyboard.press("Backspace");
  release();
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

test("D-03 V-29 Restore gives the text its focus, although the editor replaces the text area meanwhile", async ({
  host,
}) => {
  const { page, username } = host;
  let release = () => {};
  const isPressed = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/rich-text-editor/, async (route) => {
    await isPressed;
    await route.continue();
  });
  await page.goto("/groups/create", { waitUntil: "domcontentloaded" });
  await page.evaluate(
    ([key, typed]) =>
      localStorage.setItem(key, JSON.stringify({ typed: { content: typed }, savedAt: Date.now() })),
    [`draft:${username} hut new`, "By the fire"] as const,
  );
  await page.reload({ waitUntil: "domcontentloaded" });
  await alive(page);
  await expect(page.getByRole("button", { name: "Restore" })).toBeVisible();
  // Timers that begin with the press wait until the editor is there.
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
  release();
  await expect(page.getByRole("button", { name: "Bold" })).toBeEnabled();
  await page.evaluate(() => (window as Waiting).runTimers?.());
  await expect(textOf(page)).toBeFocused();
  await expect(textOf(page)).toHaveText("By the fire");
  expectQuiet(page);
});

test("D-03 a shortcut works at the caret of a press whose selection event is still to come", async ({
  host,
}) => {
  const { page } = host;
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

test("D-03 a reset empties the editor, although it reports its last change at that moment", async ({
  host,
}) => {
  const { page } = host;
  await page.goto("/groups/create");
  await expect(page.getByRole("button", { name: "Bold" })).toBeEnabled();
  await textOf(page).focus();
  await page.keyboard.type("By the fire");
  await expect.poll(() => sourceOf(page)).toContain("By the fire");
  // The report of the change is due 200 ms later. While the task blocks, both timers become due: reset, then report.
  await page.evaluate(() => {
    document.execCommand("insertText", false, " late");
    setTimeout(() => {
      document.querySelector<HTMLTextAreaElement>('textarea[name="content"]')?.form?.reset();
      for (const until = performance.now() + 100; performance.now() < until; );
    }, 150);
  });
  await expect(textOf(page)).toHaveText("");
  expect(await sourceOf(page)).toBe("");
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
  await page.getByRole("link", { name: "Log by hand" }).click();
  const byHand = page.getByRole("form", { name: "Log by hand for Listen" });
  await expect(byHand.getByLabel("Amount")).toBeFocused();
  await keyboard.type("4");
  await byHand.getByRole("button", { name: "Log it" }).click();
  await expect(page.getByText(/^\+\d/).first()).toBeVisible();
  await expect(byHand).toHaveCount(0);
  await expect(page.getByRole("main")).toContainText("4 of 1");

  await page.goto(path);
  await page.getByRole("link", { name: "Edit", exact: true }).click();
  const content = page.getByRole("textbox", { name: "Content" });
  await expect(page.getByRole("button", { name: "Bold" })).toBeEnabled();
  await content.click();
  await keyboard.type("Of old days");
  await page.getByRole("button", { name: "Save for everybody" }).click();
  await expect(page.getByRole("main").locator(".prose")).toHaveText("Of old days");
  await expect(page.getByRole("link", { name: "Edit", exact: true })).toBeFocused();
});

test("D-01 when the editor does not load, the text area stays without a gap, and its next focus loads it again", async ({
  host,
}) => {
  const { page } = host;
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
