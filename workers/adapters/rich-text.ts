// Markdown → sanitised HTML and plain text, rendered on write (D-01). The pipeline loads with the first write.
import type { RenderedText, RichText } from "~/use-cases/ports.server";

/**
 * Control characters and lone surrogates mean nothing in a text, and take six bytes each in the JSON of a room's row.
 */
const cleaned = (text: string): string => text.replace(/[^\P{Cc}\t\n\r]|\p{Cs}/gu, "");

/** The pipeline once it is loaded. Not its promise: a request must not wait for another request's import. */
let renderMarkdown: typeof import("./markdown").renderMarkdown | undefined;

export function createRichText(): RichText {
  return {
    async render(given) {
      const markdown = cleaned(given);
      if (markdown.trim() === "")
        return { content: markdown, contentHtml: "", summary: "" } satisfies RenderedText;
      renderMarkdown ??= (await import("./markdown")).renderMarkdown;
      return renderMarkdown(markdown);
    },
  };
}
