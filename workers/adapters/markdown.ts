// The Markdown pipeline: no raw HTML passes, links are http, https or mail, images http(s) or our own.
import rehypeHighlight from "rehype-highlight";
import rehypeSanitize, { defaultSchema } from "rehype-sanitize";
import rehypeStringify from "rehype-stringify";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import type { RenderedText } from "~/use-cases/ports.server";

const schema = {
  ...defaultSchema,
  clobberPrefix: "text-",
  attributes: {
    ...defaultSchema.attributes,
    code: [["className", /^language-\w+$/, /^hljs$/] as [string, ...RegExp[]]],
    span: [["className", /^hljs-[\w-]+$/] as [string, ...RegExp[]]],
    img: ["src", "alt", "title", "width", "height"],
  },
  protocols: { ...defaultSchema.protocols, src: ["http", "https"], href: ["http", "https", "mailto"] },
};

const toHtml = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype)
  .use(rehypeHighlight, { detect: false })
  .use(rehypeSanitize, schema as never)
  .use(rehypeStringify)
  .freeze();

type Node = { type: string; value?: string; alt?: string | null; children?: Node[] };
const BLOCKS = new Set(["paragraph", "heading", "listItem", "blockquote", "code", "tableRow", "break"]);

function plainText(node: Node): string {
  if (node.type === "html") return "";
  const own = node.value ?? node.alt ?? "";
  const inner = (node.children ?? []).map(plainText).join("");
  return own + inner + (BLOCKS.has(node.type) ? " " : "");
}

/** `summary` is the plain text, at most 300 characters. */
export function renderMarkdown(markdown: string): RenderedText {
  const text = plainText(unified().use(remarkParse).use(remarkGfm).parse(markdown) as Node)
    .replace(/\s+/g, " ")
    .trim();
  const summary = text.length > 300 ? `${text.slice(0, 299)}…` : text;
  return { content: markdown, contentHtml: String(toHtml.processSync(markdown)), summary };
}
