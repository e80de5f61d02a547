// The formatting at the cursor. The toolbar shows it by pressed buttons and contextual tools.
import { redoDepth, undoDepth } from "@milkdown/kit/prose/history";
import type { MarkType } from "@milkdown/kit/prose/model";
import { type EditorState, NodeSelection } from "@milkdown/kit/prose/state";

export type ActiveFormatting = {
  /** The level; 0 for a paragraph. */
  heading: number;
  isBold: boolean;
  isItalic: boolean;
  link: string | null;
  list: "bullet" | "ordered" | null;
  code: { pos: number; language: string } | null;
  image: { pos: number; src: string; alt: string } | null;
  canUndo: boolean;
  canRedo: boolean;
};

export const NOTHING_ACTIVE: ActiveFormatting = {
  heading: 0,
  isBold: false,
  isItalic: false,
  link: null,
  list: null,
  code: null,
  image: null,
  canUndo: false,
  canRedo: false,
};

function hasMark(state: EditorState, type: MarkType | undefined): boolean {
  if (!type) return false;
  const { from, to, empty, $from } = state.selection;
  if (empty) return type.isInSet(state.storedMarks ?? $from.marks()) !== undefined;
  return state.doc.rangeHasMark(from, to, type);
}

export function readActive(state: EditorState): ActiveFormatting {
  const { selection, schema } = state;
  const { $from } = selection;
  const { nodes, marks } = schema;
  let list: ActiveFormatting["list"] = null;
  for (let depth = $from.depth; depth > 0 && list === null; depth--) {
    if ($from.node(depth).type === nodes.bullet_list) list = "bullet";
    if ($from.node(depth).type === nodes.ordered_list) list = "ordered";
  }
  const block = $from.parent;
  const link = marks.link?.isInSet(state.storedMarks ?? $from.marks());
  const image =
    selection instanceof NodeSelection && selection.node.type === nodes.image ? selection.node : null;
  return {
    heading: block.type === nodes.heading ? Number(block.attrs.level) : 0,
    isBold: hasMark(state, marks.strong),
    isItalic: hasMark(state, marks.emphasis),
    link: link ? String(link.attrs.href) : null,
    list,
    code:
      block.type === nodes.code_block
        ? { pos: $from.before(), language: String(block.attrs.language) || "plaintext" }
        : null,
    image: image && { pos: selection.from, src: String(image.attrs.src), alt: String(image.attrs.alt) },
    canUndo: undoDepth(state) > 0,
    canRedo: redoDepth(state) > 0,
  };
}
