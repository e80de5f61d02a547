// Markdown → sanitised HTML and plain text, rendered on write (D-01). The pipeline loads with the first write.
import { cleanLines } from "~/domain/text-lines";
import type { RichText } from "~/use-cases/ports.server";

/** The pipeline once it is loaded. Not its promise: a request must not wait for another request's import. */
let pipeline: typeof import("./markdown") | undefined;

export function createRichText(): RichText {
  const renderPost: RichText["renderPost"] = async (given) => {
    const markdown = cleanLines(given);
    if (markdown.trim() === "")
      return { text: { content: markdown, contentHtml: "", summary: "" }, mentions: [] };
    pipeline ??= await import("./markdown");
    return pipeline.renderPost(markdown);
  };
  return { renderPost, render: async (given) => (await renderPost(given)).text };
}
