// The clipboard of the rich-text editor, by the browser's own events with real clipboard data.
import type { Page } from "@playwright/test";
import { openForm, PNG, sourceOf, textOf } from "./editor";
import { expect, test } from "./fixtures";

const paste = (page: Page, data: Record<string, string>) =>
  textOf(page).evaluate((text, given) => {
    const clipboardData = new DataTransfer();
    for (const [type, value] of Object.entries(given)) clipboardData.setData(type, value);
    text.dispatchEvent(new ClipboardEvent("paste", { bubbles: true, cancelable: true, clipboardData }));
  }, data);
/** The plain text and the HTML that the editor puts on the clipboard for all of its text. */
async function copyAll(page: Page): Promise<{ text: string; html: string }> {
  await textOf(page).press("Control+A");
  return textOf(page).evaluate((text) => {
    const clipboardData = new DataTransfer();
    text.dispatchEvent(new ClipboardEvent("copy", { bubbles: true, cancelable: true, clipboardData }));
    return { text: clipboardData.getData("text/plain"), html: clipboardData.getData("text/html") };
  });
}
const clear = async (page: Page) => {
  await textOf(page).press("Control+A");
  await textOf(page).press("Delete");
  // The next text must not be taken for this one.
  await expect.poll(() => sourceOf(page)).toBe("");
};

/** A line of a list as Word copies it. */
const wordLine = (mark: string, text: string, level = 1) =>
  `<p class=MsoListParagraphCxSpMiddle style='text-indent:-18.0pt;mso-list:l0 level${level} lfo1'><![if !supportLists]><span style='font-family:Symbol'><span style='mso-list:Ignore'>${mark}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp;&nbsp; </span></span></span><![endif]>${text}<o:p></o:p></p>`;

test("D-03 pasted pictures, lists and code stay so, and copied text is the text on the screen", async ({
  host: { page },
}) => {
  await openForm(page);

  await test.step("a picture inside pasted HTML is uploaded, and one that cannot be is named", async () => {
    const data = `data:image/png;base64,${PNG.toString("base64")}`;
    await paste(page, {
      "text/html": `<p>before</p><img alt="our hut" src="${data}"><img src="file:///C:/picture.png"><p>after</p>`,
      "text/plain": "before after",
    });
    await expect(textOf(page).locator("img[src]")).toHaveAttribute("src", /\/uploads\//);
    await expect(page.getByText("Some pictures could not be pasted.")).toBeVisible();
    await expect.poll(() => sourceOf(page)).toMatch(/!\[our hut\]\([^)]*\/uploads\//);
    const source = await sourceOf(page);
    expect(source).not.toMatch(/data:|file:/);
    expect(source).toMatch(/^before\n\nafter/);
    await clear(page);
  });

  await test.step("Word's lists are lists", async () => {
    const html = [
      "<p class=MsoNormal>Bring:</p>",
      wordLine("·", "One"),
      wordLine("o", "One <b>and</b> a half", 2),
      wordLine("·", "Two"),
      "<p class=MsoNormal>Then:</p>",
      wordLine("3.", "Three"),
      wordLine("4.", "Four"),
      "<p class=MsoListParagraph>·&nbsp;&nbsp;&nbsp; Five</p>",
    ].join("\n");
    await paste(page, { "text/html": html, "text/plain": "Bring: One" });
    await expect.poll(() => sourceOf(page)).toContain("Five");
    const source = await sourceOf(page);
    expect(source).toMatch(
      /^Bring:\n\n[*-] One\n\n? +[*-] One \*\*and\*\* a half\n\n?[*-] Two\n\nThen:\n\n3\. Three\n\n?4\. Four/,
    );
    expect(source).toMatch(/[*-] Five/);
    expect(source).not.toMatch(/·|\u00a0/);
    await clear(page);
  });

  await test.step("code keeps its lines", async () => {
    for (const html of [
      "<pre><code>if (a) {\n  b();\n}</code></pre>",
      "<pre>if (a) {<br>  b();<br>}</pre>",
      '<div style="font-family: Menlo, monospace; white-space: pre;"><div><span>if (a) {</span></div><div>  b();</div><div>}</div></div>',
    ]) {
      await paste(page, { "text/html": html, "text/plain": "if (a) {\n  b();\n}" });
      await expect.poll(() => sourceOf(page)).toMatch(/```\nif \(a\) \{\n {2}b\(\);\n\}\n```/);
      await clear(page);
    }
  });

  await test.step("copied text is the text on the screen, and the HTML beside it keeps its form", async () => {
    await paste(page, {
      "text/html":
        "<p>see https://example.com/a_b, me@example.com, 3~4 sets, 2*3</p><p>snake_case [x]</p><ul><li>One</li><li>Two</li></ul><ol><li>First</li></ol><pre><code>a\n  b</code></pre>",
    });
    await expect.poll(() => sourceOf(page)).toContain("First");
    const { text, html } = await copyAll(page);
    expect(text).toBe(
      "see https://example.com/a_b, me@example.com, 3~4 sets, 2*3\n\nsnake_case [x]\n\n- One\n- Two\n\n1. First\n\na\n  b",
    );
    expect(html).toContain("<li");
  });
});
