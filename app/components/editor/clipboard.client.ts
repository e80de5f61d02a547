// The editor's clipboard plugin: it converts pasted HTML that Milkdown's schema does not know, and copies text as the
// page shows it.
import type { Node, Slice } from "@milkdown/kit/prose/model";
import { Plugin, PluginKey } from "@milkdown/kit/prose/state";
import { $prose } from "@milkdown/kit/utils";
import { toast } from "~/hooks/toasts";
import { PICTURES_LEFT_OUT, readPasted } from "./pasted-html.client";

/**
 * It comes before Milkdown's clipboard plugin, whose copied text is Markdown with its escapes.
 */
export const clipboardPlugin = (onFiles: (files: File[], position: number) => void) =>
  $prose(
    () =>
      new Plugin({
        key: new PluginKey("bothy-clipboard"),
        props: {
          transformPastedHTML(pastedHtml, view) {
            const { html, files, hasLostPictures } = readPasted(pastedHtml);
            if (hasLostPictures) toast.warning(PICTURES_LEFT_OUT);
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

const blocksText = (blocks: readonly Node[], separator: string): string =>
  blocks.map(blockText).join(separator);

function blockText(block: Node): string {
  const { content } = block.content;
  switch (block.type.name) {
    case "bullet_list":
      return content.map((item) => itemText("-", item)).join("\n");
    case "ordered_list":
      return content
        .map((item, index) => itemText(`${Number(block.attrs.order ?? 1) + index}.`, item))
        .join("\n");
    case "table":
      return content
        .map((row) => row.content.content.map((cell) => blocksText(cell.content.content, " ")).join("\t"))
        .join("\n");
    default:
      return block.inlineContent ? inlineText(content) : blocksText(content, "\n\n");
  }
}

const itemText = (marker: string, item: Node): string =>
  `${marker} ${blocksText(item.content.content, "\n").replaceAll("\n", `\n${" ".repeat(marker.length + 1)}`)}`;

const inlineText = (nodes: readonly Node[]): string =>
  nodes
    .map((node) => {
      if (node.isText) return node.text ?? "";
      // An inline break is a line end of the Markdown source, which the page shows as a space.
      if (node.type.name === "hardbreak") return node.attrs.isInline ? " " : "\n";
      return String(node.attrs.alt ?? "");
    })
    .join("");
