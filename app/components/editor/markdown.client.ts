// The editor's Markdown: how it parses a text and writes a document. Loaded only with the editor.
import { remarkStringifyOptionsCtx } from "@milkdown/kit/core";
import type { Ctx } from "@milkdown/kit/ctx";
import {
  commonmark,
  headingKeymap,
  imageSchema,
  wrapInHeadingInputRule,
} from "@milkdown/kit/preset/commonmark";
import { gfm, remarkGFMPlugin, strikethroughInputRule, strikethroughSchema } from "@milkdown/kit/preset/gfm";
import { markRule } from "@milkdown/kit/prose";
import { $inputRule, $remark } from "@milkdown/kit/utils";
import { endAutolinks } from "~/domain/autolinks";

type Node = { type: string; value?: string; children?: Node[] };
const BR_TAG = /^<br *\/?>$/i;
/** Nodes that contain blocks. Milkdown writes an empty line as a `<br>` directly in such a node. */
const BLOCKS = new Set(["root", "blockquote", "listItem"]);

/** A `<br>` within a line of text is a line break. */
function readBreaks(node: Node): void {
  for (const child of node.children ?? []) {
    if (child.type === "html" && BR_TAG.test(child.value ?? "") && !BLOCKS.has(node.type)) {
      child.type = "break";
      delete child.value;
    } else readBreaks(child);
  }
}
const breaks = $remark("bothyBreaks", () => () => readBreaks as never);
const autolinks = $remark("bothyAutolinks", () => () => endAutolinks as never);

/**
 * Text between two double tildes. A single tilde stays as it is, while Milkdown's rule strikes out text between
 * two of them.
 */
export const STRIKETHROUGH = /(?<![\w:/~])~~([^~\s](?:.*?[^~\s])?)~~$/;
const strikeOut = $inputRule((ctx) => markRule(STRIKETHROUGH, strikethroughSchema.type(ctx)));

// Markdown represents a missing title as null, Milkdown's image as "".
const image = imageSchema.extendSchema((schemaOf) => (ctx) => {
  const schema = schemaOf(ctx);
  return {
    ...schema,
    parseMarkdown: {
      ...schema.parseMarkdown,
      runner: (state, { url, alt, title }, type) => {
        state.addNode(type, { src: url ?? "", alt: alt ?? "", title: title ?? "" });
      },
    },
  };
});

type Text = { value: string };
type Surroundings = { before: string; after: string };
type EscapingState = { safe(value: string, around: Surroundings): string };
const writeText = ({ value }: Text, _: unknown, state: EscapingState, info: Surroundings): string =>
  state.safe(info.after === "\n" ? value.trimEnd() : value, info);

/**
 * Uses remark's own writers. Milkdown's write bold beside punctuation in a form that no parser reads as bold again. Spaces
 * at the end of a line mean nothing, so they are not written as `&#x20;`.
 */
export function configureMarkdown(ctx: Ctx): void {
  ctx.set(remarkGFMPlugin.options.key, { singleTilde: false });
  ctx.set(remarkStringifyOptionsCtx, {
    handlers: {
      text: Object.assign(writeText, { peek: ({ value }: Text) => value.slice(0, 1) }),
      // A heading and a table cell have a single line of source, so their break is HTML.
      break: (_node, _parent, { stack }) =>
        stack.includes("headingAtx") || stack.includes("tableCell") ? "<br />" : "\\\n",
    },
  });
}

/** Milkdown's rules that ours replace: headings of six levels, and strikethrough by single tildes. */
const replacedPlugins = new Set<unknown>([wrapInHeadingInputRule, ...headingKeymap, strikethroughInputRule]);

/** `breaks` comes first, because Milkdown deletes every `<br>`. */
export const markdownPlugins = [
  breaks,
  [commonmark, gfm].flat().filter((plugin) => !replacedPlugins.has(plugin)),
  autolinks,
  strikeOut,
  image,
].flat();
