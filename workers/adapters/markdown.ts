// The Markdown pipeline. It shows HTML as text, and allows links to http, https and mail, and images that are our own
// or over https.
import rehypeSanitize, { defaultSchema } from "rehype-sanitize";
import rehypeStringify from "rehype-stringify";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { endAutolinks } from "~/domain/autolinks";
import { beginningOf, shorten } from "~/domain/beginnings";
import { MAX_REFERENCED_CHARS, structureEnd } from "~/domain/markdown-bounds";
import { mentionsIn } from "~/domain/notices/mentions";
import { readImageSource } from "~/domain/rich-text";
import type { RenderedText } from "~/use-cases/ports.server";
import { highlightCode, highlightingWork, isKnownLanguage } from "./code-languages";

/** The prefix that the sanitiser gives to the ids of footnotes. */
const ID_PREFIX = "text-";
const schema = {
  ...defaultSchema,
  clobberPrefix: ID_PREFIX,
  attributes: {
    ...defaultSchema.attributes,
    code: [["className", /^language-\w+$/, /^hljs$/] as [string, ...RegExp[]]],
    span: [["className", /^hljs-[\w-]+$/] as [string, ...RegExp[]]],
    img: ["src", "alt", "title"],
  },
  protocols: { ...defaultSchema.protocols, src: ["https"], href: ["http", "https", "mailto"] },
};

type Properties = Record<string, unknown>;
/** A node of the HTML tree. */
type Element = {
  type: string;
  tagName?: string;
  value?: string;
  properties?: Properties;
  children?: Element[];
};

/** A node of the Markdown tree. */
type Node = {
  type: string;
  value?: string;
  alt?: string | null;
  identifier?: string;
  url?: string;
  title?: string | null;
  children?: Node[];
};

function walk(node: Element, visit: (child: Element, index: number, parent: Element) => void): void {
  for (const [index, child] of (node.children ?? []).entries()) {
    visit(child, index, node);
    walk(child, visit);
  }
}

/** Removes the class of a code block whose language is not among the fourteen (D-05). */
const limitLanguages = () => (tree: Element) =>
  walk(tree, (node) => {
    if (node.tagName !== "code" || !Array.isArray(node.properties?.className)) return;
    const allowedClasses = node.properties.className.filter(
      (name) => !String(name).startsWith("language-") || isKnownLanguage(String(name).slice(9)),
    );
    node.properties.className = allowedClasses.length > 0 ? allowedClasses : undefined;
  });

/**
 * Highlights the code blocks of a language with a grammar, up to a bound of work for the whole text (P7). A block beyond
 * it is shown without colours.
 */
const highlight = () => (tree: Element) => {
  let workLeft = 1;
  walk(tree, (node, _, parent) => {
    const names = node.properties?.className;
    if (parent.tagName !== "pre" || node.tagName !== "code" || !Array.isArray(names)) return;
    const languageClass = names.map(String).find((name) => name.startsWith("language-"));
    if (!languageClass) return;
    const language = languageClass.slice("language-".length);
    const code = (node.children ?? []).map(({ value }) => value ?? "").join("");
    const work = highlightingWork(language, code);
    if (work > workLeft) return;
    workLeft -= work;
    const children = highlightCode(language, code);
    if (children === null) return;
    node.properties = { ...node.properties, className: ["hljs", ...names] };
    node.children = children as Element[];
  });
};

/** The base that replaces our own origin when an address is resolved. */
const OWN_ORIGIN = "https://here.invalid";
/** True for `//host`, an address of another host without a protocol, in each spelling that browsers accept. */
const isProtocolRelative = (href: unknown): boolean =>
  typeof href === "string" &&
  !/^[a-z][a-z\d+.-]*:/i.test(href) &&
  (!URL.canParse(href, OWN_ORIGIN) || new URL(href, OWN_ORIGIN).origin !== OWN_ORIGIN);

/** Adds attributes such as image widths and `nofollow`. Runs after the sanitiser, which would remove them. */
const adjustElements = () => (tree: Element) =>
  walk(tree, (node, index, parent) => {
    // A heading has level four at most (D-02).
    if (node.tagName === "h5" || node.tagName === "h6") node.tagName = "h4";
    if (node.tagName === "a" && isProtocolRelative(node.properties?.href)) node.properties = {};
    // These links lead to ids that the sanitiser has prefixed.
    if (node.properties?.dataFootnoteRef !== undefined || node.properties?.dataFootnoteBackref !== undefined)
      node.properties.href = String(node.properties.href).replace("#", `#${ID_PREFIX}`);
    if (node.tagName === "a" && node.properties?.href) node.properties.rel = ["nofollow", "noopener", "ugc"];
    // The checkbox of a task has no label element, so it needs an aria-label.
    if (node.tagName === "input" && node.properties)
      node.properties.ariaLabel = node.properties.checked ? "Done" : "Not done";
    if (node.tagName === "img") adjustImage(node, index, parent);
  });

/** Sets the attributes of an allowed image. An image from any other source becomes its alternative text. */
function adjustImage(node: Element, index: number, parent: Element): void {
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

const BREAK = /<br *\/?>/i;
/** The nodes whose children are blocks. */
const CONTAINERS = new Set(["root", "blockquote", "listItem", "footnoteDefinition"]);

/** Shows HTML as its source text, and `<br>` as a line break. */
function textOfHtml(_: unknown, node: Node, parent: Node | undefined): Element | Element[] {
  const children = (node.value ?? "").split(BREAK).flatMap((value, index): Element[] => {
    const text = { type: "text", value };
    return index === 0 ? [text] : [{ type: "element", tagName: "br", properties: {}, children: [] }, text];
  });
  if (!CONTAINERS.has(parent?.type ?? "")) return children;
  return { type: "element", tagName: "p", properties: {}, children };
}

const pipeline = unified()
  .use(remarkParse)
  .use(remarkGfm, { singleTilde: false })
  .use(() => endAutolinks as never)
  .use(remarkRehype, { clobberPrefix: "", handlers: { html: textOfHtml as never } })
  .use(limitLanguages as never)
  .use(highlight as never)
  .use(rehypeSanitize, schema as never)
  .use(adjustElements as never)
  .use(rehypeStringify)
  .freeze();

const BLOCKS = new Set(["paragraph", "heading", "listItem", "blockquote", "code", "tableCell", "break"]);

function plainText(node: Node): string {
  const nodeText =
    node.type === "html" ? (node.value ?? "").split(BREAK).join(" ") : (node.value ?? node.alt ?? "");
  const inner = (node.children ?? []).map(plainText).join(CONTAINERS.has(node.type) ? " " : "");
  return nodeText + inner + (BLOCKS.has(node.type) ? " " : "");
}

/** The text that the author wrote, without code and quotes; each block is a line. */
function authoredText(node: Node): string {
  if (node.type === "code" || node.type === "blockquote") return "";
  if (node.type === "inlineCode" || node.type === "break") return " ";
  const inner = (node.children ?? []).map(authoredText).join("");
  return (node.value ?? "") + inner + (BLOCKS.has(node.type) ? "\n" : "");
}

/**
 * `summary` is plain text of at most 300 characters. Text beyond the bounds of the structure is rendered without
 * formatting.
 */
export const renderMarkdown = (markdown: string): RenderedText => renderPost(markdown).text;

/** The text, and the names that it mentions outside code and quotes (N-26). */
export function renderPost(markdown: string): { text: RenderedText; mentions: string[] } {
  const end = structureEnd(markdown);
  const rendered = renderFormatted(markdown.slice(0, end));
  const { html, text, authored } = rendered ?? { html: "", text: "", authored: "" };
  const remaining = rendered ? markdown.slice(end) : markdown;
  return {
    text: {
      content: markdown,
      contentHtml: [html, plainHtml(remaining)].filter(Boolean).join("\n"),
      summary: summaryOf(text.length > 300 ? text : `${text} ${beginningOf(remaining, 2000)}`),
    },
    mentions: mentionsIn(`${authored}\n${remaining}`),
  };
}

/** The text with its formatting; null when references would expand it beyond the bound. */
function renderFormatted(markdown: string): { html: string; text: string; authored: string } | null {
  if (markdown === "") return { html: "", text: "", authored: "" };
  const tree = pipeline.parse(markdown);
  if (referencedLength(tree as Node) > MAX_REFERENCED_CHARS) return null;
  const text = plainText(tree as Node);
  const authored = markdown.includes("@") || markdown.includes("&") ? authoredText(tree as Node) : "";
  return { html: pipeline.stringify(pipeline.runSync(tree) as never), text, authored };
}

/** The characters of addresses and titles that all references of a text add to it. */
function referencedLength(tree: Node): number {
  const lengths = new Map<string, number>();
  const uses: string[] = [];
  const visit = (node: Node): void => {
    const name = (node.identifier ?? "").toUpperCase();
    if (node.type === "definition" && !lengths.has(name))
      lengths.set(name, (node.url?.length ?? 0) + (node.title?.length ?? 0));
    if (node.type === "linkReference" || node.type === "imageReference") uses.push(name);
    node.children?.forEach(visit);
  };
  visit(tree);
  return uses.reduce((sum, name) => sum + (lengths.get(name) ?? 0), 0);
}

const summaryOf = (text: string): string => shorten(text.replace(/\s+/g, " ").trim(), 300);

/** The text in paragraphs, with its marks of formatting as they were typed. */
const plainHtml = (text: string): string =>
  text
    .replace(/[&<>]/g, (sign) => ESCAPED[sign] ?? sign)
    .split(/\n[ \t]*\n/)
    .flatMap((block) => (block.trim() === "" ? [] : `<p>${block.trim().replaceAll("\n", "<br>")}</p>`))
    .join("\n");
const ESCAPED: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
