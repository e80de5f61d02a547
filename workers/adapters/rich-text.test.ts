// Tests of the renderer of rich text that each request gets.
import { expect, test, vi } from "vitest";
import * as markdown from "./markdown";
import { createRichText } from "./rich-text";

test("P7 G-10 a request renders a text once for all sessions of a series", async () => {
  const renders = vi.spyOn(markdown, "renderPost");
  const richText = createRichText();
  const nights = [];
  for (let night = 0; night < 28; night++) nights.push(await richText.render("Some *text*."));
  expect(renders).toHaveBeenCalledTimes(1);
  expect(new Set(nights.map(({ contentHtml }) => contentHtml))).toEqual(
    new Set(["<p>Some <em>text</em>.</p>"]),
  );
  expect((await richText.render("Other")).contentHtml).toBe("<p>Other</p>");
  expect((await richText.render("Some *text*.")).contentHtml).toContain("<em>");
  renders.mockRestore();
});

test("P7 a request with many texts lets other requests work between them", async () => {
  const acts: string[] = [];
  const renders = vi.spyOn(markdown, "renderPost").mockImplementation((content) => {
    acts.push("text");
    return { text: { content, contentHtml: content, summary: "" }, mentions: [] };
  });
  let isOver = false;
  const other = () => {
    acts.push("other");
    if (!isOver) setImmediate(other);
  };
  setImmediate(other);
  const { render } = createRichText();
  const made = await Promise.all(["a", "b", "c", "d"].map(render));
  isOver = true;
  renders.mockRestore();
  expect(made.map(({ contentHtml }) => contentHtml)).toEqual(["a", "b", "c", "d"]);
  expect(acts.join(" ").replace(/other( other)+/g, "other")).toMatch(/text other text other text other text/);
});
