// The Markdown pipeline: no raw HTML passes; links are http, https or mail; images are our own or https. What the
// sanitiser lets through is then dressed by us: widths and sizes of images, links nobody vouches for.
import rehypeHighlight from "rehype-highlight";
import rehypeSanitize, { defaultSchema } from "rehype-sanitize";
import rehypeStringify from "rehype-stringify";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { readImageSource } from "~/domain/rich-text";
import type { RenderedText } from "~/use-cases/ports.server";
import { isKnownLanguage, languages } from "./code-languages";

const schema = {
  ...defaultSchema,
  clobberPrefix: "text-",
  attributes: {
    ...defaultSchema.attributes,
    code: [["className", /^language-\w+$/, /^hljs$/] as [string, ...RegExp[]]],
    span: [["className", /^hljs-[\w-]+$/] as [string, ...RegExp[]]],
    img: ["src", "alt", "title"],
  },
  protocols: { ...defaultSchema.protocols, src: ["https"], href: ["http", "https", "mailto"] },
};

type Properties = Record<string, unknown>;
type Element = {
  type: string;
  tagName?: string;
  value?: string;
  properties?: Properties;
  children?: Element[];
};

function walk(node: Element, visit: (child: Element, index: number, parent: Element) => void): void {
  for (const [index, child] of (node.children ?? []).entries()) {
    visit(child, index, node);
    walk(child, visit);
  }
}

/** A code block says a language of ours (D-05) or none. */
const limitLanguages = () => (tree: Element) =>
  walk(tree, (node) => {
    if (node.tagName !== "code" || !Array.isArray(node.properties?.className)) return;
    const kept = node.properties.className.filter(
      (name) => !String(name).startsWith("language-") || isKnownLanguage(String(name).slice(9)),
    );
    node.properties.className = kept.length > 0 ? kept : undefined;
  });

/** After the sanitiser: everything set here is ours. */
const dress = () => (tree: Element) =>
  walk(tree, (node, index, parent) => {
    // Headings end at the fourth (D-02).
    if (node.tagName === "h5" || node.tagName === "h6") node.tagName = "h4";
    if (node.tagName === "a" && node.properties?.href) node.properties.rel = ["nofollow", "noopener", "ugc"];
    // The box of a task has no label beside it that a machine could find.
    if (node.tagName === "input" && node.properties)
      node.properties.ariaLabel = node.properties.checked ? "Done" : "Not done";
    if (node.tagName === "img") dressImage(node, index, parent);
  });

function dressImage(node: Element, index: number, parent: Element): void {
  const { src = "", alt = "", title } = node.properties ?? {};
  const image = readImageSource(String(src));
  if (!image) {
    if (parent.children) parent.children[index] = { type: "text", value: String(alt) };
    return;
  }
  node.properties = {
    src: image.src,
    alt: String(alt),
    ...(title ? { title } : {}),
    ...(image.size ?? {}),
    ...(image.shown === 100 ? {} : { className: [`image-${image.shown}`] }),
    loading: "lazy",
    decoding: "async",
    ...(image.isOwn ? {} : { referrerPolicy: "no-referrer" }),
  };
}

const toHtml = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype)
  .use(limitLanguages as never)
  .use(rehypeHighlight, { detect: false, languages, plainText: ["plaintext"] })
  .use(rehypeSanitize, schema as never)
  .use(dress as never)
  .use(rehypeStringify)
  .freeze();
const parser = unified().use(remarkParse).use(remarkGfm).freeze();

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
  if (isMachineMade(markdown)) return renderPlain(markdown);
  try {
    const text = plainText(parser.parse(markdown) as Node);
    return {
      content: markdown,
      contentHtml: String(toHtml.processSync(markdown)),
      summary: summaryOf(text),
    };
  } catch (error) {
    // So deeply nested that the stack is full.
    if (error instanceof RangeError) return renderPlain(markdown);
    throw error;
  }
}

function summaryOf(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 300 ? `${line.slice(0, 299)}…` : line;
}

/** Markup that no person writes costs a parser seconds: thousands of open brackets, quotes in quotes in quotes. */
function isMachineMade(markdown: string): boolean {
  if (/^(?:[ \t]*(?:>|[-*+]|\d{1,9}[.)])){40}/m.test(markdown) || /^[ \t]{200}[ \t]*\S/m.test(markdown))
    return true;
  let total = 0;
  for (const block of markdown.split(/\n[ \t]*\n/)) {
    const marks = block.match(/[*_~[\]`<]/g)?.length ?? 0;
    total += marks;
    if (marks > 3000 || total > 30_000) return true;
  }
  return false;
}

/** As it is, in paragraphs. */
function renderPlain(markdown: string): RenderedText {
  const escaped = markdown.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  const contentHtml = escaped
    .split(/\n[ \t]*\n/)
    .map((block) => `<p>${block.trim().replaceAll("\n", "<br>")}</p>`)
    .join("\n");
  return { content: markdown, contentHtml, summary: summaryOf(markdown) };
}
