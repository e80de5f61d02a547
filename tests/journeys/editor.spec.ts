import { CODE_LANGUAGES } from "../../app/domain/rich-text";
import { goOn, nameOf, openForm, PNG, press, reach, sourceOf, TOOLS, textOf } from "./editor";
import { expect, expectQuiet, newName, type Person, sidewaysOf, test } from "./fixtures";
import { tabTo } from "./focus";

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
const isPython = ({ value }: { value: string }) => value === "python";
const widths = [
  { width: 360, height: 740 },
  { width: 1280, height: 800 },
];
for (const viewport of widths)
  test(`D-02 D-03 D-04 D-05 V-29 every tool works by keyboard at ${viewport.width} px, and a draft is kept`, {
    tag: viewport.width > 1000 ? ["@main"] : [],
  }, async ({ host }: { host: Person }) => {
    const { page, username } = host;
    const { keyboard } = page;
    await page.setViewportSize(viewport);
    await page.route("https://pictures.example.com/**", (route) =>
      route.fulfill({ contentType: "image/png", body: PNG }),
    );
    await openForm(page);
    await expect(page.getByRole("toolbar").locator("[data-tool]")).toHaveCount(TOOLS.length);
    await expect.poll(() => sidewaysOf(page)).toBeLessThanOrEqual(0);

    const style = page.getByLabel("Style");
    await expect(style.locator("option")).toHaveText([
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
    const languages = () =>
      language.locator("option").evaluateAll((all) => all.map((one) => one.getAttribute("value")));
    await expect.poll(languages).toEqual(CODE_LANGUAGES.map((one) => one.value));
    // By arrow keys: letters that a busy browser takes a second apart begin the search again.
    for (const { value } of CODE_LANGUAGES.slice(0, CODE_LANGUAGES.findIndex(isPython) + 1)) {
      if (value !== CODE_LANGUAGES[0].value) await keyboard.press("ArrowDown");
      await expect(language).toHaveValue(value);
    }
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
    await expect(widthsOf.getByRole("button")).toHaveText(["Original", "75%", "50%", "Remove image"]);
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
    await expect.poll(() => sourceOf(page)).toContain("```python");
    // A refused form keeps its draft.
    await keyboard.press("Control+A");
    await keyboard.press("Delete");
    await keyboard.press("Enter");
    await expect(page.getByText("Please give the hut a name.").first()).toBeVisible();
    await expect(page.getByText("Changed. This browser keeps a draft until you save.")).toBeVisible();
    await expect.poll(kept).toContain("Written as");
    await expect(nameOf(page)).toBeFocused();
    await keyboard.type(newName("Hut of words"));
    // A press while the page reloads its data after the refusal is skipped (V-09).
    await expect(page.getByRole("button", { name: "Create hut" })).toBeEnabled();
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
