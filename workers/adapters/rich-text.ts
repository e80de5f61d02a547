// Markdown → sanitised HTML and plain text, rendered on write (D-01). The pipeline loads with the first write.
import { loadOnce } from "~/domain/load-once";
import { cleanLines } from "~/domain/text-lines";
import type { RichText } from "~/use-cases/ports.server";

const loadPipeline = loadOnce(() => import("./markdown"));

export function createRichText(): RichText {
  const renderPost: RichText["renderPost"] = async (given) => {
    const markdown = cleanLines(given);
    if (markdown.trim() === "")
      return { text: { content: markdown, contentHtml: "", summary: "" }, mentions: [] };
    const { renderPost: renderMarkdown } = await loadPipeline();
    return renderMarkdown(markdown);
  };
  return { renderPost, render: async (given) => (await renderPost(given)).text };
}
