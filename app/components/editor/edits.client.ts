// The editing commands of the toolbar.
import { commandsCtx, editorViewCtx } from "@milkdown/kit/core";
import type { Ctx } from "@milkdown/kit/ctx";
import {
  createCodeBlockCommand,
  toggleEmphasisCommand,
  toggleStrongCommand,
  wrapInBulletListCommand,
  wrapInHeadingCommand,
  wrapInOrderedListCommand,
} from "@milkdown/kit/preset/commonmark";
import { redo, undo } from "@milkdown/kit/prose/history";
import { liftListItem } from "@milkdown/kit/prose/schema-list";
import { NodeSelection, TextSelection } from "@milkdown/kit/prose/state";
import type { EditorView } from "@milkdown/kit/prose/view";
import { readActive } from "./active.client";

type Edit = (ctx: Ctx) => void;
const viewOf = (ctx: Ctx): EditorView => ctx.get(editorViewCtx);

export const toggleBold: Edit = (ctx) => void ctx.get(commandsCtx).call(toggleStrongCommand.key);
export const toggleItalic: Edit = (ctx) => void ctx.get(commandsCtx).call(toggleEmphasisCommand.key);
export const setHeading =
  (level: number): Edit =>
  (ctx) =>
    void ctx.get(commandsCtx).call(wrapInHeadingCommand.key, level);
export const undoEdit: Edit = (ctx) => {
  const { state, dispatch } = viewOf(ctx);
  undo(state, dispatch);
};
export const redoEdit: Edit = (ctx) => {
  const { state, dispatch } = viewOf(ctx);
  redo(state, dispatch);
};

/** Toggles a code block. */
export const toggleCodeBlock: Edit = (ctx) => {
  const isCode = readActive(viewOf(ctx).state).code !== null;
  if (isCode) ctx.get(commandsCtx).call(wrapInHeadingCommand.key, 0);
  else ctx.get(commandsCtx).call(createCodeBlockCommand.key, "plaintext");
};
export const setCodeLanguage =
  (language: string): Edit =>
  (ctx) => {
    const { state, dispatch } = viewOf(ctx);
    const { code } = readActive(state);
    if (code) dispatch(state.tr.setNodeAttribute(code.pos, "language", language));
  };

/** Toggles a list, or changes its kind. */
export const toggleList =
  (kind: "bullet" | "ordered"): Edit =>
  (ctx) => {
    const { state, dispatch } = viewOf(ctx);
    const { list_item, bullet_list, ordered_list } = state.schema.nodes;
    const current = readActive(state).list;
    if (current === null) {
      const wrap = kind === "bullet" ? wrapInBulletListCommand : wrapInOrderedListCommand;
      ctx.get(commandsCtx).call(wrap.key);
    } else if (current === kind) {
      if (list_item) liftListItem(list_item)(state, dispatch);
    } else {
      const { $from } = state.selection;
      for (let depth = $from.depth; depth > 0; depth--) {
        const { type } = $from.node(depth);
        if (type !== bullet_list && type !== ordered_list) continue;
        dispatch(state.tr.setNodeMarkup($from.before(depth), kind === "bullet" ? bullet_list : ordered_list));
        return;
      }
    }
  };

/** Links the selection, changes the link at the cursor, or inserts the address as a link. Null removes the link. */
export const setLink =
  (href: string | null): Edit =>
  (ctx) => {
    const { state, dispatch } = viewOf(ctx);
    const type = state.schema.marks.link;
    if (!type) return;
    const { empty } = state.selection;
    const { from, to } = empty ? linkRange(state.selection.$from.pos, state.doc, type) : state.selection;
    const tr = state.tr;
    if (from === to) {
      if (href === null) return;
      tr.insert(from, state.schema.text(href.replace(/^mailto:/, ""), [type.create({ href })]));
      tr.setSelection(TextSelection.create(tr.doc, from + tr.doc.content.size - state.doc.content.size));
    } else {
      tr.removeMark(from, to, type);
      if (href !== null) tr.addMark(from, to, type.create({ href }));
    }
    tr.removeStoredMark(type);
    dispatch(tr.scrollIntoView());
  };

type Doc = EditorView["state"]["doc"];
type LinkType = EditorView["state"]["schema"]["marks"][string];

/** The range of the link at a position, and of the links that touch it; empty without one. */
function linkRange(pos: number, doc: Doc, type: LinkType): { from: number; to: number } {
  const $pos = doc.resolve(pos);
  const start = $pos.start();
  let [from, to] = [pos, pos];
  $pos.parent.forEach((child, offset) => {
    const [childFrom, childTo] = [start + offset, start + offset + child.nodeSize];
    if (!type.isInSet(child.marks) || childTo < from || childFrom > to) return;
    from = Math.min(from, childFrom);
    to = Math.max(to, childTo);
  });
  return { from, to };
}

export const insertImage =
  (image: { src: string; alt: string }): Edit =>
  (ctx) => {
    const { state, dispatch } = viewOf(ctx);
    const node = state.schema.nodes.image?.create(image);
    if (node) dispatch(state.tr.replaceSelectionWith(node).scrollIntoView());
  };

export const changeImage =
  (change: { src?: string; alt?: string }): Edit =>
  (ctx) => {
    const { state, dispatch } = viewOf(ctx);
    const { selection } = state;
    if (!(selection instanceof NodeSelection) || selection.node.type.name !== "image") return;
    const tr = state.tr.setNodeMarkup(selection.from, undefined, { ...selection.node.attrs, ...change });
    dispatch(tr.setSelection(NodeSelection.create(tr.doc, selection.from)));
  };

export const removeImage: Edit = (ctx) => {
  const { state, dispatch } = viewOf(ctx);
  if (readActive(state).image) dispatch(state.tr.deleteSelection());
};
