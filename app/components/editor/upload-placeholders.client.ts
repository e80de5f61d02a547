// Placeholders for images during their upload, which move with the text around them. The plugin also takes dropped and
// pasted images.
import { Plugin, PluginKey } from "@milkdown/kit/prose/state";
import { Decoration, DecorationSet, type EditorView } from "@milkdown/kit/prose/view";
import { $prose } from "@milkdown/kit/utils";

type Change = { add: { id: number; pos: number; name: string } } | { remove: number };
const placeholderKey = new PluginKey<DecorationSet>("bothy-uploads");

const imagesOf = (list: FileList | undefined | null): File[] =>
  [...(list ?? [])].filter((file) => file.type.startsWith("image/"));

export const filesPlugin = (onFiles: (files: File[], position: number) => void) =>
  $prose(
    () =>
      new Plugin<DecorationSet>({
        key: placeholderKey,
        state: {
          init: () => DecorationSet.empty,
          apply(tr, set) {
            const moved = set.map(tr.mapping, tr.doc);
            const change = tr.getMeta(placeholderKey) as Change | undefined;
            if (!change) return moved;
            if ("remove" in change)
              return moved.remove(moved.find(undefined, undefined, (spec) => spec.id === change.remove));
            const { id, pos, name } = change.add;
            return moved.add(tr.doc, [Decoration.widget(pos, placeholderFor(name), { id, side: 1 })]);
          },
        },
        props: {
          decorations: (state) => placeholderKey.getState(state),
          handlePaste(view, event) {
            const data = event.clipboardData;
            const files = imagesOf(data?.files);
            if (files.length === 0 || data?.getData("text/html")) return false;
            onFiles(files, view.state.selection.from);
            return true;
          },
          handleDrop(view, event, _slice, isMoved) {
            const files = isMoved ? [] : imagesOf(event.dataTransfer?.files);
            if (files.length === 0) return false;
            event.preventDefault();
            const dropped = view.posAtCoords({ left: event.clientX, top: event.clientY });
            onFiles(files, dropped?.pos ?? view.state.selection.from);
            return true;
          },
        },
      }),
  );

function placeholderFor(name: string): HTMLElement {
  const label = document.createElement("span");
  label.className = "upload-placeholder";
  label.textContent = name;
  return label;
}

export const addPlaceholder = (view: EditorView, id: number, pos: number, name: string): void =>
  view.dispatch(view.state.tr.setMeta(placeholderKey, { add: { id, pos, name } } satisfies Change));

/** Replaces the placeholder with the image; `null` only removes it. */
export function replacePlaceholder(
  view: EditorView,
  id: number,
  image: { src: string; alt: string } | null,
): void {
  const [placeholder] =
    placeholderKey.getState(view.state)?.find(undefined, undefined, (spec) => spec.id === id) ?? [];
  const tr = view.state.tr.setMeta(placeholderKey, { remove: id } satisfies Change);
  const type = view.state.schema.nodes.image;
  if (image && type) {
    const node = type.create(image);
    const position = placeholder?.from ?? view.state.selection.from;
    // A code block takes no image, so the image goes after it.
    const $position = tr.doc.resolve(position);
    if ($position.parent.type.spec.code)
      tr.insert($position.after(), view.state.schema.nodes.paragraph?.create(null, node) ?? node);
    else tr.insert(position, node);
  }
  view.dispatch(tr);
}
