// Renders Markdown to sanitised HTML and plain text on write (D-01). The first text loads the pipeline.
import { loadOnce } from "~/domain/load-once";
import { cleanLines } from "~/domain/text-lines";
import type { RichText } from "~/use-cases/ports.server";

const loadPipeline = loadOnce(() => import("./markdown"));

type RenderedPost = Awaited<ReturnType<RichText["renderPost"]>>;

/** Create one for each request: a rendering waits for a timer, which belongs to the request that started it. */
export function createRichText(): RichText {
  const renderNow = async (text: string): Promise<RenderedPost> => {
    const markdown = cleanLines(text);
    if (markdown.trim() === "")
      return { text: { content: markdown, contentHtml: "", summary: "" }, mentions: [] };
    const pipeline = await loadPipeline();
    return pipeline.renderPost(markdown);
  };
  /** A change of a series renders one text for each of its sessions, so the last rendering is kept (P7). */
  let last: { markdown: string; pending: Promise<RenderedPost> } | null = null;
  /** A session may have a hundred goals, so other requests get their turn between two texts. */
  const renderAfter = async (earlier: Promise<RenderedPost>, markdown: string): Promise<RenderedPost> => {
    await earlier.catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 0));
    return renderNow(markdown);
  };
  const renderPost: RichText["renderPost"] = (markdown) => {
    if (last?.markdown !== markdown)
      last = { markdown, pending: last ? renderAfter(last.pending, markdown) : renderNow(markdown) };
    return last.pending;
  };
  return { renderPost, render: async (markdown) => (await renderPost(markdown)).text };
}
