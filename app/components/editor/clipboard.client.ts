// The clipboard of the editor beside Milkdown's: pasted HTML that its schema does not know, and copied text as it looks.
import type { Node, Slice } from "@milkdown/kit/prose/model";
import { Plugin, PluginKey } from "@milkdown/kit/prose/state";
import { $prose } from "@milkdown/kit/utils";
import { toast } from "~/hooks/toasts";
import { PICTURES_LEFT_OUT, readPasted } from "./pasted-html.client";

/**
 * The plugin of pasted and copied content. It comes before Milkdown's own, whose copied text is Markdown with its
 * escapes.
 */
export const takesClipboard = (onFiles: (files: File[], at: number) => void) =>
  $prose(
    () =>
      new Plugin({
        key: new PluginKey("bothy-clipboard"),
        props: {
          transformPastedHTML(pastedHtml, view) {
            const { html, files, hasLost } = readPasted(pastedHtml);
            if (hasLost) toast.warning(PICTURES_LEFT_OUT);
            // The pictures follow the text, which the editor pastes after this handler.
            if (files.length > 0) queueMicrotask(() => onFiles(files, view.state.selection.from));
            return html;
          },
          clipboardTextSerializer: textOf,
        },
      }),
  );

const textOf = (slice: Slice): string => {
  const { content } = slice;
  return content.firstChild?.isInline ? inlineText(content.content) : blocksText(content.content, "\n\n");
};

const blocksText = (blocks: readonly Node[], between: string): string => blocks.map(blockText).join(between);

function blockText(block: Node): string {
  const { content } = block.content;
  switch (block.type.name) {
    case "bullet_list":
      return content.map((item) => itemText("-", item)).join("\n");
    case "ordered_list":
      return content.map((item, at) => itemText(`${Number(block.attrs.order ?? 1) + at}.`, item)).join("\n");
    case "table":
      return content
        .map((row) => row.content.content.map((cell) => blocksText(cell.content.content, " ")).join("\t"))
        .join("\n");
    default:
      return block.inlineContent ? inlineText(content) : blocksText(content, "\n\n");
  }
}

const itemText = (mark: string, item: Node): string =>
  `${mark} ${blocksText(item.content.content, "\n").replaceAll("\n", `\n${" ".repeat(mark.length + 1)}`)}`;

const inlineText = (nodes: readonly Node[]): string =>
  nodes
    .map((node) => {
      if (node.isText) return node.text ?? "";
      // A line of the source that is no line of the page is shown as a space.
      if (node.type.name === "hardbreak") return node.attrs.isInline ? " " : "\n";
      return String(node.attrs.alt ?? "");
    })
    .join("");
