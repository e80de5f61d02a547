// Renders Markdown to sanitised HTML and plain text when it is written (D-01). The pipeline loads with the first text.
import { loadOnce } from "~/domain/load-once";
import { cleanLines } from "~/domain/text-lines";
import type { RichText } from "~/use-cases/ports.server";

const loadPipeline = loadOnce(() => import("./markdown"));

type RenderedPost = ReturnType<RichText["renderPost"]>;

/** Create it for each request, because it remembers the last text. */
export function createRichText(): RichText {
  const renderNow = async (text: string): RenderedPost => {
    const markdown = cleanLines(text);
    if (markdown.trim() === "")
      return { text: { content: markdown, contentHtml: "", summary: "" }, mentions: [] };
    const { renderPost: renderMarkdown } = await loadPipeline();
    return renderMarkdown(markdown);
  };
  /** The last text, because a change of a series renders the same text for each of its sessions (P7). */
  let last: { markdown: string; post: RenderedPost } | null = null;
  /** A session may have a hundred goals, so other requests get their turn between two texts. */
  const renderAfter = async (earlier: RenderedPost, markdown: string): RenderedPost => {
    await earlier.catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 0));
    return renderNow(markdown);
  };
  const renderPost: RichText["renderPost"] = (markdown) => {
    if (last?.markdown !== markdown)
      last = { markdown, post: last ? renderAfter(last.post, markdown) : renderNow(markdown) };
    return last.post;
  };
  return { renderPost, render: async (markdown) => (await renderPost(markdown)).text };
}
