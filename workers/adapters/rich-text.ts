// Markdown → sanitised HTML and plain text, rendered on write (D-01). The pipeline loads with the first write.
import { loadOnce } from "~/domain/load-once";
import { cleanLines } from "~/domain/text-lines";
import type { RichText } from "~/use-cases/ports.server";

const loadPipeline = loadOnce(() => import("./markdown"));

type Made = ReturnType<RichText["renderPost"]>;

/** For one request. */
export function createRichText(): RichText {
  const rendered = async (text: string): Made => {
    const markdown = cleanLines(text);
    if (markdown.trim() === "")
      return { text: { content: markdown, contentHtml: "", summary: "" }, mentions: [] };
    const { renderPost: renderMarkdown } = await loadPipeline();
    return renderMarkdown(markdown);
  };
  /** A change of a series gives its text to each of the sessions (P7). */
  let last: { given: string; made: Made } | null = null;
  /** A session may have a hundred goals, so other requests get their turn between two texts. */
  const after = async (earlier: Made, markdown: string): Made => {
    await earlier.catch(() => {});
    await new Promise((go) => setTimeout(go, 0));
    return rendered(markdown);
  };
  const renderPost: RichText["renderPost"] = (markdown) => {
    if (last?.given !== markdown)
      last = { given: markdown, made: last ? after(last.made, markdown) : rendered(markdown) };
    return last.made;
  };
  return { renderPost, render: async (markdown) => (await renderPost(markdown)).text };
}
