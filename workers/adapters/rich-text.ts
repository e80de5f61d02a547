// Markdown → sanitised HTML and plain text, made once on write (D-01). Loaded on the first write only.
import type { RenderedText, RichText } from "~/use-cases/ports.server";

export function createRichText(): RichText {
  return {
    async render(markdown) {
      if (markdown.trim() === "")
        return { content: markdown, contentHtml: "", summary: "" } satisfies RenderedText;
      const { renderMarkdown } = await import("./markdown");
      return renderMarkdown(markdown);
    },
  };
}
