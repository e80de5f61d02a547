// The Markdown pipeline: HTML as text; links to http, https or mail; images of our own or over https. After the
// sanitiser it adds what the product needs, such as image widths and `nofollow`.
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
import { highlighted, highlightingWork, isKnownLanguage } from "./code-languages";

/** Of the ids of footnotes, by the sanitiser. */
const PREFIX = "text-";
const schema = {
  ...defaultSchema,
  clobberPrefix: PREFIX,
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

/** A code block has one of the fourteen languages (D-05) or none. */
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
  let left = 1;
  walk(tree, (node, _, parent) => {
    const names = node.properties?.className;
    if (parent.tagName !== "pre" || node.tagName !== "code" || !Array.isArray(names)) return;
    const language = names.map(String).find((name) => name.startsWith("language-"));
    if (!language) return;
    const code = (node.children ?? []).map(({ value }) => value ?? "").join("");
    const work = highlightingWork(language.slice("language-".length), code);
    if (work > left) return;
    left -= work;
    const children = highlighted(language.slice("language-".length), code);
    if (children === null) return;
    node.properties = { ...node.properties, className: ["hljs", ...names] };
    node.children = children as Element[];
  });
};

const HERE = "https://here.invalid";
/** `//host` names another host without a protocol, in each spelling that browsers read as that. */
const isHostAlone = (href: unknown): boolean =>
  typeof href === "string" &&
  !/^[a-z][a-z\d+.-]*:/i.test(href) &&
  (!URL.canParse(href, HERE) || new URL(href, HERE).origin !== HERE);

/** Runs after the sanitiser, which would remove these attributes. */
const adjustElements = () => (tree: Element) =>
  walk(tree, (node, index, parent) => {
    // A heading has level four at most (D-02).
    if (node.tagName === "h5" || node.tagName === "h6") node.tagName = "h4";
    if (node.tagName === "a" && isHostAlone(node.properties?.href)) node.properties = {};
    // The sanitiser prefixes the ids that these links lead to.
    if (node.properties?.dataFootnoteRef !== undefined || node.properties?.dataFootnoteBackref !== undefined)
      node.properties.href = String(node.properties.href).replace("#", `#${PREFIX}`);
    if (node.tagName === "a" && node.properties?.href) node.properties.rel = ["nofollow", "noopener", "ugc"];
    // The checkbox of a task has no label element beside it.
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

const BREAK = /<br *\/?>/i;
/** The nodes whose children are blocks. */
const CONTAINERS = new Set(["root", "blockquote", "listItem", "footnoteDefinition"]);

/** HTML as the text that it is, with its line breaks. */
function textOfHtml(_: unknown, node: Node, parent: Node | undefined): Element | Element[] {
  const children = (node.value ?? "").split(BREAK).flatMap((value, at): Element[] => {
    const text = { type: "text", value };
    return at === 0 ? [text] : [{ type: "element", tagName: "br", properties: {}, children: [] }, text];
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
  const own =
    node.type === "html" ? (node.value ?? "").split(BREAK).join(" ") : (node.value ?? node.alt ?? "");
  const inner = (node.children ?? []).map(plainText).join(CONTAINERS.has(node.type) ? " " : "");
  return own + inner + (BLOCKS.has(node.type) ? " " : "");
}

/** The author's own words: blocks as lines, without code and quotes. */
function spokenText(node: Node): string {
  if (node.type === "code" || node.type === "blockquote") return "";
  if (node.type === "inlineCode" || node.type === "break") return " ";
  const inner = (node.children ?? []).map(spokenText).join("");
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
  const rendered = renderMarked(markdown.slice(0, end));
  const { html, text, spoken } = rendered ?? { html: "", text: "", spoken: "" };
  const remaining = rendered ? markdown.slice(end) : markdown;
  return {
    text: {
      content: markdown,
      contentHtml: [html, plainHtml(remaining)].filter(Boolean).join("\n"),
      summary: summaryOf(text.length > 300 ? text : `${text} ${beginningOf(remaining, 2000)}`),
    },
    mentions: mentionsIn(`${spoken}\n${remaining}`),
  };
}

/** null when references would expand the text beyond the bound. */
function renderMarked(markdown: string): { html: string; text: string; spoken: string } | null {
  if (markdown === "") return { html: "", text: "", spoken: "" };
  const tree = pipeline.parse(markdown);
  if (referencedLength(tree as Node) > MAX_REFERENCED_CHARS) return null;
  const text = plainText(tree as Node);
  const spoken = markdown.includes("@") || markdown.includes("&") ? spokenText(tree as Node) : "";
  return { html: pipeline.stringify(pipeline.runSync(tree) as never), text, spoken };
}

function referencedLength(tree: Node): number {
  const lengths = new Map<string, number>();
  const uses: string[] = [];
  const look = (node: Node): void => {
    const name = (node.identifier ?? "").toUpperCase();
    if (node.type === "definition" && !lengths.has(name))
      lengths.set(name, (node.url?.length ?? 0) + (node.title?.length ?? 0));
    if (node.type === "linkReference" || node.type === "imageReference") uses.push(name);
    node.children?.forEach(look);
  };
  look(tree);
  return uses.reduce((sum, name) => sum + (lengths.get(name) ?? 0), 0);
}

const summaryOf = (text: string): string => shorten(text.replace(/\s+/g, " ").trim(), 300);

/** The text as typed, in paragraphs. */
const plainHtml = (text: string): string =>
  text
    .replace(/[&<>]/g, (sign) => ESCAPED[sign] ?? sign)
    .split(/\n[ \t]*\n/)
    .flatMap((block) => (block.trim() === "" ? [] : `<p>${block.trim().replaceAll("\n", "<br>")}</p>`))
    .join("\n");
const ESCAPED: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
